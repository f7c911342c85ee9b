# Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# Number formats bit by bit: bf16, f16, FP4 E2M1, FP8 E4M3 (fn and fnuz) and the E8M0 block scale.
"""Encoders take f32 arrays and give the code as an unsigned integer array; decoders go back to f32.

All rounding is to nearest, ties to even. The encoders are integer algorithms of their own, so that a disagreement
with a conversion instruction, or with a library, is visible.
"""

import numpy as np

F32 = np.float32
U32 = np.uint32

FP4_VALUES = np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6, -0.0, -0.5, -1, -1.5, -2, -3, -4, -6], F32)
FP4_TIES = np.array([0.25, 0.75, 1.25, 1.75, 2.5, 3.5, 5.0], F32)
FP4_AMAX_FLOOR = 0x01C00000  # 6 * 2^-126: an all-zero group gets scale code 1
FP8_AMAX_FLOOR = 0x2EDBE6FF  # f32(1e-10)


def bits(x):
    return np.ascontiguousarray(x, F32).view(U32)


def from_bits(u):
    return np.ascontiguousarray(u, U32).view(F32)


# ---- 16-bit floats -------------------------------------------------------------------------------------------------


def bf16_encode(x):
    u = bits(x)
    rounded = ((u + U32(0x7FFF) + ((u >> U32(16)) & U32(1))) >> U32(16)).astype(np.uint16)
    quiet = ((u >> U32(16)) | U32(0x40)).astype(np.uint16)
    return np.where((u & U32(0x7FFFFFFF)) > U32(0x7F800000), quiet, rounded)


def bf16_decode(code):
    return from_bits(code.astype(U32) << U32(16))


def f16_encode(x):
    with np.errstate(over="ignore"):
        return np.asarray(x, F32).astype(np.float16).view(np.uint16)


def f16_decode(code):
    return np.ascontiguousarray(code).view(np.float16).astype(F32)


FLOAT16 = {"bf16": (bf16_encode, bf16_decode), "f16": (f16_encode, f16_decode)}


def encode16(x, dtype):
    return FLOAT16[dtype][0](x)


def decode16(code, dtype):
    return FLOAT16[dtype][1](code)


# ---- FP4 E2M1 ------------------------------------------------------------------------------------------------------


def fp4_encode(x):
    """Sign in bit 3, magnitude 0 0.5 1 1.5 2 3 4 6 in bits 0 to 2; saturates at 6, NaN and infinities included."""
    u = bits(x)
    a = u & U32(0x7FFFFFFF)
    small = (from_bits(a) + F32(2.0**22)).view(U32) - U32(0x4A800000)
    large = (a + U32(0xC11FFFFF) + ((a >> U32(22)) & U32(1))) >> U32(22)
    magnitude = np.where(a >= U32(0x40C00000), U32(7), np.where(a < U32(0x3F800000), small, large))
    return ((u & U32(0x80000000)) >> U32(28) | magnitude).astype(np.uint8)


def fp4_decode(code):
    return FP4_VALUES[code]


def fp4_pack(codes):
    """Two codes a byte along the first axis: even elements in the low nibble."""
    return codes[0::2] | (codes[1::2] << np.uint8(4))


def fp4_unpack(packed):
    codes = np.empty((2 * packed.shape[0],) + packed.shape[1:], np.uint8)
    codes[0::2] = packed & 0xF
    codes[1::2] = packed >> 4
    return codes


# ---- FP8 E4M3 ------------------------------------------------------------------------------------------------------


class Fp8:
    """An E4M3 flavour. 'fn': bias 7, max 448, NaN 0x7F. 'fnuz': bias 8, max 240, NaN 0x80, no negative zero."""

    def __init__(self, name, mlir, bias, maximum, reciprocal_bits):
        self.name, self.mlir, self.bias, self.maximum = name, mlir, bias, F32(maximum)
        self.reciprocal = U32(reciprocal_bits).view(F32)  # f32(1 / maximum)
        self.max_exponent = 15 - bias
        self.max_code = 0x7E if name == "fn" else 0x7F

    def encode(self, x):
        u = bits(x)
        a = u & U32(0x7FFFFFFF)
        shifter = F32(2.0 ** (21 - self.bias))  # its ulp is the subnormal step 2^(-2 - bias)
        small = (from_bits(a) + shifter).view(U32) - shifter.view(U32)
        large = ((a + U32(0x7FFFF) + ((a >> U32(20)) & U32(1))) >> U32(20)) - U32((127 - self.bias) << 3)
        min_normal = U32((128 - self.bias) << 23)
        magnitude = np.where(a < min_normal, small, np.minimum(large, U32(self.max_code)))
        magnitude = np.where(a >= self.maximum.view(U32), U32(self.max_code), magnitude)
        sign = (u >> U32(24)) & U32(0x80)
        nan = a > U32(0x7F800000)
        if self.name == "fnuz":
            return np.where(nan, U32(0x80), np.where(magnitude == 0, U32(0), sign | magnitude)).astype(np.uint8)
        return (sign | np.where(nan, U32(0x7F), magnitude)).astype(np.uint8)

    def decode(self, code):
        return self._table()[code]

    def is_nan(self, code):
        return (code & 0x7F) == 0x7F if self.name == "fn" else code == 0x80

    def _table(self):
        code = np.arange(256)
        exponent, mantissa = (code >> 3) & 15, code & 7
        value = np.where(exponent == 0, mantissa / 8 * 2.0 ** (1 - self.bias),
                         (1 + mantissa / 8) * 2.0 ** (exponent - self.bias))
        value = np.where(code & 0x80, -value, value)
        return np.where(self.is_nan(code), np.nan, value).astype(F32)


FP8_FN = Fp8("fn", "f8E4M3FN", 7, 448, 0x3B124925)
FP8_FNUZ = Fp8("fnuz", "f8E4M3FNUZ", 8, 240, 0x3B888889)
FP8_OF_ARCH = {"gfx942": FP8_FNUZ, "gfx950": FP8_FN, "gfx1250": FP8_FN}


# ---- E8M0 ----------------------------------------------------------------------------------------------------------

FP4_INVERSE_MAX = U32(0x3E2AAAAB).view(F32)  # f32(1/6)


def e8m0_round_up(amax, inverse_max=FP4_INVERSE_MAX):
    """The smallest power of two at or above amax * inverse_max: a multiply by the constant, never a divide."""
    with np.errstate(over="ignore", invalid="ignore"):
        w = bits(np.asarray(amax, F32) * inverse_max)
    exponent = ((w >> U32(23)) & U32(0xFF)) + ((w & U32(0x7FFFFF)) != 0)
    return np.minimum(exponent, U32(255)).astype(np.uint8)


def e8m0_round_down(amax, max_exponent=2):
    """The exponent of amax less that of the largest code: larger values saturate."""
    exponent = (bits(amax) >> U32(23)).astype(np.int32)
    return np.where(exponent == 255, 255, np.maximum(0, exponent - max_exponent)).astype(np.uint8)


def e8m0_multiplier(code):
    """2^(127 - code), what an element is multiplied by; exact for every code, 255 included."""
    return np.ldexp(F32(1), 127 - code.astype(np.int32))


def e8m0_decode(code):
    return np.ldexp(F32(1), code.astype(np.int32) - 127)
