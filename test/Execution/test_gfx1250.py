# Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# Every kernel also compiles for gfx1250, wave size 32; it is not run, as the emulator has no wave32 yet.

import pytest

from harness import device
from harness.cases import DIMS, DTYPES, legal
from harness.sources import KERNELS, kernel_source, shape_for

FILES = sorted(path.stem for path in KERNELS.glob("*.mlir"))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("dim, lanes", legal(DIMS, [0, 1, 4, 16, 32]))
@pytest.mark.parametrize("file", FILES)
def test_compiles_for_gfx1250(file, dim, lanes, dtype):
    shape = shape_for("gfx1250", dim=dim, dtype=dtype, shuffled="kvcache" in file, group=128 if "fp8" in file else 32)
    loaded = device.code_object(kernel_source(file, shape), "gfx1250", lanes)
    for name in loaded.kernels:
        info = loaded.info(name)
        assert info["wave_size"] == 32
        if lanes:
            assert info["variants"][0]["launches"][0]["partition"]["lanes_per_row"] == lanes


@pytest.mark.parametrize("file", FILES)
def test_64_lanes_are_refused_on_wave32(file):
    shape = shape_for("gfx1250", shuffled="kvcache" in file, group=128 if "fp8" in file else 32)
    message = device.refused(kernel_source(file, shape), "gfx1250", lanes_per_row=64)
    assert "expects 'lanes_per_row' to be a power of two between 1 and 32, but got 64" in message
