// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Float arithmetic of the vector ALU: values, modifiers, MODE, division.

#include "WaveTest.h"

#include <cmath>

using namespace rowmill::emulator;
using namespace rowmill::emulator::test;

namespace {

using U = uint32_t;

struct Case {
  const char *text;
  float (*expected)(float a, float b, float c, float old);
};

const Case cases[] = {
    {"v_add_f32 v2, v0, v1",
     [](float a, float b, float, float) { return a + b; }},
    {"v_sub_f32 v2, v0, v1",
     [](float a, float b, float, float) { return a - b; }},
    {"v_subrev_f32 v2, v0, v1",
     [](float a, float b, float, float) { return b - a; }},
    {"v_mul_f32 v2, v0, v1",
     [](float a, float b, float, float) { return a * b; }},
    {"v_mul_f32 v2, 4.0, v1",
     [](float, float b, float, float) { return 4 * b; }},
    {"v_mul_f32 v2, 0x3e22f983, v1",
     [](float, float b, float, float) { return asFloat(0x3e22f983) * b; }},
    {"v_add_f32 v2, -v0, |v1|",
     [](float a, float b, float, float) { return -a + std::fabs(b); }},
    {"v_add_f32 v2, -|v0|, v1",
     [](float a, float b, float, float) { return b - std::fabs(a); }},
    {"v_fma_f32 v2, v0, v1, v3",
     [](float a, float b, float c, float) { return std::fma(a, b, c); }},
    {"v_fma_f32 v2, -v0, v1, -v3",
     [](float a, float b, float c, float) { return std::fma(-a, b, -c); }},
    {"v_fmac_f32 v2, v0, v1",
     [](float a, float b, float, float old) { return std::fma(a, b, old); }},
    {"v_fmac_f32 v2, v0, -v1",
     [](float a, float b, float, float old) { return std::fma(a, -b, old); }},
    {"v_fmaak_f32 v2, v0, v1, 0x40490fdb",
     [](float a, float b, float, float) {
       return std::fma(a, b, asFloat(0x40490fdb));
     }},
    {"v_fmamk_f32 v2, v0, 0x40490fdb, v1",
     [](float a, float b, float, float) {
       return std::fma(a, asFloat(0x40490fdb), b);
     }},
    {"v_mul_legacy_f32 v2, v0, v1",
     [](float a, float b, float, float) {
       return a == 0 || b == 0 ? 0.0f : a * b;
     }},
    {"v_trunc_f32 v2, v0",
     [](float a, float, float, float) { return std::trunc(a); }},
    {"v_ceil_f32 v2, v0",
     [](float a, float, float, float) { return std::ceil(a); }},
    {"v_floor_f32 v2, v0",
     [](float a, float, float, float) { return std::floor(a); }},
    {"v_rndne_f32 v2, v0",
     [](float a, float, float, float) { return std::nearbyint(a); }},
    {"v_cvt_f32_i32 v2, v0",
     [](float a, float, float, float) { return float(int32_t(asBits(a))); }},
    {"v_cvt_f32_u32 v2, v0",
     [](float a, float, float, float) { return float(asBits(a)); }},
    {"v_cvt_f32_ubyte2 v2, v0",
     [](float a, float, float, float) { return float(asBits(a) >> 16 & 255); }},
    {"v_ldexp_f32 v2, v0, v1",
     [](float a, float b, float, float) {
       int32_t e = int32_t(asBits(b));
       return std::ldexp(a, std::max(-9999, std::min(9999, e)));
     }},
};

class FloatTest : public WaveTest {
protected:
  void setFloat(unsigned reg, float v) { setVgpr(reg, asBits(v)); }
  float evalF(const std::string &text, float a, float b = 0, float c = 0) {
    return asFloat(eval(text, asBits(a), asBits(b), asBits(c)));
  }
};

TEST_F(FloatTest, AgreesWithTheHost) {
  for (const Case &test : cases)
    for (unsigned round = 0; round < 32; ++round) {
      uint64_t exec = round % 2 ? 0xf00ff00f12345678 : ~uint64_t(0);
      setExec(exec);
      Lanes a, b, c, old;
      for (unsigned l = 0; l < kLanes; ++l) {
        a[l] = sample(round * 64 + l);
        b[l] = sample(round * 131 + l * 7 % 64);
        c[l] = sample(round * 17 + 63 - l);
        old[l] = sample(l + round);
      }
      setVgpr(0, a);
      setVgpr(1, b);
      setVgpr(3, c);
      setVgpr(2, old);
      run(test.text);
      for (unsigned l = 0; l < kLanes; ++l) {
        float want = exec >> l & 1
                         ? test.expected(asFloat(a[l]), asFloat(b[l]),
                                         asFloat(c[l]), asFloat(old[l]))
                         : asFloat(old[l]);
        U got = vgpr(2)[l];
        // Which NaN comes out is not defined between two.
        if (std::isnan(want))
          ASSERT_TRUE(isNaN32(got)) << test.text;
        else
          ASSERT_EQ(got, asBits(want))
              << test.text << std::hex << " of " << a[l] << ", " << b[l];
      }
    }
}

TEST_F(FloatTest, MinMaxMed) {
  EXPECT_EQ(evalF("v_min_f32 v2, v0, v1", 2, -3), -3);
  EXPECT_EQ(evalF("v_max3_f32 v2, v0, v1, v3", 2, -3, 9), 9);
  EXPECT_EQ(evalF("v_min3_f32 v2, v0, v1, v3", 2, -3, 9), -3);
  EXPECT_EQ(evalF("v_med3_f32 v2, v0, v1, v3", 300, 240, -240), 240);
  EXPECT_EQ(eval("v_max_f32 v2, v0, v1", 0x7f800001, asBits(1.0f)),
            0x7fc00001u);
  Mode mode;
  mode.ieee = false;
  setMode(mode);
  EXPECT_EQ(eval("v_max_f32 v2, v0, v1", 0x7f800001, asBits(1.0f)),
            asBits(1.0f));
  EXPECT_EQ(eval("v_maximum3_f32 v2, v0, v1, v3", asBits(1.0f), 0x7fc00000,
                 asBits(2.0f)),
            0x7fc00000u);
}

TEST_F(FloatTest, FractStaysBelowOne) {
  EXPECT_EQ(evalF("v_fract_f32 v2, v0", -1.25f), 0.75f);
  EXPECT_EQ(eval("v_fract_f32 v2, v0", asBits(-1e-30f)), 0x3f7fffffu);
}

TEST_F(FloatTest, ClampAndOutputModifiers) {
  EXPECT_EQ(evalF("v_add_f32 v2, v0, v1 clamp", 0.75f, 0.75f), 1.0f);
  EXPECT_EQ(eval("v_add_f32 v2, v0, v1 clamp", asBits(-2.0f), 0), 0u);
  EXPECT_EQ(eval("v_add_f32 v2, v0, v1 clamp", 0x7fc00000, 0), 0u);
  // In IEEE mode the modifier is ignored; otherwise it acts on flushed results.
  EXPECT_EQ(evalF("v_mul_f32 v2, v0, v1 mul:4", 1.5f, 1.0f), 1.5f);
  Mode mode;
  mode.ieee = false;
  mode.denorm32 = 0;
  setMode(mode);
  EXPECT_EQ(evalF("v_mul_f32 v2, v0, v1 mul:4", 1.5f, 1.0f), 6.0f);
  EXPECT_EQ(evalF("v_mul_f32 v2, v0, v1 div:2", 1.5f, 1.0f), 0.75f);
  mode.dx10Clamp = false;
  setMode(mode);
  EXPECT_EQ(eval("v_add_f32 v2, v0, v1 clamp", 0x7fc00000, 0), 0x7fc00000u);
}

TEST_F(FloatTest, DenormalModes) {
  const U tiny = 0x00000400;
  EXPECT_EQ(eval("v_add_f32 v2, v0, v1", tiny, tiny), 2 * tiny);
  Mode mode;
  mode.denorm32 = 1; // inputs kept, outputs flushed
  setMode(mode);
  EXPECT_EQ(eval("v_add_f32 v2, v0, v1", tiny, 0x80000000 | tiny * 3),
            0x80000000u);
  EXPECT_EQ(eval("v_mul_f32 v2, v0, v1", tiny, asBits(0x1p120f)),
            asBits(asFloat(tiny) * 0x1p120f));
  mode.denorm32 = 2; // inputs flushed, outputs kept
  setMode(mode);
  EXPECT_EQ(eval("v_mul_f32 v2, v0, v1", tiny, asBits(0x1p120f)), 0u);
  EXPECT_EQ(eval("v_mul_f32 v2, v0, v1", 0x00800000, asBits(0.5f)),
            0x00400000u);
  setVgpr(2, tiny);
  EXPECT_EQ(eval("v_fmac_f32 v2, v0, v1", 0, 0), 0u);
  // Moves and selects are no arithmetic.
  EXPECT_EQ(eval("v_mov_b32 v2, v0", tiny), tiny);
  wave->setSgpr64(sreg::VCC, 0);
  EXPECT_EQ(eval("v_cndmask_b32 v2, v0, v1, vcc", tiny), tiny);
  mode = Mode();
  mode.denorm16_64 = 0;
  setMode(mode);
  EXPECT_EQ(eval("v_add_f16 v2, v0, v1", 0x0001, 0x0001), 0u);
  EXPECT_EQ(eval("v_pk_add_f16 v2, v0, v1", 0x3c000001, 0x3c000001),
            0x40000000u);
  EXPECT_EQ(eval("v_cvt_f32_f16 v2, v0", 0x8001), 0x80000000u);
  EXPECT_EQ(eval("v_cvt_f16_f32 v2, v0", asBits(0x1p-20f)), 0u);
}

TEST_F(FloatTest, RoundModes) {
  const U one = asBits(1.0f), ulp = asBits(0x1p-24f);
  for (unsigned round = 0; round < 4; ++round) {
    Mode mode;
    mode.round32 = round;
    mode.round16_64 = round;
    setMode(mode);
    U up = one + 1;
    EXPECT_EQ(eval("v_add_f32 v2, v0, v1", one, ulp + 1),
              round == 0 || round == 1 ? up : one)
        << round;
    EXPECT_EQ(eval("v_add_f32 v2, -v0, -v1", one, ulp),
              0x80000000 | (round == 2 ? up : one))
        << round;
    EXPECT_EQ(eval("v_cvt_f16_f32 v2, v0", asBits(1.0f + 0x1p-12f)),
              round == 1 ? 0x3c01u : 0x3c00u)
        << round;
    EXPECT_EQ(eval("v_add_f16 v2, v0, v1", 0x3c00, 0x0001),
              round == 1 ? 0x3c01u : 0x3c00u)
        << round;
    EXPECT_EQ(eval("v_pk_mul_f16 v2, v0, v1", 0xbc01bc01, 0x3c013c01),
              round == 0 || round == 1 || round == 3 ? 0xbc02bc02u
                                                     : 0xbc03bc03u)
        << round;
    // Conversions to integers and to fp8 round in their own way.
    EXPECT_EQ(int32_t(eval("v_cvt_i32_f32 v2, v0", asBits(-1.75f))), -1);
    setVgpr(2, 0);
    EXPECT_EQ(
        eval("v_cvt_pk_fp8_f32 v2, v0, v1", asBits(1.0625f), asBits(1.07f)),
        0x3938u);
  }
  // The host's own mode is back.
  EXPECT_EQ(1.0f + 0x1.8p-24f, 1.0f + 0x1p-23f);
}

TEST_F(FloatTest, Half) {
  EXPECT_EQ(eval("v_add_f16 v2, v0, v1", 0xffff3c00, 0xffff4000), 0x4200u);
  EXPECT_EQ(eval("v_mul_f16 v2, v0, v1", 0x7bff, 0x4000), 0x7c00u);
  EXPECT_EQ(eval("v_sub_f16 v2, v0, |v1|", 0x3c00, 0xc000), 0xbc00u);
  EXPECT_EQ(eval("v_add_f16 v2, 1.0, v1", 0, 0x3c00), 0x4000u);
  setVgpr(2, 0x55550000);
  EXPECT_EQ(eval("v_fma_f16 v2, v0, v1, v3", 0x3c00, 0x4000, 0x3c00),
            0x55554200u);
  EXPECT_EQ(eval("v_fma_f16 v2, v0, v1, v3 op_sel:[1,0,1,1]", 0x3c000000,
                 0x4000, 0x3c000000),
            0x42004200u);
  EXPECT_EQ(eval("v_max_f16 v2, v0, v1", 0x8000, 0x0000), 0x0000u);
  EXPECT_EQ(eval("v_min_f16 v2, v0, v1", 0x7c01, 0x3c00), 0x7e01u);
  setVgpr(2, 0);
  EXPECT_EQ(eval("v_med3_f16 v2, v0, v1, v3", 0x3c00, 0x4000, 0x4200), 0x4000u);
  EXPECT_EQ(eval("v_rcp_f16 v2, v0", 0xc000), 0xb800u);
  EXPECT_EQ(eval("v_rsq_f16 v2, v0", 0x4400), 0x3800u);
  EXPECT_EQ(eval("v_sqrt_f16 v2, v0", 0x8000), 0x8000u);
  EXPECT_EQ(eval("v_exp_f16 v2, v0", 0x8000), 0x3c00u);
  EXPECT_EQ(eval("v_log_f16 v2, v0", 0xbc00), 0xfe00u);
  EXPECT_EQ(eval("v_sin_f16 v2, v0", 0x3400), 0x3c00u);
  EXPECT_EQ(eval("v_cos_f16 v2, v0", 0x7bff), 0x3c00u);
  EXPECT_EQ(eval("v_ldexp_f16 v2, v0, v1", 0x3c00, 0xfff2), 0x0400u);
  EXPECT_EQ(eval("v_frexp_exp_i16_f16 v2, v0", 0x3c00), 1u);
  EXPECT_EQ(eval("v_rndne_f16 v2, v0", 0x4100), 0x4000u); // 2.5
  Mode mode;
  mode.fp16Overflow = true;
  setMode(mode);
  EXPECT_EQ(eval("v_mul_f16 v2, v0, v1", 0x7bff, 0x4000), 0x7bffu);
}

TEST_F(FloatTest, PackedHalf) {
  EXPECT_EQ(eval("v_pk_add_f16 v2, v0, v1", 0x3c004000, 0x40003c00),
            0x42004200u);
  EXPECT_EQ(eval("v_pk_mul_f16 v2, v0, v1 op_sel:[1,0] op_sel_hi:[0,1]",
                 0x40004200, 0x3c004400),
            0x42004800u);
  EXPECT_EQ(eval("v_pk_fma_f16 v2, v0, v1, v3 neg_lo:[1,0,0] neg_hi:[0,0,1]",
                 0x3c003c00, 0x40004000, 0x3c003c00),
            0x3c00bc00u);
  EXPECT_EQ(eval("v_pk_min_f16 v2, v0, v1", 0x3c00c000, 0x4000bc00),
            0x3c00c000u);
  EXPECT_EQ(eval("v_pk_max_f16 v2, v0, v1 clamp", 0x3800c000, 0x3400bc00),
            0x38000000u);
  EXPECT_EQ(eval("v_pk_maximum3_f16 v2, v0, v1, v3", 0x3c007e00, 0x40003c00,
                 0x38003c00),
            0x40007e00u);
}

TEST_F(FloatTest, PackedSingle) {
  setFloat(4, 1);
  setFloat(5, 2);
  setFloat(6, 10);
  setFloat(7, 20);
  setFloat(8, 100);
  setFloat(9, 200);
  wave->sgpr[4] = asBits(3.0f);
  wave->sgpr[5] = asBits(5.0f);
  auto pair = [&](const std::string &text) {
    run(text);
    return std::pair(asFloat(vgpr(0)[9]), asFloat(vgpr(1)[9]));
  };
  EXPECT_EQ(pair("v_pk_add_f32 v[0:1], v[4:5], v[6:7]"), std::pair(11.f, 22.f));
  EXPECT_EQ(
      pair("v_pk_mul_f32 v[0:1], v[4:5], v[6:7] op_sel:[1,0] op_sel_hi:[0,1]"),
      std::pair(20.f, 20.f));
  EXPECT_EQ(pair("v_pk_fma_f32 v[0:1], v[4:5], v[6:7], v[8:9] neg_lo:[1,0,0] "
                 "neg_hi:[0,0,1]"),
            std::pair(90.f, -160.f));
  EXPECT_EQ(pair("v_pk_mul_f32 v[0:1], v[4:5], s[4:5]"), std::pair(3.f, 10.f));
  EXPECT_EQ(pair("v_pk_mul_f32 v[0:1], v[4:5], s[4:5] op_sel_hi:[1,0]"),
            std::pair(3.f, 6.f));
  EXPECT_EQ(pair("v_pk_mul_f32 v[0:1], v[4:5], 2.0 op_sel_hi:[1,0]"),
            std::pair(2.f, 4.f));
  EXPECT_EQ(pair("v_pk_mov_b32 v[0:1], v[4:5], v[6:7] op_sel:[0,1]"),
            std::pair(1.f, 20.f));
  // The destination is a source, crosswise.
  setFloat(0, 7);
  setFloat(1, 9);
  EXPECT_EQ(
      pair("v_pk_add_f32 v[0:1], v[0:1], v[0:1] op_sel:[1,0] op_sel_hi:[0,0]"),
      std::pair(16.f, 14.f));
  EXPECT_EQ(pair("v_pk_mov_b32 v[4:5], v[4:5], v[4:5] op_sel:[1,0]\n"
                 "v_mov_b32 v0, v4\n v_mov_b32 v1, v5"),
            std::pair(2.f, 1.f));
  Mode mode;
  mode.denorm32 = 0;
  setMode(mode);
  setVgpr(4, 1);
  setVgpr(5, 0x80000001);
  run("v_pk_mul_f32 v[0:1], v[4:5], 1.0 op_sel_hi:[1,0]");
  EXPECT_EQ(vgpr(0)[0], 0u);
  EXPECT_EQ(vgpr(1)[0], 0x80000000u);
}

TEST_F(FloatTest, MixedAndDot) {
  EXPECT_EQ(evalF("v_fma_mix_f32 v2, v0, v1, v3", 2, 3, 4), 10);
  EXPECT_EQ(asFloat(eval("v_fma_mix_f32 v2, v0, -v1, v3 op_sel:[1,0,0] "
                         "op_sel_hi:[1,1,0]",
                         0x40003c00, 0x4200, asBits(1.0f))),
            -5.0f);
  setVgpr(2, 0xaaaabbbb);
  EXPECT_EQ(eval("v_fma_mixlo_f16 v2, v0, v1, |v3|", asBits(1.0f), asBits(2.0f),
                 asBits(-3.0f)),
            0xaaaa4500u);
  EXPECT_EQ(eval("v_fma_mixhi_f16 v2, v0, v1, v3", asBits(1.0f), asBits(2.0f),
                 asBits(-3.0f)),
            0xbc004500u);
  EXPECT_EQ(asFloat(eval("v_dot2_f32_f16 v2, v0, v1, v3", 0x40003c00,
                         0x44004200, asBits(100.0f))),
            111.0f);
  EXPECT_EQ(asFloat(eval("v_dot2_f32_bf16 v2, v0, v1, v3", 0x40003f80,
                         0x40804040, asBits(100.0f))),
            111.0f);
  setFloat(2, 1);
  EXPECT_EQ(asFloat(eval("v_dot2c_f32_f16 v2, v0, v1", 0x40003c00, 0x44004200)),
            12.0f);
}

TEST_F(FloatTest, Double) {
  auto result = [&](const std::string &text, double a, double b, double c = 0) {
    setVgpr64(0, asBits(a));
    setVgpr64(2, asBits(b));
    setVgpr64(4, asBits(c));
    run(text);
    return asDouble(vgpr64(6, 33));
  };
  EXPECT_EQ(result("v_add_f64 v[6:7], v[0:1], -v[2:3]", 1.5, 0x1p-52),
            1.5 - 0x1p-52);
  EXPECT_EQ(result("v_mul_f64 v[6:7], |v[0:1]|, v[2:3]", -3, 7), 21);
  EXPECT_EQ(result("v_fma_f64 v[6:7], v[0:1], v[2:3], v[4:5]", 3, 1.0 / 3, -1),
            std::fma(3, 1.0 / 3, -1));
  EXPECT_EQ(result("v_max_f64 v[6:7], v[0:1], v[2:3]", -0.0, 0.0), 0.0);
  EXPECT_EQ(result("v_min_f64 v[6:7], v[0:1], v[2:3]", NAN, 4), 4);
  EXPECT_EQ(result("v_add_f64 v[6:7], v[0:1], 0.5", 1, 0), 1.5);
  EXPECT_EQ(result("v_rndne_f64 v[6:7], v[0:1]", 2.5, 0), 2);
  EXPECT_EQ(result("v_fract_f64 v[6:7], v[0:1]", -1.25, 0), 0.75);
  EXPECT_EQ(result("v_cvt_f64_f32 v[6:7], v2", 0, asDouble(asBits(1.5f))), 1.5);
  EXPECT_EQ(result("v_cvt_f64_u32 v[6:7], v0", asDouble(0xffffffff), 0),
            4294967295.0);
  EXPECT_EQ(result("v_frexp_mant_f64 v[6:7], v[0:1]", -12, 0), -0.75);
  setVgpr(8, 5);
  EXPECT_EQ(result("v_ldexp_f64 v[6:7], v[0:1], v8", 3, 0), 96);
  setVgpr64(0, asBits(-1e10));
  run("v_cvt_i32_f64 v8, v[0:1]\n v_cvt_u32_f64 v9, v[0:1]\n"
      "v_cvt_f32_f64 v10, v[0:1]\n v_frexp_exp_i32_f64 v11, v[0:1]");
  EXPECT_EQ(vgpr(8)[0], 0x80000000u);
  EXPECT_EQ(vgpr(9)[0], 0u);
  EXPECT_EQ(asFloat(vgpr(10)[0]), -1e10f);
  EXPECT_EQ(vgpr(11)[0], 34u);
}

/// Division as LLVM expands it must come out correctly rounded, from the
/// extremes as well: that pins the rules of div_scale, div_fmas and div_fixup.
TEST_F(FloatTest, DivisionIsCorrectlyRounded) {
  const char *divide = "v_div_scale_f32 v4, s[0:1], v1, v1, v0\n"
                       "v_div_scale_f32 v5, vcc, v0, v1, v0\n"
                       "v_rcp_f32 v6, v4\n"
                       "v_fma_f32 v7, -v4, v6, 1.0\n"
                       "v_fmac_f32 v6, v7, v6\n"
                       "v_mul_f32 v7, v5, v6\n"
                       "v_fma_f32 v8, -v4, v7, v5\n"
                       "v_fmac_f32 v7, v8, v6\n"
                       "v_fma_f32 v4, -v4, v7, v5\n"
                       "v_div_fmas_f32 v4, v4, v6, v7\n"
                       "v_div_fixup_f32 v2, v4, v1, v0\n";
  for (unsigned round = 0; round < 400; ++round) {
    Lanes a, b;
    for (unsigned l = 0; l < kLanes; ++l) {
      a[l] = sample(round * 64 + l);
      b[l] = sample(round < 40 ? round : round * 97 + 5 * l);
      if (round % 4 == 3) { // quotients near the denormals and the overflow
        a[l] = (a[l] & 0x807fffff) | (l % 8) << 23;
        b[l] = (b[l] & 0x807fffff) | (l % 2 ? 0x7e000000 : 0x3f000000);
      }
    }
    setVgpr(0, a);
    setVgpr(1, b);
    run(divide);
    for (unsigned l = 0; l < kLanes; ++l) {
      float want = asFloat(a[l]) / asFloat(b[l]);
      U got = vgpr(2)[l];
      if (std::isnan(want))
        ASSERT_TRUE(isNaN32(got));
      else
        ASSERT_EQ(got, asBits(want)) << std::hex << a[l] << " / " << b[l];
    }
  }
}

TEST_F(FloatTest, DoubleDivisionIsCorrectlyRounded) {
  const char *divide =
      "v_div_scale_f64 v[4:5], s[0:1], v[2:3], v[2:3], v[0:1]\n"
      "v_rcp_f64 v[6:7], v[4:5]\n"
      "v_fma_f64 v[8:9], -v[4:5], v[6:7], 1.0\n"
      "v_fma_f64 v[6:7], v[6:7], v[8:9], v[6:7]\n"
      "v_fma_f64 v[8:9], -v[4:5], v[6:7], 1.0\n"
      "v_fma_f64 v[6:7], v[6:7], v[8:9], v[6:7]\n"
      "v_div_scale_f64 v[8:9], vcc, v[0:1], v[2:3], v[0:1]\n"
      "v_mul_f64 v[10:11], v[8:9], v[6:7]\n"
      "v_fma_f64 v[4:5], -v[4:5], v[10:11], v[8:9]\n"
      "v_div_fmas_f64 v[4:5], v[4:5], v[6:7], v[10:11]\n"
      "v_div_fixup_f64 v[12:13], v[4:5], v[2:3], v[0:1]\n";
  for (unsigned round = 0; round < 3000; ++round) {
    uint64_t a = uint64_t(sample(2 * round)) << 32 | sample(round + 9);
    uint64_t b = uint64_t(sample(3 * round + 1)) << 32 | sample(round + 77);
    if (round % 4 == 3) {
      a = (a & 0x800fffffffffffff) | uint64_t(round % 16) << 52;
      b = (b & 0x800fffffffffffff) |
          (round % 8 == 3 ? 0x7fd0000000000000 : 0x3ff0000000000000);
    }
    setVgpr64(0, a);
    setVgpr64(2, b);
    run(divide);
    double want = asDouble(a) / asDouble(b);
    uint64_t got = vgpr64(12, 5);
    if (std::isnan(want))
      ASSERT_TRUE(std::isnan(asDouble(got)));
    else
      ASSERT_EQ(got, asBits(want)) << std::hex << a << " / " << b;
  }
}

} // namespace
