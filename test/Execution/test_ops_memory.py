# Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# Loads, stores, scatter and gather: strides, sub-ranges, layouts and the extents of a kernel.

import numpy as np
import pytest

from harness import compare
from harness.cases import legal
from harness.device import EMULATED, POISON, code_object, launch
from oracle import layouts

ARCHS = pytest.mark.parametrize("arch", EMULATED)
LANES = pytest.mark.parametrize("lanes", [1, 4, 16, 64])


def scatter_gather_source(dim, element, layout, page_type):
    """Scatters each row to its slot and gathers it back."""
    packed = dim // 2 if element == "f4E2M1FN" else dim
    return f"""
!x = memref<?x{packed}xi8>
!cache = {page_type}
!slots = memref<?xi64>
#layout = {layout}
row.kernel @scatter(%x: !x, %slot_mapping: !slots, %cache: !cache, %per_page: i64) rows(%r in %x[0]) {{
  %flat = memref.load %slot_mapping[%r] : !slots
  row.guard %flat : i64
  %p = arith.divui %flat, %per_page : i64
  %s = arith.remui %flat, %per_page : i64
  %page = arith.index_cast %p : i64 to index
  %slot = arith.index_cast %s : i64 to index
  %v = row.load %x[%r] : !x -> vector<{dim}x{element}>
  row.scatter %v, %cache[%page, %slot] layout(#layout) : vector<{dim}x{element}>, !cache
}}
row.kernel @gather(%out: !x, %slot_mapping: !slots, %cache: !cache, %per_page: i64) rows(%r in %slot_mapping[0]) {{
  %flat = memref.load %slot_mapping[%r] : !slots
  row.guard %flat : i64
  %p = arith.divui %flat, %per_page : i64
  %s = arith.remui %flat, %per_page : i64
  %page = arith.index_cast %p : i64 to index
  %slot = arith.index_cast %s : i64 to index
  %v = row.gather %cache[%page, %slot] layout(#layout) : !cache -> vector<{dim}x{element}>
  row.store %v, %out[%r] : vector<{dim}x{element}>, !x
}}
"""


def fp8_tiles(dim, kb):
    return (f"#row.fp8_preshuffle<slots={kb}, length={dim}>", f"memref<?x{kb // 16}x{dim // 16}x16x16xi8>",
            lambda slot, byte: layouts.fp8_preshuffle(slot, byte, dim))


def fp4_tiles(dim, kb):
    return (f"#row.fp4_preshuffle<slots={kb}, length={dim}>", f"memref<?x{dim // 128}x4x{kb}x16xi8>",
            lambda slot, byte: layouts.fp4_preshuffle(slot, byte, kb))


