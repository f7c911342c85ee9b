#!/usr/bin/env python3
# Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# The demo: compiles the paged FP4 key cache kernel, runs the code object on the emulator, compares with the numpy oracle.

import argparse
import re
import sys
import time
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "test" / "Execution"))

from harness import inputs  # noqa: E402
from harness.device import POISON, Guarded  # noqa: E402
from harness.sources import KERNELS, kernel_source, shape_for  # noqa: E402
from oracle import formats, kernels, layouts  # noqa: E402

FILE = NAME = "rmsnorm_rope_rotate_fp4_kvcache"
EPSILON = 1e-6
BOLD, DIM, RED, GREEN, OFF = ("\033[1m", "\033[2m", "\033[31m", "\033[32m", "\033[0m") if sys.stdout.isatty() else [""] * 5

# What to look for in the ISA, and why it is worth a look.
KEY_LINES = [
    (r"global_load_dwordx4", "the row comes in as 16-byte loads"),
    (r"v_rsq_f32", "1 / root mean square"),
    (r"v_(add|sub)\w*_f32_dpp|v_(add|sub)\w*_f32.*(quad_perm|row_|dpp)", "butterflies and sums between lanes, without LDS"),
    (r"v_max\w*_u32_dpp|v_max\w*_u32.*(quad_perm|row_)", "largest magnitude of a group, as integers"),
    (r"v_cvt_scalef32_pk_fp4_f32", "two floats to FP4 codes in one instruction"),
    (r"global_store_(dword|short)", "a lane's codes, together in the page"),
    (r"global_store_byte", "the scale of a group"),
]


def heading(text):
    print(f"\n{BOLD}{text}{OFF}\n{DIM}{'-' * len(text)}{OFF}")


def show_kernel():
    text = (KERNELS / f"{FILE}.mlir").read_text()
    body = text[text.index("row.kernel"):].rstrip().splitlines()
    heading(f"The kernel: {len(body)} lines of test/Kernels/{FILE}.mlir")
    print("\n".join("  " + line for line in body))


def show_isa(asm, arch):
    """The first line of each kind, and how many there are."""
    lines = [line.split(";")[0].split("//")[0].strip() for line in asm.splitlines()]
    code = [line for line in lines if re.match(r"[vsgdb]\w*_\w+", line)]
    other = sorted({m[0] for line in code if (m := re.match(r"(ds|scratch|s_swappc)\w*", line))})
    heading(f"What {arch} executes: {len(code)} instructions, {', '.join(other) or 'no LDS, no scratch, no call'}")
    for pattern, why in KEY_LINES:
        found = [line for line in code if re.search(pattern, line)]
        if found:
            print(f"  {len(found):3} x  {' '.join(found[0].split())[:62]:64} {DIM}{why}{OFF}")


def make_inputs(shape, tokens):
    rng = inputs.generator("demo")
    x = formats.encode16(rng.standard_normal((tokens, shape.heads, shape.dim)).astype(np.float32), shape.dtype)
    cos, sin = inputs.tables(shape.dtype, shape.rope_dim)
    slots, pages = inputs.slot_mapping(tokens, shape.slots)
    return dict(x=x, weight=inputs.weight(shape.dim, shape.dtype), cos=cos, sin=sin,
                positions=rng.integers(0, inputs.POSITIONS, tokens), slot_mapping=slots), pages


def steps(shape, given, tokens=slice(None)):
    rope = kernels.Rope(given["cos"], given["sin"], given["positions"][tokens], shape.dim - shape.rope_dim)
    return dict(norm=kernels.Norm(given["weight"], EPSILON), rope=rope, rotate=True)


