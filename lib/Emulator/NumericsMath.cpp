// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// The functions of NumericsMath.h that need the host's libm, a lane at a time.

#include "rowmill/Emulator/NumericsMath.h"

#include <cmath>
#include <limits>

namespace rowmill::emulator {
namespace {

constexpr uint32_t kInvalid32 = 0xffc00000;

/// The angle of v_sin/v_cos counts turns. Reduced exactly to [-0.5, 0.5].
double turns(float value) { return std::remainder(double(value), 1.0); }

double sinTurns(double t) {
  // Where pi is rounded the sine would not be an exact zero.
  if (std::fabs(t) == 0.5)
    return 0.0;
  return std::sin(t * 6.283185307179586476925);
}
double cosTurns(double t) {
  if (std::fabs(t) == 0.25)
    return 0.0;
  return std::cos(t * 6.283185307179586476925);
}

uint32_t quieted(uint32_t bits) { return bits | 0x400000; }

} // namespace

double exp2Wide(float value) { return std::exp2(double(value)); }
double log2Wide(float value) {
  // The host's own NaN would do, but its sign is the host's affair.
  return value < 0.0f ? double(asFloat(kInvalid32)) : std::log2(double(value));
}
double sinWide(float value) {
  if (!std::isfinite(value))
    return value != value ? double(value) : double(asFloat(kInvalid32));
  double t = turns(value);
  // Whole turns give +0; zero keeps its sign.
  return t == 0.0 ? (value == 0.0f ? double(value) : 0.0) : sinTurns(t);
}
double cosWide(float value) {
  if (!std::isfinite(value))
    return value != value ? double(value) : double(asFloat(kInvalid32));
  return cosTurns(turns(value));
}

uint32_t exp2F32(uint32_t bits) {
  if (isNaN32(bits))
    return quieted(bits);
  return flush32(asBits(float(exp2Wide(asFloat(flush32(bits))))));
}
uint32_t log2F32(uint32_t bits) {
  if (isNaN32(bits))
    return quieted(bits);
  return asBits(float(log2Wide(asFloat(flush32(bits)))));
}
uint32_t sinF32(uint32_t bits) {
  return isNaN32(bits) ? quieted(bits) : asBits(float(sinWide(asFloat(bits))));
}
uint32_t cosF32(uint32_t bits) {
  return isNaN32(bits) ? quieted(bits) : asBits(float(cosWide(asFloat(bits))));
}

double ldexpF64(double value, int32_t exponent) {
  return std::ldexp(value, exponent);
}
int32_t frexpExpF64(double value) {
  int exponent = 0;
  if (std::isfinite(value) && value != 0.0)
    std::frexp(value, &exponent);
  return exponent;
}
double frexpMantF64(double value) {
  int exponent = 0;
  return std::isfinite(value) ? std::frexp(value, &exponent) : value + value;
}

/// The fraction of 2/pi, most significant word first.
static const uint32_t twoOverPi[38] = {
    0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041,
    0xfe5163ab, 0xdebbc561, 0xb7246e3a, 0x424dd2e0, 0x06492eea, 0x09d1921c,
    0xfe1deb1c, 0xb129a73e, 0xe88235f5, 0x2ebb4484, 0xe99c7026, 0xb45f7e41,
    0x3991d639, 0x835339f4, 0x9c845f8b, 0xbdf9283b, 0x1ff897ff, 0xde05980f,
    0xef2f118b, 0x5a0a6d1f, 0x6d367ecf, 0x27cb09b7, 0x4f463f66, 0x9e5fea2d,
    0x7527bac7, 0xebe5f17b, 0x3d0739f7, 0x8a5292ea, 0x6bfb5fb1, 0x1f8d5d08,
    0x56033046, 0xfc7b6bab};

double trigPreopF64(double value, uint32_t segment) {
  int exponent = int((asBits(value) >> 52) & 0x7ff);
  int shift = int(segment & 31) * 53;
  if (exponent > 1077)
    shift += exponent - 1077;
  // Bit 0 of the table is the most significant; the hardware's ends at 1201.
  uint64_t bits = 0;
  for (int k = shift; k < shift + 53; ++k)
    bits =
        bits << 1 | (k < 1201 ? (twoOverPi[k / 32] >> (31 - k % 32)) & 1 : 0);
  int scale = -53 - shift + (exponent >= 1968 ? 128 : 0);
  return std::ldexp(double(bits), scale);
}

//===-- Division ----------------------------------------------------------===//

namespace {

/// The numbers that differ between the division steps of the two precisions.
struct F32Division {
  static constexpr int scale = 64, nearOverflow = 96, tinyNumerator = 23;
  static constexpr int underflow = -150;
};
struct F64Division {
  static constexpr int scale = 128, nearOverflow = 768, tinyNumerator = 53;
  static constexpr int underflow = -1075;
};

int biasedExponent(float v) { return int((asBits(v) >> 23) & 0xff); }
int biasedExponent(double v) { return int((asBits(v) >> 52) & 0x7ff); }
template <typename T>
bool subnormal(T v) {
  return std::fpclassify(v) == FP_SUBNORMAL;
}

template <typename T, typename C>
T divScale(T s0, T s1, T s2, bool &post) {
  post = false;
  if (s2 == T(0) || s1 == T(0))
    return std::numeric_limits<T>::quiet_NaN();
  T up = std::ldexp(s0, C::scale);
  // In the precision of the operands: v_rcp_f32 would flush it. (The manual has
  // the test of f64 in both.)
  bool reciprocalTiny = subnormal(T(T(1) / s1));
  bool quotientTiny = subnormal(T(s2 / s1));
  if (biasedExponent(s2) - biasedExponent(s1) >= C::nearOverflow) {
    post = true;
    return s0 == s1 ? up : s0; // the denominator only
  }
  if (subnormal(s1))
    return up;
  T down = std::ldexp(s0, -C::scale);
  if (reciprocalTiny && quotientTiny) {
    // The manual scales the denominator up, out of the range; down is what
    // makes the division come out right.
    post = true;
    return s0 == s1 ? down : s0;
  }
  if (reciprocalTiny)
    return down;
  if (quotientTiny) {
    post = true;
    return s0 == s2 ? up : s0; // the numerator only
  }
  return biasedExponent(s2) <= C::tinyNumerator ? up : s0;
}

template <typename T, typename C>
T divFixup(T quotient, T denominator, T numerator) {
  T sign = std::signbit(denominator) != std::signbit(numerator) ? T(-1) : T(1);
  if (numerator != numerator)
    return numerator + numerator; // quiet
  if (denominator != denominator)
    return denominator + denominator;
  bool zeroOver = numerator == T(0), overZero = denominator == T(0);
  bool infOver = std::isinf(numerator), overInf = std::isinf(denominator);
  if ((zeroOver && overZero) || (infOver && overInf))
    return std::copysign(std::numeric_limits<T>::quiet_NaN(), T(-1));
  if (overZero || infOver)
    return std::copysign(std::numeric_limits<T>::infinity(), sign);
  if (overInf || zeroOver)
    return std::copysign(T(0), sign);
  if (biasedExponent(numerator) - biasedExponent(denominator) < C::underflow)
    return std::copysign(T(0), sign);
  // The manual compares the exponent of the denominator with the topmost one,
  // which cannot be here. That of the quotient makes sense: where it left the
  // range, the refinement has made a NaN of it.
  if (!std::isfinite(quotient))
    return std::copysign(std::numeric_limits<T>::infinity(), sign);
  return std::copysign(quotient, sign);
}

} // namespace

uint32_t divScaleF32(uint32_t value, uint32_t denominator, uint32_t numerator,
                     bool &post) {
  return asBits(divScale<float, F32Division>(
      asFloat(value), asFloat(denominator), asFloat(numerator), post));
}
double divScaleF64(double value, double denominator, double numerator,
                   bool &post) {
  return divScale<double, F64Division>(value, denominator, numerator, post);
}
double divFmasF64(double a, double b, double c) {
  // 64 bits of significand, rounded to odd, survive the second rounding.
  long double product = (long double)a * b;
  long double productError = fmal(a, b, -product);
  long double sum = product + c;
  long double part = sum - product;
  long double error = (product - (sum - part)) + (c - part) + productError;
  long double total = sum + error;
  long double rest = (sum - total) + error;
  int exponent;
  long double odd = total;
  if (rest != 0 && std::isfinite(total)) {
    long double mantissa = std::ldexp(std::frexp(total, &exponent), 64);
    if (std::fmod(mantissa, 2.0L) == 0)
      odd = std::nextafter(total, rest > 0 ? HUGE_VALL : -HUGE_VALL);
  }
  bool large = ((asBits(c) >> 52) & 0x7ff) > 1023;
  return double(std::ldexp(odd, large ? 128 : -128));
}
uint32_t divFixupF32(uint32_t quotient, uint32_t denominator,
                     uint32_t numerator) {
  return asBits(divFixup<float, F32Division>(
      asFloat(quotient), asFloat(denominator), asFloat(numerator)));
}
double divFixupF64(double quotient, double denominator, double numerator) {
  return divFixup<double, F64Division>(quotient, denominator, numerator);
}
uint16_t divFixupF16(uint16_t quotient, uint16_t denominator,
                     uint16_t numerator) {
  // The f16 form has no underflow case, and f32's limits cannot be reached.
  uint32_t fixed = divFixupF32(decode<F16>(quotient), decode<F16>(denominator),
                               decode<F16>(numerator));
  return uint16_t(encodeNearest<F16>(fixed));
}

} // namespace rowmill::emulator
