# Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# Many steps in a row: compress, update the states, compress again, with rings that wrap, against the whole history.

import numpy as np
import pytest

from harness import compressor as c
from harness.bounds import check_caches
from harness.compressor import CSA_INDEXER_FP4, CSA_MAIN, HCA_MAIN, Shape
from harness.device import COUNTS, EMULATED
from harness.plans import Batch, padded
from oracle import compressor as oracle
from oracle import formats

MAX_BLOCKS = 4


class Serving:
    """Sequences that are fed by chunks. The expected rows come from the tokens as they were given, never from a ring."""

    def __init__(self, shape, arch, count, ring, seed):
        self.shape, self.arch, self.g = shape, arch, shape.geometry
        self.rng = np.random.default_rng(seed)
        self.batch = Batch(self.g, [0] * count).place(self.rng, shape.page_slots, MAX_BLOCKS)
        self.kv = [np.zeros((0, self.g.columns), np.uint16) for _ in range(count)]
        self.score = [np.zeros((0, self.g.columns), np.uint16) for _ in range(count)]
        states = (int(self.batch.slots.max()) + 2, ring, self.g.columns)
        self.kv_state, self.score_state = np.full(states, np.nan, np.float32), np.full(states, np.nan, np.float32)
        self.ape = self.rng.standard_normal((self.g.ratio, self.g.columns), np.float32)
        self.weight, self.exact_weight = c.weight_of(shape, self.rng)
        self.cos, self.sin = c.tables(shape.rope_dim)
        self.caches = c.poisoned(c.page_outputs(shape, self.batch.pages))
        self.done = []  # plan rows of all steps, and their expected rows
        self.rows = []
        self.compress = c.loaded(shape, arch)
        self.update = c.loaded(shape.with_(form="update"), arch)

    def new_tokens(self, chunks):
        draw = lambda size: [formats.bf16_encode(self.rng.standard_normal((n, self.g.columns), np.float32) * np.float32(size))
                             for n in chunks]
        kv, score = draw(0.1), draw(0.5)
        for batch in range(len(chunks)):
            self.kv[batch] = np.concatenate([self.kv[batch], kv[batch]])
            self.score[batch] = np.concatenate([self.score[batch], score[batch]])
        behind = [np.full((c.NAN_ROWS, self.g.columns), 0x7FC0, np.uint16)]
        return np.concatenate(kv + behind), np.concatenate(score + behind)

    def expected(self, plan):
        """Each row from the tokens of its sequence alone."""
        g, scores, values = self.g, [], []
        for _, batch, position, _ in plan:
            z, x = np.full((g.sources, g.dim), -np.inf), np.zeros((g.sources, g.dim))
            for k in range(g.sources):
                token = position - g.sources + 1 + k
                if token >= 0:
                    first = g.dim if g.overlap and k >= g.ratio else 0
                    column = slice(first, first + g.dim)
                    z[k] = formats.bf16_decode(self.score[batch][token, column]).astype(np.float64) + self.ape[token % g.ratio, column]
                    x[k] = formats.bf16_decode(self.kv[batch][token, column])
            scores.append(z)
            values.append(x)
        pooled = oracle.softmax_pool(np.array(scores), np.array(values))
        positions = np.array([row[2] for row in plan])
        return oracle.finished_rows(g, pooled, positions, self.exact_weight, c.EPSILON, self.cos, self.sin)

    def step(self, chunks):
        kv_in, score_in = self.new_tokens(chunks)
        plan, write = self.batch.step(chunks)
        capacity = len(plan) + 5
        common = dict(kv_in=kv_in, score_in=score_in, kv_state=self.kv_state, score_state=self.score_state,
                      state_slots=self.batch.slots, ape=self.ape)
        COUNTS["launched"] += 2
        self.compress.launch(c.kernel_name(self.shape.form), **common, plan=padded(plan, capacity), weight=self.weight,
                             cos=self.cos, sin=self.sin, block_table=self.batch.block_table, eps=c.EPSILON,
                             **{name: buffer.array for name, buffer in self.caches.items()})
        c.check_guards(self.caches)
        if plan:
            self.done += plan
            self.rows.append(self.expected(plan))
            check_caches(self.shape, self.arch, np.concatenate(self.rows), np.array(self.done, np.int32),
                         self.batch.block_table, {name: buffer.array for name, buffer in self.caches.items()})
        states = self.kv_state.copy(), self.score_state.copy()
        oracle.update_states(self.g, write, kv_in, score_in, *states, self.batch.slots, self.ape)
        self.update.launch("update_states", **common, plan=padded(write, len(write) + 3))
        assert self.kv_state.tobytes() == states[0].tobytes()
        assert self.score_state.tobytes() == states[1].tobytes()


@pytest.mark.parametrize("arch", EMULATED)
@pytest.mark.parametrize("shape", [CSA_INDEXER_FP4, CSA_MAIN, Shape("per_row_fp8", 128, ratio=2), Shape("group_fp8", 256)], ids=str)
def test_prefill_then_decode(shape, arch):
    """Prompts of several lengths, shorter than a window too, then single tokens until the rings have wrapped twice."""
    serving = Serving(shape, arch, 4, shape.geometry.sources + 3, 11)
    serving.step([7, 1, 30, 3])
    for _ in range(2 * shape.geometry.sources + 3):
        serving.step([1, 1, 1, 1])
    assert len(serving.done) > 8


@pytest.mark.parametrize("arch", EMULATED)
def test_chunked_prefill_and_drafts(arch):
    """Chunks of uneven lengths beside steps of several tokens; sequences that rest; rings of exactly a window."""
    shape = CSA_INDEXER_FP4
    serving = Serving(shape, arch, 3, shape.geometry.sources, 12)
    for chunks in ([5, 0, 2], [4, 17, 0], [1, 4, 4], [0, 1, 3], [9, 2, 1], [4, 4, 4], [1, 0, 8], [2, 3, 2]):
        serving.step(chunks)
    assert len(serving.done) == sum(length // shape.ratio for length in serving.batch.lengths)


@pytest.mark.parametrize("arch", EMULATED)
def test_long_windows(arch):
    """A window of 128 tokens over prompts and single tokens: most of it from the ring."""
    serving = Serving(HCA_MAIN, arch, 2, HCA_MAIN.geometry.sources, 13)
    for chunks in ([120, 250], [5, 3], [4, 2], [130, 1]):
        serving.step(chunks)
    assert len(serving.done) == 4
