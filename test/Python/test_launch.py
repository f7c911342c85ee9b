# Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
"""Launches from Python: numbers, arrays in place, and every refusal."""

import array
import concurrent.futures

import ml_dtypes
import numpy as np
import pytest
import rowmill


@pytest.fixture
def scale(scale_bytes):
    return rowmill.CodeObject(scale_bytes)


@pytest.fixture
def pair(pair_bytes):
    return rowmill.CodeObject(pair_bytes)


def make_x(rows=9):
    return np.arange(rows * 16, dtype=np.float32).reshape(rows, 16)


def get_error(code, kernel, **args):
    with pytest.raises(rowmill.LaunchError) as error:
        code.launch(kernel, **args)
    assert "\n" not in str(error.value)
    return str(error.value)


@pytest.mark.parametrize("rows", [1, 3, 4, 5, 64, 1000])
def test_arrays_are_written_in_place(scale, rows):
    x = make_x(rows)
    whole = np.full((rows + 2, 16), -7, np.float32)
    assert scale.launch("scale", x=x, y=whole[1:-1], factor=0.5) is None
    assert np.array_equal(whole[1:-1], x * np.float32(0.5))
    assert (whole[0] == -7).all() and (whole[-1] == -7).all()
    assert np.array_equal(x, make_x(rows))


@pytest.mark.parametrize(
    "factor", [2, 2.0, np.float32(2), np.float64(2), np.int32(2), np.uint8(2),
               np.float16(2), True + 1])
def test_numbers_of_every_kind(scale, factor):
    x, y = make_x(), np.zeros((9, 16), np.float32)
    scale.launch("scale", x=x, y=y, factor=factor)
    assert np.array_equal(y, x * 2)


def test_no_rows_no_launch(scale):
    empty = np.zeros((0, 16), np.float32)
    assert scale.launch("scale", x=empty, y=empty, factor=1) is None
    stats = scale.launch("scale", x=empty, y=empty, factor=1, stats=True)
    assert stats["rows"] == 0 and stats["instructions"] == 0


def test_stats(scale):
    stats = scale.launch("scale", stats=True, x=make_x(),
                         y=np.zeros((9, 16), np.float32), factor=1)
    assert stats["rows"] == 9
    assert stats["workgroups"] == 3 and stats["waves"] == 3
    assert stats["global_load_bytes"] == 9 * 64
    assert stats["global_store_bytes"] == 9 * 64
    assert sum(stats["classes"].values()) == stats["instructions"]
    assert sum(stats["opcodes"].values()) == stats["instructions"]


BF16_BITS = np.arange(32, dtype=np.uint16).reshape(4, 8)


@pytest.mark.parametrize(
    "x", [BF16_BITS, BF16_BITS.view(ml_dtypes.bfloat16), BF16_BITS.view("V2")],
    ids=["uint16", "bfloat16", "void"])
@pytest.mark.parametrize("y_type", [np.int16, np.uint16])
def test_bits_of_bfloat16(pair, x, y_type):
    y = np.zeros((4, 8), y_type)
    pair.launch("add", x=x, y=y, n=3, k=5)
    assert np.array_equal(y[:3], BF16_BITS[:3] + 5)
    assert (y[3] == 0).all()


def test_dynamic_strides(pair):
    base = np.arange(200, dtype=np.uint16).reshape(10, 20)
    y = np.zeros((5, 8), np.int16)
    pair.launch("add", x=base[::2, 3:11], y=y, n=5, k=0)
    assert np.array_equal(y, base[::2, 3:11])
    pair.launch("add", x=np.broadcast_to(base[0, :8], (5, 8)), y=y, n=5, k=0)
    assert np.array_equal(y, np.broadcast_to(base[0, :8], (5, 8)))


class Exchanged:
    """An array that only speaks DLPack, as those of other frameworks do."""

    def __init__(self, base):
        self.base = base

    def __dlpack__(self, **kwargs):
        return self.base.__dlpack__(**kwargs)

    def __dlpack_device__(self):
        return self.base.__dlpack_device__()