def oracle_pages(shape, given, pages):
    head = np.ascontiguousarray(given["x"][:, 0])
    quantized = kernels.to_fp4(head, shape.dtype, shape.group, **steps(shape, given))
    cache = np.full((pages, shape.slots * shape.dim // 2), POISON, np.uint8)
    scale = np.full((pages, shape.slots * shape.groups), POISON, np.uint8)
    kernels.fill_cache(cache, scale, quantized, given["slot_mapping"], shape.slots, shuffled=True)
    return cache, scale


def show_bytes(cache, scale, shape, given, token):
    page, slot = divmod(int(given["slot_mapping"][token]), shape.slots)
    packed = cache[page, layouts.fp4_preshuffle(slot, np.arange(8), shape.slots)]
    code = scale[page, layouts.e8m0_interleave(slot, 0, shape.slots)]
    values = formats.fp4_decode(formats.fp4_unpack(packed)) * formats.e8m0_decode(code)
    (_, exact), = kernels.transformed(given["x"][token, :1], shape.dtype, **steps(shape, given, [token]))
    heading(f"The first 16 elements of token {token}: page {page}, slot {slot}")
    print(f"  in f32     {' '.join(f'{v:6.2f}' for v in exact[:16, 0])}")
    print(f"  as FP4     {' '.join(f'{v:6g}' for v in values)}    times scale {code:#04x} = 2^{int(code) - 127}")
    print(f"  in memory  {' '.join(f'{b:>13}' for b in map('{:02x}'.format, packed))}")


def match(what, got, expected):
    equal = int(np.count_nonzero(got == expected))
    good = equal == got.size
    print(f"  {what:6} {GREEN if good else RED}{equal:,} of {got.size:,} bytes equal{OFF}")
    return good


def run(rowmill, arch, shape, given, pages):
    """Compiles and launches; the pages, how long each took, and the kernel's partition."""
    source = kernel_source(FILE, shape)
    start = time.perf_counter()
    code = rowmill.compile(source, targets=[arch])[arch]
    compiled = time.perf_counter() - start
    loaded = rowmill.CodeObject(code)
    cache = Guarded((pages, shape.dim // 128, 4, shape.slots, 16), np.uint8)
    scale = Guarded((pages, shape.groups // 4, 4, shape.slots), np.uint8)
    start = time.perf_counter()
    loaded.launch(NAME, cache=cache.array, scale=scale.array, eps=EPSILON, **given)
    ran = time.perf_counter() - start
    cache.check("cache"), scale.check("scale")
    partition = loaded.info(NAME)["variants"][0]["launches"][0]["partition"]
    print(f"  {arch}: {len(code):,} bytes of code object in {compiled * 1e3:.0f} ms; "
          f"{partition['lanes_per_row']} lanes a row, {partition['rows_per_wave']} rows a wave; "
          f"{len(given['x']):,} tokens on the emulator in {ran * 1e3:.0f} ms")
    return cache.array.reshape(pages, -1), scale.array.reshape(pages, -1)


def main():
    parser = argparse.ArgumentParser(description="compiles the paged FP4 key cache kernel, runs it on the emulator, compares with the numpy oracle")
    parser.add_argument("--tokens", type=int, default=4000)
    parser.add_argument("--dim", type=int, default=128, choices=[128, 256, 512, 1024])
    parser.add_argument("--targets", nargs="+", default=["gfx950", "gfx942"])
    options = parser.parse_args()
    import rowmill

    shape = shape_for("gfx950", dim=options.dim, heads=16, shuffled=True, slots=64)
    show_kernel()
    for arch in options.targets:
        asm = rowmill.compile(kernel_source(FILE, shape), targets=[arch], emit="asm")[arch]
        show_isa(asm.decode() if isinstance(asm, bytes) else asm, arch)

    given, pages = make_inputs(shape, options.tokens)
    expected_cache, expected_scale = oracle_pages(shape, given, pages)
    heading("Compile, run, compare with the numpy oracle at zero tolerance")
    good = True
    for arch in options.targets:
        cache, scale = run(rowmill, arch, shape, given, pages)
        good &= match("codes", cache, expected_cache)
        good &= match("scales", scale, expected_scale)
    skipped = int(np.count_nonzero(given["slot_mapping"] < 0))
    print(f"  {skipped} tokens have no slot; the bytes of free slots are counted above and still hold their poison")
    show_bytes(cache, scale, shape, given, 0)
    print(f"\n{GREEN}all bytes equal{OFF}" if good else f"\n{RED}mismatch{OFF}")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
