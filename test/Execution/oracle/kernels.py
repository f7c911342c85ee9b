# Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# What each kernel of test/Kernels writes: the row arithmetic put together, over many rows at a time.

from dataclasses import dataclass
from typing import Optional

import numpy as np

from . import formats, layouts, rows

CHUNK = 1 << 18  # elements worked on at once: stays in the cache


@dataclass(frozen=True)
class Rope:
    """Tables [positions, half] in 16-bit codes, and the position of each row."""

    cos: np.ndarray
    sin: np.ndarray
    positions: np.ndarray
    offset: int
    interleaved: bool = True


@dataclass(frozen=True)
class Norm:
    weight: np.ndarray  # 16-bit codes
    epsilon: float


def transformed(x, dtype, norm: Optional[Norm] = None, rope: Optional[Rope] = None, rotate=False):
    """Yields (rows, f32 values [dim, count]) for 16-bit codes x [rows, dim]: norm, then rope, then rotation."""
    step = max(1, CHUNK // x.shape[1])
    if rope:
        cos, sin = formats.decode16(rope.cos, dtype), formats.decode16(rope.sin, dtype)
    for first in range(0, len(x), step):
        part = slice(first, min(first + step, len(x)))
        v = formats.decode16(np.ascontiguousarray(x[part].T), dtype)
        if norm:
            v = rows.rmsnorm(v, formats.decode16(norm.weight, dtype), norm.epsilon)
        if rope:
            at = rope.positions[part]
            v = rows.rope(v, np.ascontiguousarray(cos[at].T), np.ascontiguousarray(sin[at].T), rope.offset, rope.interleaved)
        if rotate:
            v = rows.hadamard(v)
        yield part, v


def nan_rows(v):
    """{row: which elements are NaN} for the rows of a chunk that have any."""
    nan = np.isnan(v)
    return {int(r): nan[:, r] for r in np.flatnonzero(nan.any(axis=0))}


def to_16_bit(x, dtype, **steps):
    """Codes [rows, dim]."""
    out = np.empty(x.shape, np.uint16)
    for part, v in transformed(x, dtype, **steps):
        out[part] = formats.encode16(v, dtype).T
    return out


@dataclass
class Fp4Rows:
    """Packed codes [rows, dim / 2], scales [rows, groups], and for rows with a NaN the packed bits whose value is not
    defined: the sign of a NaN."""

    packed: np.ndarray
    scales: np.ndarray
    undefined: dict

    def head(self, count):
        """The first rows."""
        kept = {r: bits for r, bits in self.undefined.items() if r < count}
        return Fp4Rows(self.packed[:count], self.scales[:count], kept)


def to_fp4(x, dtype, group, **steps):
    count, dim = x.shape
    out = Fp4Rows(np.empty((count, dim // 2), np.uint8), np.empty((count, dim // group), np.uint8), {})
    for part, v in transformed(x, dtype, **steps):
        codes, scales = rows.quantize_fp4(v, group)
        out.packed[part] = formats.fp4_pack(codes).T
        out.scales[part] = scales.T
        for row, nan in nan_rows(v).items():
            out.undefined[part.start + row] = formats.fp4_pack(np.where(nan, np.uint8(8), np.uint8(0)))
    return out


@dataclass
class Fp8Rows:
    """Codes [rows, dim] and f32 scales [rows, groups]."""

    codes: np.ndarray
    scales: np.ndarray


def to_fp8(x, dtype, group, fp8, **steps):
    count, dim = x.shape
    out = Fp8Rows(np.empty((count, dim), np.uint8), np.empty((count, dim // group), np.float32))
    for part, v in transformed(x, dtype, **steps):
        codes, scales = rows.quantize_fp8(v, group, fp8)
        out.codes[part] = codes.T
        out.scales[part] = scales.T
    return out


def near_a_tie(x, dtype, group, ulps=4, **steps):
    """Which FP4 elements [rows, dim] lie within some ulp of a tie, and which scales [rows, groups] of a power of two:
    where a reduction of another order, or an rsq that is off by an ulp, may give another code."""
    elements, scales = np.zeros(x.shape, bool), np.zeros((len(x), x.shape[1] // group), bool)
    for part, v in transformed(x, dtype, **steps):
        scaled, _ = rows.scaled_fp4(v, group)
        magnitude = formats.bits(scaled) & formats.U32(0x7FFFFFFF)
        distance = np.abs(magnitude.astype(np.int64)[None] - formats.bits(formats.FP4_TIES)[:, None, None]).min(axis=0)
        elements[part] = (distance <= ulps).T
        w = formats.bits(rows.group_amax(v, group, formats.FP4_AMAX_FLOOR) * formats.FP4_INVERSE_MAX) & formats.U32(0x7FFFFF)
        scales[part] = (np.minimum(w, formats.U32(0x800000) - w) <= ulps).T
    return elements, scales


def query_scale_pages(scales, heads):
    """Shuffled scale pages [tokens, bytes] from row-major scales [tokens * heads, groups]; pad bytes are zero."""
    groups = scales.shape[1]
    tokens = len(scales) // heads
    pages = np.zeros((tokens, groups * 16 * layouts.query_tiles(heads)), np.uint8)
    offsets = layouts.query_scale(np.arange(heads)[:, None], np.arange(groups), heads)
    pages[:, offsets.ravel()] = scales.reshape(tokens, heads * groups)
    return pages


def page_offsets(slots, width, groups, kb, shuffled):
    """Rows that are not skipped, their pages, and the offsets of their packed bytes and of their scales."""
    live = np.flatnonzero(slots >= 0)
    page, slot = slots[live] // kb, (slots[live] % kb)[:, None]
    byte, group = np.arange(width), np.arange(groups)
    if shuffled:
        return live, page[:, None], layouts.fp4_preshuffle(slot, byte, kb), layouts.e8m0_interleave(slot, group, kb)
    return live, page[:, None], layouts.linear(slot, byte, width), layouts.linear(slot, group, groups)


def fill_cache(cache, scale, quantized, slots, kb, shuffled):
    """Writes FP4 rows and their scales to flat pages [pages, bytes]; rows with a negative slot are skipped. Returns the
    undefined bits of the cache, as {(page, byte): bits}."""
    width, groups = quantized.packed.shape[1], quantized.scales.shape[1]
    live, page, data, where = page_offsets(slots, width, groups, kb, shuffled)
    cache[page, data] = quantized.packed[live]
    scale[page, where] = quantized.scales[live]
    undefined = {}
    for i, row in enumerate(live):
        bits = quantized.undefined.get(int(row))
        if bits is not None:
            undefined |= {(int(page[i, 0]), int(data[i, b])): int(bits[b]) for b in np.flatnonzero(bits)}
    return undefined


def read_cache(cache, scale, like, slots, kb, shuffled):
    """The inverse of fill_cache: packed codes and scales of every row; a skipped row as in the Fp4Rows like."""
    packed, scales = like.packed.copy(), like.scales.copy()
    live, page, data, where = page_offsets(slots, packed.shape[1], scales.shape[1], kb, shuffled)
    packed[live], scales[live] = cache[page, data], scale[page, where]
    return packed, scales
