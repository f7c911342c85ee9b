# Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# Compressors on the memory of serving engines: halves of one array, views of one shared pool, pools beyond 4 GiB.

import mmap

import numpy as np
import pytest

from harness import compressor as c
from harness.bounds import check_caches
from harness.compressor import CSA_INDEXER, CSA_INDEXER_FP4, CSA_MAIN, CSA_MAIN_GROUPED
from harness.device import COUNTS, EMULATED, POISON
from test_compress_matrix import Step

GIB = 1 << 30
MAP_NORESERVE = 0x4000  # Linux; Python 3.11 has no name for it


def mixed_step(shape, seed=21):
    g = shape.geometry
    plan = [(g.sources - 1 + 4 * b, b, 4 * b + 11, b % (g.sources + 1)) for b in range(7)]
    return Step(shape, plan, 60, g.sources + 2, seed)


def run(step, shape, arch, arrays, caches, **splits):
    COUNTS["launched"] += 1
    c.loaded(shape, arch, **splits).launch(c.kernel_name(shape.form), **arrays, weight=step.weight, cos=step.cos, sin=step.sin,
                                           block_table=step.batch.block_table, eps=c.EPSILON, **caches)
    check_caches(shape, arch, step.rows, step.valid, step.batch.block_table, {k: np.ascontiguousarray(v) for k, v in caches.items()})


def fresh(shape, pages):
    return {name: np.frombuffer(bytearray([POISON]) * (int(np.prod(size)) * np.dtype(dtype).itemsize), dtype).reshape(size)
            for name, (size, dtype) in c.page_outputs(shape, pages).items()}


@pytest.mark.parametrize("arch", EMULATED)
@pytest.mark.parametrize("shape", [CSA_MAIN, CSA_INDEXER_FP4], ids=str)
def test_inputs_are_halves_of_one_product(shape, arch):
    """kv and scores are columns of one matrix, with odd columns between them."""
    step = mixed_step(shape)
    columns = shape.geometry.columns
    both = np.full((len(step.inputs.kv_in), 2 * columns + 8), 0x7FC0, np.uint16)
    both[:, :columns], both[:, columns + 8:] = step.inputs.kv_in, step.inputs.score_in
    arrays = vars(step.inputs) | {"kv_in": both[:, :columns], "score_in": both[:, columns + 8:]}
    run(step, shape, arch, arrays, fresh(shape, step.batch.pages))


@pytest.mark.parametrize("arch", EMULATED)
def test_states_are_strided(arch):
    """Slots and ring rows with room between them: both states are views of one array."""
    shape, step = CSA_INDEXER_FP4, mixed_step(CSA_INDEXER_FP4)
    slots, ring, columns = step.inputs.kv_state.shape
    both = np.full((slots, ring + 3, 2, columns + 4), np.nan, np.float32)
    both[:, :ring, 0, :columns], both[:, :ring, 1, :columns] = step.inputs.kv_state, step.inputs.score_state
    arrays = vars(step.inputs) | {"kv_state": both[:, :ring, 0, :columns], "score_state": both[:, :ring, 1, :columns]}
    run(step, shape, arch, arrays, fresh(shape, step.batch.pages))


def page_views(shape, pool, pages, stride, offset):
    """The caches of a form as views into each page of a byte pool: one behind the other from `offset` on."""
    views, start = {}, offset
    for name, (size, dtype) in c.page_outputs(shape, pages).items():
        item = np.dtype(dtype).itemsize
        inner = [int(np.prod(size[i + 1:])) * item for i in range(1, len(size))]
        views[name] = np.ndarray(size, dtype, pool, start, [stride, *inner])
        start += -(-int(np.prod(size[1:])) * item // 16) * 16
    return views, start


@pytest.mark.parametrize("arch", EMULATED)
@pytest.mark.parametrize("shape", [CSA_MAIN, CSA_MAIN_GROUPED, CSA_INDEXER, CSA_INDEXER.with_(shuffled=False), CSA_INDEXER_FP4,
                                   CSA_INDEXER_FP4.with_(shuffled=False)], ids=str)
def test_caches_are_views_of_one_pool(shape, arch):
    """Codes and scales of a page lie together, behind something else that must stay as it is."""
    step = mixed_step(shape)
    stride = 1 << 18
    pool = np.full(step.batch.pages * stride, POISON, np.uint8)
    views, end = page_views(shape, pool, step.batch.pages, stride, 4096)
    assert end <= stride
    run(step, shape, arch, vars(step.inputs), views)
    outside = pool.reshape(-1, stride).copy()
    outside[:, 4096:end] = POISON
    assert (outside == POISON).all()


def sparse(size):
    """Memory that is there, but takes none until it is touched."""
    return mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | MAP_NORESERVE)


