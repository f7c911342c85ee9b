# Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# The oracle's own row arithmetic: rope, Hadamard, rmsnorm and block quantisation.

import numpy as np
import pytest

from oracle import formats, rows
from oracle.formats import F32, U32

NORM = {128: 0x3DB504F3, 256: 0x3D800000, 512: 0x3D3504F3, 1024: 0x3D000000}


@pytest.mark.parametrize("dim", NORM)
def test_hadamard_of_a_unit_vector(dim):
    x = np.zeros((dim, 1), F32)
    x[5] = 1
    y = rows.hadamard(x)[:, 0]
    assert np.all(formats.bits(np.abs(y)) == NORM[dim])
    signs = "".join("-" if v < 0 else "+" for v in y[:16])
    assert signs == "+-+--+-++-+--+-+"


@pytest.mark.parametrize("dim", NORM)
def test_hadamard_equals_its_definition(dim):
    x = np.random.default_rng(1).integers(-8, 9, (dim, 3)).astype(F32)  # sums are exact
    index = np.arange(dim)
    parity = np.array([[bin(i & j).count("1") & 1 for j in index] for i in index])
    expected = ((1 - 2 * parity) @ x.astype(np.int64)).astype(F32) * U32(NORM[dim]).view(F32)
    assert np.array_equal(rows.hadamard(x), expected)


def test_hadamard_takes_small_spans_first():
    """1e8 + 1 loses the one: only the ascending order keeps it for this row."""
    x = np.zeros((128, 1), F32)
    x[0], x[1], x[2] = 1, 1e8, -1e8
    assert rows.hadamard(x)[0, 0] == 0  # (1 + 1e8) + (-1e8 + 0) = 0; span 2 first would give 1


def test_rope_rotates_neighbours_by_a_quarter_turn():
    x = np.arange(8, dtype=F32)[:, None]
    y = rows.rope(x, np.zeros((2, 1), F32), np.ones((2, 1), F32), 4)
    assert y[:, 0].tolist() == [0, 1, 2, 3, -5, 4, -7, 6]


def test_rope_rotates_halves_by_a_quarter_turn():
    x = np.arange(8, dtype=F32)[:, None]
    y = rows.rope(x, np.zeros((2, 1), F32), np.ones((2, 1), F32), 2, interleaved=False)
    assert y[:, 0].tolist() == [0, 1, -4, -5, 2, 3, 6, 7]


def test_rope_rounds_each_product():
    """With a fused multiply-add the difference of these two products would not be zero."""
    a = F32(1 + 2.0**-12)
    x = np.array([[a], [a]], F32)
    y = rows.rope(x, np.array([[a]], F32), np.array([[a]], F32), 0)
    assert y[0, 0] == 0
    assert y[1, 0] == F32(a * a) * F32(2)


def test_sum_of_squares_adds_neighbours_first():
    x = np.array([2.0**24, 1, 1, 1], F32)[:, None]
    assert rows.tree_sum(x)[0] == F32(2.0**24) + F32(2)  # (2^24 + 1 -> 2^24) + 2; left to right gives 2^24


def test_sum_of_squares_pads_with_zeros():
    x = np.arange(1, 7, dtype=F32)[:, None]
    assert rows.tree_sum(x)[0] == 21


def test_p34_rmsnorm_multiplies_by_the_weight_last():
    x = np.random.default_rng(3).standard_normal((128, 64)).astype(F32)
    w = np.random.default_rng(4).standard_normal(128).astype(F32)
    r = rows.rsqrt(rows.tree_sum(x * x) * F32(1 / 128) + F32(1e-6))
    assert np.array_equal(rows.rmsnorm(x, w, 1e-6), (x * r) * w[:, None])
    assert not np.array_equal(rows.rmsnorm(x, w, 1e-6), x * (r * w[:, None]))


def test_quantize_fp4_of_a_zero_group():
    codes, scales = rows.quantize_fp4(np.zeros((64, 1), F32), 32)
    assert not codes.any() and scales.ravel().tolist() == [1, 1]


def test_quantize_fp4_keeps_groups_apart():
    x = np.concatenate([np.full(32, 6.0), np.full(32, 0.75)]).astype(F32)[:, None]
    codes, scales = rows.quantize_fp4(x, 32)
    assert scales.ravel().tolist() == [127, 124]
    assert codes[:32].ravel().tolist() == [7] * 32 and codes[32:].ravel().tolist() == [7] * 32


def test_quantize_fp4_of_infinity_and_nan():
    x = np.ones((64, 1), F32)
    x[0], x[1], x[33] = np.inf, -np.inf, np.nan
    codes, scales = rows.quantize_fp4(x, 32)
    assert scales.ravel().tolist() == [255, 255]
    assert codes[:3, 0].tolist() == [7, 15, 0] and codes[32:34, 0].tolist() == [0, 7]


@pytest.mark.parametrize("fp8", [formats.FP8_FN, formats.FP8_FNUZ], ids=lambda f: f.name)
def test_quantize_fp8_scales_the_largest_element_to_the_maximum(fp8):
    x = np.random.default_rng(5).standard_normal((128, 100)).astype(F32)
    codes, scale = rows.quantize_fp8(x, 32, fp8)
    assert np.all((codes & 0x7F).reshape(4, 32, -1).max(axis=1) == fp8.max_code)
    assert np.array_equal(scale, np.abs(x).reshape(4, 32, -1).max(axis=1) * fp8.reciprocal)


def test_quantize_fp8_floor_of_a_zero_group():
    codes, scale = rows.quantize_fp8(np.zeros((32, 1), F32), 32, formats.FP8_FN)
    assert not codes.any()
    assert scale[0, 0] == F32(1e-10) * formats.FP8_FN.reciprocal
