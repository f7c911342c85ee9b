# Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# The differential fuzzer: kernels that it once found wanting, and some more. `fuzz/differential.py` runs as many as one likes.

import pytest

from fuzz.differential import check
from fuzz.generator import generate

# Seeds of kernels that were compiled wrongly, with what was wrong; none so far.
FOUND = {}


@pytest.mark.parametrize("seed", sorted(FOUND))
def test_found(seed):
    check(generate(seed))


@pytest.mark.parametrize("first", range(100_000, 100_060, 10))
def test_random_kernels(first):
    for seed in range(first, first + 10):
        launched, _ = check(generate(seed))
        assert launched >= 2


def test_kernels_are_reproducible():
    assert generate(7).text == generate(7).text != generate(8).text
