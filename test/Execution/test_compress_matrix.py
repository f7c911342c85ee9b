# Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# Compressors F01 to F18: decode and prefill plans, every form, every split, auto by the plan's capacity.

import numpy as np
import pytest

from harness import compressor as c
from harness.bounds import check_caches
from harness.compressor import CSA_INDEXER, CSA_INDEXER_FP4, CSA_MAIN, CSA_MAIN_GROUPED, HCA_GROUPED, HCA_MAIN
from harness.device import COUNTS, EMULATED
from harness.plans import Batch, decode_plan, padded, prefill_plan
from oracle import compressor as oracle

SENTINELS = 16
CSA = [CSA_MAIN, CSA_MAIN_GROUPED, CSA_INDEXER, CSA_INDEXER.with_(shuffled=False), CSA_INDEXER.with_(round="none"),
       CSA_INDEXER.with_(round="none", shuffled=False), CSA_INDEXER_FP4, CSA_INDEXER_FP4.with_(shuffled=False)]
HCA = [HCA_MAIN, HCA_GROUPED]
DECODE = [1, 2, 4, 8, 16, 32, 65, 128]


class Step:
    """One launch's inputs with the rows that the oracle makes of them."""

    def __init__(self, shape, plan, tokens, ring, seed, capacity=None):
        self.rng = np.random.default_rng(seed)
        g = shape.geometry
        sequences = max(row[1] for row in plan) + 1
        blocks = max(row[2] for row in plan) // g.ratio // shape.page_slots + 1
        self.batch = Batch(g, [0] * sequences).place(self.rng, shape.page_slots, blocks)
        self.plan = padded(plan, capacity or len(plan) + SENTINELS)
        self.inputs = c.make_inputs(g, self.plan, tokens, self.rng, ring, sequences, self.batch.slots)
        self.weight, weight = c.weight_of(shape, self.rng)
        self.cos, self.sin = c.tables(shape.rope_dim)
        self.valid = self.plan[self.plan[:, 2] >= 0]
        self.pooled = oracle.pooled_rows(g, self.valid, *self.inputs.sources())
        self.rows = oracle.finished_rows(g, self.pooled, self.valid[:, 2], weight, c.EPSILON, self.cos, self.sin)

    def launch(self, loaded, shape, **options):
        """The caches after a launch, all poison before. Sources must be as they were."""
        before = {name: array.copy() for name, array in vars(self.inputs).items()}
        buffers = c.poisoned(c.page_outputs(shape, self.batch.pages))
        COUNTS["launched"] += 1
        stats = loaded.launch(c.kernel_name(shape.form), **vars(self.inputs), weight=self.weight, cos=self.cos, sin=self.sin,
                              block_table=self.batch.block_table, eps=c.EPSILON, stats=True,
                              **{name: buffer.array for name, buffer in buffers.items()}, **options)
        c.check_guards(buffers)
        for name, array in before.items():
            assert array.tobytes() == getattr(self.inputs, name).tobytes(), f"input '{name}' was changed"
        return {name: buffer.array for name, buffer in buffers.items()}, stats

    def check(self, loaded, shape, arch, **options):
        caches, stats = self.launch(loaded, shape, **options)
        check_caches(shape, arch, self.rows, self.valid, self.batch.block_table, caches)
        return caches, stats


def decode_step(shape, count, mtp, capacity=None):
    g = shape.geometry
    plan = decode_plan(g, count)
    return Step(shape, plan, g.sources - 1 + count, g.sources + mtp, 2026 + 1000 * count + mtp, capacity)


def prefill_step(shape, count):
    return Step(shape, prefill_plan(shape.geometry, count), 256 * count, None, 4000 + count)


@pytest.mark.parametrize("arch", EMULATED)
@pytest.mark.parametrize("shape", CSA, ids=str)
def test_csa_decode(shape, arch):
    loaded = c.loaded(shape, arch)
    for count in DECODE:
        for mtp in (0, 3):
            decode_step(shape, count, mtp).check(loaded, shape, arch)


