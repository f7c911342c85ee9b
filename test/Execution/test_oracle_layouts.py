# Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# The byte formulas of the layouts: worked examples, bijections, and the vectors of the known pitfalls.

import numpy as np
import pytest

from oracle import layouts

SLOTS = [16, 32, 64, 128]
DIMS = [128, 256, 512, 1024]


def test_fp4_page_worked_examples():
    assert 3 * 4096 + layouts.fp4_preshuffle(37, 77 // 2, 64) == 14934
    assert 2 * 16384 + layouts.fp4_preshuffle(5, 300 // 2, 64) == 42070


def test_scale_page_worked_examples():
    assert 3 * 256 + layouts.e8m0_interleave(37, 77 // 32, 64) == 918
    assert 2 * 1024 + layouts.e8m0_interleave(5, 300 // 32, 64) == 2644


def test_fp8_page_worked_example():
    assert layouts.fp8_preshuffle(37, 77, 128) == 5213


def test_query_scale_worked_examples():
    size = lambda heads: 4 * 16 * layouts.query_tiles(heads)
    assert 2 * size(64) + layouts.query_scale(37, 3, 64) == 726
    assert 2 * size(16) + layouts.query_scale(7, 3, 16) == 732


def test_query_scale_pads_to_four_tiles():
    assert [layouts.query_tiles(h) for h in (16, 32, 64, 80, 128)] == [4, 4, 4, 8, 8]


@pytest.mark.parametrize("kb", SLOTS)
def test_p02_interleave_is_a_bijection_for_every_page_size(kb):
    slots = layouts.interleaved_slot(np.arange(kb), kb)
    assert sorted(slots) == list(range(kb))
    fixed_factor = (np.arange(kb) % 16) * 4 + np.arange(kb) // 16
    assert (sorted(fixed_factor) == list(range(kb))) == (kb == 64)


def test_p02_interleave_vector():
    p = layouts.interleaved_slot(np.arange(64), 64)
    assert [p[0], p[1], p[16], p[37], p[63]] == [0, 4, 1, 22, 63]


def test_p03_interleave_formulas_agree_only_at_64():
    for kb in SLOTS:
        p = np.arange(kb)
        ours = layouts.interleaved_slot(p, kb)
        transposed = (p % (kb // 4)) * 4 + p // (kb // 4)
        assert np.array_equal(ours, transposed) == (kb == 64)


def test_p04_linear_scales_read_interleaved():
    p = np.arange(64)
    assert p[layouts.interleaved_slot(p, 64) == p].tolist() == [0, 21, 42, 63]


@pytest.mark.parametrize("kb", SLOTS)
@pytest.mark.parametrize("dim", DIMS)
def test_every_page_layout_is_a_bijection(dim, kb):
    def covers(offsets, size):
        assert np.array_equal(np.sort(offsets.ravel()), np.arange(size))

    slot = np.arange(kb)[:, None]
    covers(layouts.linear(slot, np.arange(dim), dim), kb * dim)
    covers(layouts.fp4_preshuffle(slot, np.arange(dim // 2), kb), kb * dim // 2)
    covers(layouts.e8m0_interleave(slot, np.arange(dim // 32), kb), kb * dim // 32)
    covers(layouts.fp8_preshuffle(slot, np.arange(dim), dim), kb * dim)


@pytest.mark.parametrize("heads", [16, 32, 64, 128])
def test_query_scale_leaves_only_the_pad_bytes(heads):
    offsets = layouts.query_scale(np.arange(heads)[:, None], np.arange(4), heads).ravel()
    tiles = layouts.query_tiles(heads)
    free = np.setdiff1d(np.arange(4 * 16 * tiles), offsets)
    assert len(np.unique(offsets)) == heads * 4
    assert np.all(free % tiles >= heads // 16)


def test_place_refuses_two_values_for_one_byte():
    with pytest.raises(AssertionError, match="two values"):
        layouts.place(np.zeros(4, np.uint8), [1, 1], [2, 3])
