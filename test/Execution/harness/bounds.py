# Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# Compares what a compressor wrote with the float64 oracle, within stated bounds, and keeps the worst of what it saw.
"""Bounds, over all elements of one comparison: scale bytes are exact but where the exact value lies within 2 ulp of a
power of two; at most one code in a thousand differs, and by one step; at most one bf16 in a thousand by more than an
ulp. The slack is for exp, rcp and rsq, which the machine approximates, and for the order of sums."""

import numpy as np

from harness.device import COUNTS, WORST
from oracle import compressor, formats

MOST_CODES_OFF = 1e-3
MOST_BF16_OFF = 1e-3
SMALL = 4096  # below this many elements a single one is more than the share


def note(name, value):
    WORST[name] = max(WORST.get(name, 0), value)


def allowed(count, share):
    return max(int(count * share), 1 if count < SMALL else 0)


def fp4_steps(codes):
    """Signed place of a code among the values of FP4; both zeros are place 0."""
    magnitude = (codes & 7).astype(np.int64)
    return np.where(codes & 8, -magnitude, magnitude)


def fp8_steps(codes):
    magnitude = (codes & 0x7F).astype(np.int64)
    return np.where(codes & 0x80, -magnitude, magnitude)


def bf16_steps(codes):
    magnitude = (codes & 0x7FFF).astype(np.int64)
    return np.where(codes & 0x8000, -magnitude, magnitude)


def check_codes(what, expected, got, steps):
    distance = np.abs(steps(expected) - steps(got))
    off = int((distance > 0).sum())
    COUNTS["codes"] += expected.size
    COUNTS["codes_off"] += off
    note("share of codes one step off", off / expected.size)
    assert distance.max(initial=0) <= 1, f"{what}: codes differ by up to {distance.max()} steps at {np.argwhere(distance > 1)[:5].tolist()}"
    assert off <= allowed(expected.size, MOST_CODES_OFF), f"{what}: {off} of {expected.size} codes are one step off"


def check_bf16(what, expected, got):
    assert not np.isnan(formats.bf16_decode(got)).any(), f"{what}: NaN"
    distance = np.abs(bf16_steps(expected) - bf16_steps(got))
    # Where a rotation cancels, an ulp of its operands is many of the result.
    size = np.abs(formats.bf16_decode(expected)).max(axis=-1, keepdims=True)
    tiny = np.abs(formats.bf16_decode(expected) - formats.bf16_decode(got)) <= size * np.float32(2.0**-20)
    off = int(((distance > 1) & ~tiny).sum())
    COUNTS["bf16"] += expected.size
    COUNTS["bf16_off"] += off
    note("share of bf16 more than an ulp off", off / expected.size)
    assert off <= allowed(expected.size, MOST_BF16_OFF), f"{what}: {off} of {expected.size} are more than one ulp off"


def check_scale_bytes(what, expected, got, unsure):
    wrong = (expected != got) & ~unsure
    COUNTS["scales"] += expected.size
    COUNTS["scales_excused"] += int(((expected != got) & unsure).sum())
    assert not wrong.any(), f"{what}: {int(wrong.sum())} scales differ, the first at {np.argwhere(wrong)[0].tolist()}: {expected[wrong][0]} and {got[wrong][0]}"


def check_quantised(what, expected, codes, scales, steps, group, power_of_two=True):
    same = np.ones(expected.scales.shape, bool)
    if power_of_two:
        check_scale_bytes(what, expected.scales, scales, expected.unsure)
        # Codes under another scale are other codes.
        same = expected.scales == scales
    else:
        error = np.abs(scales - expected.scales) / expected.scales
        note("relative error of plain f32 scales", float(error.max(initial=0)))
        assert error.max(initial=0) < 2e-6, f"{what}: a scale is {error.max()} off"
    same = np.repeat(same, group, axis=1)
    check_codes(what, expected.codes[same], codes[same], steps)


# ---- Whole caches -------------------------------------------------------------------------------------------------


def take(pages, page, offsets, written):
    """The values at `offsets` of each row's page; notes that they were written."""
    rows = page[:, None]
    assert not written[rows, offsets].any(), "two rows share a byte: the test's plan is wrong"
    written[rows, offsets] = True
    return pages[rows, offsets]


def check_untouched(name, pages, written):
    """All that no row of the plan owns is as it was."""
    left = pages[~written]
    poison = np.frombuffer(b"\xa5" * pages.itemsize, pages.dtype)[0]
    if pages.dtype == np.float32:
        left, poison = left.view(np.uint32), np.uint32(0xA5A5A5A5)
    touched = int((left != poison).sum())
    assert not touched, f"{name}: {touched} elements that no row owns were written"


def check_caches(shape, arch, rows, plan, block_table, caches):
    """Compares every byte of the caches {name: array} after a launch with f32 rows of the valid part of `plan`."""
    page, slot = compressor.slots_of(shape.geometry, plan, block_table, shape.page_slots)
    flat = {name: array.reshape(len(array), -1) for name, array in caches.items()}
    written = {name: np.zeros(array.shape, bool) for name, array in flat.items()}
    get = lambda name, offsets: take(flat[name], page, offsets, written[name])
    what, fp8, dim = f"{shape} {arch}", formats.FP8_OF_ARCH[arch], shape.dim
    if shape.form == "bf16":
        check_bf16(what, formats.bf16_encode(rows), get("cache", slot[:, None] * dim + np.arange(dim)))
    elif shape.form == "per_row_fp8":
        expected = compressor.quantise_row_fp8(rows, fp8, shape.round == "up", shape.flush)
        codes = get("cache", compressor.fp8_offsets(slot, dim, shape.shuffled))
        check_quantised(what, expected, codes, get("scale", slot[:, None]), fp8_steps, dim, shape.round == "up")
    elif shape.form == "group_fp8":
        nope = shape.geometry.nope
        expected = compressor.quantise_group_fp8(np.ascontiguousarray(rows[:, :nope]), fp8, flush=shape.flush)
        entry = slot[:, None] * dim
        codes = get("cache", entry + np.arange(nope))
        twice = get("cache", entry + nope + np.arange(2 * (nope // 64)))
        assert np.array_equal(twice[:, 0::2], twice[:, 1::2]), f"{what}: the two bytes of a scale differ"
        check_quantised(what, expected, codes, twice[:, 0::2], fp8_steps, 64)
        tail = get("k_rope", slot[:, None] * shape.rope_dim + np.arange(shape.rope_dim))
        check_bf16(what, formats.bf16_encode(rows[:, nope:]), tail)
    else:
        expected = compressor.quantise_fp4(rows)
        bytes_at, scales_at = compressor.fp4_offsets(slot, shape.page_slots, dim, shape.shuffled)
        packed = get("cache", bytes_at)
        codes = formats.fp4_unpack(packed.T).T
        check_quantised(what, expected, codes, get("scale", scales_at), fp4_steps, 32)
    for name, pages in flat.items():
        check_untouched(f"{what} {name}", pages, written[name])