def test_arrays_of_other_frameworks(scale):
    x, y = make_x(), np.zeros((9, 16), np.float32)
    scale.launch("scale", x=Exchanged(x), y=Exchanged(y), factor=3)
    assert np.array_equal(y, x * 3)
    double = Exchanged(np.zeros((9, 16)))
    assert get_error(scale, "scale", x=double, y=y, factor=3) == (
        "argument 'x' expects f32[?, 16], but got f64[9, 16]")
    complex64 = Exchanged(np.zeros((9, 16), np.complex64))
    assert get_error(scale, "scale", x=complex64, y=y, factor=3) == (
        "argument 'x' expects f32[?, 16], but got an unsupported type[9, 16]")


def test_buffers(scale):
    y = np.zeros((1, 16), np.float32)
    assert get_error(scale, "scale", x=array.array("f", range(16)), y=y,
                     factor=3) == (
        "argument 'x' expects f32[?, 16], but got f32[16]")
    x = memoryview(bytes(64)).cast("f", (1, 16))
    scale.launch("scale", x=x, y=y, factor=3)
    assert get_error(scale, "scale", x=make_x(1), y=x, factor=3) == (
        "argument 'y' is written by the kernel, but got a read-only array")


def test_wrong_names(scale):
    x, y = make_x(), np.zeros((9, 16), np.float32)
    assert get_error(scale, "scale", x=x, factor=1) == (
        "argument 'y' is missing: kernel 'scale' expects f32[?, 16]")
    assert get_error(scale, "scale", x=x, y=y, z=y, factor=1) == (
        "unknown argument 'z': kernel 'scale' takes 'x', 'y', 'factor'")
    with pytest.raises(TypeError):
        scale.launch()
    with pytest.raises(TypeError):
        scale.launch("scale", x, y)
    with pytest.raises(TypeError):
        scale.launch(3)


@pytest.mark.parametrize("x, got", [
    (np.zeros((9, 15), np.float32), "f32[9, 15]"),
    (np.zeros((16,), np.float32), "f32[16]"),
    (np.zeros((9, 16), np.float64), "f64[9, 16]"),
    (np.zeros((9, 16), np.float16), "f16[9, 16]"),
    (np.zeros((9, 16), ml_dtypes.bfloat16), "bf16[9, 16]"),
    (np.zeros((9, 16), np.uint32), "u32[9, 16]"),
    (np.zeros((9, 16), bool), "bool[9, 16]"),
    (np.zeros((9, 16), np.complex64), "complex64[9, 16]"),
    (np.zeros((9, 16), ">f4"), ">f4[9, 16]"),
    (np.zeros((9, 16), "V4"), "raw32[9, 16]"),
    (np.zeros((9, 16), ml_dtypes.float8_e4m3fn), "float8_e4m3fn[9, 16]"),
    (np.zeros((9, 16), ml_dtypes.float4_e2m1fn), "float4_e2m1fn[9, 16]"),
    (np.float32(3), "f32[]"),
    (3, "an object of type int"),
    (0.5, "an object of type float"),
    ("x.npy", "an object of type str"),
    (None, "an object of type NoneType"),
    ([[1.0] * 16], "an object of type list"),
])
def test_wrong_arrays(scale, x, got):
    y = np.zeros((9, 16), np.float32)
    assert get_error(scale, "scale", x=x, y=y, factor=1) == (
        f"argument 'x' expects f32[?, 16], but got {got}")


@pytest.mark.parametrize("x", [
    np.zeros((4, 8), ml_dtypes.float8_e4m3fn),
    np.zeros((4, 8), np.float16),
    np.zeros((4, 8), [("a", "u1"), ("b", "u1")]),
])
def test_wrong_bfloat16(pair, x):
    message = get_error(pair, "add", x=x, y=np.zeros((4, 8), np.int16), n=4,
                        k=0)
    assert message.startswith("argument 'x' expects bf16[?, 8], but got ")


