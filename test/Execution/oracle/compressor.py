# Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# What the compressor family computes, in float64 up to the step that rounds: pool, norm, rope, quantise, place.
"""Written from the definition of each step, for rows [row, dim]. A window's sources are gathered first, so that the
pool is a plain softmax over them: no online update, no split, no wave."""

from dataclasses import dataclass

import numpy as np

from . import formats, layouts

ROWS_AT_ONCE = 1 << 23  # elements of gathered sources


@dataclass(frozen=True)
class Geometry:
    """A compressor's window: `ratio` tokens, and with overlap the `ratio` tokens before them."""

    dim: int
    ratio: int
    overlap: bool
    rope_dim: int

    @property
    def sources(self):
        return self.ratio * (2 if self.overlap else 1)

    @property
    def columns(self):
        return self.dim * (2 if self.overlap else 1)

    @property
    def nope(self):
        return self.dim - self.rope_dim


def select_columns(rows, geometry, k):
    """The half of each input row that source k uses: the second one for tokens of the present block."""
    first = geometry.dim if geometry.overlap and k >= geometry.ratio else 0
    return rows[:, first:first + geometry.dim]


def gather(geometry, plan, kv_in, score_in, kv_state, score_state, slots, ape):
    """Scores and values [row, source, dim] in float64 of valid plan rows, the scores of missing tokens -inf."""
    g, count = geometry, len(plan)
    ragged, batch, position, window = (plan[:, i].astype(np.int64) for i in range(4))
    scores = np.empty((count, g.sources, g.dim))
    values = np.zeros((count, g.sources, g.dim))
    ring = kv_state.shape[1]
    for k in range(g.sources):
        token = position - g.sources + 1 + k
        from_state = (k < window) & (token >= 0)
        from_input = (k >= window) & (token >= 0)
        scores[token < 0, k] = -np.inf
        where = slots[batch[from_state]], token[from_state] % ring
        scores[from_state, k] = select_columns(score_state[where], g, k)
        values[from_state, k] = select_columns(kv_state[where], g, k)
        rows = ragged[from_input] - (g.sources - 1 - k)
        bias = select_columns(ape[k % g.ratio][None], g, k).astype(np.float64)
        scores[from_input, k] = select_columns(formats.bf16_decode(score_in[rows]), g, k) + bias
        values[from_input, k] = select_columns(formats.bf16_decode(kv_in[rows]), g, k)
    return scores, values


def softmax_pool(scores, values):
    """Per element: the mean over sources, weighted by softmax; what is masked has no part in it."""
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    return (weights * np.where(weights > 0, values, 0)).sum(axis=1) / weights.sum(axis=1)


