# Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# row.quantize and row.dequantize alone, on f32 rows that can hold every published vector.

import numpy as np
import pytest

from harness import compare
from harness.device import EMULATED, code_object, launch
from oracle import formats, rows
from oracle.formats import F32, FP8_OF_ARCH, U32

ARCHS = pytest.mark.parametrize("arch", EMULATED)
DIM = 128


def quantize_source(dim, group, codes, scale, suffix="floor 0x01C00000"):
    scale_element = "i8" if scale == "f8E8M0FNU" else scale
    width = dim // 2 if codes == "f4E2M1FN" else dim
    return f"""
!x = memref<?x{dim}xf32>
!out = memref<?x{width}xi8>
!scale = memref<?x{dim // group}x{scale_element}>
row.kernel @quantize(%x: !x, %out: !out, %scale: !scale) rows(%r in %x[0]) {{
  %v = row.load %x[%r] : !x -> vector<{dim}xf32>
  %q, %e = row.quantize %v group {group} {suffix} : vector<{dim}xf32> -> vector<{dim}x{codes}>, vector<{dim // group}x{scale}>
  row.store %q, %out[%r] : vector<{dim}x{codes}>, !out
  row.store %e, %scale[%r] : vector<{dim // group}x{scale}>, !scale
}}
"""


def run(arch, x, group, codes, scale, suffix="floor 0x01C00000", lanes=0):
    """Codes [rows, dim], one a byte, and scales [rows, groups] as the device writes them."""
    count, dim = x.shape
    loaded = code_object(quantize_source(dim, group, codes, scale, suffix), arch, lanes)
    width = dim // 2 if codes == "f4E2M1FN" else dim
    scale_type = np.uint8 if scale == "f8E8M0FNU" else np.float32
    got = launch(loaded, "quantize", {"out": ((count, width), np.uint8), "scale": ((count, dim // group), scale_type)}, x=x)
    packed = got["out"]
    return (formats.fp4_unpack(packed.T).T if codes == "f4E2M1FN" else packed), got["scale"]


def fp4(arch, x, group=32, **more):
    return run(arch, x, group, "f4E2M1FN", "f8E8M0FNU", **more)


def row_of_groups(*groups):
    """A row of 128: each group of 32 starts with the given values."""
    x = np.zeros((1, DIM), F32)
    for g, values in enumerate(groups):
        x[0, 32 * g:32 * g + len(values)] = values
    return x


@ARCHS
def test_fp4_tie_table(arch):
    """In a group whose largest element is 6 the scale is 1, so the table applies as it is."""
    ties = [6, 0.25, 0.75, 1.25, 1.75, 2.5, 3.5, 5.0]
    codes, scales = fp4(arch, row_of_groups(ties, [-t for t in ties]))
    assert scales[0, :2].tolist() == [127, 127]
    assert codes[0, :8].tolist() == [7, 0, 2, 2, 4, 4, 6, 6]
    assert codes[0, 32:40].tolist() == [15, 8, 10, 10, 12, 12, 14, 14]


@ARCHS
def test_p17_scale_examples(arch):
    """amax times the constant 1/6, rounded up to a power of two."""
    examples = [(6.0, 127), (6.0000005, 128), (5.9999995, 127), (3.0, 126), (1.5, 125), (1.0, 125), (0.75, 124), (7, 128),
                (12, 128), (448, 134), (3.4e38, 253), (1e-30, 25), (0, 1), (2.0**-149, 1), (6 * 2.0**-126, 1), (6.5 * 2.0**-126, 2)]
    x = np.zeros((4, DIM), F32)
    x.reshape(16, 32)[:, 9] = [amax for amax, _ in examples]
    _, scales = fp4(arch, x)
    assert scales.ravel().tolist() == [code for _, code in examples]
    _, scales = fp4(arch, -x)
    assert scales.ravel().tolist() == [code for _, code in examples]


@ARCHS
def test_p18_codes_grow_with_the_value_not_with_the_scale(arch):
    """A conversion that multiplies by the scale, where it must divide, gives other codes unless the scale is 1."""
    k = np.arange(-120, 120)
    x = np.zeros((60, DIM), F32)
    x.reshape(240, 32)[:, :4] = np.array([6, 3, -1.5, 0.5]) * 2.0 ** k[:, None]
    codes, scales = fp4(arch, x)
    assert scales.ravel().tolist() == (127 + k).tolist()
    assert np.all(codes.reshape(240, 32)[:, :4] == [7, 5, 11, 1])


@ARCHS
def test_p33_negative_zero_is_code_8(arch):
    codes, scales = fp4(arch, row_of_groups([-0.0] * 32, [6, -0.0, -0.1, 0.1, -0.25], [-0.0, 0.0]))
    assert codes[0, :32].tolist() == [8] * 32
    assert codes[0, 32:37].tolist() == [7, 8, 8, 0, 8]
    assert codes[0, 64:67].tolist() == [8, 0, 0]
    assert scales[0].tolist() == [1, 127, 1, 1]


@ARCHS
def test_infinities_and_nans(arch):
    codes, scales = fp4(arch, row_of_groups([np.inf, -np.inf, 1, -1], [np.nan, 3.4e38], [3.4028235e38, -1e30]))
    assert scales[0].tolist() == [255, 255, 253, 1]
    assert codes[0, :4].tolist() == [7, 15, 0, 8]
    assert codes[0, 32] & 7 == 7 and codes[0, 33] == 2  # 3.4e38 * 2^-128 rounds to 1
    assert codes[0, 64:66].tolist() == [6, 8]


def expected_fp4(x, group=32, **more):
    codes, scales = rows.quantize_fp4(np.ascontiguousarray(x.T), group, **more)
    return codes.T, scales.T


def patterns(count, seed, dim=DIM):
    """Rows of every magnitude: random bit patterns in some rows, one exponent range a row in the others. No NaN."""
    rng = np.random.default_rng(seed)
    u = rng.integers(0, 1 << 32, (count, dim), dtype=np.uint32)
    near = (u & U32(0x807FFFFF)) | ((rng.integers(1, 250, (count, 1)) + rng.integers(-1, 4, (count, dim))).astype(U32) << U32(23))
    x = formats.from_bits(np.where(np.arange(count)[:, None] % 4 == 0, u, near))
    coarse = formats.from_bits(formats.bits(x) & U32(0xFFF00000))  # few mantissa bits: many exact ties
    x = np.where(np.arange(count)[:, None] % 2 == 0, x, coarse)
    return np.where(np.isnan(x), F32(1), x)


@ARCHS
@pytest.mark.parametrize("lanes", [1, 2, 4, 8, 16, 32, 64])
@pytest.mark.parametrize("rounding", ["up", "down"])
@pytest.mark.parametrize("group", [32, 64, 128])
def test_fp4_of_every_magnitude(arch, lanes, rounding, group):
    x = patterns(512, group)
    for suffix, floor in (("floor 0x01C00000", formats.FP4_AMAX_FLOOR), ("", 0)):
        codes, scales = fp4(arch, x, group, suffix=f"{suffix} round {rounding}", lanes=lanes)
        expected_codes, expected_scales = expected_fp4(x, group, floor_bits=floor, down=rounding == "down")
        compare.assert_same("scales", expected_scales, scales)
        compare.assert_same("codes", expected_codes, codes)


@ARCHS
@pytest.mark.parametrize("lanes", [1, 4, 16, 64])
@pytest.mark.parametrize("group", [32, 64, 128])
def test_fp8_with_f32_scale(arch, lanes, group):
    x, fp8 = patterns(512, group + 1), FP8_OF_ARCH[arch]
    codes, scales = run(arch, x, group, fp8.mlir, "f32", "floor 1.0e-10", lanes)
    expected_codes, expected_scales = rows.quantize_fp8(np.ascontiguousarray(x.T), group, fp8)
    compare.assert_f32("scales", np.ascontiguousarray(expected_scales.T), scales)
    compare.assert_fp8("codes", np.ascontiguousarray(expected_codes.T), codes, fp8)


@ARCHS
@pytest.mark.parametrize("rounding", ["up", "down"])
@pytest.mark.parametrize("lanes", [1, 16, 64])
def test_fp8_with_e8m0_scale(arch, lanes, rounding):
    x, fp8 = patterns(512, 99), FP8_OF_ARCH[arch]
    codes, scales = run(arch, x, 32, fp8.mlir, "f8E8M0FNU", f"round {rounding}", lanes)
    expected_codes, expected_scales = rows.quantize_fp8_e8m0(np.ascontiguousarray(x.T), 32, fp8, down=rounding == "down")
    compare.assert_same("scales", np.ascontiguousarray(expected_scales.T), scales)
    compare.assert_fp8("codes", np.ascontiguousarray(expected_codes.T), codes, fp8)


@ARCHS
@pytest.mark.parametrize("scale", ["f32", "f8E8M0FNU"])
def test_fp8_infinities_and_nans(arch, scale):
    """Under an E8M0 scale an infinity saturates; under an f32 scale, which is then infinite too, it is NaN."""
    x, fp8 = row_of_groups([np.inf, -np.inf, 1, -1, 3.4e38], [np.nan, 1], [3.4028235e38, -1e30, -0.0], [-0.0]), FP8_OF_ARCH[arch]
    codes, scales = run(arch, x, 32, fp8.mlir, scale, "")
    quantize = rows.quantize_fp8 if scale == "f32" else rows.quantize_fp8_e8m0
    expected_codes, expected_scales = quantize(np.ascontiguousarray(x.T), 32, fp8, floor_bits=0)
    compare.assert_fp8("codes", np.ascontiguousarray(expected_codes.T), codes, fp8)
    check = compare.assert_f32 if scale == "f32" else compare.assert_same
    check("scales", np.ascontiguousarray(expected_scales.T), scales)


@ARCHS
def test_fp4_with_f32_scale(arch):
    x = patterns(512, 5)
    codes, scales = run(arch, x, 32, "f4E2M1FN", "f32", "floor 1.0e-10")
    expected_codes, expected_scales = rows.quantize_fp4_f32(np.ascontiguousarray(x.T), 32, formats.FP8_AMAX_FLOOR)
    compare.assert_f32("scales", np.ascontiguousarray(expected_scales.T), scales)
    nan = np.repeat(np.isinf(expected_scales.T), 32, axis=1)  # infinity times zero: the sign of that NaN is not defined
    compare.assert_same("codes", np.where(nan, expected_codes.T & 7, expected_codes.T), np.where(nan, codes & 7, codes))


def test_p22_gfx942_writes_the_bytes_of_gfx950():
    """No conversion instruction there, but the same bytes: never zeros, ties included."""
    x = patterns(4096, 22)
    codes, scales = fp4("gfx942", x)
    native_codes, native_scales = fp4("gfx950", x)
    assert np.count_nonzero(codes & 7) > codes.size // 3
    compare.assert_same("scales", native_scales, scales)
    compare.assert_same("codes", native_codes, codes)


def dequantize_source(codes, scale):
    scale_element = "i8" if scale == "f8E8M0FNU" else scale
    return f"""
!q = memref<?x{64 if codes == 'f4E2M1FN' else 128}xi8>
!s = memref<?x4x{scale_element}>
!y = memref<?x128xf32>
row.kernel @dequantize(%q: !q, %s: !s, %y: !y) rows(%r in %q[0]) {{
  %c = row.load %q[%r] : !q -> vector<128x{codes}>
  %e = row.load %s[%r] : !s -> vector<4x{scale}>
  %v = row.dequantize %c, %e : vector<128x{codes}>, vector<4x{scale}> -> vector<128xf32>
  row.store %v, %y[%r] : vector<128xf32>, !y
}}
"""


@ARCHS
@pytest.mark.parametrize("lanes", [1, 4, 16, 64])
@pytest.mark.parametrize("codes", ["fp4", "fp8"])
@pytest.mark.parametrize("scale", ["f8E8M0FNU", "f32"])
def test_dequantize_every_code(arch, lanes, codes, scale):
    rng, fp8 = np.random.default_rng(4), FP8_OF_ARCH[arch]
    q = rng.integers(0, 256, (300, 64 if codes == "fp4" else 128), dtype=np.uint8)
    values = formats.fp4_decode(formats.fp4_unpack(q.T).T) if codes == "fp4" else fp8.decode(q)
    if scale == "f32":
        s = formats.from_bits(rng.integers(0, 0x7F800000, (300, 4), dtype=np.uint32))
        factors = s
    else:
        s = rng.integers(0, 256, (300, 4), dtype=np.uint8)
        factors = np.where(s == 255, F32(np.nan), formats.e8m0_decode(s))
    loaded = code_object(dequantize_source("f4E2M1FN" if codes == "fp4" else fp8.mlir, scale), arch, lanes)
    got = launch(loaded, "dequantize", {"y": ((300, 128), np.float32)}, q=q, s=s)
    compare.assert_f32("values", values * np.repeat(factors, 32, axis=1), got["y"])
