# Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# One named test for each known way in which a kernel of this family goes wrong. P17, P18, P22 and P33 of single
# conversions are in test_ops_quantize.py; those of the oracle alone in test_oracle_*.py.

import numpy as np
import pytest

import test_kvcache
import test_rows
from harness import compare, inputs
from harness.device import EMULATED, POISON, code_object, launch, refused
from harness.sources import kernel_source, shape_for
from oracle import formats, kernels, layouts
from oracle.formats import F32

ARCHS = pytest.mark.parametrize("arch", EMULATED)
KVCACHE = "rmsnorm_rope_fp4_kvcache"


@ARCHS
@pytest.mark.parametrize("lanes", [0, 4, 8, 16, 64])
@pytest.mark.parametrize("shuffled", [True, False], ids=["shuffled", "linear"])
def test_p01_several_rows_of_a_wave_stay_in_their_page(arch, lanes, shuffled):
    """With one head a wave holds several tokens: the column inside the row counts, not the lane inside the wave."""
    shape = shape_for(arch, dim=128, heads=1, shuffled=shuffled, slots=64)
    loaded = code_object(kernel_source(KVCACHE, shape), arch, lanes)
    slots, pages = np.arange(9), 10
    got = test_kvcache.run(KVCACHE, shape, loaded, test_kvcache.tokens_of(128, 1, "bf16")[:9].copy(), slots, pages)
    test_kvcache.check_pages(KVCACHE, shape, got, slots, pages, 9)
    assert np.all(got["cache"][1:] == POISON) and np.all(got["scale"][1:] == POISON)


def pages_with_telling_scales(arch, kb, lanes=0):
    """One full page in which the scale of slot s is 50 + s in every group: epsilon 1 leaves these small rows as they are."""
    shape = shape_for(arch, dim=128, heads=1, shuffled=True, slots=kb, rope_dim=64)
    loaded = code_object(kernel_source(KVCACHE, shape), arch, lanes)
    x = np.zeros((kb, 1, 128), F32)
    slot = np.arange(kb)
    x.reshape(kb, 4, 32)[:, :, 3] = 6 * 2.0 ** (50 + slot - 127)[:, None]
    ones = formats.bf16_encode(np.ones(128, F32))
    cos, sin = inputs.tables("bf16", 64)
    got = launch(loaded, KVCACHE, {"cache": ((2, 1, 4, kb, 16), np.uint8), "scale": ((2, 1, 4, kb), np.uint8)},
                 x=formats.bf16_encode(x), weight=ones, cos=cos, sin=sin, positions=np.zeros(kb, np.int64), slot_mapping=slot, eps=1.0)
    assert np.all(got["scale"][1] == POISON)
    return got["scale"][0, 0]


