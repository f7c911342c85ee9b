// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Conversions of the vector ALU: which bytes they read and write, which format
// an arch means, how scales act.

#include "WaveTest.h"

#include <cmath>

using namespace rowmill::emulator;
using namespace rowmill::emulator::test;

namespace {

using U = uint32_t;

class ConvertTest : public WaveTest {
protected:
  U evalF(const std::string &text, float a, float b = 0, float c = 0) {
    return eval(text, asBits(a), asBits(b), asBits(c));
  }
};

TEST_F(ConvertTest, Fp8MeansOcpOnGfx950AndFnuzOnGfx942) {
  for (auto [chip, one, minusZero, nan] :
       {std::tuple("gfx950", 0x38u, 0x80u, 0x7fu),
        std::tuple("gfx942", 0x40u, 0x00u, 0x80u)}) {
    arch = chip;
    setVgpr(2, 0xdead0000);
    EXPECT_EQ(evalF("v_cvt_pk_fp8_f32 v2, v0, v1", 1.0f, -0.0f),
              0xdead0000 | one | minusZero << 8)
        << chip;
    setVgpr(2, 0);
    EXPECT_EQ(evalF("v_cvt_pk_fp8_f32 v2, v0, v1 op_sel:[0,0,1]", 1.0f, NAN),
              (one | nan << 8) << 16)
        << chip;
    EXPECT_EQ(asFloat(eval("v_cvt_f32_fp8 v2, v0", one)), 1.0f) << chip;
    EXPECT_EQ(isNaN32(eval("v_cvt_f32_fp8 v2, v0", 0x80)), arch == "gfx942");
    setVgpr(0, 0x01000000 | one << 16); // the smallest denormal
    run("v_cvt_pk_f32_fp8_sdwa v[2:3], v0 src0_sel:WORD_1");
    EXPECT_EQ(asFloat(vgpr(2)[0]), 1.0f);
    EXPECT_EQ(asFloat(vgpr(3)[0]), arch == "gfx942" ? 0x1p-10f : 0x1p-9f);
  }
}

TEST_F(ConvertTest, Fp8OverflowFollowsMode) {
  setVgpr(2, 0);
  EXPECT_EQ(evalF("v_cvt_pk_fp8_f32 v2, v0, v1", 500.0f, INFINITY), 0x7f7fu);
  EXPECT_EQ(evalF("v_cvt_pk_bf8_f32 v2, v0, v1", 1e6f, -INFINITY), 0xfc7cu);
  Mode mode;
  mode.fp16Overflow = true;
  setMode(mode);
  EXPECT_EQ(evalF("v_cvt_pk_fp8_f32 v2, v0, v1", 500.0f, INFINITY), 0x7f7eu);
  EXPECT_EQ(evalF("v_cvt_pk_bf8_f32 v2, v0, v1", 1e6f, -INFINITY), 0xfc7bu);
}

TEST_F(ConvertTest, StochasticFp8WritesOneByte) {
  const std::string sel[4] = {"", " op_sel:[0,0,1,0]", " op_sel:[0,0,0,1]",
                              " op_sel:[0,0,1,1]"};
  for (const char *chip : {"gfx950", "gfx942"}) {
    arch = chip;
    U one = arch == "gfx942" ? 0x40 : 0x38;
    for (unsigned byte = 0; byte < 4; ++byte) {
      setVgpr(2, 0xcccccccc);
      U want = (0xcccccccc & ~(0xffu << 8 * byte)) | one << 8 * byte;
      EXPECT_EQ(
          eval("v_cvt_sr_fp8_f32 v2, v0, v1" + sel[byte], asBits(1.03f), 0),
          want)
          << chip << byte;
      EXPECT_EQ(eval("v_cvt_sr_fp8_f32 v2, v0, v1" + sel[byte], asBits(1.03f),
                     0xffffffff),
                want + (1u << 8 * byte))
          << chip << byte;
    }
  }
}

TEST_F(ConvertTest, Fp4ByteOfEveryOpSel) {
  const std::string sel[4] = {"", " op_sel:[0,0,1,0]", " op_sel:[0,0,0,1]",
                              " op_sel:[0,0,1,1]"};
  for (unsigned byte = 0; byte < 4; ++byte) {
    setVgpr(2, 0x99999999);
    // 3 / 2 = 1.5 in the low nibble, -8 / 2 = -4 in the high one.
    EXPECT_EQ(evalF("v_cvt_scalef32_pk_fp4_f32 v2, v0, v1, v3" + sel[byte],
                    3.0f, -8.0f, 2.0f),
              (0x99999999 & ~(0xffu << 8 * byte)) | 0xe3u << 8 * byte);
  }
  // Four in a row fill a register, as compilers do.
  setVgpr(0, asBits(1.0f));
  setVgpr(1, asBits(6.0f));
  run("v_cvt_scalef32_pk_fp4_f32 v2, v0, v1, 1.0\n"
      "v_cvt_scalef32_pk_fp4_f32 v2, v1, v0, 1.0 op_sel:[0,0,1,0]\n"
      "v_cvt_scalef32_pk_fp4_f32 v2, -v0, v1, 1.0 op_sel:[0,0,0,1]\n"
      "v_cvt_scalef32_pk_fp4_f32 v2, v0, |v1|, 1.0 op_sel:[0,0,1,1]\n");
  EXPECT_EQ(vgpr(2)[17], 0x727a2772u);
}

TEST_F(ConvertTest, Fp4ReadsTheExponentOfTheScaleOnly) {
  setVgpr(2, 0);
  EXPECT_EQ(
      evalF("v_cvt_scalef32_pk_fp4_f32 v2, v0, v1, v3", 4.0f, 4.0f, 1.99f),
      0x66u);
  EXPECT_EQ(
      evalF("v_cvt_scalef32_pk_fp4_f32 v2, v0, v1, v3", 4.0f, 4.0f, 0x1p-1f),
      0x77u);
  EXPECT_EQ(eval("v_cvt_scalef32_pk_fp4_f32 v2, v0, v1, v3", asBits(0x1p-126f),
                 asBits(0x1p-127f), 0x00400000),
            0x24u); // scale 2^-127
  EXPECT_EQ(
      evalF("v_cvt_scalef32_pk_fp4_f32 v2, v0, v1, v3", NAN, -INFINITY, 1.0f),
      0xf7u);
}

TEST_F(ConvertTest, EveryFp4CodeThroughEveryForm) {
  for (U code = 0; code < 16; ++code) {
    float value = asFloat(decode<F4E2M1FN>(code));
    for (float scale : {1.0f, 4.0f, 0x1p-20f}) {
      U pair = code | (15 - code) << 4;
      float other = asFloat(decode<F4E2M1FN>(15 - code));
      setVgpr(0, pair << 16);
      setVgpr(1, asBits(scale));
      run("v_cvt_scalef32_pk_f32_fp4 v[4:5], v0, v1 op_sel:[0,1,0]\n"
          "v_cvt_scalef32_pk_f16_fp4 v6, v0, 1.0 op_sel:[0,1,0]\n"
          "v_cvt_scalef32_pk_bf16_fp4 v7, v0, v1 op_sel:[0,1,0]\n"
          "v_mov_b32 v8, 0\n"
          "v_cvt_scalef32_pk_fp4_f32 v8, v4, v5, v1\n"
          "v_cvt_scalef32_pk_fp4_f16 v8, v6, 1.0 op_sel:[0,0,1,0]\n"
          "v_cvt_scalef32_pk_fp4_bf16 v8, v7, v1 op_sel:[0,0,0,1]\n");
      EXPECT_EQ(vgpr(4)[3], asBits(value * scale));
      EXPECT_EQ(vgpr(5)[3], asBits(other * scale));
      EXPECT_EQ(vgpr(7)[3], asBits(value * scale) >> 16 |
                                (asBits(other * scale) & 0xffff0000));
      EXPECT_EQ(vgpr(8)[3], pair * 0x010101);
    }
  }
}

TEST_F(ConvertTest, EveryFp8CodeThroughEveryForm) {
  for (U code = 0; code < 256; ++code) {
    U f32 = decode<F8E4M3FN>(code);
    float scaled = asFloat(f32) * 8;
    setVgpr(0, code << 24 | code << 8);
    setVgpr(1, asBits(8.0f));
    setVgpr(6, 0);
    setVgpr(7, 0);
    run("v_cvt_scalef32_f32_fp8 v2, v0, v1 op_sel:[1,1,0]\n" // byte 3
        "v_cvt_scalef32_pk_f32_fp8 v[4:5], v0, v1 op_sel:[1,0,0]\n"
        "v_cvt_scalef32_pk_fp8_f32 v6, v4, v5, v1 op_sel:[0,0,0,1]\n"
        "v_cvt_scalef32_f16_fp8 v7, v0, 1.0 op_sel:[1,1,1]\n"
        "v_cvt_scalef32_pk_f16_bf8 v8, v0, 1.0\n");
    if (isNaN32(f32)) {
      EXPECT_TRUE(isNaN32(vgpr(2)[0]));
    } else {
      EXPECT_EQ(vgpr(2)[0], asBits(scaled));
      EXPECT_EQ(vgpr(5)[0], asBits(scaled));
      EXPECT_EQ(vgpr(7)[0], encodeNearest<F16>(f32) << 16);
    }
    EXPECT_EQ(vgpr(6)[0] >> 24, code);
    EXPECT_EQ(vgpr(8)[0] >> 16, encodeNearest<F16>(decode<F8E5M2>(code)));
  }
}

TEST_F(ConvertTest, StochasticFp4StepsItsSeed) {
  setVgpr(4, asBits(1.25f)); // half way between 1 and 1.5
  setVgpr(5, asBits(1.25f));
  setVgpr(2, 0);
  // Seed 0x80000000 rounds up; the next one is 0xc5, which does not.
  setVgpr(1, 0x80000000);
  run("v_cvt_scalef32_sr_pk_fp4_f32 v2, v[4:5], v1, 1.0");
  EXPECT_EQ(vgpr(2)[0], 0x23u);
}

TEST_F(ConvertTest, SixteenBitFloats) {
  for (U code = 0; code < 65536; code += 64) {
    Lanes lanes;
    for (unsigned l = 0; l < kLanes; ++l)
      lanes[l] = (code + l) | 0x12340000;
    setVgpr(0, lanes);
    run("v_cvt_f32_f16 v1, v0\n v_cvt_f32_bf16 v2, v0\n"
        "v_cvt_f16_f32 v3, v1\n v_cvt_pk_bf16_f32 v4, v2, v2\n"
        "v_cvt_pkrtz_f16_f32 v5, v1, v1\n");
    for (unsigned l = 0; l < kLanes; ++l) {
      U c = code + l;
      EXPECT_EQ(vgpr(1)[l], decode<F16>(c));
      bool quietNaN = (c & 0x7c00) == 0x7c00 && (c & 0x3ff);
      EXPECT_EQ(vgpr(3)[l], quietNaN ? c | 0x200 : c);
      EXPECT_EQ(vgpr(2)[l], c << 16);
      bool brainNaN = (c & 0x7f80) == 0x7f80 && (c & 0x7f);
      EXPECT_EQ(vgpr(4)[l] & 0xffff, brainNaN ? c | 0x40 : c);
      EXPECT_EQ(vgpr(5)[l] >> 16, vgpr(3)[l]);
    }
  }
  EXPECT_EQ(evalF("v_cvt_pk_bf16_f32 v2, v0, v1", asFloat(0x3f808000),
                  asFloat(0x3f818000)),
            0x3f823f80u); // ties to even
  EXPECT_EQ(evalF("v_cvt_pkrtz_f16_f32 v2, v0, v1", 65536.0f, -1.9999f),
            0xbfff7bffu);
  EXPECT_EQ(evalF("v_cvt_pk_f16_f32 v2, v0, v1", 65536.0f, -1.9999f),
            0xc0007c00u);
}

TEST_F(ConvertTest, Integers) {
  EXPECT_EQ(evalF("v_cvt_i32_f32 v2, v0", -2.9f), U(-2));
  EXPECT_EQ(evalF("v_cvt_i32_f32 v2, v0", 3e9f), 0x7fffffffu);
  EXPECT_EQ(evalF("v_cvt_u32_f32 v2, v0", 3e9f), 3000000000u);
  EXPECT_EQ(evalF("v_cvt_u32_f32 v2, v0", -3.0f), 0u);
  EXPECT_EQ(evalF("v_cvt_u32_f32 v2, v0", NAN), 0u);
  EXPECT_EQ(evalF("v_cvt_flr_i32_f32 v2, v0", -2.1f), U(-3));
  EXPECT_EQ(evalF("v_cvt_rpi_i32_f32 v2, v0", 2.5f), 3u);
  EXPECT_EQ(eval("v_cvt_f16_i16 v2, v0", 0xffff), 0xbc00u);
  EXPECT_EQ(eval("v_cvt_f16_u16 v2, v0", 0xffff), 0x7c00u);
  EXPECT_EQ(eval("v_cvt_i16_f16 v2, v0", 0xfbff), 0x8000u);
  EXPECT_EQ(eval("v_cvt_u16_f16 v2, v0", 0x7bff), 65504u);
  EXPECT_EQ(asFloat(eval("v_cvt_off_f32_i4 v2, v0", 0xf8)), -0.5f);
  EXPECT_EQ(evalF("v_cvt_pknorm_i16_f32 v2, v0, v1", -2.0f, 0.5f), 0x40008001u);
  EXPECT_EQ(evalF("v_cvt_pknorm_u16_f32 v2, v0, v1", 1.0f, -1.0f), 0x0000ffffu);
  EXPECT_EQ(
      eval("v_cvt_pk_u8_f32 v2, v0, v1, v3", asBits(300.0f), 2, 0x11223344),
      0x11ff3344u);
  EXPECT_EQ(
      eval("v_pack_b32_f16 v2, v0, v1 op_sel:[1,0,0]", 0x12345678, 0x9abcdef0),
      0xdef01234u);
}

TEST_F(ConvertTest, InactiveLanesKeepTheirBytes) {
  setVgpr(0, asBits(1.0f));
  setVgpr(2, 0x77777777);
  setExec(1);
  run("v_cvt_scalef32_pk_fp4_f32 v2, v0, v0, 1.0 op_sel:[0,0,1,0]");
  EXPECT_EQ(vgpr(2)[0], 0x77772277u);
  EXPECT_EQ(vgpr(2)[1], 0x77777777u);
}

} // namespace