@pytest.mark.parametrize("arch", EMULATED)
@pytest.mark.parametrize("shape", [CSA_MAIN, CSA_MAIN_GROUPED, CSA_INDEXER, CSA_INDEXER_FP4], ids=str)
def test_pools_beyond_4_gib(shape, arch):
    """Pages that lie 0.75 GiB apart: page offsets pass 2 and 4 GiB, and no page but the plan's is touched."""
    step = mixed_step(shape)
    stride = 3 * GIB // 4
    pool = np.frombuffer(sparse(step.batch.pages * stride), np.uint8)
    pages = pool.reshape(-1, stride)
    views, end = page_views(shape, pool, step.batch.pages, stride, 8192)
    pages[:, :end + 4096] = POISON
    run(step, shape, arch, vars(step.inputs), views)
    assert (pages[:, :8192] == POISON).all() and (pages[:, end:end + 4096] == POISON).all()
    assert not pages[:, end + 4096:end + (1 << 16)].any()
    assert step.batch.pages * stride > 4 * GIB


@pytest.mark.parametrize("arch", EMULATED)
def test_more_than_half_a_million_pages(arch):
    """Page numbers whose byte offset does not fit in 32 bits at the pages' own size: P24's limit."""
    shape, step = CSA_INDEXER_FP4, mixed_step(CSA_INDEXER_FP4)
    pages = (1 << 20) + 64
    step.batch.block_table[:] = step.batch.block_table + (1 << 20)
    pool = np.frombuffer(sparse(pages * 4352), np.uint8)
    views, _ = page_views(shape, pool, pages, 4352, 0)
    first = 1 << 20
    pool[first * 4352:] = POISON
    COUNTS["launched"] += 1
    c.loaded(shape, arch).launch(c.kernel_name(shape.form), **vars(step.inputs), weight=step.weight, cos=step.cos, sin=step.sin,
                                 block_table=step.batch.block_table, eps=c.EPSILON, **views)
    tail = {name: np.ascontiguousarray(view[first:]) for name, view in views.items()}
    check_caches(shape, arch, step.rows, step.valid, step.batch.block_table - first, tail)
    assert not pool[:1 << 20].any() and not pool[(first - 256) * 4352:first * 4352].any()


@pytest.mark.parametrize("arch", EMULATED)
def test_states_and_inputs_beyond_4_gib(arch):
    """Slots 1.25 GiB apart, ring rows 80 MiB, input rows 300 MiB."""
    shape, step = CSA_INDEXER_FP4, mixed_step(CSA_INDEXER_FP4)

    def far(array, *strides):
        size = sum((n - 1) * s for n, s in zip(array.shape, strides)) + array.shape[-1] * array.itemsize
        view = np.ndarray(array.shape, array.dtype, sparse(size), 0, [*strides, array.itemsize])
        view[...] = array
        return view

    kv, score = step.inputs.kv_in[:-c.NAN_ROWS + 1], step.inputs.score_in[:-c.NAN_ROWS + 1]
    arrays = vars(step.inputs) | {
        "kv_state": far(step.inputs.kv_state, 5 * GIB // 4, 80 << 20), "score_state": far(step.inputs.score_state, 5 * GIB // 4, 80 << 20),
        "kv_in": far(kv, 300 << 20), "score_in": far(score, 300 << 20)}
    run(step, shape, arch, arrays, fresh(shape, step.batch.pages))
