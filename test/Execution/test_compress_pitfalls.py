# Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# One test for each known mistake of hand-written compressors, by its number, on the smallest input that shows it.
"""Numbers are those of the list of pitfalls that the family was specified with. Those of other kernels are in
test_pitfalls.py; P28 and P30 are rules for tests and benchmarks: every comparison here asserts, and the traffic table
counts the columns that are read."""

import re

import numpy as np
import pytest

from harness import compressor as c
from harness.bounds import check_caches
from harness.compressor import CSA_INDEXER, CSA_INDEXER_FP4, CSA_MAIN, CSA_MAIN_GROUPED, HCA_MAIN, Shape
from harness.device import EMULATED, POISON, rowmill
from harness.plans import padded
from oracle import compressor as oracle
from oracle import formats, layouts
from test_compress_matrix import Step, decode_step, waves_of

SPLITS = [(1, 1), (2, 1), (4, 1), (2, 2)]
pytestmark = pytest.mark.parametrize("arch", EMULATED)


def constant(rows, columns, value):
    return formats.bf16_encode(np.full((rows, columns), value, np.float32))


class Plain:
    """Inputs that are all zero, for a test to set what matters, and the pooled rows of the pool-only kernel."""

    def __init__(self, plan, geometry_of=Shape("pool", 128), tokens=32, ring=8):
        self.shape, g = geometry_of, geometry_of.geometry
        self.plan = np.array(plan, np.int32)
        self.kv_in, self.score_in = constant(tokens, g.columns, 0), constant(tokens, g.columns, 0)
        self.kv_state = np.zeros((2, ring, g.columns), np.float32)
        self.score_state = np.zeros((2, ring, g.columns), np.float32)
        self.ape = np.zeros((g.ratio, g.columns), np.float32)

    def pooled(self, arch, waves=1, workgroups=1):
        out = np.full((len(self.plan), self.shape.dim), -7, np.float32)
        c.loaded(self.shape, arch, waves, workgroups).launch(
            "compress_pool", kv_in=self.kv_in, score_in=self.score_in, kv_state=self.kv_state, score_state=self.score_state,
            state_slots=np.ones(1, np.int32), ape=self.ape, plan=self.plan, out=out)
        return out


def test_p02_p03_interleave_is_a_permutation_for_every_page(arch):
    """The factor is slots / 16, not 4: slot 37 of 64 is byte 22, and no two slots of any page share one."""
    for kb in (16, 32, 64, 128, 256):
        assert sorted(layouts.interleaved_slot(np.arange(kb), kb)) == list(range(kb))
    assert [int(layouts.interleaved_slot(s, 64)) for s in (0, 1, 16, 37, 63)] == [0, 4, 1, 22, 63]
    shape = CSA_INDEXER_FP4.with_(page_slots=16)
    plan = [(7 + 4 * i, 0, 4 * i + 3, max(0, 4 - 4 * i)) for i in range(16)]  # all slots of one page
    Step(shape, plan, 80, 8, 1).check(c.loaded(shape, arch), shape, arch)


def test_p05_capacities_choose_the_split(arch):
    """18 rows take four waves, 1000 two, 1281 one; upstream's tests never reach two."""
    loaded = c.loaded(CSA_INDEXER_FP4, arch)
    for capacity, waves in ((18, 4), (1000, 2), (1281, 1)):
        _, stats = decode_step(CSA_INDEXER_FP4, 2, 0, capacity).check(loaded, CSA_INDEXER_FP4, arch)
        assert waves_of(loaded, CSA_INDEXER_FP4, stats["variant"]) == waves


def test_p06_one_wave_scatters_by_its_own_lanes(arch):
    """Eight waves a row: each byte is written once, by lanes of the first."""
    for waves in (2, 8):
        decode_step(CSA_INDEXER_FP4, 3, 0).check(c.loaded(CSA_INDEXER_FP4, arch, waves), CSA_INDEXER_FP4, arch)


