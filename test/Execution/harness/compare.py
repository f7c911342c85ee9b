# Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# Compares bytes at zero tolerance. Only what has no defined value is excused: the payload and sign of a NaN.

import numpy as np

from harness.device import COUNTS
from oracle import formats, kernels


def assert_same(what, expected, got, excused=None):
    """Equal arrays, or a message with the first differences. excused(flat indices) says which of them are no error."""
    assert expected.shape == got.shape, f"{what}: shape {got.shape}, expected {expected.shape}"
    wrong = np.flatnonzero(expected.ravel() != got.ravel())
    if len(wrong) and excused:
        wrong = wrong[~excused(wrong)]
    if not len(wrong):
        return
    width = 2 * expected.itemsize
    lines = [f"  {tuple(map(int, np.unravel_index(i, expected.shape)))}: expected {int(expected.ravel()[i]):0{width}x}, "
             f"got {int(got.ravel()[i]):0{width}x}" for i in wrong[:8]]
    raise AssertionError(f"{what}: {len(wrong)} of {expected.size} differ\n" + "\n".join(lines))


def assert_16_bit(what, expected, got, dtype):
    nan = lambda codes: np.isnan(formats.decode16(codes, dtype))
    assert_same(what, expected, got, lambda i: nan(expected.ravel()[i]) & nan(got.ravel()[i]))


def assert_f32(what, expected, got):
    same_nan = lambda i: np.isnan(expected.ravel()[i]) & np.isnan(got.ravel()[i])
    assert_same(what, expected.view(np.uint32), got.view(np.uint32), same_nan)


def assert_fp8(what, expected, got, fp8):
    same_nan = lambda i: fp8.is_nan(expected.ravel()[i]) & fp8.is_nan(got.ravel()[i])
    assert_same(what, expected, got, same_nan)


def assert_bytes(what, expected, got, undefined):
    """Bytes [n, width], where undefined(row, column) gives the bits of a byte that have no defined value."""
    width = expected.shape[1]

    def only_undefined(indices):
        differ = expected.ravel()[indices] ^ got.ravel()[indices]
        return np.array([int(d) & ~undefined(*divmod(int(i), width)) == 0 for i, d in zip(indices, differ)], bool)

    assert_same(what, expected, got, only_undefined)


def assert_fp4(what, expected, got):
    """Packed codes [rows, bytes] against an Fp4Rows: outside the signs of NaNs every bit is compared."""
    none = np.zeros(expected.packed.shape[1], np.uint8)
    assert_bytes(what, expected.packed, got, lambda row, byte: int(expected.undefined.get(row, none)[byte]))


def excuse_ties(expected, got_packed, got_scales, x, dtype, group, **steps):
    """Replaces codes of expected by those got where the value before rounding lies within 4 ulp of a tie; counts them: the definition leaves an ulp to rsq."""
    wrong = np.flatnonzero((expected.packed != got_packed).any(axis=1) | (expected.scales != got_scales).any(axis=1))
    wrong = [row for row in wrong if row not in expected.undefined]
    if not wrong:
        return expected
    elements, scales = kernels.near_a_tie(x[wrong], dtype, group, **{k: at_rows(v, wrong) for k, v in steps.items()})
    packed, codes = expected.packed.copy(), expected.scales.copy()
    for i, row in enumerate(wrong):
        loose = elements[i] | np.repeat(scales[i] & (codes[row] != got_scales[row]), group)
        bits = formats.fp4_pack(np.where(loose, np.uint8(15), np.uint8(0)))
        COUNTS["ties"] += int(np.count_nonzero(formats.fp4_unpack((packed[row] ^ got_packed[row]) & bits)))
        packed[row] = (packed[row] & ~bits) | (got_packed[row] & bits)
        codes[row] = np.where(scales[i], got_scales[row], codes[row])
    return kernels.Fp4Rows(packed, codes, expected.undefined)


def at_rows(step, rows):
    """A step of the oracle for some rows only: a rope has a position for each row."""
    if isinstance(step, kernels.Rope):
        return kernels.Rope(step.cos, step.sin, step.positions[rows], step.offset, step.interleaved)
    return step
