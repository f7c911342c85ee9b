# Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# The other row ops alone, with every option, on rows of any length.

import numpy as np
import pytest

from harness import compare
from harness.cases import legal, refusal
from harness.device import EMULATED, code_object, launch, refused
from oracle import formats, rows
from oracle.formats import F32

ARCHS = pytest.mark.parametrize("arch", EMULATED)
ALL_LANES = [1, 2, 4, 8, 16, 32, 64]
LANES = pytest.mark.parametrize("lanes", ALL_LANES)
ROWS = 130


def rows_of(dim, dtype="f32", count=ROWS, seed=0):
    """Codes of normal rows at many magnitudes; an f32 row is its own code."""
    rng = np.random.default_rng([dim, count, seed])
    x = (rng.standard_normal((count, dim)) * 2.0 ** rng.integers(-8, 8, (count, 1))).astype(F32)
    return x if dtype == "f32" else formats.encode16(x, dtype)


def values(codes, dtype):
    return codes if dtype == "f32" else formats.decode16(codes, dtype)


def encode(x, dtype):
    return np.ascontiguousarray(x, F32) if dtype == "f32" else formats.encode16(x, dtype)


def by_columns(function, x, *more, **options):
    """Applies an oracle function, which has elements first, to rows."""
    return np.ascontiguousarray(function(np.ascontiguousarray(x.T), *more, **options).T)


def unary(body, dim, dtype, more="", out=None, out_type=None):
    out = out or dim
    out_type = out_type or dtype
    return f"""
!x = memref<?x{dim}x{dtype}>
!y = memref<?x{out}x{out_type}>
!row = vector<{dim}x{dtype}>
!result = vector<{out}x{out_type}>
row.kernel @op(%x: !x, %y: !y{more}) rows(%r in %x[0]) {{
  %v = row.load %x[%r] : !x -> !row
  {body}
  row.store %n, %y[%r] : !result, !y
}}
"""


def run(source, arch, lanes, x, dim, dtype, waves=0, **inputs):
    loaded = code_object(source, arch, lanes, waves)
    return launch(loaded, "op", {"y": ((len(x), dim), np.float32 if dtype == "f32" else np.uint16)}, x=x, **inputs)["y"]


def assert_equal(expected, got, dtype):
    if dtype == "f32":
        compare.assert_f32("values", expected, got)
    else:
        compare.assert_16_bit("values", expected, got, dtype)


@ARCHS
@pytest.mark.parametrize("dtype", ["f32", "f16", "bf16"])
@pytest.mark.parametrize("dim, lanes", legal([64, 128, 1024], ALL_LANES))
def test_hadamard(arch, lanes, dtype, dim):
    x = rows_of(dim, dtype)
    got = run(unary("%n = row.hadamard %v : !row", dim, dtype), arch, lanes, x, dim, dtype)
    assert_equal(encode(by_columns(rows.hadamard, values(x, dtype)), dtype), got, dtype)


@ARCHS
@LANES
@pytest.mark.parametrize("group", [8, 32, 128])
@pytest.mark.parametrize("kind", ["add", "max", "absmax"])
def test_reduce(arch, lanes, group, kind):
    dim, count = 128, 128 // group
    x = rows_of(dim)
    body = f"%n = row.reduce {kind} %v group {group} : !row -> !result"
    got = run(unary(body, dim, "f32", out=count), arch, lanes, x, count, "f32")
    groups = x.reshape(ROWS, count, group)
    if kind == "add":
        expected = np.ascontiguousarray(rows.tree_sum(np.moveaxis(groups, 2, 0)))
    else:
        expected = (groups if kind == "max" else np.abs(groups)).max(axis=2)
    assert_equal(expected, got, "f32")


# A maximum over several waves, where a NaN and the sign of zero must come through as within one.
@ARCHS
@pytest.mark.parametrize("dtype", ["f32", "bf16"])
@pytest.mark.parametrize("kind", ["max", "absmax"])
def test_reduce_over_waves(arch, dtype, kind):
    x = np.array(values(rows_of(4096, dtype), dtype))
    x[0] = -np.abs(x[0])
    x[1, 77], x[1, 78] = np.nan, -np.nan
    x[2], x[2, 5] = -0.0, 0.0
    x[3], x[3, 4000] = -np.inf, -1.0
    x = encode(x, dtype)
    x.setflags(write=False)  # not compared afterwards, since NaN is unequal
    body = f"%n = row.reduce {kind} %v group 4096 : !row -> !result"
    one, several = (run(unary(body, 4096, dtype, out=1), arch, 64, x, 1, dtype, waves=waves) for waves in (1, 2))
    assert np.isnan(values(several, dtype)[1])
    several[1] = one[1]
    assert_equal(one, several, dtype)


