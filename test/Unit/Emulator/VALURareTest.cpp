// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Vector instructions that compilers seldom emit.

#include "WaveTest.h"

#include <cmath>

using namespace rowmill::emulator;
using namespace rowmill::emulator::test;

namespace {

using U = uint32_t;

class RareTest : public WaveTest {
protected:
  U code6(unsigned reg, unsigned k) const {
    unsigned bit = 6 * k;
    uint64_t pair = wave->vgpr[reg + bit / 32][0] |
                    uint64_t(wave->vgpr[reg + bit / 32 + 1][0]) << 32;
    return U(pair >> (bit % 32)) & 63;
  }
};

TEST_F(RareTest, SixBitFloatsOfRegisters) {
  for (unsigned k = 0; k < 16; ++k) {
    setVgpr(k, asBits(0.125f * k));      // even elements
    setVgpr(16 + k, asBits(-0.25f * k)); // odd elements
  }
  run("v_cvt_scalef32_2xpk16_fp6_f32 v[40:45], v[0:15], v[16:31], 1.0\n"
      "v_cvt_scalef32_pk32_f32_fp6 v[64:95], v[40:45], 4.0\n"
      "v_cvt_scalef32_pk32_f16_fp6 v[96:111], v[40:45], 1.0\n"
      "v_cvt_scalef32_pk32_fp6_f16 v[112:117], v[96:111], 1.0\n"
      "v_cvt_scalef32_pk32_bf16_bf6 v[120:135], v[40:45], 1.0\n"
      "v_cvt_scalef32_pk32_bf6_bf16 v[136:141], v[120:135], 1.0\n");
  for (unsigned k = 0; k < 32; ++k) {
    float value = k % 2 ? -0.25f * (k / 2) : 0.125f * (k / 2);
    U code = encodeNearest<F6E2M3FN>(asBits(value));
    EXPECT_EQ(code6(40, k), code) << k;
    EXPECT_EQ(asFloat(vgpr(64 + k)[0]), 4 * value) << k;
    EXPECT_EQ(code6(112, k), code);
    EXPECT_EQ(code6(136, k), code); // the same bits, read as bf6
  }
}

TEST_F(RareTest, SixBitStochastic) {
  for (unsigned k = 0; k < 32; ++k)
    setVgpr(k, asBits(1.0625f)); // half way between two codes
  setVgpr(60, 0x80000000);
  run("v_cvt_scalef32_sr_pk32_fp6_f32 v[40:45], v[0:31], v60, 1.0");
  U seed = 0x80000000;
  for (unsigned k = 0; k < 32; ++k) {
    EXPECT_EQ(code6(40, k), 8 + (seed >> 31)) << k;
    seed = (seed << 1) ^ (seed >> 31 ? 197 : 0);
  }
}

TEST_F(RareTest, SumsOfAbsoluteDifferences) {
  const U a = 0x01ff8040, b = 0x02008041;
  EXPECT_EQ(eval("v_sad_u8 v2, v0, v1, v3", a, b, 1000),
            1000u + 1 + 255 + 0 + 1);
  EXPECT_EQ(eval("v_sad_hi_u8 v2, v0, v1, v3", a, b, 7), (257u << 16) + 7);
  EXPECT_EQ(eval("v_msad_u8 v2, v0, v1, v3", a, b, 0),
            2u); // b's zero byte is out
  EXPECT_EQ(eval("v_sad_u16 v2, v0, v1, v3", a, b, 5), 7u);
  EXPECT_EQ(
      eval("v_lerp_u8 v2, v0, v1, v3", 0x00010203, 0x01020304, 0x01000100),
      0x01010303u);
  setVgpr64(4, 0x8877665544332211);
  setVgpr(6, 0x11111111);
  setVgpr64(8, 0x0004000300020001);
  run("v_qsad_pk_u16_u8 v[10:11], v[4:5], v6, v[8:9]");
  EXPECT_EQ(vgpr64(10, 0) & 0xffff, 0x11u + 0x22 + 0x33 + 1);
  EXPECT_EQ(vgpr64(10, 0) >> 48, 0x33u + 0x44 + 0x55 + 0x66 + 4);
  for (unsigned n = 0; n < 4; ++n)
    setVgpr(12 + n, 100 * n);
  run("v_mqsad_u32_u8 v[16:19], v[4:5], v6, v[12:15]");
  EXPECT_EQ(vgpr(16)[5], 0x66u);
  EXPECT_EQ(vgpr(19)[5], 0x33u + 0x44 + 0x55 + 0x66 + 300);
}

TEST_F(RareTest, TrigPreopGivesSegmentsOfTwoOverPi) {
  setVgpr64(0, asBits(1.0));
  run("v_trig_preop_f64 v[2:3], v[0:1], 0\n"
      "v_trig_preop_f64 v[4:5], v[0:1], 1\n");
  double high = asDouble(vgpr64(2, 0)), low = asDouble(vgpr64(4, 0));
  EXPECT_EQ(high, 0x1.45f306dc9c882p-1); // 53 bits, truncated
  EXPECT_EQ(high + low, 2 / M_PI);
  EXPECT_GT(low, 0);
  EXPECT_LT(low, 0x1p-53);
}

TEST_F(RareTest, Cube) {
  auto cube = [&](const std::string &op, float x, float y, float z) {
    return asFloat(eval("v_cube" + op + "_f32 v2, v0, v1, v3", asBits(x),
                        asBits(y), asBits(z)));
  };
  EXPECT_EQ(cube("id", 1, 2, -3), 5);
  EXPECT_EQ(cube("id", -4, 2, 3), 1);
  EXPECT_EQ(cube("id", 1, 2, 1.5f), 2);
  EXPECT_EQ(cube("sc", 1, 2, -3), -1);
  EXPECT_EQ(cube("tc", 1, -2, 0), -0.0f);
  EXPECT_EQ(cube("ma", -4, 2, 3), -8);
}

TEST_F(RareTest, UnfusedHalf) {
  // The product rounds first: 1.001 * 1.001 loses its last bit.
  U mad = eval("v_mad_f16 v2, v0, v1, v3", 0x3c01, 0x3c01, 0xbc02) & 0xffff;
  U fma = eval("v_fma_f16 v2, v0, v1, v3", 0x3c01, 0x3c01, 0xbc02) & 0xffff;
  EXPECT_EQ(mad, 0u);
  EXPECT_EQ(fma, 0x0010u); // 2^-20
  setVgpr(2, 0x3c003c00);
  EXPECT_EQ(eval("v_pk_fmac_f16 v2, v0, v1", 0x40004000, 0x42003c00),
            0x47004200u);
}

} // namespace
