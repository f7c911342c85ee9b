# Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# Inputs named by what they probe, made once for a row length and type.

from functools import lru_cache

import numpy as np

from oracle import formats, rows
from oracle.formats import F32

TOKENS = 1000
MAX_ROWS = TOKENS * 64
POSITIONS = 257  # rows of the cos and sin tables
SMALLEST = {"bf16": 2.0**-133, "f16": 2.0**-24}
SMALLEST_NORMAL = {"bf16": 2.0**-126, "f16": 2.0**-14}
LARGEST = {"bf16": float.fromhex("0x1.fep127"), "f16": 65504.0}


def normal(rng, dim, dtype):
    return rng.standard_normal(dim)


def scaled_normal(rng, dim, dtype):
    return rng.standard_normal(dim) * 2.0 ** rng.integers(-12, 12)


def fp4_ties(rng, dim, dtype):
    """Every group has 6 * 2^k as its largest element and ties elsewhere: exact halfway cases without a rotation."""
    x = rng.choice(np.concatenate([formats.FP4_TIES, -formats.FP4_TIES]), dim)
    x[::32] = 6
    return x * 2.0 ** rng.integers(-6, 6)


def fp4_ties_after_rotation(rng, dim, dtype):
    """The rotation of this row is sparse with exact ties where sqrt(dim) is a power of two."""
    y = np.zeros((dim, 1), F32)
    y[rng.integers(dim // 2)], y[dim // 2 + rng.integers(dim // 2)] = 6, rng.choice(formats.FP4_TIES)
    return rows.hadamard(y)[:, 0]


def zeros(rng, dim, dtype):
    return np.zeros(dim)


def negative_zeros(rng, dim, dtype):
    return np.full(dim, -0.0)


def signed_zeros(rng, dim, dtype):
    return np.where(rng.integers(2, size=dim), 0.0, -0.0)


def denormals(rng, dim, dtype):
    return rng.integers(-100, 100, dim) * SMALLEST[dtype]


def tiny(rng, dim, dtype):
    return rng.standard_normal(dim) * SMALLEST_NORMAL[dtype]


def huge(rng, dim, dtype):
    return rng.uniform(-1, 1, dim) * LARGEST[dtype]


def one_infinity(rng, dim, dtype):
    x = rng.standard_normal(dim)
    x[rng.integers(dim)] = rng.choice([np.inf, -np.inf])
    return x


def one_nan(rng, dim, dtype):
    x = rng.standard_normal(dim)
    x[rng.integers(dim)] = np.nan
    return x


def scale_boundary(rng, dim, dtype):
    """Groups whose largest element is 6 * 2^k, or its neighbour above or below."""
    x = rng.uniform(-1, 1, dim)
    ulp = 2.0**-6 if dtype == "bf16" else 2.0**-9
    x[::32] = rng.choice([6.0, 6.0 * (1 + ulp), 6.0 * (1 - ulp)], dim // 32)
    return x * 2.0 ** rng.integers(-4, 4)


def unit_vector(rng, dim, dtype):
    x = np.zeros(dim)
    x[5] = 1
    return x


def outliers(rng, dim, dtype):
    """One large element a group and others so small that they become zeros of either sign."""
    x = rng.standard_normal(dim) * 1e-3
    x[7::32] = 100
    return x


def cancelling(rng, dim, dtype):
    """Neighbours that cancel, so that the order of the additions shows."""
    x = rng.standard_normal(dim) * 2.0 ** rng.integers(-8, 9, dim)
    x[1::2] = -x[0::2] * (1 + 2.0**-7)
    return x


KINDS = [normal, fp4_ties, one_nan, cancelling, zeros, huge, fp4_ties_after_rotation, one_infinity, denormals, negative_zeros,
         scale_boundary, tiny, unit_vector, signed_zeros, outliers, scaled_normal]
FINITE = [kind for kind in KINDS if kind not in (one_nan, one_infinity)]


def generator(*seed):
    """A generator of its own for each input, so that no input depends on which tests run before."""
    return np.random.default_rng([2026, *(sum(str(s).encode()) for s in seed)])


@lru_cache(maxsize=2)
def pool(dim, dtype):
    """Codes [MAX_ROWS, dim]. Rows are normal, but every third is of another kind, the first ones in the order of KINDS:
    a test of M tokens takes the first M * H rows."""
    rng = generator(dim, dtype)
    x = np.empty((MAX_ROWS, dim), np.uint16)
    with np.errstate(all="ignore"):
        for first in range(0, MAX_ROWS, 4000):
            x[first:first + 4000] = formats.encode16(rng.standard_normal((4000, dim), F32), dtype)
        special = np.stack([formats.encode16(KINDS[i % len(KINDS)](rng, dim, dtype).astype(F32), dtype)
                            for i in range(len(KINDS) * 32)])
    where = np.arange(2, MAX_ROWS, 3)
    x[where] = special[np.arange(len(where)) * 5 % len(special)]
    x[: len(KINDS)] = special[: len(KINDS)]
    x.flags.writeable = False
    return x


@lru_cache(maxsize=8)
def tables(dtype, rope_dim):
    """Codes of cos and sin [POSITIONS, rope_dim / 2]."""
    angle = np.arange(POSITIONS)[:, None] * 10000.0 ** (-np.arange(rope_dim // 2) / (rope_dim // 2))
    made = [formats.encode16(f(angle).astype(F32), dtype) for f in (np.cos, np.sin)]
    for table in made:
        table.flags.writeable = False
    return made


@lru_cache(maxsize=1)
def positions():
    """A position for each token; the first is 0, the last of the table is there too."""
    at = generator("positions").integers(0, POSITIONS, TOKENS)
    at[0], at[5] = 0, POSITIONS - 1
    at.flags.writeable = False
    return at


@lru_cache(maxsize=8)
def weight(dim, dtype):
    w = formats.encode16(generator("weight", dim).uniform(0.5, 1.5, dim).astype(F32), dtype)
    w.flags.writeable = False
    return w


def slot_mapping(tokens, slots, seed=0):
    """Distinct flat slots in random order over one page more than needed; every fifth token, and the last of more than one, is -1."""
    pages = -(-tokens // slots) + 1
    flat = generator("slots", tokens, slots, seed).permutation(pages * slots)[:tokens]
    flat[3::5] = -1
    if tokens > 1:
        flat[-1] = -1
    return flat, pages
