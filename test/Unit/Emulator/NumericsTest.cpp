// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// The small float formats against a reference that knows only their definition.

#include "WaveTest.h"
#include "rowmill/Emulator/NumericsMath.h"

#include <cmath>

using namespace rowmill::emulator;
using rowmill::emulator::test::sample;

namespace {

/// A format by its definition, in double precision.
template <typename F>
struct Reference {
  static double magnitude(uint32_t code) {
    uint32_t exponent = code >> F::mantissaBits;
    double fraction = double(code & ((1u << F::mantissaBits) - 1)) /
                      double(1u << F::mantissaBits);
    return exponent ? std::ldexp(1.0 + fraction, int(exponent) - F::bias)
                    : std::ldexp(fraction, 1 - F::bias);
  }
  /// The finite magnitude code below or at `x`; may be one past the largest.
  static uint32_t below(double x) {
    uint32_t low = 0, high = F::maxFinite + 1;
    if (x >= magnitude(high))
      return high;
    while (high - low > 1) {
      uint32_t middle = (low + high) / 2;
      (magnitude(middle) <= x ? low : high) = middle;
    }
    return low;
  }
  static uint32_t special(bool negative, bool isNaN, bool saturate,
                          bool infinite) {
    uint32_t sign = negative ? F::signBit : 0;
    if (F::specials == Specials::Finite)
      return sign | F::maxFinite;
    if (!isNaN && !infinite && saturate)
      return sign | F::maxFinite;
    if (F::specials == Specials::FNUZ)
      return F::signBit;
    if (F::specials == Specials::FN)
      return sign | F::magnitudeMask;
    return sign | F::infinity;
  }
  static uint32_t encode(float value, RoundMode mode, bool saturate) {
    bool negative = std::signbit(value);
    if (std::isinf(value))
      return special(negative, false, saturate, true);
    double x = std::fabs(double(value));
    uint32_t code = below(x);
    if (code <= F::maxFinite) {
      double low = magnitude(code), high = magnitude(code + 1);
      bool up = false;
      switch (mode) {
      case RoundMode::NearestEven:
        up = x - low > high - x || (x - low == high - x && code & 1);
        break;
      case RoundMode::TowardPositive:
        up = x > low && !negative;
        break;
      case RoundMode::TowardNegative:
        up = x > low && negative;
        break;
      case RoundMode::TowardZero:
        break;
      }
      code += up;
    }
    bool inward = mode == RoundMode::TowardZero ||
                  (mode == RoundMode::TowardPositive && negative) ||
                  (mode == RoundMode::TowardNegative && !negative);
    if (code > F::maxFinite)
      return special(negative, false, saturate || inward, false);
    if (F::specials == Specials::FNUZ && code == 0)
      return 0;
    return (negative ? F::signBit : 0) | code;
  }
};

template <typename F>
class SmallFormat : public ::testing::Test {};
using Formats = ::testing::Types<F16, BF16, F8E4M3FN, F8E5M2, F8E4M3FNUZ,
                                 F8E5M2FNUZ, F6E2M3FN, F6E3M2FN, F4E2M1FN>;
TYPED_TEST_SUITE(SmallFormat, Formats);

TYPED_TEST(SmallFormat, DecodesEveryCode) {
  using F = TypeParam;
  for (uint32_t code = 0; code < 2 * F::signBit; ++code) {
    uint32_t magnitude = code & F::magnitudeMask;
    float value = asFloat(decode<F>(code));
    bool negative = code & F::signBit;
    if (F::specials == Specials::FNUZ && code == F::signBit) {
      EXPECT_TRUE(std::isnan(value)) << code;
      continue;
    }
    if (magnitude > F::maxFinite) {
      bool infinite = F::specials == Specials::IEEE && magnitude == F::infinity;
      EXPECT_EQ(std::isinf(value), infinite) << code;
      EXPECT_EQ(std::isnan(value), !infinite) << code;
      continue;
    }
    EXPECT_EQ(double(std::fabs(value)), Reference<F>::magnitude(magnitude));
    EXPECT_EQ(std::signbit(value), negative) << code;
  }
}

TYPED_TEST(SmallFormat, EncodesWhatItDecodes) {
  using F = TypeParam;
  for (uint32_t code = 0; code < 2 * F::signBit; ++code) {
    uint32_t bits = decode<F>(code);
    if (!isNaN32(bits))
      EXPECT_EQ(encodeNearest<F>(bits), code);
  }
}

TYPED_TEST(SmallFormat, RoundsAtAndAroundEveryMidpoint) {
  using F = TypeParam;
  for (uint32_t code = 0; code <= F::maxFinite; ++code) {
    double middle =
        (Reference<F>::magnitude(code) + Reference<F>::magnitude(code + 1)) / 2;
    uint32_t bits = asBits(float(middle));
    for (uint32_t b : {bits - 1, bits, bits + 1, bits ^ 0x80000000,
                       (bits + 1) ^ 0x80000000}) {
      float value = asFloat(b);
      if (std::isnan(value))
        continue;
      for (bool saturate : {false, true}) {
        ASSERT_EQ(encodeNearest<F>(b, saturate),
                  Reference<F>::encode(value, RoundMode::NearestEven, saturate))
            << value;
        for (unsigned m = 0; m < 4; ++m)
          ASSERT_EQ(encodeRounded<F>(b, RoundMode(m), saturate),
                    Reference<F>::encode(value, RoundMode(m), saturate))
              << value << " mode " << m;
      }
    }
  }
}

TYPED_TEST(SmallFormat, RoundsRandomValues) {
  using F = TypeParam;
  for (unsigned k = 0; k < 300000; ++k) {
    uint32_t bits = sample(k);
    // Half of them near the format's own range.
    if (k & 1)
      bits = (bits & 0x807fffff) | ((bits >> 5 & 31) + 127 - 20) << 23;
    float value = asFloat(bits);
    if (std::isnan(value))
      continue;
    ASSERT_EQ(encodeNearest<F>(bits),
              Reference<F>::encode(value, RoundMode::NearestEven, false))
        << value;
    auto mode = RoundMode(k >> 1 & 3);
    ASSERT_EQ(encodeRounded<F>(bits, mode),
              Reference<F>::encode(value, mode, false))
        << value;
  }
}

TYPED_TEST(SmallFormat, StochasticRoundingFollowsTheFraction) {
  using F = TypeParam;
  // A quarter of the way up: rounds up for the upper quarter of seeds.
  uint32_t code = 2;
  double low = Reference<F>::magnitude(code);
  double high = Reference<F>::magnitude(code + 1);
  uint32_t bits = asBits(float(low + (high - low) / 4));
  EXPECT_EQ(encodeStochastic<F>(bits, 0), code);
  EXPECT_EQ(encodeStochastic<F>(bits, 0xbfffffff), code);
  EXPECT_EQ(encodeStochastic<F>(bits, 0xc0000000), code + 1);
  EXPECT_EQ(encodeStochastic<F>(bits, 0xffffffff), code + 1);
  // What is on the grid stays, whatever the seed.
  EXPECT_EQ(encodeStochastic<F>(asBits(float(low)), 0xffffffff), code);
}

TEST(Numerics, NaNsByFormat) {
  EXPECT_EQ(encodeNearest<F16>(0x7fc00000), 0x7e00u);
  EXPECT_EQ(encodeNearest<F16>(0xff800001), 0xfe00u); // made quiet
  EXPECT_EQ(encodeNearest<BF16>(0x7f800001), 0x7fc0u);
  EXPECT_EQ(encodeNearest<BF16>(0xffc10000), 0xffc1u); // the payload stays
  EXPECT_EQ(encodeNearest<F8E4M3FN>(0xffc00000), 0xffu);
  EXPECT_EQ(encodeNearest<F8E4M3FN>(0x7f800000), 0x7fu); // no infinity
  EXPECT_EQ(encodeNearest<F8E5M2>(0x7f800000), 0x7cu);
  EXPECT_EQ(encodeNearest<F8E4M3FNUZ>(0x7fc00000), 0x80u);
  EXPECT_EQ(encodeNearest<F8E4M3FNUZ>(0xff800000), 0x80u);
  // FP4 has neither: everything large, and a NaN, is the largest value.
  EXPECT_EQ(encodeNearest<F4E2M1FN>(0x7fc00000), 0x7u);
  EXPECT_EQ(encodeNearest<F4E2M1FN>(0xffc00000), 0xfu);
  EXPECT_EQ(encodeNearest<F4E2M1FN>(0xff800000), 0xfu);
}

TEST(Numerics, Overflow) {
  // 464 is the tie between 448 and what would be 480.
  EXPECT_EQ(encodeNearest<F8E4M3FN>(asBits(464.0f)), 0x7eu);
  EXPECT_EQ(encodeNearest<F8E4M3FN>(asBits(465.0f)), 0x7fu);
  EXPECT_EQ(encodeNearest<F8E4M3FN>(asBits(465.0f), true), 0x7eu);
  EXPECT_EQ(encodeNearest<F8E4M3FN>(0x7f800000, true), 0x7fu);
  EXPECT_EQ(encodeNearest<F8E4M3FNUZ>(asBits(240.0f)), 0x7fu);
  EXPECT_EQ(encodeNearest<F8E4M3FNUZ>(asBits(-1000.0f)), 0x80u);
  EXPECT_EQ(encodeNearest<F8E4M3FNUZ>(asBits(-1000.0f), true), 0xffu);
  EXPECT_EQ(encodeNearest<F16>(asBits(65520.0f)), 0x7c00u);
  EXPECT_EQ(encodeNearest<F16>(asBits(65520.0f), true), 0x7bffu);
}

TEST(Numerics, Fp4TiesGoToEven) {
  // The table of the kernels' specification.
  const std::pair<float, uint32_t> ties[] = {
      {0.25f, 0}, {0.75f, 2}, {1.25f, 2}, {1.75f, 4}, {2.5f, 4},
      {3.5f, 6},  {5.0f, 6},  {-0.0f, 8}, {-0.1f, 8}};
  for (auto [value, code] : ties)
    EXPECT_EQ(encodeNearest<F4E2M1FN>(asBits(value)), code) << value;
}

TEST(Numerics, Scales) {
  for (uint32_t e = 0; e < 256; ++e) {
    uint32_t scale = e << 23 | 0x123456; // the mantissa is not read
    EXPECT_EQ(asFloat(inverseScale(scale)), std::ldexp(1.0f, 127 - int(e)));
    if (e < 255)
      EXPECT_EQ(asFloat(forwardScale(scale)), std::ldexp(1.0f, int(e) - 127));
  }
  EXPECT_TRUE(std::isnan(asFloat(forwardScale(0x7f800000))));
  // A quotient beyond f32 is still finite: it saturates like one.
  EXPECT_EQ(encodeNearest<F8E4M3FN>(divideByScale(asBits(3e38f), 0), true),
            0x7eu);
  EXPECT_EQ(encodeNearest<F8E4M3FN>(divideByScale(0x7f800000, 0), true), 0x7fu);
}

TEST(Numerics, IntegerConversionsSaturate) {
  EXPECT_EQ(toInt32(2147483648.0f), INT32_MAX);
  EXPECT_EQ(toInt32(-2147483648.0f), INT32_MIN);
  EXPECT_EQ(toInt32(-1e30f), INT32_MIN);
  EXPECT_EQ(toInt32(-1.9f), -1);
  EXPECT_EQ(toInt32(std::nanf("")), 0);
  EXPECT_EQ(toUInt32(-1.0f), 0u);
  EXPECT_EQ(toUInt32(4294967040.0f), 4294967040u);
  EXPECT_EQ(toUInt32(4294967296.0f), UINT32_MAX);
  EXPECT_EQ(toUInt32(std::nanf("")), 0u);
  EXPECT_EQ(toInt32(2147483647.5), INT32_MAX);
  EXPECT_EQ(toInt32(-2147483648.9), INT32_MIN);
  EXPECT_EQ(toUInt32(4294967295.5), UINT32_MAX);
  EXPECT_EQ(toUInt32(-0.5), 0u);
}

TEST(Numerics, MinMaxOfNaNsAndZeros) {
  const uint32_t signalling = 0x7f800001, quiet = 0x7fc00000, one = 0x3f800000;
  EXPECT_EQ(minMax32<false>(quiet, one, true), one);
  EXPECT_EQ(minMax32<true>(one, quiet, true), one);
  EXPECT_EQ(minMax32<true>(one, signalling, true), 0x7fc00001u);
  EXPECT_EQ(minMax32<true>(one, signalling, false), one);
  EXPECT_EQ(minMax32<false>(0, 0x80000000, true), 0x80000000u);
  EXPECT_EQ(minMax32<true>(0x80000000, 0, true), 0u);
  EXPECT_EQ(med3F32(asBits(3.0f), asBits(1.0f), asBits(2.0f), true),
            asBits(2.0f));
  EXPECT_EQ(med3F32(quiet, asBits(240.0f), asBits(-240.0f), true),
            asBits(-240.0f));
}

TEST(Numerics, TranscendentalSpecialCases) {
  // From the manual's functional examples.
  EXPECT_EQ(rcpF32(0xff800000), 0x80000000u);
  EXPECT_EQ(rcpF32(0xc0000000), 0xbf000000u);
  EXPECT_EQ(rcpF32(0x80000000), 0xff800000u);
  EXPECT_EQ(rcpF32(0x00000001), 0x7f800000u); // a denormal counts as zero
  EXPECT_EQ(rcpF32(0x7f7fffff), 0u);          // so does a denormal result
  EXPECT_EQ(rsqF32(0x80000000), 0xff800000u);
  EXPECT_EQ(rsqF32(0x40800000), 0x3f000000u);
  EXPECT_EQ(rsqF32(0xff800000), 0xffc00000u);
  EXPECT_EQ(rsqF32(0x007fffff), 0x7f800000u);
  EXPECT_EQ(sqrtF32(0x80000000), 0x80000000u);
  EXPECT_EQ(sqrtF32(0x40800000), 0x40000000u);
  EXPECT_EQ(exp2F32(0xff800000), 0u);
  EXPECT_EQ(exp2F32(0x80000000), 0x3f800000u);
  EXPECT_EQ(exp2F32(asBits(-127.0f)), 0u); // denormal results are flushed
  EXPECT_EQ(log2F32(0xbf800000), 0xffc00000u);
  EXPECT_EQ(log2F32(0x00000001), 0xff800000u);
  EXPECT_EQ(log2F32(0x3f800000), 0u);
  EXPECT_EQ(sinF32(0xff7fffff), 0u);
  EXPECT_EQ(sinF32(0x80000000), 0x80000000u);
  EXPECT_EQ(sinF32(0x3e800000), 0x3f800000u);
  EXPECT_EQ(sinF32(0x7f800000), 0xffc00000u);
  EXPECT_EQ(cosF32(0x3e800000), 0u);
  EXPECT_EQ(cosF32(0xff7fffff), 0x3f800000u);
}

TEST(Numerics, HalfFmaRoundsOnce) {
  // Against long double, in which the sum of any such product is exact.
  for (unsigned k = 0; k < 200000; ++k) {
    uint32_t r = sample(2 * k + 100), s = sample(2 * k + 101);
    uint16_t a = uint16_t(r), b = uint16_t(r >> 16), c = uint16_t(s);
    float x = asFloat(decode<F16>(a)), y = asFloat(decode<F16>(b)),
          z = asFloat(decode<F16>(c));
    if (!std::isfinite(x) || !std::isfinite(y) || !std::isfinite(z))
      continue;
    long double exact = (long double)x * y + z;
    uint32_t code = encodeNearest<F16>(asBits(addOdd(x * y, z)));
    if ((code & 0x7fff) >= 0x7c00)
      continue;
    // No neighbour is nearer.
    auto distance = [&](uint32_t other) {
      return std::fabs((long double)asFloat(decode<F16>(other)) - exact);
    };
    ASSERT_LE(distance(code), distance(code + 1)) << a << " " << b << " " << c;
    if (code & 0x7fff)
      ASSERT_LE(distance(code), distance(code - 1))
          << a << " " << b << " " << c;
  }
}

TEST(Numerics, FrexpAndLdexp) {
  for (unsigned k = 0; k < 20000; ++k) {
    uint32_t bits = sample(k);
    float value = asFloat(bits);
    if (!std::isfinite(value))
      continue;
    int exponent;
    float mantissa = std::frexp(value, &exponent);
    ASSERT_EQ(frexpMantF32(bits), asBits(mantissa));
    ASSERT_EQ(frexpExpF32(bits), value == 0.0f ? 0 : exponent);
    int by = int(sample(k + 7) % 600) - 300;
    ASSERT_EQ(asBits(ldexpF32(value, by)), asBits(std::ldexp(value, by)));
  }
  EXPECT_EQ(frexpExpF32(0x7f800000), 0);
  EXPECT_EQ(ldexpF32(1.0f, INT32_MIN), 0.0f);
}

} // namespace
