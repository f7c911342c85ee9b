# Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# Wrong arguments of compressors: what the compiler and the launcher refuse, and what they say.
"""The checks are those that hand-written compressors make on the host, as far as they have a meaning here. Those that
have none: odd row strides (lanes load rows at any even address), a table that is wider than the rotated part (its size
is a part of the kernel), a contradiction of flags (a form is a kernel of its own), quantising without a block table (it
is an argument that must be given)."""

import numpy as np
import pytest

from harness import compressor as c
from harness.compressor import CSA_INDEXER, CSA_INDEXER_FP4, CSA_MAIN, CSA_MAIN_GROUPED
from harness.device import refused, rowmill
from test_compress_matrix import decode_step


def arguments(shape):
    step = decode_step(shape, 2, 0)
    caches = {name: np.zeros(*spec) for name, spec in c.page_outputs(shape, step.batch.pages).items()}
    return vars(step.inputs) | caches | {"weight": step.weight, "cos": step.cos, "sin": step.sin,
                                         "block_table": step.batch.block_table, "eps": c.EPSILON}


def last(array, size):
    """The array with another last size."""
    return np.zeros((*array.shape[:-1], size), array.dtype)


def spaced(array):
    """The same shape with an innermost stride of two."""
    return np.zeros((*array.shape[:-1], 2 * array.shape[-1]), array.dtype)[..., ::2]


WRONG = [
    # Shapes.
    ("kv_in", CSA_MAIN, lambda a: last(a, 512), "expects bf16[?, 1024], but got"),
    ("kv_in", CSA_MAIN, lambda a: a[0], "expects bf16[?, 1024], but got"),
    ("score_in", CSA_MAIN, lambda a: a[:-1].copy(), "expects 41 in dimension 0, as argument 'kv_in' has in dimension 0, but got 40"),
    ("kv_state", CSA_MAIN, lambda a: last(a, 512), "expects f32[?, ?, 1024], but got"),
    ("kv_state", CSA_MAIN, lambda a: a[:, :7].copy(), "dimension 1"),
    ("score_state", CSA_MAIN, lambda a: a[1:].copy(), "in dimension 0, as argument 'kv_state' has"),
    ("ape", CSA_MAIN, lambda a: np.zeros((8, 1024), np.float32), "expects f32[4, 1024], but got f32[8, 1024]"),
    ("weight", CSA_MAIN, lambda a: a[:-1].copy(), "expects f32[512], but got f32[511]"),
    ("plan", CSA_MAIN, lambda a: last(a, 3), "expects i32[?, 4], but got i32"),
    ("state_slots", CSA_MAIN, lambda a: a[:, None].copy(), "expects i32[?], but got i32"),
    ("cos", CSA_MAIN, lambda a: last(a, 64), "expects bf16[?, 32], but got"),
    ("sin", CSA_MAIN, lambda a: a[1:].copy(), "expects 4096 in dimension 0, as argument 'cos' has in dimension 0, but got 4095"),
    ("cache", CSA_MAIN, lambda a: a[0], "expects bf16[?, 64, 512], but got"),
    ("cache", CSA_MAIN, lambda a: a[:, :32].copy(), "expects bf16[?, 64, 512], but got"),
    ("scale", CSA_INDEXER, lambda a: a[1:].copy(), "in dimension 0, as argument 'cache' has"),
    ("scale", CSA_INDEXER_FP4, lambda a: a[1:].copy(), "in dimension 0, as argument 'cache' has"),
    ("k_rope", CSA_MAIN_GROUPED, lambda a: last(a, 32), "expects bf16[?, 64, 64], but got"),
    ("k_rope", CSA_MAIN_GROUPED, lambda a: a[1:].copy(), "in dimension 0, as argument 'cache' has"),
    ("block_table", CSA_MAIN, lambda a: a[0], "expects i32[?, ?], but got i32"),
    ("state_slots", CSA_MAIN, lambda a: a[1:].copy(), "in dimension 0"),
    # Element types.
    ("kv_in", CSA_MAIN, lambda a: a.astype(np.float32), "expects bf16[?, 1024], but got f32"),
    ("score_in", CSA_MAIN, lambda a: a.astype(np.uint8), "expects bf16[?, 1024], but got u8"),
    ("kv_state", CSA_MAIN, lambda a: a.astype(np.float64), "expects f32[?, ?, 1024], but got f64"),
    ("ape", CSA_MAIN, lambda a: a.astype(np.float16), "expects f32[4, 1024], but got f16"),
    ("weight", CSA_MAIN, lambda a: a.astype(np.float16), "expects f32[512], but got f16"),
    ("plan", CSA_MAIN, lambda a: a.astype(np.int64), "expects i32[?, 4], but got i64"),
    ("state_slots", CSA_MAIN, lambda a: a.astype(np.int64), "expects i32[?], but got i64"),
    ("block_table", CSA_MAIN, lambda a: a.astype(np.int64), "expects i32[?, ?], but got i64"),
    ("cache", CSA_MAIN, lambda a: a.astype(np.uint8), "expects bf16[?, 64, 512], but got u8"),
    ("cache", CSA_INDEXER, lambda a: a.astype(np.uint16), "expects i8[?, 64, 128], but got u16"),
    ("scale", CSA_INDEXER, lambda a: a.astype(np.uint8), "expects f32[?, 64, 1], but got u8"),
    ("cache", CSA_INDEXER_FP4, lambda a: a.astype(np.float32), "expects i8[?, 1, 4, 64, 16], but got f32"),
    ("scale", CSA_INDEXER_FP4, lambda a: a.astype(np.float32), "expects i8[?, 1, 4, 64], but got f32"),
    ("k_rope", CSA_MAIN_GROUPED, lambda a: a.astype(np.float32), "expects bf16[?, 64, 64], but got f32"),
    # Strides.
    ("kv_in", CSA_MAIN, spaced, "expects strides [?, 1], but got"),
    ("score_in", CSA_MAIN, spaced, "expects strides [?, 1], but got"),
    ("kv_state", CSA_MAIN, spaced, "expects strides [?, ?, 1], but got"),
    ("ape", CSA_MAIN, spaced, "expects strides [1024, 1], but got"),
    ("plan", CSA_MAIN, spaced, "expects strides [4, 1], but got"),
    ("cos", CSA_MAIN, spaced, "expects strides [32, 1], but got"),
    ("block_table", CSA_MAIN, lambda a: np.zeros((2, 4), np.int32)[:, ::2], "expects strides"),
    ("cache", CSA_INDEXER, lambda a: np.zeros((len(a), 64, 256), np.uint8)[:, :, :128], "expects strides [?, 128, 1], but got"),
    ("cache", CSA_INDEXER_FP4, lambda a: np.zeros((len(a), 1, 4, 64, 32), np.uint8)[..., :16], "expects strides [?, 4096, 1024, 16, 1], but got"),
    ("scale", CSA_INDEXER_FP4, lambda a: np.zeros((len(a), 1, 4, 128), np.uint8)[..., :64], "expects strides [?, 256, 64, 1], but got"),
    # What is not there, and what overlaps.
    ("block_table", CSA_MAIN, lambda a: None, "is missing"),
    ("scale", CSA_INDEXER, lambda a: None, "is missing"),
    ("k_rope", CSA_MAIN_GROUPED, lambda a: None, "is missing"),
]


