# Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
"""How long rowmill-compile takes as a process, for each kernel and target:
the best and the median of several runs, the processor time of the best, which
other work on the machine does not disturb, and how it was spent.

    PATH=build/bin:$PATH python3 test/Benchmarks/compile-time.py
"""

import argparse
import re
import resource
import statistics
import subprocess
import sys
import time
from pathlib import Path

KERNELS = Path(__file__).resolve().parents[1] / "Kernels"
PARTS = ("parse", "passes", "llvm", "link")


def processor_seconds():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def measure(kernel, target):
    """Seconds of wall time, of processor time, and milliseconds by part as
    --timing has them."""
    used = processor_seconds()
    start = time.perf_counter()
    done = subprocess.run(
        ["rowmill-compile", kernel, f"--target={target}", "-o", "/dev/null", "--no-remarks", "--timing"],
        stderr=subprocess.PIPE, text=True, check=True)
    seconds = time.perf_counter() - start
    return seconds, processor_seconds() - used, dict(re.findall(r"(\w+) +([\d.]+) ms", done.stderr))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--targets", nargs="+", default=["gfx942", "gfx950", "gfx1250"])
    parser.add_argument("--limit", type=float, help="fail if the best run of a kernel takes more seconds")
    options = parser.parse_args()
    print(f"{'kernel':34}{'target':9}{'best':>8}{'median':>8}{'cpu':>8}  ms; of the best:{''.join(f'{p:>8}' for p in PARTS)}")
    slow = 0
    for kernel in sorted(KERNELS.glob("*.mlir")):
        for target in options.targets:
            runs = sorted((measure(kernel, target) for _ in range(options.runs)), key=lambda run: run[0])
            best, used, parts = runs[0]
            median = statistics.median(run[0] for run in runs)
            print(f"{kernel.stem:34}{target:9}{best * 1e3:8.0f}{median * 1e3:8.0f}{used * 1e3:8.0f}{'':17}"
                  + "".join(f"{parts[p]:>8}" for p in PARTS))
            slow += options.limit is not None and best > options.limit
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())
