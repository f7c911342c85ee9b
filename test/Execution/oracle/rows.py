# Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# The arithmetic of a row: rope, Hadamard, rmsnorm and block quantisation, in f32 and in the defined order.
"""Arrays hold the elements of a row along the first axis and rows along the second: every step is then a plain operation
on long contiguous vectors. No step fuses a multiply and an add, as numpy has no such operation on arrays.
"""

import numpy as np

from . import formats
from .formats import F32, U32


def rope(x, cos, sin, offset, interleaved=True):
    """Rotates pairs in [offset, offset + 2 * len(cos)): neighbours if interleaved, else element i with i + half."""
    half = len(cos)
    if interleaved:
        even, odd = slice(offset, offset + 2 * half, 2), slice(offset + 1, offset + 2 * half, 2)
    else:
        even, odd = slice(offset, offset + half), slice(offset + half, offset + 2 * half)
    e, o = x[even], x[odd]
    y = x.copy()
    y[even] = e * cos - o * sin
    y[odd] = o * cos + e * sin
    return y


def hadamard(x):
    """Butterflies of span 1, 2, 4, ... as (a + b, a - b), then one multiply by f32(D^-1/2)."""
    length, count = x.shape
    x = x.copy()
    difference = np.empty((length // 2, count), F32)
    span = 1
    while span < length:
        pair = x.reshape(length // (2 * span), 2, span, count)
        a, b = pair[:, 0], pair[:, 1]
        d = difference.reshape(a.shape)
        np.subtract(a, b, out=d)
        a += b
        b[...] = d
        span *= 2
    x *= F32(length**-0.5)
    return x


def tree_sum(x):
    """Neighbours first: x0+x1, x2+x3, ..., and again; padded with zeros up to a power of two."""
    padded = 1 << (len(x) - 1).bit_length()
    if padded != len(x):
        x = np.concatenate([x, np.zeros((padded - len(x),) + x.shape[1:], F32)])
    while len(x) > 1:
        x = x[0::2] + x[1::2]
    return x[0]


def rsqrt(x):
    return (1.0 / np.sqrt(x.astype(np.float64))).astype(F32)


def rmsnorm(x, weight, epsilon, round_to_weight=None, one_plus_weight=False):
    """(x * r) * w with r = rsqrt(sum(x * x) * f32(1/D) + epsilon); the options follow row.rmsnorm."""
    weight = np.asarray(weight, F32)[:, None]
    if one_plus_weight:
        weight = F32(1) + weight
    r = rsqrt(tree_sum(x * x) * F32(1.0 / len(x)) + F32(epsilon))
    y = x * r
    if round_to_weight is None:
        return y * weight
    rounded = lambda v: formats.decode16(formats.encode16(v, round_to_weight), round_to_weight)
    return rounded(rounded(y) * rounded(weight))


def group_amax(x, group, floor_bits=0):
    """The largest |x| of each group as f32. Magnitudes compare as integers, so that a NaN wins."""
    a = formats.bits(x) & U32(0x7FFFFFFF)
    a = a.reshape(len(x) // group, group, -1).max(axis=1)
    return formats.from_bits(np.maximum(a, U32(floor_bits)))


def spread(per_group, group):
    return np.repeat(per_group, group, axis=0)


def scale_groups(x, per_group):
    return (x.reshape(len(per_group), -1, x.shape[-1]) * per_group[:, None]).reshape(x.shape)


def scaled_fp4(x, group, floor_bits=formats.FP4_AMAX_FLOOR, down=False):
    """The values just before rounding, and the E8M0 codes of their groups."""
    amax = group_amax(x, group, floor_bits)
    codes = formats.e8m0_round_down(amax) if down else formats.e8m0_round_up(amax)
    return scale_groups(x, formats.e8m0_multiplier(codes)), codes


def quantize_fp4(x, group, floor_bits=formats.FP4_AMAX_FLOOR, down=False):
    """FP4 codes (one a byte, not packed) and E8M0 codes."""
    scaled, codes = scaled_fp4(x, group, floor_bits, down)
    return formats.fp4_encode(scaled), codes


def quantize_fp8_e8m0(x, group, fp8, floor_bits=0, down=False):
    amax = group_amax(x, group, floor_bits)
    codes = formats.e8m0_round_down(amax, fp8.max_exponent) if down else formats.e8m0_round_up(amax, fp8.reciprocal)
    return fp8.encode(scale_groups(x, formats.e8m0_multiplier(codes))), codes


def quantize_fp8(x, group, fp8, floor_bits=formats.FP8_AMAX_FLOOR):
    """FP8 codes and f32 scales amax * f32(1/max); the elements are multiplied by f32(1/scale), saturating."""
    scale = group_amax(x, group, floor_bits) * fp8.reciprocal
    return fp8.encode(scale_groups(x, F32(1) / scale)), scale


def quantize_fp4_f32(x, group, floor_bits=0):
    scale = group_amax(x, group, floor_bits) * formats.FP4_INVERSE_MAX
    return formats.fp4_encode(scale_groups(x, F32(1) / scale)), scale