def pooled_rows(geometry, plan, *inputs):
    out = np.empty((len(plan), geometry.dim))
    step = max(1, ROWS_AT_ONCE // (geometry.sources * geometry.dim))
    for first in range(0, len(plan), step):
        out[first:first + step] = softmax_pool(*gather(geometry, plan[first:first + step], *inputs))
    return out


def finished_rows(geometry, pooled, positions, weight, epsilon, cos, sin):
    """Norm and rotation, rounded to f32 at the end only. The position is that of the first token of the block."""
    g = geometry
    n = pooled / np.sqrt((pooled**2).mean(axis=1, keepdims=True) + np.float64(np.float32(epsilon))) * weight
    if g.rope_dim:
        at = positions // g.ratio * g.ratio
        c, s = (formats.bf16_decode(table[at]).astype(np.float64) for table in (cos, sin))
        even, odd = n[:, g.nope::2].copy(), n[:, g.nope + 1::2].copy()
        n[:, g.nope::2] = even * c - odd * s
        n[:, g.nope + 1::2] = odd * c + even * s
    return n.astype(np.float32)


# ---- Quantisation: codes, scales, and which rows or groups lie too near a power of two to tell --------------------


@dataclass
class Quantised:
    codes: np.ndarray  # [row, element]
    scales: np.ndarray  # [row, group]: bytes, or f32
    unsure: np.ndarray  # [row, group]: the scale may be the next one


def near_power_of_two(w, ulps=2):
    mantissa = formats.bits(w) & formats.U32(0x7FFFFF)
    return np.minimum(mantissa, formats.U32(0x800000) - mantissa) <= ulps


def group_amax(rows, group):
    return np.abs(rows).reshape(len(rows), -1, group).max(axis=2)


def spread(scales, group):
    return np.repeat(scales, group, axis=1)


def flush_tiny(values, flush):
    return np.where((values < 0) & (values > -np.float32(flush)), np.float32(0), values) if flush else values


def power(exponents):
    return np.ldexp(np.float32(1), exponents.astype(np.int64)).astype(np.float32)


def quantise_fp4(rows, group=32):
    w = np.maximum(group_amax(rows, group), formats.from_bits(formats.U32(formats.FP4_AMAX_FLOOR))) * formats.FP4_INVERSE_MAX
    scales = round_up(w)
    codes = formats.fp4_encode(rows * spread(power(127 - scales.astype(np.int64)), group))
    return Quantised(codes, scales, near_power_of_two(w))


def round_up(w):
    """The e8m0 code of the smallest power of two at or above w."""
    u = formats.bits(w)
    exponent = (u >> formats.U32(23)) + ((u & formats.U32(0x7FFFFF)) != 0)
    return np.minimum(exponent, 255).astype(np.uint8)


def quantise_group_fp8(rows, fp8, group=64, flush=None):
    w = group_amax(rows, group) * fp8.reciprocal
    scales = round_up(w)
    scaled = rows * spread(power(127 - scales.astype(np.int64)), group)
    return Quantised(fp8.encode(flush_tiny(scaled, flush)), scales, near_power_of_two(w))


def quantise_row_fp8(rows, fp8, power_of_two=True, flush=None, floor=1e-4):
    w = np.maximum(group_amax(rows, rows.shape[1]), np.float32(floor)) * fp8.reciprocal
    scales = power(round_up(w).astype(np.int64) - 127) if power_of_two else w
    scaled = np.clip(rows * (np.float32(1) / scales), -fp8.maximum, fp8.maximum)
    return Quantised(fp8.encode(flush_tiny(scaled, flush)), scales, near_power_of_two(w) if power_of_two else np.zeros(w.shape, bool))


# ---- The state ring -----------------------------------------------------------------------------------------------


def update_states(geometry, write_plan, kv_in, score_in, kv_state, score_state, slots, ape):
    """Writes the tokens of a plan into the ring, in f32 as the kernel must, bit by bit."""
    for ragged, batch, position, _ in write_plan:
        if position < 0:
            continue
        place = slots[batch], position % kv_state.shape[1]
        kv_state[place] = formats.bf16_decode(kv_in[ragged])
        score_state[place] = formats.bf16_decode(score_in[ragged]) + ape[position % geometry.ratio]


# ---- Where bytes go -----------------------------------------------------------------------------------------------


def slots_of(geometry, plan, block_table, page_slots):
    """Page and slot of each plan row."""
    index = plan[:, 2] // geometry.ratio
    return block_table[plan[:, 1], index // page_slots], index % page_slots


def fp4_offsets(slot, page_slots, dim, shuffled):
    """Byte offsets in a page [row, dim / 2] and [row, dim / 32] of codes and scales."""
    byte, group = np.arange(dim // 2)[None], np.arange(dim // 32)[None]
    slot = slot[:, None]
    if shuffled:
        return layouts.fp4_preshuffle(slot, byte, page_slots), layouts.e8m0_interleave(slot, group, page_slots)
    return layouts.linear(slot, byte, dim // 2), layouts.linear(slot, group, dim // 32)


def fp8_offsets(slot, dim, shuffled):
    element, slot = np.arange(dim)[None], slot[:, None]
    return layouts.fp8_preshuffle(slot, element, dim) if shuffled else layouts.linear(slot, element, dim)