@pytest.mark.parametrize("arch", EMULATED)
@pytest.mark.parametrize("shape", CSA + HCA, ids=str)
def test_prefill(shape, arch):
    loaded = c.loaded(shape, arch)
    for count in (1, 4):
        prefill_step(shape, count).check(loaded, shape, arch)


@pytest.mark.parametrize("arch", EMULATED)
@pytest.mark.parametrize("shape", HCA, ids=str)
def test_hca_decode(shape, arch):
    loaded = c.loaded(shape, arch)
    for count, mtp in ((1, 0), (16, 3), (64, 0)):
        decode_step(shape, count, mtp).check(loaded, shape, arch)


def waves_of(loaded, shape, variant):
    launch = loaded.info(c.kernel_name(shape.form))["variants"][variant]["launches"][0]
    return launch["partition"]["waves_per_row"]


@pytest.mark.parametrize("arch", EMULATED)
@pytest.mark.parametrize("shape", [CSA_MAIN, CSA_MAIN_GROUPED, CSA_INDEXER, CSA_INDEXER_FP4], ids=str)
def test_auto_split_goes_by_capacity(shape, arch):
    """The capacities of graphs: four waves up to 768, two up to 1280, else one, however few rows are valid."""
    loaded = c.loaded(shape, arch)
    for capacity, waves in ((17, 4), (700, 4), (769, 2), (1280, 2), (1281, 1)):
        step = decode_step(shape, 11, 0, capacity)
        _, stats = step.check(loaded, shape, arch)
        assert waves_of(loaded, shape, stats["variant"]) == waves


@pytest.mark.parametrize("arch", EMULATED)
@pytest.mark.parametrize("shape", [CSA_MAIN, CSA_INDEXER_FP4], ids=str)
def test_auto_split_with_a_full_plan(shape, arch):
    """As many valid rows as the capacity: the last workgroups are not whole."""
    loaded = c.loaded(shape, arch)
    for capacity, waves in ((769, 2), (1281, 1)):
        step = decode_step(shape, capacity, 0, capacity)
        _, stats = step.check(loaded, shape, arch)
        assert waves_of(loaded, shape, stats["variant"]) == waves


SPLITS = [(waves, 1) for waves in (1, 2, 4, 8)] + [(1, 2), (2, 4), (8, 2)]


@pytest.mark.parametrize("arch", EMULATED)
@pytest.mark.parametrize("shape", [CSA_MAIN, CSA_MAIN_GROUPED, CSA_INDEXER, CSA_INDEXER_FP4], ids=str)
def test_every_split(shape, arch):
    """Waves and workgroups: each split against the oracle, so that all are equal within the bounds."""
    g = shape.geometry
    plan = decode_plan(g, 5) + [(40 + 8 * i, 5 + i, 4 * i + 11, i) for i in range(9)]
    step = Step(shape, plan, 128, g.sources + 3, 77)
    for waves, workgroups in SPLITS:
        step.check(c.loaded(shape, arch, waves, workgroups), shape, arch)


@pytest.mark.parametrize("arch", EMULATED)
@pytest.mark.parametrize("shape", HCA, ids=str)
def test_hca_variants_are_equal(shape, arch):
    """Every variant of the table, two launches or one, on one plan; windows of all lengths."""
    loaded = c.loaded(shape, arch)
    g = shape.geometry
    plan = [(127 + 3 * i, i, 128 * (i % 3) + 127, w) for i, w in enumerate((0, 1, 63, 64, 65, 127, 128))]
    step = Step(shape, plan, 160, g.sources, 99)
    variants = loaded.info(c.kernel_name(shape.form))["variants"]
    assert {len(v["launches"]) for v in variants} == {1, 2}
    for variant in range(len(variants)):
        _, stats = step.check(loaded, shape, arch, variant=variant)
        assert stats["variant"] == variant