def test_p07_rope_position_is_the_first_token_of_the_block(arch):
    """Position 7 with ratio 4 rotates by row 4. The row is constant, so rotation shows alone."""
    shape = CSA_MAIN
    step = Step(shape, [(7, 0, 7, 0)], 8, 8, 2)
    step.inputs.kv_in[:] = constant(1, shape.geometry.columns, 1)
    step.rows = oracle.finished_rows(shape.geometry, np.ones((1, 512)), np.array([4]), np.ones(512), 0, step.cos, step.sin)
    step.weight = np.ones(512, np.float32)
    caches, _ = step.check(c.loaded(shape, arch), shape, arch)
    other = oracle.finished_rows(shape.geometry, np.ones((1, 512)), np.array([8]), np.ones(512), 0, step.cos, step.sin)
    assert not np.array_equal(formats.bf16_encode(step.rows), formats.bf16_encode(other))


@pytest.mark.parametrize("waves, workgroups", SPLITS)
def test_p08_overlap_selects_columns(waves, workgroups, arch):
    """First half 1, second half 2, equal scores: 1.5; where the first half is before the sequence: 2."""
    case = Plain([(9, 0, 11, 0), (9, 0, 3, 4), (9, 0, 11, 8), (9, 0, 3, 8)])
    for rows in (case.kv_in.view(np.uint16), case.kv_state):
        rows[..., :128] = formats.bf16_encode(np.float32([1]))[0] if rows.dtype == np.uint16 else 1
        rows[..., 128:] = formats.bf16_encode(np.float32([2]))[0] if rows.dtype == np.uint16 else 2
    assert np.allclose(case.pooled(arch, waves, workgroups), [[1.5], [2], [1.5], [2]], rtol=1e-6)


@pytest.mark.parametrize("waves, workgroups", SPLITS)
def test_p09_bias_is_for_the_input_alone(waves, workgroups, arch):
    """A bias of 100 on row 1 picks the sources 1 and 5 of the input, and none of the state, which has it already."""
    case = Plain([(7, 0, 11, 0), (7, 0, 11, 8)])
    case.ape[1] = 100
    case.kv_in[[1, 5]] = constant(2, 256, 3)
    case.kv_state[1] = np.arange(8, dtype=np.float32)[:, None]
    out = case.pooled(arch, waves, workgroups)
    assert np.allclose(out[0], 3) and np.allclose(out[1], 3.5)


@pytest.mark.parametrize("waves, workgroups", SPLITS)
def test_p10_padding_in_either_phase(waves, workgroups, arch):
    """Tokens before the sequence count for nothing even where the plan has too short a window, and rows before the
    input are not read: the plan's ragged row may be less than a window."""
    case = Plain([(3, 0, 3, 4), (3, 0, 3, 0)])
    case.kv_in[:4] = constant(4, 256, 5)
    assert np.allclose(case.pooled(arch, waves, workgroups), 5)


@pytest.mark.parametrize("value", [np.nan, np.inf])
@pytest.mark.parametrize("waves, workgroups", SPLITS)
def test_p11_masked_sources_may_hold_anything(waves, workgroups, value, arch):
    """A ring that was never written, and tokens of another sequence, behind the mask."""
    case = Plain([(5, 0, 3, 4), (3, 0, 3, 4)])
    case.kv_state[:] = case.score_state[:] = value
    case.kv_in[2:6] = constant(4, 256, 2)
    case.kv_in[6:] = case.score_in[6:] = 0x7FC0
    out = case.pooled(arch, waves, workgroups)
    assert np.isfinite(out).all() and np.allclose(out[0], 2) and np.allclose(out[1], 1)


@pytest.mark.parametrize("waves, workgroups", SPLITS)
def test_p11_minus_infinity_masks_a_source(waves, workgroups, arch):
    """Scores of -inf that come with the data; all of them: zero, not NaN."""
    case = Plain([(7, 0, 11, 0), (15, 0, 11, 0)])
    case.score_in[:7] = case.score_in[8:16] = 0xFF80
    case.kv_in[:7] = 0x7FC0
    case.kv_in[7] = constant(1, 256, 4)
    out = case.pooled(arch, waves, workgroups)
    assert np.allclose(out[0], 4) and np.array_equal(out[1], np.zeros(128, np.float32))


def test_p12_prefetch_stays_in_bounds(arch):
    """A window that is all state, and an input without any token: nothing may be fetched ahead from it."""
    case = Plain([(0, 0, 11, 8)], tokens=0)
    case.kv_state[1] = np.arange(8, dtype=np.float32)[:, None]
    for waves, workgroups in SPLITS:
        assert np.allclose(case.pooled(arch, waves, workgroups), 3.5)


