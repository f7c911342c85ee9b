# Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
"""What a code object says of itself, and what is refused as one."""

import random

import pytest
import rowmill


def test_names_and_target(pair_bytes):
    code = rowmill.CodeObject(pair_bytes)
    assert code.target == "gfx950"
    assert code.kernels == ["add", "spin"]
    assert repr(code) == "<rowmill.CodeObject for gfx950: 'add', 'spin'>"


def test_info_is_the_metadata(scale_bytes):
    code = rowmill.CodeObject(scale_bytes)
    info = code.info("scale")
    assert info["variants"][0]["launches"][0]["rows_per_group"] == 4
    assert info["extents"] == [{"arg": "x", "dim": 0}]
    assert info["args"][0]["shape"] == [None, 16]
    assert info["variants"][0]["launches"][0]["partition"]["lanes_per_row"] == 16
    info["args"].clear()
    assert len(code.info("scale")["args"]) == 3


def test_unknown_kernel(pair_bytes):
    code = rowmill.CodeObject(pair_bytes)
    for call in (code.info, code.launch):
        with pytest.raises(rowmill.LaunchError) as error:
            call("norm")
        assert str(error.value) == (
            "no kernel 'norm': the code object has 'add', 'spin'")


def test_the_error_is_a_runtime_error():
    assert issubclass(rowmill.LaunchError, RuntimeError)
    assert rowmill.LaunchError.__module__ == "rowmill"


def test_not_a_code_object():
    with pytest.raises(rowmill.LaunchError) as error:
        rowmill.CodeObject(b"MZ")
    assert str(error.value) == "code object: not an ELF file"
    with pytest.raises(TypeError):
        rowmill.CodeObject("text")


def expect_one_line_or_success(data):
    try:
        code = rowmill.CodeObject(data)
    except rowmill.LaunchError as error:
        assert "\n" not in str(error)
        return
    for kernel in code.kernels:
        code.info(kernel)


def test_every_truncation_is_an_error(scale_bytes):
    for size in range(0, len(scale_bytes) - 1, 7):
        with pytest.raises(rowmill.LaunchError) as error:
            rowmill.CodeObject(scale_bytes[:size])
        assert "\n" not in str(error.value)


def test_no_flipped_bits_crash(pair_bytes):
    rng = random.Random(1)
    for _ in range(3000):
        data = bytearray(pair_bytes)
        for _ in range(rng.choice((1, 1, 2, 8))):
            data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        expect_one_line_or_success(bytes(data))


def test_no_flipped_headers_crash(scale_bytes):
    """The ELF and section headers, byte by byte."""
    section_headers = int.from_bytes(scale_bytes[40:48], "little")
    for pos in [*range(64), *range(section_headers, len(scale_bytes))]:
        for value in (0, 1, 0x7F, 0xFF):
            data = bytearray(scale_bytes)
            data[pos] = value
            expect_one_line_or_success(bytes(data))
