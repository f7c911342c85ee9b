# Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# The oracle's own number formats, against the published vectors and against a second implementation.

import numpy as np
import pytest

from oracle import formats
from oracle.formats import F32, FP8_FN, FP8_FNUZ, U32


def every_f32_near(codes_f32):
    """Each value with its two neighbours, both signs."""
    u = formats.bits(codes_f32)
    around = np.concatenate([u, u + U32(1), np.maximum(u, U32(1)) - U32(1)])
    return formats.from_bits(np.concatenate([around, around | U32(0x80000000)]))


def sample_f32(count=1 << 20, seed=7):
    return formats.from_bits(np.random.default_rng(seed).integers(0, 1 << 32, count, dtype=np.uint32))


@pytest.mark.parametrize("value, decoded, code", [
    (0.25, 0, 0x0), (0.75, 1.0, 0x2), (1.25, 1.0, 0x2), (1.75, 2.0, 0x4), (2.5, 2.0, 0x4), (3.5, 4.0, 0x6), (5.0, 4.0, 0x6)])
def test_fp4_tie_table(value, decoded, code):
    assert formats.fp4_encode(F32([value]))[0] == code
    assert formats.fp4_encode(F32([-value]))[0] == code | 8
    assert formats.fp4_decode(code) == decoded


@pytest.mark.parametrize("value, code", [
    (6.0, 7), (5.0000005, 7), (1e30, 7), (np.inf, 7), (-np.inf, 15), (np.nan, 7), (-6.0, 15), (0.2500001, 1), (0.7499999, 1)])
def test_fp4_saturates_and_rounds_off_ties(value, code):
    assert formats.fp4_encode(F32([value]))[0] == code


def test_p33_negative_zero_is_kept():
    assert list(formats.fp4_encode(F32([-0.0, 0.0, -0.1, 0.1]))) == [0x8, 0x0, 0x8, 0x0]
    assert list(FP8_FN.encode(F32([-0.0, -1e-9]))) == [0x80, 0x80]
    assert list(FP8_FNUZ.encode(F32([-0.0, -1e-9]))) == [0x00, 0x00]


def test_fp4_agrees_with_nearest_value():
    x = np.linspace(-7, 7, 200001).astype(F32)
    x = x[~np.isin(np.abs(x), formats.FP4_TIES)]
    distance = np.abs(x[:, None].astype(np.float64) - formats.FP4_VALUES[None])
    nearest = formats.FP4_VALUES[distance.argmin(axis=1)]
    assert np.array_equal(formats.fp4_decode(formats.fp4_encode(x)), nearest)


def test_fp4_packs_even_elements_low():
    codes = np.array([[1], [2], [15], [8]], np.uint8)
    assert formats.fp4_pack(codes).ravel().tolist() == [0x21, 0x8F]
    assert np.array_equal(formats.fp4_unpack(formats.fp4_pack(codes)), codes)


@pytest.mark.parametrize("amax, code", [
    (6.0, 127), (6.0000005, 128), (5.9999995, 127), (3.0, 126), (1.5, 125), (1.0, 125), (0.75, 124), (7, 128), (12, 128),
    (448, 134), (3.4e38, 253), (1e-30, 25)])
def test_e8m0_examples(amax, code):
    assert formats.e8m0_round_up(F32([amax]))[0] == code


def test_e8m0_of_zero_group_is_one_after_the_floor():
    assert formats.e8m0_round_up(formats.from_bits([formats.FP4_AMAX_FLOOR]))[0] == 1


def test_p17_reciprocal_constant_against_division():
    """The scale is amax * f32(1/max). Over a whole octave of amax the E8M0 code is that of a true division too, for all
    three formats; the f32 scale is not, so the multiply is part of the definition."""
    mantissas = formats.from_bits(np.arange(0x3F800000, 0x40000000, dtype=U32))
    for maximum, inverse in [(6, formats.FP4_INVERSE_MAX), (448, FP8_FN.reciprocal), (240, FP8_FNUZ.reciprocal)]:
        amax = np.concatenate([mantissas, mantissas * F32(2)]) * F32(2.0 ** np.floor(np.log2(maximum)))
        divided = formats.bits(amax / F32(maximum))
        rounded_up = (divided >> U32(23)) + ((divided & U32(0x7FFFFF)) != 0)
        assert np.array_equal(formats.e8m0_round_up(amax, inverse), rounded_up)
        assert np.any(amax * inverse != amax / F32(maximum))