def test_p13_guards_survive_the_optimiser(arch):
    """Scores far apart: weights of 0 and 1, no NaN from differences of infinities."""
    case = Plain([(7, 0, 11, 0)])
    case.score_in[:8] = formats.bf16_encode(np.float32([-3e38, 3e38, 0, -1e38, 2e38, 1e30, -3e38, 0]))[:, None]
    case.kv_in[:8] = formats.bf16_encode(np.arange(8, dtype=np.float32))[:, None]
    for waves, workgroups in SPLITS:
        assert np.array_equal(case.pooled(arch, waves, workgroups), np.ones((1, 128), np.float32))


def test_p14_tiny_negatives(arch):
    """-1.5 steps of the smallest code: kept by rounding, flushed to +0 on request; positive ones never are."""
    fp8 = formats.FP8_OF_ARCH[arch]
    values = np.float32([-0.003, 0.003, -0.004, -0.0001, -0.0])
    kept, flushed = fp8.encode(values), fp8.encode(oracle.flush_tiny(values, 2.0**-8))
    assert flushed[0] == 0 and kept[0] != 0 and flushed[1] == kept[1] and flushed[2] == kept[2] and flushed[3] == 0
    if fp8.name == "fnuz":
        assert 0x80 not in kept and 0x80 not in flushed
    for flush in (0, 2.0**-8):
        shape = CSA_INDEXER.with_(flush=flush)
        step = decode_step(shape, 8, 0)
        step.weight[::2] *= np.float32(1e-4)  # elements that are tiny beside the row's largest
        _, weight = step.weight, step.weight.astype(np.float64)
        step.rows = oracle.finished_rows(shape.geometry, step.pooled, step.valid[:, 2], weight, c.EPSILON, step.cos, step.sin)
        step.check(c.loaded(shape, arch), shape, arch)


@pytest.mark.parametrize("shape, scale", [(CSA_INDEXER_FP4, 1), (CSA_MAIN_GROUPED, 0)], ids=str)
def test_p15_rows_of_zeros(shape, scale, arch):
    """FP4's floor gives scale byte 1, groups of FP8 have none and give 0; codes are zero."""
    step = decode_step(shape, 2, 0)
    for array in (step.inputs.kv_in, step.inputs.kv_state):
        array[:len(array) - c.NAN_ROWS if array is step.inputs.kv_in else None] = 0
    step.rows = np.zeros_like(step.rows)
    caches, _ = step.check(c.loaded(shape, arch), shape, arch)
    written = caches["scale"] if "scale" in caches else caches["cache"][..., 448:462]
    assert set(np.unique(written)) <= {scale, POISON}


@pytest.mark.parametrize("round", ["up", "none"])
def test_p15_row_scales_have_a_floor(round, arch):
    """A row of zeros has amax 1e-4: the scale is what that gives, not zero."""
    shape, fp8 = CSA_INDEXER.with_(round=round), formats.FP8_OF_ARCH[arch]
    step = decode_step(shape, 1, 0)
    step.inputs.kv_in[:-c.NAN_ROWS], step.inputs.kv_state[:] = 0, 0
    step.rows = np.zeros_like(step.rows)
    caches, _ = step.check(c.loaded(shape, arch), shape, arch)
    expected = np.float32(1e-4) * fp8.reciprocal
    if round == "up":
        expected = np.float32(2.0**-22 if fp8.name == "fn" else 2.0**-21)
    assert expected in caches["scale"]


def test_p16_group_scales_use_the_archs_largest(arch):
    """240 on fnuz, 448 elsewhere: amax 448 has scale byte 127 with one, 128 with the other."""
    fp8 = formats.FP8_OF_ARCH[arch]
    row = np.full((1, 64), 448, np.float32)
    assert oracle.quantise_group_fp8(row, fp8).scales[0, 0] == (127 if fp8.name == "fn" else 128)
    decode_step(CSA_MAIN_GROUPED, 4, 0).check(c.loaded(CSA_MAIN_GROUPED, arch), CSA_MAIN_GROUPED, arch)