def fp4_linear(dim, kb):
    return (f"#row.linear<slots={kb}, length={dim}>", f"memref<?x{kb}x{dim // 2}xi8>",
            lambda slot, byte: layouts.linear(slot, byte, dim // 2))


def interleaved_scales(groups, kb):
    return (f"#row.e8m0_interleave<slots={kb}, groups={groups}>", f"memref<?x{groups // 4}x4x{kb}xi8>",
            lambda slot, group: layouts.e8m0_interleave(slot, group, kb))


def own_map(dim, kb):
    """Elements of all slots together, in reverse order of the slots."""
    return (f"#row.layout<affine_map<(s, e) -> (e * {kb} + {kb - 1} - s)>, slots={kb}, length={dim}>", f"memref<?x{dim}x{kb}xi8>",
            lambda slot, element: element * kb + kb - 1 - slot)


SCATTERED = [
    (fp4_tiles, 128, "f4E2M1FN"), (fp4_tiles, 512, "f4E2M1FN"), (fp4_linear, 256, "f4E2M1FN"), (fp8_tiles, 128, "f8E4M3FN"),
    (fp8_tiles, 512, "f8E4M3FN"), (interleaved_scales, 4, "f8E8M0FNU"), (interleaved_scales, 16, "f8E8M0FNU"),
    (own_map, 128, "f8E4M3FN")]


@ARCHS
@pytest.mark.parametrize("kb", [16, 64, 128])
@pytest.mark.parametrize("layout, dim, element, lanes",
                         [case + (lanes,) for case in SCATTERED for _, lanes in legal([case[1]], [1, 4, 16, 64])],
                         ids=lambda v: getattr(v, "__name__", str(v)))
def test_scatter_and_gather(arch, lanes, kb, layout, dim, element):
    attribute, page_type, offset = layout(dim, kb)
    width = dim // 2 if element == "f4E2M1FN" else dim
    if arch == "gfx942" and element == "f8E4M3FN":
        element = "f8E4M3FNUZ"
    rng = np.random.default_rng(kb)
    slots = rng.permutation(5 * kb)[: 3 * kb]
    slots[::7] = -1
    live = slots >= 0
    x = rng.integers(0, 256, (len(slots), width), dtype=np.uint8)
    loaded = code_object(scatter_gather_source(dim, element, attribute, page_type), arch, lanes)
    page_shape = [int(n) for n in page_type[len("memref<?x"):-len("xi8>")].split("x")]
    got = launch(loaded, "scatter", {"cache": ((5, *page_shape), np.uint8)}, x=x, slot_mapping=slots, per_page=kb)["cache"]
    pages = np.full((5, kb * width), POISON, np.uint8)
    pages[slots[live, None] // kb, offset(slots[live, None] % kb, np.arange(width))] = x[live]
    compare.assert_same("pages", pages, got.reshape(pages.shape))

    back = launch(loaded, "gather", {"out": (x.shape, np.uint8)}, slot_mapping=slots, cache=got.copy(), per_page=kb)["out"]
    compare.assert_same("gathered", np.where(live[:, None], x, POISON).astype(np.uint8), back)


COPY = """
!x = memref<?x{heads}x{dim}xbf16, strided<[?, ?, 1]>>
!y = memref<?x{heads}x{width}xbf16, strided<[?, ?, 1]>>
row.kernel @copy(%x: !x, %y: !y) rows(%t in %x[0], %h in %x[1]) {{
  %v = row.load %x[%t, %h] at {load} : !x -> vector<{count}xbf16>
  row.store %v, %y[%t, %h] at {store} : vector<{count}xbf16>, !y
}}
"""


@ARCHS
@LANES
@pytest.mark.parametrize("load, store, count", [(0, 0, 128), (64, 0, 64), (64, 128, 128), (8, 24, 64)])
def test_strided_sub_ranges(arch, lanes, load, store, count):
    """Rows that are slices of wider ones, on both sides: what lies between them stays."""
    source = COPY.format(heads=3, dim=256, width=320, load=load, store=store, count=count)
    fused = np.random.default_rng(1).integers(0, 1 << 16, (11, 5, 512), dtype=np.uint16)
    x = fused[:, 1:4, 128:384]
    whole = np.full((11, 4, 400), 0x1234, np.uint16)
    expected = whole.copy()
    expected[:, :3, 40 + store:40 + store + count] = x[:, :, load:load + count]
    code_object(source, arch, lanes).launch("copy", x=x, y=whole[:, :3, 40:360])
    compare.assert_same("strided", expected, whole)


@ARCHS
def test_extents_of_scalars_and_constants(arch):
    source = """
!x = memref<?x4x128xf32>
row.kernel @first(%x: !x, %y: !x, %n: i64) rows(%t in %n, %h in 3) {
  %v = row.load %x[%t, %h] : !x -> vector<128xf32>
  row.store %v, %y[%t, %h] : vector<128xf32>, !x
}
"""
    x = np.random.default_rng(2).standard_normal((9, 4, 128)).astype(np.float32)
    got = launch(code_object(source, arch), "first", {"y": (x.shape, np.float32)}, x=x, n=5)["y"]
    expected = np.full(x.nbytes, POISON, np.uint8).view(np.float32).reshape(x.shape)
    expected[:5, :3] = x[:5, :3]
    compare.assert_f32("rows", expected, got)


@ARCHS
def test_no_rows(arch):
    source = COPY.format(heads=2, dim=128, width=128, load=0, store=0, count=128)
    empty = np.zeros((0, 2, 128), np.uint16)
    code_object(source, arch).launch("copy", x=empty, y=empty.copy())