# Groups of three chunks of eight: no pair reaches from one group into the next.
@ARCHS
@pytest.mark.parametrize("kind", ["add", "max", "absmax"])
def test_reduce_of_odd_groups(arch, kind):
    x = rows_of(120)
    got = run(unary(f"%n = row.reduce {kind} %v group 24 : !row -> !result", 120, "f32", out=5), arch, 1, x, 5, "f32")
    groups = x.reshape(ROWS, 5, 24)
    if kind == "add":
        expected = np.ascontiguousarray(rows.tree_sum(np.moveaxis(groups, 2, 0)))
    else:
        expected = (groups if kind == "max" else np.abs(groups)).max(axis=2)
    assert_equal(expected, got, "f32")


@ARCHS
@LANES
def test_reduce_and_broadcast_back(arch, lanes):
    x = rows_of(128)
    body = """%m = row.reduce max %v group 16 : !row -> vector<8xf32>
  %b = row.broadcast %m : vector<8xf32> -> !row
  %n = arith.subf %v, %b : !row"""
    got = run(unary(body, 128, "f32"), arch, lanes, x, 128, "f32")
    assert_equal(x - np.repeat(x.reshape(ROWS, 8, 16).max(axis=2), 16, axis=1), got, "f32")


@ARCHS
@pytest.mark.parametrize("lanes", [1, 4, 16, 64])
@pytest.mark.parametrize("style", ["interleaved", "half_split"])
@pytest.mark.parametrize("dtype, table_type", [("f32", "f32"), ("bf16", "f32"), ("f16", "bf16"), ("bf16", "f16")])
@pytest.mark.parametrize("offset, half", [(0, 64), (64, 32), (32, 16), (0, 32)])
def test_rope(arch, lanes, style, dtype, table_type, offset, half):
    dim, x = 128, rows_of(128, dtype)
    cos, sin = rows_of(half, table_type, seed=1), rows_of(half, table_type, seed=2)
    more = f", %cos: memref<?x{half}x{table_type}>, %sin: memref<?x{half}x{table_type}>"
    angle = f"memref<?x{half}x{table_type}> -> vector<{half}x{table_type}>"
    body = f"""%c = row.load %cos[%r] : {angle}
  %s = row.load %sin[%r] : {angle}
  %n = row.rope {style} %v, %c, %s at {offset} : !row, vector<{half}x{table_type}>"""
    got = run(unary(body, dim, dtype, more), arch, lanes, x, dim, dtype, cos=cos, sin=sin)
    c, s = (np.ascontiguousarray(values(t, table_type).T) for t in (cos, sin))
    expected = by_columns(rows.rope, values(x, dtype), c, s, offset, style == "interleaved")
    assert_equal(encode(expected, dtype), got, dtype)


# Halves whose length is no power of two.
@ARCHS
@pytest.mark.parametrize("style", ["interleaved", "half_split"])
@pytest.mark.parametrize("table_type", ["f32", "f16"])
@pytest.mark.parametrize("offset, half", [(0, 6), (8, 12), (84, 6)])
def test_rope_of_odd_ranges(arch, style, table_type, offset, half):
    test_rope(arch, 1, style, "f32", table_type, offset, half)


@ARCHS
@pytest.mark.parametrize("lanes", [2, 4, 16, 64])
@pytest.mark.parametrize("options", ["", "one_plus_weight", "round_to_weight", "round_to_weight one_plus_weight"])
@pytest.mark.parametrize("dtype, weight_type", [("f32", "f32"), ("bf16", "bf16"), ("f16", "f16"), ("bf16", "f32"), ("f32", "bf16")])
def test_rmsnorm(arch, lanes, options, dtype, weight_type):
    dim, x = 256, rows_of(256, dtype)
    weight = rows_of(256, weight_type, count=1, seed=3)[0]
    body = f"""%w = row.load %weight[] : memref<{dim}x{weight_type}> -> vector<{dim}x{weight_type}>
  %n = row.rmsnorm %v, %w eps 1.0e-06 {options} : !row, vector<{dim}x{weight_type}>"""
    source = unary(body, dim, dtype, f", %weight: memref<{dim}x{weight_type}>")
    got = run(source, arch, lanes, x, dim, dtype, weight=weight)
    rounding = {"round_to_weight": weight_type} if "round" in options and weight_type != "f32" else {}
    expected = by_columns(rows.rmsnorm, values(x, dtype), values(weight, weight_type), 1e-6,
                          one_plus_weight="one" in options, **rounding)
    assert_equal(encode(expected, dtype), got, dtype)


