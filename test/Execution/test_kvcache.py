# Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# Kernels F26 to F28 over the whole matrix: rmsnorm, rope, optional rotation, FP4 into a paged cache.

import re
from functools import lru_cache

import numpy as np
import pytest

from harness import cases, compare, inputs
from harness.device import COUNTS, POISON, code_object, launch, refused
from harness.sources import kernel_source, shape_for
from oracle import kernels

EPSILON = 1e-6
NAN = {"bf16": 0x7FC0, "f16": 0x7E00}
KERNELS = ["rmsnorm_rope_fp4_kvcache", "rmsnorm_rope_rotate_fp4_kvcache"]


@lru_cache(maxsize=2)
def tokens_of(dim, heads, dtype):
    """[TOKENS, heads, dim]: head 0 from the pool, all others NaN, as only head 0 may matter."""
    x = np.full((inputs.TOKENS, heads, dim), NAN[dtype], np.uint16)
    x[:, 0] = inputs.pool(dim, dtype)[: inputs.TOKENS]
    x.flags.writeable = False
    return x


def steps_of(kernel, shape):
    cos, sin = inputs.tables(shape.dtype, shape.rope_dim)
    return {"norm": kernels.Norm(inputs.weight(shape.dim, shape.dtype), EPSILON),
            "rope": kernels.Rope(cos, sin, inputs.positions(), shape.dim - shape.rope_dim),
            "rotate": "rotate" in kernel}


@lru_cache(maxsize=4)
def expected_rows(kernel, dim, dtype, rope_dim, group):
    shape = shape_for("gfx950", dim=dim, dtype=dtype, rope_dim=rope_dim, group=group)
    return kernels.to_fp4(inputs.pool(dim, dtype)[: inputs.TOKENS], dtype, group, **steps_of(kernel, shape))


def page_shapes(shape, pages):
    if not shape.shuffled:
        return (pages, shape.slots, shape.dim // 2), (pages, shape.slots, shape.groups)
    return (pages, shape.dim // 128, 4, shape.slots, 16), (pages, shape.groups // 4, 4, shape.slots)


def run(kernel, shape, loaded, x, slots, pages):
    """The cache and the scales after a launch, both starting as poison."""
    cos, sin = inputs.tables(shape.dtype, shape.rope_dim)
    cache, scale = page_shapes(shape, pages)
    return launch(loaded, kernel, {"cache": (cache, np.uint8), "scale": (scale, np.uint8)}, x=x,
                  weight=inputs.weight(shape.dim, shape.dtype), cos=cos, sin=sin,
                  positions=inputs.positions()[: len(x)].copy(), slot_mapping=slots, eps=EPSILON)


def check(kernel, shape, loaded, tokens):
    slots, pages = inputs.slot_mapping(tokens, shape.slots)
    x = tokens_of(shape.dim, shape.heads, shape.dtype)[:tokens]
    got = run(kernel, shape, loaded, x if tokens == inputs.TOKENS else x.copy(), slots, pages)
    check_pages(kernel, shape, got, slots, pages, tokens)


def check_pages(kernel, shape, got, slots, pages, tokens):
    """Every byte of every page: what was written against the oracle, all else against the poison."""
    expected = expected_rows(kernel, shape.dim, shape.dtype, shape.rope_dim, shape.group).head(tokens)
    cache = np.full((pages, got["cache"][0].size), POISON, np.uint8)
    scale = np.full((pages, got["scale"][0].size), POISON, np.uint8)
    undefined = kernels.fill_cache(cache, scale, expected, slots, shape.slots, shape.shuffled)
    got_cache, got_scale = got["cache"].reshape(cache.shape), got["scale"].reshape(scale.shape)
    COUNTS["fp4"] += 2 * expected.packed.size
    if not (np.array_equal(cache, got_cache) and np.array_equal(scale, got_scale)):
        got_rows = kernels.read_cache(got_cache, got_scale, expected, slots, shape.slots, shape.shuffled)
        x = inputs.pool(shape.dim, shape.dtype)[:tokens]
        before = COUNTS["ties"]
        expected = compare.excuse_ties(expected, *got_rows, x, shape.dtype, shape.group, **steps_of(kernel, shape))
        assert COUNTS["ties"] - before <= 1 + expected.packed.size // 5000, "too many codes next to a tie"
        undefined = kernels.fill_cache(cache, scale, expected, slots, shape.slots, shape.shuffled)
    what = f"{kernel} of {tokens} tokens"
    compare.assert_same(f"scales, {what}", scale, got_scale)
    compare.assert_bytes(what, cache, got_cache, lambda page, byte: undefined.get((page, byte), 0))


def check_case(case, tokens, **changes):
    shape = shape_for(case["arch"], dim=case["dim"], heads=case["heads"], dtype=case["dtype"], **changes)
    source = kernel_source(case["kernel"], shape)
    if reason := cases.refusal(case["dim"], case["lanes"]):
        assert re.search(reason, refused(source, case["arch"], lanes_per_row=case["lanes"]))
        return
    loaded = code_object(source, case["arch"], case["lanes"])
    for count in tokens:
        check(case["kernel"], shape, loaded, count)


@cases.matrix(*KERNELS, layout=["shuffled", "linear"], slots=[16, 32, 64, 128])
def test_kvcache(case):
    check_case(case, cases.TOKENS, shuffled=case["layout"] == "shuffled", slots=case["slots"])


@cases.matrix(*KERNELS, heads=[16], dims=[256, 128], lanes=[4, 16], group=[64, 128])
def test_linear_cache_with_larger_groups(case):
    check_case(case, [9, 64], group=case["group"])
