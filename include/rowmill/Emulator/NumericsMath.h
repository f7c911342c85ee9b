// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Transcendental and division-step functions of the vector ALU.
//
// The hardware promises 1 ulp for these; the model gives the correctly rounded
// result wherever the host's double precision allows, with the documented
// special cases: v_rcp, v_rsq, v_sqrt, v_exp and v_log on f32 flush denormals
// whatever MODE says; the f16 forms do not.
#ifndef ROWMILL_EMULATOR_NUMERICSMATH_H
#define ROWMILL_EMULATOR_NUMERICSMATH_H

#include "rowmill/Emulator/Numerics.h"

namespace rowmill::emulator {

ROWMILL_INLINE uint32_t rcpF32(uint32_t bits) {
  return flush32(asBits(1.0f / asFloat(flush32(bits))));
}
ROWMILL_INLINE uint32_t rsqF32(uint32_t bits) {
  double root = __builtin_sqrt(double(asFloat(flush32(bits))));
  return asBits(float(1.0 / root));
}
ROWMILL_INLINE uint32_t sqrtF32(uint32_t bits) {
  return asBits(__builtin_sqrtf(asFloat(flush32(bits))));
}

// One lane at a time, for the functions that need the host's libm.
uint32_t exp2F32(uint32_t bits);
uint32_t log2F32(uint32_t bits);
uint32_t sinF32(uint32_t bits);
uint32_t cosF32(uint32_t bits);
/// The same of an f16 widened to f32, in double precision.
double exp2Wide(float value);
double log2Wide(float value);
double sinWide(float value);
double cosWide(float value);

/// value * 2^exponent, rounded once.
ROWMILL_INLINE float ldexpF32(float value, int32_t exponent) {
  int32_t e = exponent > 400 ? 400 : exponent < -400 ? -400 : exponent;
  return float(double(value) * asDouble(uint64_t(1023 + e) << 52));
}
double ldexpF64(double value, int32_t exponent);

/// The exponent and the significand in [0.5, 1) of C's frexp.
ROWMILL_INLINE uint32_t normalise32(uint32_t bits, int32_t &exponent) {
  uint32_t magnitude = bits & 0x7fffffff;
  bool subnormal = magnitude < 0x800000;
  uint32_t scaled =
      subnormal ? asBits(asFloat(magnitude) * 16777216.0f) : magnitude;
  bool plain = magnitude != 0 && magnitude < 0x7f800000;
  exponent = plain ? int32_t(scaled >> 23) - (subnormal ? 150 : 126) : 0;
  uint32_t mantissa = (scaled & 0x7fffff) | 0x3f000000;
  return plain ? (bits & 0x80000000) | mantissa : bits;
}
ROWMILL_INLINE int32_t frexpExpF32(uint32_t bits) {
  int32_t exponent;
  normalise32(bits, exponent);
  return exponent;
}
ROWMILL_INLINE uint32_t frexpMantF32(uint32_t bits) {
  int32_t exponent;
  uint32_t mantissa = normalise32(bits, exponent);
  return isNaN32(mantissa) ? mantissa | 0x400000 : mantissa;
}
int32_t frexpExpF64(double value);
double frexpMantF64(double value);

/// v_trig_preop_f64: 53 bits of 2/pi, the `segment`th for a value of this
/// exponent.
double trigPreopF64(double value, uint32_t segment);

/// The steps of a division as LLVM expands it: scale, refine, v_div_fmas,
/// fix up. `post` tells v_div_fmas to undo the scaling.
uint32_t divScaleF32(uint32_t value, uint32_t denominator, uint32_t numerator,
                     bool &post);
double divScaleF64(double value, double denominator, double numerator,
                   bool &post);
uint32_t divFixupF32(uint32_t quotient, uint32_t denominator,
                     uint32_t numerator);
/// v_div_fmas with its post-scaling: 2^64 (2^128 in f64) if the quotient `c` of
/// scaled operands is large, else the inverse. Sum and scaling round once, or
/// denormal quotients would round twice.
ROWMILL_INLINE float divFmasF32(float a, float b, float c) {
  double product = double(a) * double(b);
  double sum = product + double(c);
  double part = sum - product;
  double error = (product - (sum - part)) + (double(c) - part);
  uint64_t bits = asBits(sum);
  bool fix = error != 0.0 && error == error && !(bits & 1);
  bool outward = (error < 0.0) == (sum < 0.0);
  bits = fix ? (outward ? bits + 1 : bits - 1) : bits;
  bool large = ((asBits(c) >> 23) & 0xff) > 127;
  return float(asDouble(bits) * (large ? 0x1p64 : 0x1p-64));
}
double divFmasF64(double a, double b, double c);
double divFixupF64(double quotient, double denominator, double numerator);
uint16_t divFixupF16(uint16_t quotient, uint16_t denominator,
                     uint16_t numerator);

} // namespace rowmill::emulator

#endif // ROWMILL_EMULATOR_NUMERICSMATH_H
