// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// 16-bit instructions over many operands, f16 and integer.

#include "WaveTest.h"

#include <algorithm>
#include <cmath>

using namespace rowmill::emulator;
using namespace rowmill::emulator::test;

namespace {

using U = uint32_t;

double value(U code) { return asFloat(decode<F16>(code & 0xffff)); }
/// The f16 nearest to an exactly known double.
U nearest(double exact) { return encodeNearest<F16>(narrowToOdd(exact)); }

struct Case {
  const char *text;
  double (*expected)(double a, double b, double c, double old);
  bool keepsUpper;
};
const Case cases[] = {
    {"v_add_f16 v2, v0, v1",
     [](double a, double b, double, double) { return a + b; }, false},
    {"v_sub_f16 v2, v0, v1",
     [](double a, double b, double, double) { return a - b; }, false},
    {"v_subrev_f16 v2, v0, v1",
     [](double a, double b, double, double) { return b - a; }, false},
    {"v_mul_f16 v2, -v0, |v1|",
     [](double a, double b, double, double) { return -a * std::fabs(b); },
     false},
    {"v_fma_f16 v2, v0, v1, v3",
     [](double a, double b, double c, double) { return a * b + c; }, true},
    {"v_fma_legacy_f16 v2, v0, v1, v3",
     [](double a, double b, double c, double) { return a * b + c; }, false},
    {"v_trunc_f16 v2, v0",
     [](double a, double, double, double) { return std::trunc(a); }, false},
    {"v_floor_f16 v2, v0",
     [](double a, double, double, double) { return std::floor(a); }, false},
    {"v_ceil_f16 v2, v0",
     [](double a, double, double, double) { return std::ceil(a); }, false},
    {"v_rndne_f16 v2, v0",
     [](double a, double, double, double) { return std::nearbyint(a); }, false},
    {"v_rcp_f16 v2, v0", [](double a, double, double, double) { return 1 / a; },
     false},
    {"v_sqrt_f16 v2, v0",
     [](double a, double, double, double) { return std::sqrt(a); }, false},
    {"v_rsq_f16 v2, v0",
     [](double a, double, double, double) { return 1 / std::sqrt(a); }, false},
    {"v_exp_f16 v2, v0",
     [](double a, double, double, double) { return std::exp2(a); }, false},
    {"v_log_f16 v2, v0",
     [](double a, double, double, double) { return std::log2(a); }, false},
    {"v_max3_f16 v2, v0, v1, v3",
     [](double a, double b, double c, double) {
       return std::fmax(std::fmax(a, b), c);
     },
     true},
    {"v_min3_f16 v2, v0, v1, v3",
     [](double a, double b, double c, double) {
       return std::fmin(std::fmin(a, b), c);
     },
     true},
    {"v_frexp_mant_f16 v2, v0",
     [](double a, double, double, double) {
       int e;
       return std::frexp(a, &e);
     },
     false},
};

class HalfTest : public WaveTest {};

TEST_F(HalfTest, AgreesWithDoubles) {
  for (const Case &test : cases)
    for (unsigned round = 0; round < 60; ++round) {
      for (unsigned l = 0; l < kLanes; ++l) {
        wave->vgpr[0][l] = sample(round * 64 + l);
        wave->vgpr[1][l] = sample(round * 131 + 5 * l) >> 8;
        wave->vgpr[3][l] = sample(round * 17 + 63 - l) >> 3;
        wave->vgpr[2][l] = 0xabcd0000;
      }
      run(test.text);
      for (unsigned l = 0; l < kLanes; ++l) {
        double a = value(wave->vgpr[0][l]), b = value(wave->vgpr[1][l]),
               c = value(wave->vgpr[3][l]);
        if (std::isnan(a) || std::isnan(b) || std::isnan(c))
          continue;
        U got = wave->vgpr[2][l];
        double want = test.expected(a, b, c, 0);
        EXPECT_EQ(got >> 16, test.keepsUpper ? 0xabcdu : 0u) << test.text;
        if (std::isnan(want))
          ASSERT_TRUE(std::isnan(value(got))) << test.text;
        else if (want == 0) // zeros compare by value: their sign is below
          ASSERT_EQ(value(got), 0) << test.text;
        else
          ASSERT_EQ(got & 0xffff, nearest(want))
              << test.text << " " << a << " " << b << " " << c;
      }
    }
}

TEST_F(HalfTest, FractionsAndExponents) {
  EXPECT_EQ(eval("v_fract_f16 v2, v0", 0xbd00), 0x3a00u); // -1.25
  EXPECT_EQ(eval("v_fract_f16 v2, v0", 0x8001), 0x3bffu); // stays below one
  EXPECT_EQ(eval("v_frexp_exp_i16_f16 v2, v0", 0x0001), U(-23) & 0xffff);
  EXPECT_EQ(eval("v_frexp_exp_i16_f16 v2, v0", 0x7c00), 0u);
}

TEST_F(HalfTest, UnfusedMultiplyAdd) {
  const U tiny = 0x3c01; // its square rounds to 1 + 2^-9
  for (const char *text :
       {"v_mad_legacy_f16 v2, v0, v1, v3", "v_madak_f16 v2, v0, v1, 0xbc02",
        "v_madmk_f16 v2, v0, 0x3c01, v3"})
    EXPECT_EQ(eval(text, tiny, tiny, 0xbc02), 0u) << text;
  setVgpr(2, 0xbc02);
  EXPECT_EQ(eval("v_mac_f16 v2, v0, v1", tiny, tiny), 0u);
}

TEST_F(HalfTest, DivisionFixup) {
  setVgpr(2, 0);
  // Quotient, denominator, numerator.
  EXPECT_EQ(eval("v_div_fixup_f16 v2, v0, v1, v3", 0x3c00, 0xc000, 0x4000),
            0xbc00u);
  EXPECT_EQ(eval("v_div_fixup_f16 v2, v0, v1, v3", 0x3c00, 0x0000, 0xc000),
            0xfc00u);
  EXPECT_EQ(eval("v_div_fixup_f16 v2, v0, v1, v3", 0x3c00, 0x0000, 0x8000),
            0xfe00u);
  EXPECT_EQ(eval("v_div_fixup_f16 v2, v0, v1, v3", 0x3c00, 0x7c00, 0xc000),
            0x8000u);
  EXPECT_EQ(
      eval("v_div_fixup_legacy_f16 v2, v0, v1, v3", 0x3c00, 0x4000, 0x7d00),
      0x7f00u);
}

TEST_F(HalfTest, IntegersOfThree) {
  for (unsigned k = 0; k < 500; ++k) {
    U a = sample(k), b = sample(3 * k + 1), c = sample(7 * k + 2);
    auto u = [](U v) { return int(v & 0xffff); };
    auto s = [](U v) { return int(int16_t(v)); };
    auto med = [](int x, int y, int z) {
      return x + y + z - std::min({x, y, z}) - std::max({x, y, z});
    };
    const std::pair<const char *, int> tests[] = {
        {"v_min3_u16", std::min({u(a), u(b), u(c)})},
        {"v_max3_u16", std::max({u(a), u(b), u(c)})},
        {"v_med3_u16", med(u(a), u(b), u(c))},
        {"v_min3_i16", std::min({s(a), s(b), s(c)})},
        {"v_max3_i16", std::max({s(a), s(b), s(c)})},
        {"v_med3_i16", med(s(a), s(b), s(c))},
        {"v_mad_legacy_u16", int(a * b + c)},
        {"v_mad_legacy_i16", int(a * b + c)},
    };
    for (auto [name, want] : tests)
      ASSERT_EQ(eval(std::string(name) + " v2, v0, v1, v3", a, b, c) & 0xffff,
                U(want) & 0xffff)
          << name;
    const std::pair<const char *, int> twos[] = {
        {"v_max_u16", std::max(u(a), u(b))},
        {"v_min_i16", std::min(s(a), s(b))},
        {"v_subrev_u16", u(b) - u(a)},
        {"v_sub_i16", s(a) - s(b)},
        {"v_pk_add_i16", s(a) + s(b)},
        {"v_pk_sub_u16", u(a) - u(b)},
        {"v_pk_max_u16", std::max(u(a), u(b))},
        {"v_pk_min_i16", std::min(s(a), s(b))},
        {"v_pk_lshrrev_b16", u(b) >> (a & 15)},
    };
    for (auto [name, want] : twos)
      ASSERT_EQ(eval(std::string(name) + " v2, v0, v1", a, b) & 0xffff,
                U(want) & 0xffff)
          << name;
    ASSERT_EQ(eval("v_pk_mad_i16 v2, v0, v1, v3", a, b, c) >> 16,
              ((a >> 16) * (b >> 16) + (c >> 16)) & 0xffff);
  }
}

TEST_F(HalfTest, DotsOfSmallIntegers) {
  const U a = 0x8f017fe3, b = 0x7102f81d;
  U dot16 = 0, dot4 = 0;
  for (int k = 0; k < 32; k += 16)
    dot16 += (a >> k & 0xffff) * (b >> k & 0xffff);
  for (int k = 0; k < 32; k += 4)
    dot4 += (a >> k & 15) * (b >> k & 15);
  EXPECT_EQ(eval("v_dot2_u32_u16 v2, v0, v1, v3", a, b, 9), dot16 + 9);
  EXPECT_EQ(eval("v_dot8_u32_u4 v2, v0, v1, v3", a, b, 9), dot4 + 9);
  EXPECT_EQ(eval("v_dot8_u32_u4 v2, v0, v1, v3 clamp", a, b, 0xffffffff),
            0xffffffffu);
  setVgpr(2, 1);
  EXPECT_EQ(eval("v_dot2c_i32_i16 v2, v0, v1", 0x0002ffff, 0x00030004), 3u);
  setVgpr(2, 1);
  EXPECT_EQ(eval("v_dot8c_i32_i4 v2, v0, v1", 0x0000000f, 0x00000007), U(-6));
  setVgpr(2, asBits(1.0f));
  EXPECT_EQ(eval("v_dot2c_f32_bf16 v2, v0, v1", 0x40003f80, 0x40804040),
            asBits(12.0f));
}

} // namespace
