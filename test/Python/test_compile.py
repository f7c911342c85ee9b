# Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
"""The compiler from Python, and launches of what it makes."""

import concurrent.futures

import ml_dtypes
import numpy as np
import pytest
import rowmill

SCALE = """
!x = memref<?x?x64xbf16, strided<[?, 64, 1]>>
!y = memref<?x?x64xf32>
row.kernel @scale(%x: !x, %y: !y, %factor: f32)
    rows(%i in %x[0], %j in %x[1]) {
  %v = row.load %x[%i, %j] : !x -> vector<64xbf16>
  %f = arith.extf %v : vector<64xbf16> to vector<64xf32>
  %b = vector.broadcast %factor : f32 to vector<64xf32>
  %r = arith.mulf %f, %b : vector<64xf32>
  row.store %r, %y[%i, %j] : vector<64xf32>, !y
}
"""


def make_x(*shape):
    return np.arange(np.prod(shape)).reshape(shape).astype(ml_dtypes.bfloat16)


@pytest.mark.parametrize("target", ["gfx942", "gfx950"])
@pytest.mark.parametrize("lanes", [0, 1, 8, 64])
def test_compile_and_launch(target, lanes):
    objects = rowmill.compile(SCALE, targets=[target], lanes_per_row=lanes)
    assert list(objects) == [target]
    code = rowmill.CodeObject(objects[target])
    assert code.target == target and code.kernels == ["scale"]
    if lanes:
        assert code.info("scale")["variants"][0]["launches"][0]["partition"]["lanes_per_row"] == lanes
    x, y = make_x(7, 3, 64), np.zeros((7, 3, 64), np.float32)
    stats = code.launch("scale", x=x, y=y, factor=0.5, stats=True)
    assert np.array_equal(y, x.astype(np.float32) * np.float32(0.5))
    assert stats["rows"] == 21
    assert stats["global_store_bytes"] == 21 * 256


def test_strided_rows():
    code = rowmill.CodeObject(rowmill.compile(SCALE, "gfx950")["gfx950"])
    x = make_x(10, 3, 64)
    y = np.zeros((5, 3, 64), np.float32)
    code.launch("scale", x=x[::2], y=y, factor=1)
    assert np.array_equal(y, x[::2].astype(np.float32))
    spread = np.zeros((10, 3, 64), np.float32)
    code.launch("scale", x=x[::2], y=spread[1::2], factor=1)
    assert np.array_equal(spread[1::2], y) and not spread[::2].any()
    with pytest.raises(rowmill.LaunchError) as error:
        code.launch("scale", x=x[:5, :, ::-1], y=y, factor=1)
    assert str(error.value) == (
        "argument 'x' expects strides [?, 64, 1], but got [192, 64, -1]")


def test_metadata_is_complete():
    info = rowmill.CodeObject(
        rowmill.compile(SCALE, "gfx950")["gfx950"]).info("scale")
    assert info["extents"] == [{"arg": "x", "dim": 0}, {"arg": "x", "dim": 1}]
    x, y, factor = info["args"]
    assert (x["name"], x["element"], x["access"]) == ("x", "bf16", "read")
    assert (y["name"], y["element"], y["access"]) == ("y", "f32", "write")
    assert factor == {"name": "factor", "kind": "scalar", "element": "f32",
                      "offset": 64}
    assert x["dynamic"] == [{"size": 0, "offset": 8}, {"size": 1, "offset": 16},
                            {"stride": 0, "offset": 24}]
    assert info["kernarg_size"] == 68


def test_arrays_too_short_for_the_rows():
    code = rowmill.CodeObject(rowmill.compile(SCALE, "gfx950")["gfx950"])
    assert code.info("scale")["args"][1]["indexed"] == [
        {"dim": 0, "extent": 0}, {"dim": 1, "extent": 1}]
    with pytest.raises(rowmill.LaunchError) as error:
        code.launch("scale", x=make_x(5, 3, 64), factor=1,
                    y=np.zeros((5, 2, 64), np.float32))
    assert str(error.value) == (
        "argument 'y' expects at least 3 in dimension 1, the rows of "
        "x.shape[1], but got 2")


def test_several_targets():
    objects = rowmill.compile(SCALE, targets=("gfx942", "gfx950", "gfx1250"))
    assert list(objects) == ["gfx942", "gfx950", "gfx1250"]
    for target, data in objects.items():
        assert rowmill.CodeObject(data).target == target
    wave32 = rowmill.CodeObject(objects["gfx1250"])
    assert wave32.info("scale")["wave_size"] == 32
    with pytest.raises(rowmill.LaunchError, match="gfx1250"):
        wave32.launch("scale", x=make_x(1, 1, 64),
                      y=np.zeros((1, 1, 64), np.float32), factor=1)


@pytest.mark.parametrize("stage, text", [
    ("row", "row.kernel @scale"), ("tiled", "gpu.func @scale"),
    ("distributed", "gpu.func @scale"), ("rocdl", "llvm.func @scale"),
    ("llvm", "define"), ("asm", ".amdhsa_kernel scale")])
def test_stages_of_text(stage, text):
    assert text in rowmill.compile(SCALE, "gfx950", emit=stage)["gfx950"]


def test_stages_of_bytes():
    assert rowmill.compile(SCALE, "gfx950", emit="obj")["gfx950"][:4] == (
        b"\x7fELF")
    with pytest.raises(rowmill.LaunchError, match="not a linked code object"):
        rowmill.CodeObject(
            rowmill.compile(SCALE, "gfx950", emit="obj")["gfx950"])


def get_error(*args, **options):
    with pytest.raises(rowmill.CompileError) as error:
        rowmill.compile(*args, **options)
    return str(error.value)


def test_errors_have_locations():
    message = get_error(SCALE.replace("arith.mulf", "arith.mulx"), "gfx950",
                        filename="scale.mlir")
    assert message.startswith("scale.mlir:9:8: error: ")
    assert "arith.mulx" in message


def test_errors_of_options():
    assert "lanes_per_row" in get_error(SCALE, "gfx950", lanes_per_row=3)
    assert "gfx906" in get_error(SCALE, ["gfx950", "gfx906"])
    assert get_error(SCALE, []) == "expects at least one target"
    assert get_error(SCALE, "gfx950", emit="ptx") == (
        "expects 'emit' to be one of row, tiled, distributed, rocdl, llvm, "
        "asm, obj, hsaco, but got 'ptx'")
    with pytest.raises(TypeError):
        rowmill.compile(SCALE, 950)
    with pytest.raises(TypeError):
        rowmill.compile(SCALE.encode(), "gfx950")


def test_the_error_is_a_runtime_error():
    assert issubclass(rowmill.CompileError, RuntimeError)
    assert rowmill.CompileError.__module__ == "rowmill"


def test_remarks_are_warnings(recwarn):
    rowmill.compile(SCALE, "gfx950")
    assert not recwarn
    rowmill.compile(SCALE, "gfx950", explain=True)
    assert "partition" in str(recwarn.pop(UserWarning).message)


def test_compiles_in_threads():
    def run(lanes):
        data = rowmill.compile(SCALE, "gfx950", lanes_per_row=lanes)["gfx950"]
        x, y = make_x(9, 1, 64), np.zeros((9, 1, 64), np.float32)
        rowmill.CodeObject(data).launch("scale", x=x, y=y, factor=2)
        return np.array_equal(y, x.astype(np.float32) * 2)

    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        assert all(pool.map(run, [1, 2, 4, 8, 16, 32, 64] * 2))