def test_wrong_layouts(scale):
    x, y = make_x(), np.zeros((9, 16), np.float32)
    wide = np.zeros((9, 32), np.float32)
    assert get_error(scale, "scale", x=wide[:, ::2], y=y, factor=1) == (
        "argument 'x' expects strides [16, 1], but got [32, 2]")
    assert get_error(scale, "scale", x=x, y=wide[:, :16], factor=1) == (
        "argument 'y' expects strides [16, 1], but got [32, 1]")
    assert get_error(scale, "scale", x=x[::-1], y=y, factor=1) == (
        "argument 'x' expects strides [16, 1], but got [-16, 1]")
    raw = np.zeros(9 * 64 + 4, np.uint8)
    shifted = raw[1:577].view(np.float32).reshape(9, 16)
    assert get_error(scale, "scale", x=shifted, y=y, factor=1) == (
        "argument 'x' expects an address aligned to 4 bytes, but got one "
        "aligned to 1")
    record = np.zeros((9, 16), [("a", "<f4"), ("b", "u1")])
    assert get_error(scale, "scale", x=record["a"], y=y, factor=1) == (
        "argument 'x' expects strides of whole elements, but got 5 bytes")


def test_negative_strides(pair):
    x = np.zeros((4, 8), np.uint16)[::-1]
    assert get_error(pair, "add", x=x, y=np.zeros((4, 8), np.int16), n=4,
                     k=0) == (
        "argument 'x' expects strides of at least 0, but got [-8, 1]")


def test_written_arrays(scale):
    x, y = make_x(), np.zeros((9, 16), np.float32)
    assert get_error(scale, "scale", x=x, y=x, factor=1) == (
        "argument 'y' is written by the kernel, but shares memory with "
        "argument 'x'")
    y.flags.writeable = False
    assert get_error(scale, "scale", x=x, y=y, factor=1) == (
        "argument 'y' is written by the kernel, but got a read-only array")
    x.flags.writeable = False
    scale.launch("scale", x=x, y=np.zeros((9, 16), np.float32), factor=1)


@pytest.mark.parametrize("factor, got", [
    (1e300, "expects f32, but got 1e+300"),
    (2**70, "expects f32, but got 1180591620717411303424"),
    ("1", "expects f32, but got an object of type str"),
    (None, "expects f32, but got an object of type NoneType"),
    (np.zeros(3), "expects a number (f32), but got f64[3]"),
    (np.zeros(3, np.int64), "expects a number (f32), but got i64[3]"),
])
def test_wrong_numbers(scale, factor, got):
    assert get_error(scale, "scale", x=make_x(), factor=factor,
                     y=np.zeros((9, 16), np.float32)) == (
        f"argument 'factor' {got}")


@pytest.mark.parametrize("n, k, message", [
    (1.5, 0, "argument 'n' expects index, but got 1.5"),
    (np.float32(2), 0, "argument 'n' expects index, but got 2"),
    (-1, 0, "argument 'n' is a number of rows, but got -1"),
    (1, 2**31, "argument 'k' expects i32, but got 2147483648"),
    (2**40, 0, "kernel 'add' expects at most 2147483647 workgroups, but "
               "1099511627776 rows take 137438953472"),
])
def test_wrong_integers(pair, n, k, message):
    x, y = BF16_BITS, np.zeros((4, 8), np.int16)
    assert get_error(pair, "add", x=x, y=y, n=n, k=k) == message


def test_faults_name_the_argument(scale):
    x, y = make_x(5), np.zeros((4, 16), np.float32)
    message = get_error(scale, "scale", x=x, y=y, factor=1)
    assert "past the end of 'y'" in message and "kernel scale" in message
    # The object still works.
    y = np.zeros((5, 16), np.float32)
    scale.launch("scale", x=x, y=y, factor=1)
    assert np.array_equal(x, y)


def test_launches_from_threads(scale):
    def run(seed):
        x = np.random.default_rng(seed).random((300, 16), np.float32)
        y = np.zeros_like(x)
        for _ in range(20):
            scale.launch("scale", x=x, y=y, factor=seed)
        return np.array_equal(y, x * np.float32(seed))

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        assert all(pool.map(run, range(16)))