# ---- rows of any length --------------------------------------------------------------------------------------------

# Lanes and waves a row; 0 leaves the choice to the compiler.
ODD_LENGTHS = pytest.mark.parametrize("dim, lanes, waves", [
    (dim, lanes, waves) for dim in [96, 448, 576, 7168] for lanes, waves in [(0, 0), (16, 0), (64, 0), (64, 4)]
    if not refusal(dim, lanes)])


@ARCHS
@ODD_LENGTHS
def test_elementwise_of_odd_lengths(arch, dim, lanes, waves):
    x = rows_of(dim, "bf16", count=9)
    body = """%f = arith.extf %v : !row to vector<DIMxf32>
  %m = arith.mulf %f, %f : vector<DIMxf32>
  %n = arith.truncf %m : vector<DIMxf32> to !row""".replace("DIM", str(dim))
    got = run(unary(body, dim, "bf16"), arch, lanes, x, dim, "bf16", waves)
    f = values(x, "bf16")
    assert_equal(encode(f * f, "bf16"), got, "bf16")


@ARCHS
@ODD_LENGTHS
def test_rmsnorm_of_odd_lengths(arch, dim, lanes, waves):
    x, weight = rows_of(dim, "bf16", count=9), rows_of(dim, "bf16", count=1, seed=3)[0]
    body = f"""%w = row.load %weight[] : memref<{dim}xbf16> -> vector<{dim}xbf16>
  %n = row.rmsnorm %v, %w eps 1.0e-06 : !row, vector<{dim}xbf16>"""
    got = run(unary(body, dim, "bf16", f", %weight: memref<{dim}xbf16>"), arch, lanes, x, dim, "bf16", waves, weight=weight)
    expected = by_columns(rows.rmsnorm, values(x, "bf16"), values(weight, "bf16"), 1e-6)
    assert_equal(encode(expected, "bf16"), got, "bf16")


@ARCHS
@ODD_LENGTHS
def test_fp4_of_odd_lengths(arch, dim, lanes, waves):
    x = rows_of(dim, "bf16", count=9)
    body = f"""%f = arith.extf %v : !row to vector<{dim}xf32>
  %n, %e = row.quantize %f group 32 floor 0x01C00000 : vector<{dim}xf32> -> vector<{dim}xf4E2M1FN>, vector<{dim // 32}xf8E8M0FNU>
  row.store %e, %scale[%r] : vector<{dim // 32}xf8E8M0FNU>, memref<?x{dim // 32}xi8>"""
    source = unary(body, dim, "bf16", f", %scale: memref<?x{dim // 32}xi8>")
    source = source.replace(f"!y = memref<?x{dim}xbf16>", f"!y = memref<?x{dim // 2}xi8>")
    source = source.replace(f"!result = vector<{dim}xbf16>", f"!result = vector<{dim}xf4E2M1FN>")
    if dim <= lanes * waves:  # a lane would hold one element, half a byte
        message = refused(source, arch, lanes_per_row=lanes, waves_per_row=waves)
        assert f"expects at least 2 elements a lane for whole bytes of 'f4E2M1FN', but a row of {dim} over 256 lanes has 1" in message
        return
    loaded = code_object(source, arch, lanes, waves)
    got = launch(loaded, "op", {"y": ((9, dim // 2), np.uint8), "scale": ((9, dim // 32), np.uint8)}, x=x)
    codes, scales = rows.quantize_fp4(np.ascontiguousarray(values(x, "bf16").T), 32)
    compare.assert_same("scales", np.ascontiguousarray(scales.T), got["scale"])
    compare.assert_same("codes", np.ascontiguousarray(formats.fp4_pack(codes).T), got["y"])
