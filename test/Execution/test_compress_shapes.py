# Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# Compressors of other shapes: lengths, ratios, windows without overlap, rotated parts, pages, weights; all products compile.

import zlib

import numpy as np
import pytest

from harness import compressor as c
from harness.compressor import CSA_INDEXER, CSA_INDEXER_FP4, CSA_MAIN, CSA_MAIN_GROUPED, Shape
from harness.device import EMULATED, refused
from harness.plans import decode_plan
from test_compress_matrix import Step

ARCHS = [*EMULATED, "gfx1250"]


def mixed_plan(geometry, count, rng):
    """Boundaries at random blocks with windows of any legal length: at least the tokens that there are none of."""
    g, plan = geometry, []
    for b in range(count):
        position = g.ratio * int(rng.integers(1, 4)) - 1
        missing = max(0, g.sources - 1 - position)
        window = int(rng.integers(missing, g.sources + 1))
        plan.append((g.sources - 1 + b * g.ratio, b, position, window))
    return plan


def check(shape, arch, count=6, splits=((0, 0),)):
    g = shape.geometry
    rng = np.random.default_rng(zlib.crc32(str(shape).encode()))
    plan = mixed_plan(g, count, rng)
    step = Step(shape, plan, g.sources + count * g.ratio, g.sources + 3, 5)
    for waves, workgroups in splits:
        step.check(c.loaded(shape, arch, waves, workgroups), shape, arch)


def forms_for(dim, rope_dim):
    """The forms that a length has, each with the layout that it allows."""
    yield Shape("bf16", dim, rope_dim=rope_dim)
    yield Shape("per_row_fp8", dim, rope_dim=rope_dim)
    yield Shape("fp4", dim, rope_dim=rope_dim, shuffled=dim % 128 == 0)
    if rope_dim and dim > rope_dim and (dim - rope_dim) % 64 == 0:
        yield Shape("group_fp8", dim, rope_dim=rope_dim)


LENGTHS = [64, 128, 192, 256, 512, 576, 1024]


@pytest.mark.parametrize("arch", EMULATED)
@pytest.mark.parametrize("shape", [s for dim in LENGTHS for s in forms_for(dim, 64 if dim > 64 else 32)], ids=str)
def test_lengths(shape, arch):
    check(shape, arch, splits=((0, 0), (1, 1), (4, 1)))


@pytest.mark.parametrize("arch", EMULATED)
@pytest.mark.parametrize("overlap", [True, False])
@pytest.mark.parametrize("ratio", [1, 2, 4, 8, 128])
@pytest.mark.parametrize("shape", [CSA_INDEXER_FP4, CSA_MAIN], ids=str)
def test_windows(shape, ratio, overlap, arch):
    check(shape.with_(ratio=ratio, overlap=overlap), arch)


@pytest.mark.parametrize("arch", EMULATED)
@pytest.mark.parametrize("rope_dim", [0, 32, 64, 128])
@pytest.mark.parametrize("shape", [CSA_MAIN, CSA_INDEXER, CSA_INDEXER_FP4], ids=str)
def test_rotated_parts(shape, rope_dim, arch):
    check(shape.with_(rope_dim=rope_dim), arch)


@pytest.mark.parametrize("arch", EMULATED)
@pytest.mark.parametrize("page_slots", [16, 32, 64, 128, 256])
@pytest.mark.parametrize("shape", [CSA_MAIN, CSA_MAIN_GROUPED, CSA_INDEXER, CSA_INDEXER_FP4,
                                   CSA_INDEXER.with_(shuffled=False), CSA_INDEXER_FP4.with_(shuffled=False)], ids=str)
def test_pages(shape, page_slots, arch):
    check(shape.with_(page_slots=page_slots), arch)


@pytest.mark.parametrize("arch", EMULATED)
@pytest.mark.parametrize("page_slots", [1, 3, 24])
@pytest.mark.parametrize("shape", [CSA_MAIN, CSA_MAIN_GROUPED, CSA_INDEXER_FP4.with_(shuffled=False)], ids=str)
def test_odd_pages_are_linear(shape, page_slots, arch):
    check(shape.with_(page_slots=page_slots), arch)


@pytest.mark.parametrize("arch", EMULATED)
@pytest.mark.parametrize("shape", [CSA_MAIN, CSA_MAIN_GROUPED, CSA_INDEXER, CSA_INDEXER_FP4], ids=str)
def test_bf16_weights(shape, arch):
    check(shape.with_(weight="bf16"), arch)


@pytest.mark.parametrize("arch", EMULATED)
@pytest.mark.parametrize("shape", [CSA_MAIN_GROUPED, CSA_INDEXER, CSA_INDEXER.with_(round="none")], ids=str)
def test_flush_of_tiny_negatives(shape, arch):
    check(shape.with_(flush=2.0**-8), arch)


@pytest.mark.parametrize("arch", EMULATED)
@pytest.mark.parametrize("lanes", [8, 16, 32, 64])
def test_lanes(lanes, arch):
    """A split over lanes is as free as one over waves."""
    step = Step(CSA_INDEXER_FP4, decode_plan(CSA_INDEXER_FP4.geometry, 21), 40, 8, 3)
    for waves in (1, 2, 4):
        step.check(c.loaded(CSA_INDEXER_FP4, arch, waves, lanes=lanes), CSA_INDEXER_FP4, arch)


# ---- One source, all products -------------------------------------------------------------------------------------

FORMS = [Shape("pool", 512), CSA_MAIN, CSA_MAIN_GROUPED, CSA_INDEXER, CSA_INDEXER.with_(round="none"),
         CSA_INDEXER.with_(shuffled=False), CSA_INDEXER_FP4, CSA_INDEXER_FP4.with_(shuffled=False)]


@pytest.mark.parametrize("arch", ARCHS)
@pytest.mark.parametrize("shape", FORMS, ids=str)
def test_every_product_compiles_from_one_source(shape, arch):
    """Form x split x arch. The source differs in its alias lines alone, which name types and layouts, never a split."""
    for ratio, overlap in ((4, True), (128, False)):
        chosen = shape.with_(ratio=ratio, overlap=overlap)
        text = c.source(chosen, arch)
        body = lambda t: t[t.index("row.kernel"):].replace("round none", "round up")
        assert body(text) == body(c.file_of(shape.form).read_text())
        for waves, workgroups in ((0, 0), (1, 1), (2, 1), (4, 1), (8, 1), (4, 2), (1, 4)):
            loaded = c.loaded(chosen, arch, waves, workgroups)
            variants = loaded.info(c.kernel_name(shape.form))["variants"]
            assert len(variants) == 1 or waves == workgroups == 0
            first = variants[0]["launches"][0]["partition"]
            assert not waves or (first["waves_per_row"], first["workgroups_per_row"]) == (waves, workgroups)


@pytest.mark.parametrize("form", [*c.FORMS, "pool", "update"])
def test_sources_are_short(form):
    assert len(c.file_of(form).read_text().splitlines()) <= 60


@pytest.mark.parametrize("waves, workgroups, message", [
    (16, 1, "expects 'waves_per_row' to divide the 8 sources of the pool, but got 16"),
    (3, 1, "expects 'waves_per_row' to be a power of two between 1 and 16, but got 3"),
    (1, 3, "expects 'workgroups_per_row' to be a power of two between 1 and 128, but got 3"),
    (1, 256, "expects 'workgroups_per_row' to be a power of two between 1 and 128, but got 256"),
])
def test_forced_splits_are_checked(waves, workgroups, message):
    assert message in refused(c.source(CSA_INDEXER_FP4), waves_per_row=waves, workgroups_per_row=workgroups)
