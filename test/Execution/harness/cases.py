# Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# The axes of the test matrix, and which partitions are refused.

import pytest

from harness.device import EMULATED

DIMS = [1024, 512, 256, 128]  # the longest first: it balances two workers
DTYPES = ["bf16", "f16"]
HEADS = [1, 16, 64]
TOKENS = [1, 3, 7, 9, 64, 1000]
LANES = [1, 4, 16, 64]


def matrix(*kernels, dims=DIMS, dtypes=DTYPES, heads=HEADS, lanes=LANES, archs=EMULATED, **more):
    """One case for each combination; cases that share oracle results are neighbours and stay on one worker."""
    combinations = [{}]
    for name, values in more.items():
        combinations = [c | {name: v} for c in combinations for v in values]
    out = []
    for dim in dims:
        for dtype in dtypes:
            for kernel in kernels:
                for head_count in heads:
                    for extra in combinations:
                        for arch in archs:
                            for lane_count in lanes:
                                case = dict(kernel=kernel, dim=dim, dtype=dtype, heads=head_count, arch=arch, lanes=lane_count) | extra
                                label = [kernel, dtype, f"d{dim}", f"h{head_count}", *map(str, extra.values()), arch, f"l{lane_count}"]
                                file = kernel.replace("rope_rotate", "rope")  # both kernels of a file stay on one worker
                                group = pytest.mark.xdist_group(f"{dim}-{dtype}-{file}")
                                out.append(pytest.param(case, id="-".join(label), marks=group))
    return pytest.mark.parametrize("case", out)


MAX_ELEMENTS = 128  # of a row that one lane may hold


def refusal(dim, lanes):
    """What the compiler must say of this partition, or None where it must accept it; 0 lanes leave the choice to it."""
    if not lanes or dim // lanes <= MAX_ELEMENTS:
        return None
    return (f"expects at most {MAX_ELEMENTS} elements a lane, but a row of {dim} over {lanes} lanes? has {dim // lanes}; "
            f"at least {dim // MAX_ELEMENTS} lanes are needed")


def legal(dims, lanes):
    """Pairs of a row length and lanes that the compiler accepts."""
    return [(d, n) for d in dims for n in lanes if not refusal(d, n)]
