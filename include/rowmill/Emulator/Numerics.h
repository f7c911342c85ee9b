// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Bit-exact small float formats, rounding and min/max rules of the vector ALU.
//
// Everything here is always inlined and works on bit patterns: the lane loops
// that call it are compiled once per host instruction set, and a shared
// out-of-line copy could carry instructions the running host does not have.
#ifndef ROWMILL_EMULATOR_NUMERICS_H
#define ROWMILL_EMULATOR_NUMERICS_H

#include <cstdint>

#define ROWMILL_INLINE inline __attribute__((always_inline))

namespace rowmill::emulator {

template <typename To, typename From>
ROWMILL_INLINE constexpr To bitCast(From value) {
  return __builtin_bit_cast(To, value);
}
ROWMILL_INLINE constexpr float asFloat(uint32_t bits) {
  return bitCast<float>(bits);
}
ROWMILL_INLINE constexpr uint32_t asBits(float value) {
  return bitCast<uint32_t>(value);
}
ROWMILL_INLINE constexpr double asDouble(uint64_t bits) {
  return bitCast<double>(bits);
}
ROWMILL_INLINE constexpr uint64_t asBits(double value) {
  return bitCast<uint64_t>(value);
}

/// `condition ? a : b` without the branches that a chain of conditionals can
/// turn into: the compiler vectorises no loop with those.
ROWMILL_INLINE constexpr uint32_t select(bool condition, uint32_t a,
                                         uint32_t b) {
  uint32_t mask = 0u - uint32_t(condition);
  return (a & mask) | (b & ~mask);
}

/// The two-bit round modes, in the encoding of the MODE register.
enum class RoundMode : uint8_t {
  NearestEven = 0,
  TowardPositive = 1,
  TowardNegative = 2,
  TowardZero = 3
};

/// What a format does with the codes above its largest finite value.
enum class Specials : uint8_t {
  IEEE,  ///< infinities and NaNs in the topmost exponent
  FN,    ///< one NaN a sign, all ones; no infinity
  FNUZ,  ///< one NaN, the code of negative zero; no infinity, no -0
  Finite ///< neither: everything saturates
};

/// A format as data: the conversions below are templates over it.
template <unsigned ExponentBits, unsigned MantissaBits, int Bias, Specials S>
struct SmallFloat {
  static constexpr unsigned exponentBits = ExponentBits;
  static constexpr unsigned mantissaBits = MantissaBits;
  static constexpr int bias = Bias;
  static constexpr Specials specials = S;
  static constexpr unsigned width = 1 + ExponentBits + MantissaBits;
  static constexpr uint32_t signBit = 1u << (width - 1);
  static constexpr uint32_t magnitudeMask = signBit - 1;
  /// The topmost exponent, which IEEE formats keep for infinities and NaNs.
  static constexpr uint32_t infinity = ((1u << ExponentBits) - 1)
                                       << MantissaBits;
  static constexpr uint32_t maxFinite = S == Specials::IEEE ? infinity - 1
                                        : S == Specials::FN ? magnitudeMask - 1
                                                            : magnitudeMask;
};
using F16 = SmallFloat<5, 10, 15, Specials::IEEE>;
using BF16 = SmallFloat<8, 7, 127, Specials::IEEE>;
using F8E4M3FN = SmallFloat<4, 3, 7, Specials::FN>;
using F8E5M2 = SmallFloat<5, 2, 15, Specials::IEEE>;
using F8E4M3FNUZ = SmallFloat<4, 3, 8, Specials::FNUZ>;
using F8E5M2FNUZ = SmallFloat<5, 2, 16, Specials::FNUZ>;
using F6E2M3FN = SmallFloat<2, 3, 1, Specials::Finite>;
using F6E3M2FN = SmallFloat<3, 2, 3, Specials::Finite>;
using F4E2M1FN = SmallFloat<2, 1, 1, Specials::Finite>;

/// Turns a magnitude code that may lie above the largest finite one into the
/// final code. `saturate` is MODE.FP16_OVFL: a finite value that overflows
/// becomes the largest finite one; infinities stay what they are.
template <typename F>
ROWMILL_INLINE uint32_t finishCode(uint32_t bits, uint32_t code,
                                   bool saturate) {
  constexpr unsigned drop = 23 - F::mantissaBits;
  uint32_t magnitude = bits & 0x7fffffff;
  uint32_t sign = (bits >> 31) << (F::width - 1);
  bool overflows = code > F::maxFinite;
  // What a magnitude too large becomes, if it is not to saturate.
  constexpr uint32_t beyond = F::specials == Specials::IEEE ? F::infinity
                              : F::specials == Specials::FN ? F::magnitudeMask
                                                            : F::maxFinite;
  bool limited = saturate & (magnitude < 0x7f800000);
  uint32_t result =
      select(overflows, select(limited, F::maxFinite, beyond), code);
  if constexpr (F::specials == Specials::IEEE) {
    // A wide enough mantissa keeps the upper payload bits of a NaN.
    uint32_t nan = F::infinity | (1u << (F::mantissaBits - 1)) |
                   ((magnitude >> drop) & ((1u << F::mantissaBits) - 1));
    if constexpr (F::width == 8)
      nan = F::magnitudeMask;
    result = select(magnitude > 0x7f800000, nan, result);
  }
  if constexpr (F::specials == Specials::FNUZ) {
    // Zero has no sign, and the code of -0 is the NaN.
    uint32_t signedCode = select(result == 0, 0, sign | result);
    return select(overflows & !limited, F::signBit, signedCode);
  }
  return sign | result;
}

/// f32 bits to a code of `F`, to nearest even. Free of branches.
template <typename F>
ROWMILL_INLINE uint32_t encodeNearest(uint32_t bits, bool saturate = false) {
  constexpr unsigned drop = 23 - F::mantissaBits;
  uint32_t magnitude = bits & 0x7fffffff;
  uint32_t rounded =
      magnitude + ((1u << (drop - 1)) - 1) + ((magnitude >> drop) & 1);
  uint32_t code = rounded >> drop;
  if constexpr (F::bias != 127) {
    code -= uint32_t(127 - F::bias) << F::mantissaBits;
    // Below the smallest normal value the addition of 2^23 units of the last
    // place lets the host round onto the subnormal grid.
    constexpr uint32_t minNormal = uint32_t(128 - F::bias) << 23;
    constexpr uint32_t magic =
        uint32_t(127 + 24 - F::bias - int(F::mantissaBits)) << 23;
    uint32_t small =
        asBits(asFloat(magnitude < minNormal ? magnitude : 0) + asFloat(magic));
    code = select(magnitude < minNormal, small - magic, code);
  }
  return finishCode<F>(bits, code, saturate);
}

/// The parts of an f32 on the grid of `F`: `code` truncated, and `fraction`,
/// what was cut off, as a 32-bit fixed point number below one (sticky).
template <typename F>
ROWMILL_INLINE uint32_t truncateOntoGrid(uint32_t bits, uint32_t &fraction) {
  uint32_t magnitude = bits & 0x7fffffff;
  int exponent = int(magnitude >> 23);
  uint32_t mantissa = magnitude & 0x7fffff;
  if (exponent)
    mantissa |= 0x800000;
  else
    exponent = 1;
  int smallest = 128 - F::bias;
  unsigned shift = 23 - F::mantissaBits;
  if (exponent < smallest)
    shift += unsigned(smallest - exponent);
  uint64_t wide = shift >= 63 ? 0 : (uint64_t(mantissa) << 32) >> shift;
  bool sticky = shift >= 63 ? mantissa != 0
                            : (wide << shift) != (uint64_t(mantissa) << 32);
  fraction = uint32_t(wide) | (sticky ? 1 : 0);
  uint32_t code = uint32_t(wide >> 32);
  if (exponent > smallest)
    code += uint32_t(exponent - smallest) << F::mantissaBits;
  return code;
}

/// f32 bits to a code of `F` in any round mode.
template <typename F>
ROWMILL_INLINE uint32_t encodeRounded(uint32_t bits, RoundMode mode,
                                      bool saturate = false) {
  bool negative = bits >> 31;
  if ((bits & 0x7fffffff) >= 0x7f800000)
    return encodeNearest<F>(bits, saturate);
  uint32_t fraction;
  uint32_t code = truncateOntoGrid<F>(bits, fraction);
  bool away =
      mode == RoundMode::TowardPositive   ? !negative && fraction
      : mode == RoundMode::TowardNegative ? negative && fraction
      : mode == RoundMode::TowardZero
          ? false
          : fraction > 0x80000000 || (fraction == 0x80000000 && code & 1);
  code += away;
  // Directed rounding towards zero stops at the largest finite value.
  bool inward = mode == RoundMode::TowardZero ||
                (mode == RoundMode::TowardPositive && negative) ||
                (mode == RoundMode::TowardNegative && !negative);
  return finishCode<F>(bits, code, saturate || inward);
}

/// f32 bits to a code of `F`, rounded up with the probability of the part cut
/// off: the carry of `fraction + random`. Modelled on the manual's rule for
/// normal results (the upper bits of `random` are added to the bits cut off),
/// and continued in the same way below the smallest normal value.
template <typename F>
ROWMILL_INLINE uint32_t encodeStochastic(uint32_t bits, uint32_t random,
                                         bool saturate = false) {
  if ((bits & 0x7fffffff) >= 0x7f800000)
    return encodeNearest<F>(bits, saturate);
  uint32_t fraction;
  uint32_t code = truncateOntoGrid<F>(bits, fraction);
  code += (uint64_t(fraction) + random) >> 32;
  return finishCode<F>(bits, code, saturate);
}

/// A code of `F` to f32 bits, exactly. Free of branches.
template <typename F>
ROWMILL_INLINE uint32_t decode(uint32_t code) {
  constexpr unsigned drop = 23 - F::mantissaBits;
  uint32_t magnitude = code & F::magnitudeMask;
  uint32_t sign = (code & F::signBit) << (32 - F::width);
  uint32_t value = magnitude << drop;
  if constexpr (F::bias != 127)
    // Scaling by a power of two also normalises the subnormal codes.
    value =
        asBits(asFloat(value) * asFloat(uint32_t(127 + 127 - F::bias) << 23));
  if constexpr (F::specials == Specials::IEEE) {
    uint32_t payload = (magnitude & ((1u << F::mantissaBits) - 1)) << drop;
    uint32_t special = 0x7f800000 | payload | uint32_t(payload != 0) << 22;
    value = select(magnitude >= F::infinity, special, value);
  }
  if constexpr (F::specials == Specials::FN)
    value = select(magnitude == F::magnitudeMask, 0x7fc00000, value);
  if constexpr (F::specials == Specials::FNUZ) {
    bool nan = (code & (F::signBit | F::magnitudeMask)) == F::signBit;
    return select(nan, 0x7fc00000, sign | value);
  }
  return sign | value;
}

/// f32 bits of 2^(127 - exponent), the factor by which the scalef32 conversions
/// to a small format multiply: the hardware divides by its scale, of which it
/// reads the exponent field only. 255 is taken as 2^128.
ROWMILL_INLINE uint32_t inverseScale(uint32_t scaleBits) {
  uint32_t exponent = (scaleBits >> 23) & 0xff;
  uint32_t normal = (254 - exponent) << 23;
  return exponent == 255 ? 0x00200000 : exponent == 254 ? 0x00400000 : normal;
}

/// f32 bits of 2^(exponent - 127), by which the scalef32 conversions from a
/// small format multiply. An e8m0 scale of 255 is a NaN there.
ROWMILL_INLINE uint32_t forwardScale(uint32_t scaleBits) {
  uint32_t exponent = (scaleBits >> 23) & 0xff;
  uint32_t normal = exponent << 23;
  return exponent == 255 ? 0x7fc00000 : exponent == 0 ? 0x00400000 : normal;
}

/// `bits` times 2^(127 - e), for a conversion to a small format. A finite value
/// that leaves the range of f32 stays finite, so that it saturates as one.
ROWMILL_INLINE uint32_t divideByScale(uint32_t bits, uint32_t scaleBits) {
  uint32_t scaled = asBits(asFloat(bits) * asFloat(inverseScale(scaleBits)));
  bool escaped =
      (scaled & 0x7fffffff) == 0x7f800000 && (bits & 0x7fffffff) != 0x7f800000;
  return escaped ? scaled - 1 : scaled;
}

ROWMILL_INLINE bool isNaN32(uint32_t bits) {
  return (bits & 0x7fffffff) > 0x7f800000;
}
ROWMILL_INLINE bool isSignalling32(uint32_t bits) {
  return isNaN32(bits) & !(bits & 0x400000);
}
ROWMILL_INLINE bool isSubnormal32(uint32_t bits) {
  return (bits & 0x7f800000) == 0;
}
/// Subnormals (and zeros) become a zero of the same sign.
ROWMILL_INLINE uint32_t flush32(uint32_t bits) {
  return isSubnormal32(bits) ? bits & 0x80000000 : bits;
}
/// An integer whose signed order is the order of floats, -0 below +0.
ROWMILL_INLINE int32_t orderKey32(uint32_t bits) {
  return int32_t(bits ^ (uint32_t(int32_t(bits) >> 31) >> 1));
}

/// v_min_f32/v_max_f32: a quiet NaN loses against a number; in IEEE mode a
/// signalling one wins and is made quiet. -0 is less than +0.
template <bool Max>
ROWMILL_INLINE uint32_t minMax32(uint32_t a, uint32_t b, bool ieee) {
  bool less = orderKey32(a) < orderKey32(b);
  uint32_t result = select(less != Max, a, b);
  result = select(isNaN32(b), a, result);
  result = select(isNaN32(a), b, result);
  result = select(ieee & isSignalling32(b), b | 0x400000, result);
  return select(ieee & isSignalling32(a), a | 0x400000, result);
}

/// v_med3_f32: the minimum of the three when one is a NaN.
ROWMILL_INLINE uint32_t med3F32(uint32_t a, uint32_t b, uint32_t c, bool ieee) {
  bool anyNaN = isNaN32(a) || isNaN32(b) || isNaN32(c);
  uint32_t least = minMax32<false>(minMax32<false>(a, b, ieee), c, ieee);
  uint32_t most = minMax32<true>(minMax32<true>(a, b, false), c, false);
  uint32_t rest = minMax32<true>(a, b, false);
  // Equality as floats, as the manual writes it: -0 equals +0.
  rest = select(asFloat(most) == asFloat(b), minMax32<true>(a, c, false), rest);
  rest = select(asFloat(most) == asFloat(a), minMax32<true>(b, c, false), rest);
  return select(anyNaN, least, rest);
}

/// The clamp bit on f32: into [0, 1]; a NaN becomes 0 under DX10_CLAMP.
ROWMILL_INLINE uint32_t clampF32(uint32_t bits, bool dx10) {
  float value = asFloat(bits);
  uint32_t result = select(value > 0.0f, bits, 0);
  result = select(value > 1.0f, 0x3f800000, result);
  return select(isNaN32(bits) & !dx10, bits, result);
}

/// f32 to signed/unsigned integer: toward zero, saturating, NaN to 0.
ROWMILL_INLINE int32_t toInt32(float value) {
  bool inside = value >= -2147483648.0f && value < 2147483648.0f;
  int32_t truncated = int32_t(inside ? value : 0.0f);
  int32_t result = value >= 2147483648.0f ? INT32_MAX : truncated;
  return value < -2147483648.0f ? INT32_MIN : result;
}
ROWMILL_INLINE uint32_t toUInt32(float value) {
  bool upper = value >= 2147483648.0f && value < 4294967296.0f;
  bool lower = value >= 0.0f && value < 2147483648.0f;
  uint32_t low = uint32_t(int32_t(lower ? value : 0.0f));
  uint32_t high =
      uint32_t(int32_t(upper ? value - 2147483648.0f : 0.0f)) ^ 0x80000000;
  uint32_t result = upper ? high : low;
  return value >= 4294967296.0f ? UINT32_MAX : result;
}
ROWMILL_INLINE int32_t toInt32(double value) {
  bool inside = value > -2147483649.0 && value < 2147483648.0;
  int32_t truncated = int32_t(inside ? value : 0.0);
  int32_t result = value >= 2147483648.0 ? INT32_MAX : truncated;
  return value <= -2147483649.0 ? INT32_MIN : result;
}
ROWMILL_INLINE uint32_t toUInt32(double value) {
  bool inside = value > -1.0 && value < 4294967296.0;
  uint32_t truncated = uint32_t(int64_t(inside ? value : 0.0));
  return value >= 4294967296.0 ? UINT32_MAX : truncated;
}

/// f64 to f32 rounded to odd: a second rounding to a format with at most 22
/// bits of significand is then as good as one from f64.
ROWMILL_INLINE uint32_t narrowToOdd(double value) {
  float nearest = float(value);
  uint32_t bits = asBits(nearest);
  double back = nearest;
  bool exact = back == value || value != value;
  uint64_t backMagnitude = asBits(back) & INT64_MAX;
  uint64_t magnitude = asBits(value) & INT64_MAX;
  uint32_t odd = backMagnitude < magnitude ? bits + 1 : bits - 1;
  return exact || bits & 1 ? bits : odd;
}

/// The sum of two f32, rounded to odd: the low bit of an inexact result is set,
/// so that rounding it to f16 sees what was lost.
ROWMILL_INLINE float addOdd(float a, float b) {
  float sum = a + b;
  float part = sum - a;
  float error = (a - (sum - part)) + (b - part);
  uint32_t bits = asBits(sum);
  // The error of an infinite sum is a NaN, and no error.
  bool inexact = (error < 0.0f) | (error > 0.0f);
  bool outward = (error < 0.0f) == (sum < 0.0f);
  uint32_t odd = select(outward, bits + 1, bits - 1);
  return asFloat(select(inexact & !(bits & 1), odd, bits));
}

} // namespace rowmill::emulator

#endif // ROWMILL_EMULATOR_NUMERICS_H