def test_p17_multiplies_by_the_reciprocal(arch):
    """Amax at the edges of a power of two; the reciprocal is a constant, and no division takes its place."""
    amax = np.float32([6.0, 6.0000005, 5.9999995, 3.0, 1.5, 1.0, 0.75, 7, 12])
    assert oracle.round_up(amax * formats.FP4_INVERSE_MAX).tolist() == [127, 128, 127, 126, 125, 125, 124, 128, 128]


def test_p31_rows_behind_the_plan_are_not_read(arch):
    """The last workgroup is not whole: its other rows end before they read a plan row that is not there."""
    for capacity in (1, 3, 5):
        decode_step(CSA_INDEXER_FP4, 1, 0, capacity).check(c.loaded(CSA_INDEXER_FP4, arch), CSA_INDEXER_FP4, arch)
    step = decode_step(HCA_MAIN, 1, 0, 1)
    step.check(c.loaded(HCA_MAIN, arch), HCA_MAIN, arch)


def test_p32_the_form_is_the_source(arch):
    """No flag beside the form can contradict it: each form has a kernel of its own name, and no other."""
    for form in c.FORMS:
        shape = CSA_MAIN_GROUPED.with_(form=form)
        assert c.loaded(shape, arch).kernels == [f"compress_{form}"]


def test_p33_negative_zero_codes(arch):
    """Negative values that round to zero keep their sign in FP4, as its definition says."""
    step = decode_step(CSA_INDEXER_FP4, 4, 0)
    step.weight[::3] *= np.float32(-1e-6)
    step.rows = oracle.finished_rows(CSA_INDEXER_FP4.geometry, step.pooled, step.valid[:, 2], step.weight.astype(np.float64),
                                     c.EPSILON, step.cos, step.sin)
    caches, _ = step.launch(c.loaded(CSA_INDEXER_FP4, arch), CSA_INDEXER_FP4)
    check_caches(CSA_INDEXER_FP4, arch, step.rows, step.valid, step.batch.block_table, caches)
    page, slot = oracle.slots_of(CSA_INDEXER_FP4.geometry, step.valid, step.batch.block_table, 64)
    at, _ = oracle.fp4_offsets(slot, 64, 128, True)
    codes = formats.fp4_unpack(caches["cache"].reshape(len(caches["cache"]), -1)[page[:, None], at].T).T
    assert np.array_equal(codes == 8, oracle.quantise_fp4(step.rows).codes == 8) and (codes == 8).any()


def test_sentinels_touch_nothing(arch):
    """A plan of sentinels whose other fields point nowhere."""
    shape = CSA_INDEXER_FP4
    step = decode_step(shape, 1, 0)
    step.inputs.plan = np.tile(np.array([1 << 30, 1 << 30, -1, 1 << 30], np.int32), (9, 1))
    caches, _ = step.launch(c.loaded(shape, arch), shape)
    assert all((array.view(np.uint8) == POISON).all() for array in caches.values())
    step.inputs.plan = padded([], 0)
    step.launch(c.loaded(shape, arch), shape)


@pytest.mark.parametrize("window", [-5, 100])
def test_windows_outside_their_range(window, arch):
    """Count as the nearer end."""
    case = Plain([(7, 0, 11, window)])
    case.kv_in[:8] = constant(8, 256, 1)
    case.kv_state[1] = 2
    for waves, workgroups in SPLITS:
        assert np.allclose(case.pooled(arch, waves, workgroups), 1 if window < 0 else 2)


def test_p37_waves_meet_in_lds_without_conflicts(arch):
    """All LDS accesses are of 16 bytes, and neighbouring lanes' pieces are neighbours: each eight lanes cover the 32 banks."""
    text = rowmill.compile(c.source(CSA_MAIN, arch), targets=[arch], waves_per_row=4, emit="asm")[arch]
    accesses = re.findall(r"\b(ds_(?:read|write)\w*) ", text)
    assert set(accesses) == {"ds_write_b128", "ds_read_b128"}
    elements, lanes = 8, np.arange(64)
    for piece in range(elements // 4):
        banks = ((piece * 64 + lanes) * 4)[:, None] % 32 + np.arange(4)
        for first in range(0, 64, 8):
            assert len(np.unique(banks[first:first + 8])) == 32
