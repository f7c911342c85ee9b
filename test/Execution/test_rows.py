# Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# Kernels F21 to F25 over the whole matrix: rotate, rope and both, to 16 bits, FP4 and FP8.

import re
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import pytest

from harness import cases, compare, inputs
from harness.device import code_object, launch, refused
from harness.sources import Shape, kernel_source, shape_for
from oracle import formats, kernels

DEFAULT_GROUP = {"16": 32, "fp4": 32, "fp8": 128}


@dataclass(frozen=True)
class Kernel:
    file: str
    kind: str
    rope: bool
    rotate: bool


KERNELS = {
    "rotate": Kernel("rotate", "16", False, True),
    "rotate_fp4": Kernel("rotate_fp4", "fp4", False, True),
    "rope_rotate": Kernel("rope", "16", True, True),
    "rope": Kernel("rope", "16", True, False),
    "rope_rotate_fp4": Kernel("rope_fp4", "fp4", True, True),
    "rope_fp4": Kernel("rope_fp4", "fp4", True, False),
    "rope_rotate_fp8": Kernel("rope_fp8", "fp8", True, True),
    "rope_fp8": Kernel("rope_fp8", "fp8", True, False),
}


def fp8_of(shape):
    return next(f for f in (formats.FP8_FN, formats.FP8_FNUZ) if f.mlir == shape.fp8)


@lru_cache(maxsize=2)
def expected_rows(name, shape):
    """The oracle for every row of the pool: computed once for all numbers of tokens, partitions and archs."""
    kernel = KERNELS[name]
    x = inputs.pool(shape.dim, shape.dtype)[: inputs.TOKENS * shape.heads]
    steps = {"rotate": kernel.rotate}
    if kernel.rope:
        cos, sin = inputs.tables(shape.dtype, shape.rope_dim)
        of_row = np.repeat(inputs.positions(), shape.heads)
        steps["rope"] = kernels.Rope(cos, sin, of_row, shape.dim - shape.rope_dim)
    if kernel.kind == "fp4":
        return kernels.to_fp4(x, shape.dtype, shape.group, **steps)
    if kernel.kind == "fp8":
        return kernels.to_fp8(x, shape.dtype, shape.group, fp8_of(shape), **steps)
    return kernels.to_16_bit(x, shape.dtype, **steps)


def oracle_shape(kernel, shape):
    """The parts of a shape that change the oracle's answer: archs and layouts share what they can."""
    heads = shape.heads if KERNELS[kernel].rope else 64
    fp8 = shape.fp8 if KERNELS[kernel].kind == "fp8" else Shape.fp8
    return Shape(shape.dim, heads, shape.dtype, shape.rope_dim, shape.group, fp8)


def check(name, shape, loaded, tokens):
    kernel, rows = KERNELS[name], tokens * shape.heads
    expected = expected_rows(name, oracle_shape(name, shape))
    x = inputs.pool(shape.dim, shape.dtype)[:rows].reshape(tokens, shape.heads, shape.dim)
    arguments = {"x": x if tokens == inputs.TOKENS else x.copy()}
    if kernel.rope:
        cos, sin = inputs.tables(shape.dtype, shape.rope_dim)
        arguments |= {"cos": cos, "sin": sin, "positions": inputs.positions()[:tokens].copy()}

    what = f"{name} of {tokens} tokens"
    head = (tokens, shape.heads)
    if kernel.kind == "16":
        got = launch(loaded, name, {"out": ((*head, shape.dim), np.uint16)}, **arguments)
        compare.assert_16_bit(what, expected[:rows], got["out"].reshape(rows, -1), shape.dtype)
    elif kernel.kind == "fp8":
        outputs = {"out": ((*head, shape.dim), np.uint8), "scale": ((*head, shape.groups), np.float32)}
        got = launch(loaded, name, outputs, **arguments)
        compare.assert_f32(f"scales, {what}", expected.scales[:rows], got["scale"].reshape(rows, -1))
        compare.assert_fp8(what, expected.codes[:rows], got["out"].reshape(rows, -1), fp8_of(shape))
    else:
        first = expected.head(rows)
        scale = first.scales
        scale_shape = (*head, shape.groups)
        if shape.shuffled:
            scale = kernels.query_scale_pages(scale, shape.heads)
            scale_shape = (tokens, shape.groups // 4, 4, 16, scale.shape[1] // (shape.groups * 16))
        outputs = {"out": ((*head, shape.dim // 2), np.uint8), "scale": (scale_shape, np.uint8)}
        got = launch(loaded, name, outputs, **arguments)
        compare.assert_same(f"scales, {what}", scale, got["scale"].reshape(scale.shape))
        compare.assert_fp4(what, first, got["out"].reshape(rows, -1))


def check_case(case, tokens, **shape_changes):
    kernel = KERNELS[case["kernel"]]
    shape = shape_for(case["arch"], dim=case["dim"], heads=case["heads"], dtype=case["dtype"],
                      **({"group": DEFAULT_GROUP[kernel.kind]} | shape_changes))
    source = kernel_source(kernel.file, shape)
    if reason := cases.refusal(case["dim"], case["lanes"]):
        assert re.search(reason, refused(source, case["arch"], lanes_per_row=case["lanes"]))
        return
    loaded = code_object(source, case["arch"], case["lanes"])
    for count in tokens:
        check(case["kernel"], shape, loaded, count)


@cases.matrix(*KERNELS)
def test_rows(case):
    check_case(case, cases.TOKENS)


@cases.matrix("rotate_fp4", "rope_rotate_fp4", "rope_fp4", heads=[16, 64])
def test_shuffled_query_scales(case):
    check_case(case, [1, 7, 64], shuffled=True)


@cases.matrix("rotate_fp4", "rope_rotate_fp8", "rope_fp8", heads=[16], lanes=[4, 16, 64], group=[32, 64, 128])
def test_group_sizes(case):
    check_case(case, [9, 64], group=case["group"])


@cases.matrix("rope_rotate", "rope_rotate_fp4", dims=[128, 512], heads=[1, 16], lanes=[4, 16], rope_dim=[32, 128])
def test_rope_dims(case):
    check_case(case, [9, 64], rope_dim=case["rope_dim"])


@cases.matrix(*KERNELS, dims=[128], heads=[1, 16], lanes=[0])
def test_auto_partition(case):
    check_case(case, [9, 1000])
