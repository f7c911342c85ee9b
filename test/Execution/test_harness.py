# Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# The harness itself: alias substitution, guards, comparison, and that a wrong byte is never accepted.

import numpy as np
import pytest

import test_kvcache
import test_rows
from harness import compare, inputs
from harness.device import COUNTS, Guarded, launch
from harness.sources import KERNELS, Shape, aliases, kernel_source, specialise
from oracle import formats, kernels, rows


def test_specialise_replaces_one_line():
    text = "!x   = memref<?xf32>  // rows\n#group = 32 : i64\nrow.kernel @k(%x: !x) {}\n"
    assert aliases(text) == {"!x": "memref<?xf32>", "#group": "32 : i64"}
    changed = specialise(text, {"!x": "memref<?xf16>"})
    assert changed == text.replace("f32", "f16")


def test_specialise_refuses_an_unknown_alias():
    with pytest.raises(KeyError, match="no alias !y"):
        specialise("!x = memref<?xf32>\n", {"!y": "f32"})


@pytest.mark.parametrize("file", sorted(path.stem for path in KERNELS.glob("*.mlir")))
def test_every_kernel_as_written_is_one_of_the_shapes(file):
    """The aliases in the files are those that the harness makes for the shape they state."""
    shape = Shape(shuffled=True, heads=1) if "kvcache" in file else Shape(group=128 if "fp8" in file else 32)
    assert kernel_source(file, shape) == (KERNELS / f"{file}.mlir").read_text()


@pytest.mark.parametrize("file", sorted(path.stem for path in KERNELS.glob("*.mlir")))
def test_kernels_are_short(file):
    assert len((KERNELS / f"{file}.mlir").read_text().splitlines()) <= 50


@pytest.mark.parametrize("where", [-1, 16, -300, 300])
def test_guard_reports_a_write_outside(where):
    buffer = Guarded((4, 4), np.uint8)
    raw = buffer.array.base
    while raw.base is not None:
        raw = raw.base
    start = buffer.array.ctypes.data - raw.ctypes.data
    raw[start + where] = 0
    with pytest.raises(AssertionError, match="1 bytes (before|after) 'out'"):
        buffer.check("out")


def test_guarded_arrays_are_aligned_and_poisoned():
    buffer = Guarded((3, 5), np.float32)
    assert buffer.array.ctypes.data % 64 == 0 and np.all(buffer.array.view(np.uint8) == 0xA5)
    buffer.check("out")


class OracleDevice:
    """Launches by writing what the oracle says, then spoils the outputs in a chosen way."""

    def __init__(self, write, spoil=None):
        self.write, self.spoil = write, spoil

    def launch(self, name, **arguments):
        self.write(arguments)
        if self.spoil:
            self.spoil(arguments)


def rope_fp4_writer(shape, flip_nan_signs=False):
    def write(arguments):
        count = arguments["x"].shape[0] * shape.heads
        expected = test_rows.expected_rows("rope_fp4", shape).head(count)
        packed = expected.packed.copy()
        for row, undefined in expected.undefined.items():
            packed[row] ^= undefined if flip_nan_signs else 0
        arguments["out"][...] = packed.reshape(arguments["out"].shape)
        arguments["scale"][...] = expected.scales.reshape(arguments["scale"].shape)

    return write


def flip(name, index, bit):
    def spoil(arguments):
        arguments[name].reshape(-1).view(np.uint8)[index] ^= bit

    return spoil


FP4_SHAPE = Shape(dim=128, heads=1)


def test_rows_accept_the_oracle_and_any_sign_of_a_nan():
    test_rows.check("rope_fp4", FP4_SHAPE, OracleDevice(rope_fp4_writer(FP4_SHAPE)), 64)
    test_rows.check("rope_fp4", FP4_SHAPE, OracleDevice(rope_fp4_writer(FP4_SHAPE, flip_nan_signs=True)), 64)


@pytest.mark.parametrize("spoil", [flip("out", 5, 1), flip("out", 63, 0x80), flip("scale", 3, 1), flip("x", 7, 1),
                                   flip("positions", 0, 2)], ids=["low", "high", "scale", "input", "positions"])
def test_rows_refuse_one_wrong_bit(spoil):
    with pytest.raises(AssertionError):
        test_rows.check("rope_fp4", FP4_SHAPE, OracleDevice(rope_fp4_writer(FP4_SHAPE), spoil), 9)


def cache_writer(shape, kernel):
    def write(arguments):
        expected = test_kvcache.expected_rows(kernel, shape.dim, shape.dtype, shape.rope_dim, shape.group)
        pages = len(arguments["cache"])
        cache, scale = arguments["cache"].reshape(pages, -1), arguments["scale"].reshape(pages, -1)
        slots = arguments["slot_mapping"]
        kernels.fill_cache(cache, scale, expected.head(len(slots)), slots, shape.slots, shape.shuffled)

    return write


@pytest.mark.parametrize("shuffled", [True, False])
def test_kvcache_accepts_the_oracle_and_refuses_a_touched_page(shuffled):
    kernel = "rmsnorm_rope_fp4_kvcache"
    shape = Shape(dim=256, heads=1, shuffled=shuffled, slots=16)
    test_kvcache.check(kernel, shape, OracleDevice(cache_writer(shape, kernel)), 64)
    for name in ("cache", "scale"):
        with pytest.raises(AssertionError, match="1 of"):
            test_kvcache.check(kernel, shape, OracleDevice(cache_writer(shape, kernel), flip(name, -1, 0x40)), 3)


def test_tie_excuse_takes_only_elements_next_to_a_tie():
    x = np.zeros((1, 128), np.float32)
    x[0, :4] = 6, 2.5, 2.0, 1.0
    codes = formats.encode16(x, "f16")
    expected = kernels.to_fp4(codes, "f16", 32)
    assert formats.fp4_unpack(expected.packed[0])[:4].tolist() == [7, 4, 4, 2]
    tie, not_a_tie = expected.packed.copy(), expected.packed.copy()
    tie[0, 0], not_a_tie[0, 1] = 0x57, 0x25  # 2.5 to 3; 2.0 to 3
    before = COUNTS["ties"]
    assert np.array_equal(compare.excuse_ties(expected, tie, expected.scales, codes, "f16", 32).packed, tie)
    assert COUNTS["ties"] == before + 1
    assert np.array_equal(compare.excuse_ties(expected, not_a_tie, expected.scales, codes, "f16", 32).packed, expected.packed)
    COUNTS["ties"] = before


@pytest.mark.parametrize("dtype", ["bf16", "f16"])
def test_inputs_probe_what_they_are_named_for(dtype):
    first = formats.decode16(inputs.pool(256, dtype)[: len(inputs.KINDS)], dtype)
    row = {kind.__name__: first[i] for i, kind in enumerate(inputs.KINDS)}
    assert np.isnan(row["one_nan"]).sum() == 1 and np.isinf(row["one_infinity"]).sum() == 1
    assert np.signbit(row["negative_zeros"]).all() and not row["zeros"].any()
    assert 0 < np.abs(row["denormals"]).max() < inputs.SMALLEST_NORMAL[dtype]
    assert np.abs(row["huge"]).max() > inputs.LARGEST[dtype] / 2
    on_tie = lambda v: np.isin(np.abs(rows.scaled_fp4(v, 32)[0]), formats.FP4_TIES).sum()
    assert on_tie(row["fp4_ties"][:, None]) == 256 - 8
    assert on_tie(rows.hadamard(row["fp4_ties_after_rotation"][:, None])) >= 1