def test_e8m0_equals_the_carry_formula():
    amax = np.abs(sample_f32())
    amax = amax[~np.isnan(amax)]
    with np.errstate(over="ignore"):
        w = formats.bits(amax * formats.FP4_INVERSE_MAX)
    carry = np.minimum(255, (w + U32(0x7FFFFF)) >> U32(23))
    assert np.array_equal(formats.e8m0_round_up(amax), carry)


def test_p18_multiplier_is_the_reciprocal_of_the_scale():
    code = np.arange(1, 254, dtype=np.uint8)
    assert np.all(formats.e8m0_multiplier(code) * formats.e8m0_decode(code) == 1)
    assert formats.e8m0_multiplier(np.uint8([255]))[0] == F32(2.0**-128)


@pytest.mark.parametrize("fp8, library", [(FP8_FN, "float8_e4m3fn"), (FP8_FNUZ, "float8_e4m3fnuz")])
def test_fp8_agrees_with_a_second_implementation(fp8, library):
    ml_dtypes = pytest.importorskip("ml_dtypes")
    table = fp8.decode(np.arange(256))
    finite = table[np.isfinite(table)]
    middles = ((np.sort(finite)[1:] + np.sort(finite)[:-1]) / 2).astype(F32)
    x = np.concatenate([every_f32_near(np.abs(finite)), every_f32_near(np.abs(middles)), sample_f32()])
    clamped = np.clip(x, -fp8.maximum, fp8.maximum)
    expected = clamped.astype(getattr(ml_dtypes, library)).view(np.uint8)
    got = fp8.encode(x)
    nan = np.isnan(x)
    assert np.array_equal(got[~nan], expected[~nan])
    assert np.all(fp8.is_nan(got[nan]))
    decoded = np.arange(256, dtype=np.uint8).view(getattr(ml_dtypes, library)).astype(F32)
    assert np.array_equal(table, decoded, equal_nan=True)


def test_fp8_published_vectors():
    assert FP8_FN.encode(F32([0.003, -0.003])).tolist() == [0x02, 0x82]
    assert FP8_FN.encode(F32([448, 1e9, -1e9])).tolist() == [0x7E, 0x7E, 0xFE]
    assert FP8_FNUZ.encode(F32([240, 1e9, -1e9])).tolist() == [0x7F, 0x7F, 0xFF]
    assert FP8_FN.reciprocal == F32(1.0 / 448) and FP8_FNUZ.reciprocal == F32(1.0 / 240)


def test_bf16_agrees_with_a_second_implementation():
    ml_dtypes = pytest.importorskip("ml_dtypes")
    every = np.arange(1 << 16, dtype=np.uint16)
    x = np.concatenate([every_f32_near(formats.bf16_decode(every[: 1 << 15])), sample_f32()])
    x = np.concatenate([x, formats.from_bits(every.astype(U32) << U32(16) | U32(0x8000))])  # ties
    with np.errstate(invalid="ignore"):
        expected = x.astype(ml_dtypes.bfloat16).view(np.uint16)
    finite = ~np.isnan(x)
    assert np.array_equal(formats.bf16_encode(x)[finite], expected[finite])
    assert np.all(np.isnan(formats.bf16_decode(formats.bf16_encode(x[~finite]))))


@pytest.mark.parametrize("dtype", ["bf16", "f16"])
def test_16_bit_codes_round_trip(dtype):
    every = np.arange(1 << 16, dtype=np.uint16)
    x = formats.decode16(every, dtype)
    keep = ~np.isnan(x)
    assert np.array_equal(formats.encode16(x, dtype)[keep], every[keep])