@pytest.mark.parametrize("name, shape, change, message", WRONG, ids=lambda v: str(v)[:24] if isinstance(v, (str, c.Shape)) else "")
def test_launcher_refuses(name, shape, change, message):
    given = arguments(shape)
    value = change(given.pop(name))
    if value is not None:
        given[name] = value
    with pytest.raises(rowmill.LaunchError) as error:
        c.loaded(shape, "gfx950").launch(c.kernel_name(shape.form), **given)
    text = str(error.value)
    assert message in text and "\n" not in text
    # A size that must equal another is reported at either.
    assert f"argument '{name}'" in text or "as argument" in text


def test_outputs_may_not_overlap_inputs():
    given = arguments(CSA_MAIN)
    given["cache"] = np.zeros((2, 64, 512), np.uint16)
    given["kv_in"] = given["cache"].reshape(64, 1024)
    given["score_in"] = np.zeros((64, 1024), np.uint16)
    with pytest.raises(rowmill.LaunchError, match="'cache' is written by the kernel, but shares memory with argument 'kv_in'"):
        c.loaded(CSA_MAIN, "gfx950").launch("compress_bf16", **given)


MISUSE = [
    # A page that the layout does not have.
    (CSA_INDEXER.with_(page_slots=24), "expects 'slots' to be a multiple of 16, but got 24"),
    (CSA_INDEXER_FP4.with_(page_slots=24), "expects 'slots' to be a multiple of 16, but got 24"),
    (CSA_INDEXER.with_(dim=72, rope_dim=32), "expects 'length' to be a multiple of 16, but got 72"),
    # Groups that do not divide the row.
    (CSA_INDEXER_FP4.with_(dim=80, rope_dim=16, shuffled=False), "group size 32 does not divide the row length 80"),
    (CSA_MAIN_GROUPED.with_(dim=96, rope_dim=32), "group size 64 does not divide the row length 96"),
    # A rotated part that is not in the row.
    (CSA_MAIN.with_(rope_dim=1024), "expects 'at' to be even and not negative"),
    (CSA_MAIN.with_(ratio=0), "expects 'ratio' to be 1 or more, but got 0"),
]


@pytest.mark.parametrize("shape, message", MISUSE, ids=str)
def test_compiler_refuses(shape, message):
    assert message in refused(c.source(shape))


def test_fp8_must_be_the_archs_own():
    for arch, other in (("gfx950", "gfx942"), ("gfx942", "gfx950")):
        assert "expects the fp8 format of " + arch in refused(c.source(CSA_INDEXER, other), arch)
