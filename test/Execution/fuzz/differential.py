# Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
"""Compiles random row kernels for every emulated arch and several partitions, runs them, and compares all bytes with the
oracle.

    PYTHONPATH=build/python:test/Execution python3 -m fuzz.differential --count 2000 --first 0

prints each kernel that differs, with its seed; `--seed N` runs and prints one.
"""

import argparse
import sys
import time
import warnings

import numpy as np

from fuzz.generator import generate
from harness.device import EMULATED, Guarded, rowmill

LANES = [0, 1, 2, 4, 8, 16, 32, 64]


def partitions(kernel, rng):
    """The automatic one, and three more, which the compiler may refuse."""
    yield {}
    for lanes in rng.choice(LANES[1:], 2, replace=False):
        yield {"lanes_per_row": int(lanes)}
    yield {"lanes_per_row": 64, "waves_per_row": int(rng.choice([2, 4]))} if not kernel.rotates else {"waves_per_group": 4}


def same(expected, got):
    """Equal bits, or both NaN."""
    if expected.dtype == np.float32:
        equal = expected.view(np.uint32) == got.view(np.uint32)
        return equal | (np.isnan(expected) & np.isnan(got))
    return expected == got


def check(kernel):
    """(launches, refusals), or an AssertionError."""
    rng = np.random.default_rng(kernel.seed)
    launched = refused = 0
    for arch in EMULATED:
        for options in partitions(kernel, rng):
            try:
                code = rowmill.compile(kernel.text, targets=[arch], **options)[arch]
            except rowmill.CompileError as error:
                # A partition may not serve a kernel; the one that is chosen always does.
                assert options and "expects" in str(error), f"{arch}: {error}"
                refused += 1
                continue
            outputs = {name: Guarded(out.shape, out.dtype) for name, out in kernel.outputs.items()}
            rowmill.CodeObject(code).launch("fuzz", **kernel.inputs, **{name: g.array for name, g in outputs.items()})
            launched += 1
            for name, out in kernel.outputs.items():
                outputs[name].check(name)
                equal = same(out.expected, outputs[name].array)
                assert equal.all(), (f"{arch} {options}: '{name}' differs in {int((~equal).sum())} of {equal.size}, first at "
                                     f"{np.argwhere(~equal)[0].tolist()}: {out.expected[~equal][0]!r}, got {outputs[name].array[~equal][0]!r}")
    return launched, refused


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--seed", type=int, help="one kernel, which is printed")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    if options.seed is not None:
        kernel = generate(options.seed)
        print(kernel.text)
        print("{} launches, {} refusals".format(*check(kernel)))
        return 0
    started, total, failed = time.time(), np.zeros(2, int), 0
    for seed in range(options.first, options.first + options.count):
        kernel = generate(seed)
        try:
            total += check(kernel)
        except (AssertionError, rowmill.CompileError, rowmill.LaunchError) as error:
            failed += 1
            print(f"seed {seed}: {error}\n{kernel.text}", flush=True)
        if (seed + 1 - options.first) % 100 == 0:
            print(f"{seed + 1 - options.first} kernels, {total[0]} launches, {total[1]} refusals, {failed} failures, "
                  f"{time.time() - started:.0f} s", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