@ARCHS
@pytest.mark.parametrize("kb", [16, 32, 64])
def test_p02_scales_of_a_page_are_a_permutation(arch, kb):
    page = pages_with_telling_scales(arch, kb)
    slot = np.arange(kb)
    for group in page:
        assert sorted(group) == (50 + slot).tolist()
        assert np.array_equal(group[(slot % 16) * (kb // 16) + slot // 16], 50 + slot)
    if kb == 64:
        assert [page[0][at] for at in (4, 1, 22, 63)] == [50 + s for s in (1, 16, 37, 63)]


@ARCHS
def test_p03_packed_reader_finds_its_scales_at_64_slots(arch):
    """Byte nt of the dword at 4 * (lane & 15) is the scale of slot (lane & 15) + 16 * nt: true for pages of 64 only."""
    lane, nt = np.arange(16)[:, None], np.arange(4)
    page = pages_with_telling_scales(arch, 64)
    assert np.array_equal(page[0].reshape(16, 4), 50 + lane + 16 * nt)
    smaller = pages_with_telling_scales(arch, 32)
    assert np.array_equal(smaller[0].reshape(16, 2), 50 + lane + 16 * np.arange(2))


@ARCHS
def test_p04_linear_reading_of_shuffled_scales_is_wrong(arch):
    page = pages_with_telling_scales(arch, 64)
    slot = np.arange(64)
    assert slot[page[0] == 50 + slot].tolist() == [0, 21, 42, 63]


def rope_rows(kernel, arch, x, lanes=0, **shape_changes):
    """A rope kernel on rows of values [tokens, heads, dim], all at position 0, where the rotation changes nothing."""
    tokens, heads, dim = x.shape
    shape = shape_for(arch, dim=dim, heads=heads, **shape_changes)
    loaded = code_object(kernel_source(test_rows.KERNELS[kernel].file, shape), arch, lanes)
    cos, sin = inputs.tables(shape.dtype, shape.rope_dim)
    outputs = {"out": ((tokens, heads, dim // 2), np.uint8), "scale": ((tokens, heads, shape.groups), np.uint8)}
    return launch(loaded, kernel, outputs, x=formats.encode16(x, shape.dtype), cos=cos, sin=sin, positions=np.zeros(tokens, np.int64))


@ARCHS
@pytest.mark.parametrize("dtype", ["bf16", "f16"])
def test_p17_scale_is_a_product_with_the_constant(arch, dtype):
    examples = [(6.0, 127), (3.0, 126), (1.5, 125), (1.0, 125), (0.75, 124), (7, 128), (12, 128), (448, 134)]
    above = 6 + (2.0**-5 if dtype == "bf16" else 2.0**-8)
    examples += [(above, 128), (12 - above, 127), (0, 1), (-6.0, 127)]
    x = np.zeros((3, 1, 128), F32)
    x.reshape(12, 32)[:, 30] = [amax for amax, _ in examples]
    got = rope_rows("rope_fp4", arch, x, dtype=dtype)
    assert got["scale"].ravel().tolist() == [code for _, code in examples]


@ARCHS
def test_p18_conversion_divides_by_its_scale(arch):
    k = np.arange(-100, 100)
    x = np.zeros((50, 1, 128), F32)
    x.reshape(200, 32)[:, 2:4] = np.array([6, -3]) * 2.0 ** k[:, None]
    got = rope_rows("rope_fp4", arch, x)
    assert got["scale"].ravel().tolist() == (127 + k).tolist()
    assert np.all(got["out"].reshape(200, 16)[:, 1] == 0xD7)


@ARCHS
@pytest.mark.parametrize("kernel", list(test_rows.KERNELS))
@pytest.mark.parametrize("tokens", [1, 3, 7])
def test_p19_rows_that_fill_no_wave_write_nothing_past_the_end(arch, kernel, tokens):
    """The guards around every output are checked by the launch."""
    kind = test_rows.KERNELS[kernel].kind
    shape = shape_for(arch, dim=128, heads=1, group=128 if kind == "fp8" else 32)
    loaded = code_object(kernel_source(test_rows.KERNELS[kernel].file, shape), arch)
    test_rows.check(kernel, shape, loaded, tokens)


@ARCHS
def test_p20_table_wider_than_the_rotated_part(arch):
    """A row of the table is as long as its type says, whatever part of it the rope uses."""
    shape = shape_for(arch, dim=128, heads=1)
    wide = kernel_source("rope_fp4", shape, **{"!table": "memref<?x64xbf16>"})
    cos, sin = (np.concatenate([t, np.full_like(t, 0x7FC0)], axis=1) for t in inputs.tables("bf16", 64))
    x, at = inputs.pool(128, "bf16")[:64], inputs.positions()[:64]
    outputs = {"out": ((64, 1, 64), np.uint8), "scale": ((64, 1, 4), np.uint8)}
    got = launch(code_object(wide, arch), "rope_rotate_fp4", outputs, x=x[:, None].copy(), cos=cos, sin=sin, positions=at.copy())
    expected = test_rows.expected_rows("rope_rotate_fp4", shape_for("gfx950", dim=128, heads=1)).head(64)
    compare.assert_same("scales", expected.scales, got["scale"][:, 0])
    compare.assert_fp4("codes", expected, got["out"][:, 0])


def test_p21_16_bit_rows_into_an_fp8_buffer_are_refused():
    source = kernel_source("rotate", shape_for("gfx950"), **{"!out": "memref<?x16x128xi8>"})
    assert "row.store" in refused(source)


@pytest.mark.parametrize("kernel", ["rotate_fp4", "rope_fp4", "rope_rotate_fp4"])
def test_p22_gfx942_writes_the_bytes_of_gfx950(kernel):
    got = {}
    for arch in EMULATED:
        shape = shape_for(arch, dim=256, heads=16)
        loaded = code_object(kernel_source(test_rows.KERNELS[kernel].file, shape), arch)
        x = inputs.pool(256, "bf16")[: 16 * 64].reshape(64, 16, 256).copy()
        more = {}
        if test_rows.KERNELS[kernel].rope:
            cos, sin = inputs.tables("bf16", 64)
            more = dict(cos=cos, sin=sin, positions=inputs.positions()[:64].copy())
        got[arch] = launch(loaded, kernel, {"out": ((64, 16, 128), np.uint8), "scale": ((64, 16, 8), np.uint8)}, x=x, **more)
    assert np.count_nonzero(got["gfx942"]["out"] & 0x77) > got["gfx942"]["out"].size // 3
    undefined = test_rows.expected_rows(kernel, test_rows.oracle_shape(kernel, shape_for("gfx950", dim=256, heads=16))).head(1024)
    compare.assert_same("scales", got["gfx950"]["scale"], got["gfx942"]["scale"])
    native = kernels.Fp4Rows(got["gfx950"]["out"].reshape(1024, 128), undefined.scales, undefined.undefined)
    compare.assert_fp4("codes", native, got["gfx942"]["out"].reshape(1024, 128))


def test_p23_larger_groups_do_not_fit_the_shuffled_scale_page():
    """128 elements in groups of 64 have two scales, and the page has bytes for four: refused, not left unwritten."""
    shape = shape_for("gfx950", dim=128, heads=1, shuffled=True, slots=64, group=64)
    source = kernel_source(KVCACHE, shape, **{"!scale": "memref<?x1x4x64xi8>", "#scales": "#row.e8m0_interleave<slots=64, groups=4>"})
    assert "row.scatter" in refused(source)
    source = kernel_source(KVCACHE, shape, **{"!scale": "memref<?x1x4x64xi8>", "#scales": "#row.e8m0_interleave<slots=64, groups=2>"})
    assert "groups" in refused(source)


@ARCHS
@pytest.mark.parametrize("lanes", [1, 4, 16, 64])
def test_p33_negative_zeros_keep_their_sign(arch, lanes):
    """Outside the rotated part a row of -0 stays one: code 8; in it (-0 * 1) - (-0 * 0) is +0."""
    x = np.full((4, 1, 128), -0.0, F32)
    x[1, 0, :64:2], x[2, 0, 0] = 0.0, 6
    got = rope_rows("rope_fp4", arch, x, lanes)
    assert np.all(got["out"][0, 0, :32] == 0x88)
    assert np.all(got["out"][1, 0, :32] == 0x80)
    assert got["out"][2, 0, 0] == 0x87 and np.all(got["out"][2, 0, 1:32] == 0x88)
    assert np.all(got["out"][:, 0, 32::1] & 0x77 == 0)
    assert got["scale"][2, 0].tolist() == [127, 1, 1, 1]


@ARCHS
def test_only_head_0_of_the_cached_rows_is_read(arch):
    """Sixteen heads a token, and the memory ends with head 0 of the last one: a read of another head would be a fault."""
    shape = shape_for(arch, dim=128, heads=1, shuffled=True, dynamic_strides=True)
    loaded = code_object(kernel_source(KVCACHE, shape), arch)
    tokens = 64
    memory = np.full((tokens - 1) * 16 * 128 + 128, 0x7FC0, np.uint16)
    x = np.lib.stride_tricks.as_strided(memory, (tokens, 1, 128), (16 * 128 * 2, 128 * 2, 2))
    x[:, 0] = inputs.pool(128, "bf16")[:tokens]
    x.flags.writeable = False
    slots, pages = inputs.slot_mapping(tokens, 64)
    got = test_kvcache.run(KVCACHE, shape, loaded, x, slots, pages)
    test_kvcache.check_pages(KVCACHE, shape, got, slots, pages, tokens)


@ARCHS
def test_all_slots_negative_touches_nothing(arch):
    shape = shape_for(arch, dim=128, heads=1, shuffled=True)
    loaded = code_object(kernel_source(KVCACHE, shape), arch)
    got = test_kvcache.run(KVCACHE, shape, loaded, test_kvcache.tokens_of(128, 1, "bf16")[:9].copy(), np.full(9, -1), 1)
    assert np.all(got["cache"] == POISON) and np.all(got["scale"] == POISON)


@ARCHS
@pytest.mark.parametrize("kernel", ["rotate", "rope_rotate", "rope_rotate_fp4", "rope_fp8"])
def test_rows_that_are_slices_of_a_fused_projection(arch, kernel):
    """Tokens and heads may be any distance apart; the elements between them are NaN and never matter."""
    entry, tokens = test_rows.KERNELS[kernel], 9
    shape = shape_for(arch, dim=128, heads=16, group=128 if entry.kind == "fp8" else 32, dynamic_strides=True)
    loaded = code_object(kernel_source(entry.file, shape), arch)
    fused = np.full((inputs.TOKENS, 18, 192), 0x7FC0, np.uint16)
    x = fused[:tokens, 1:17, 64:]
    x[...] = inputs.pool(128, "bf16")[: tokens * 16].reshape(tokens, 16, 128)
    fused.flags.writeable = x.flags.writeable = False

    class Strided:
        def launch(self, name, **arguments):
            loaded.launch(name, **(arguments | {"x": x}))

    test_rows.check(kernel, shape.with_(dynamic_strides=False), Strided(), tokens)
