// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// The families of 8-bit conversions: every format with every wide type, each
// part of a register, plain, scaled and stochastic.

#include "WaveTest.h"

#include <cmath>

using namespace rowmill::emulator;
using namespace rowmill::emulator::test;

namespace {

using U = uint32_t;

struct Small {
  const char *name;
  U (*encode)(U bits);
  U (*decodeCode)(U code);
  U (*random)(U bits, U seed);
};
const Small formats[] = {
    {"fp8", [](U b) { return encodeNearest<F8E4M3FN>(b); },
     [](U c) { return decode<F8E4M3FN>(c); },
     [](U b, U s) { return encodeStochastic<F8E4M3FN>(b, s); }},
    {"bf8", [](U b) { return encodeNearest<F8E5M2>(b); },
     [](U c) { return decode<F8E5M2>(c); },
     [](U b, U s) { return encodeStochastic<F8E5M2>(b, s); }},
};
struct Wide {
  const char *name;
  U (*narrow)(U bits);
};
const Wide wides[] = {
    {"f16", [](U b) { return encodeNearest<F16>(b); }},
    {"bf16", [](U b) { return encodeNearest<BF16>(b); }},
};
const char *const bytes[4] = {"", " op_sel:[0,0,1,0]", " op_sel:[0,0,0,1]",
                              " op_sel:[0,0,1,1]"};

class ScaledTest : public WaveTest {
protected:
  static U insert(U old, U code, unsigned byte, unsigned width) {
    U field = (width == 8 ? 0xffu : 0xffffu) << 8 * byte;
    return (old & ~field) | code << 8 * byte;
  }
};

TEST_F(ScaledTest, PairsToEightBits) {
  // 2.5 and -0.375 are in all wide formats; the scale is 1/4.
  const U low = asBits(2.5f), high = asBits(-0.375f);
  for (const Small &f : formats) {
    U codes = f.encode(asBits(10.0f)) | f.encode(asBits(-1.5f)) << 8;
    for (unsigned half = 0; half < 2; ++half) {
      U want = insert(0x77777777, codes, 2 * half, 16);
      setVgpr(2, 0x77777777);
      EXPECT_EQ(eval("v_cvt_scalef32_pk_" + std::string(f.name) +
                         "_f32 v2, v0, v1, v3" +
                         (half ? " op_sel:[0,0,0,1]" : ""),
                     low, high, asBits(0.3f)),
                want);
      for (const Wide &w : wides) {
        setVgpr(2, 0x77777777);
        EXPECT_EQ(eval("v_cvt_scalef32_pk_" + std::string(f.name) + "_" +
                           w.name + " v2, v0, v1" +
                           (half ? " op_sel:[0,0,1]" : ""),
                       w.narrow(low) | w.narrow(high) << 16, asBits(0.3f)),
                  want);
      }
    }
  }
}

TEST_F(ScaledTest, PairsFromEightBits) {
  for (const Small &f : formats)
    for (U code = 0; code < 256; ++code) {
      U bits = f.decodeCode(code), other = f.decodeCode(code ^ 0x81);
      if (isNaN32(bits) || isNaN32(other))
        continue;
      U pair = code | (code ^ 0x81) << 8;
      for (const Wide &w : wides) {
        U want = w.narrow(asBits(asFloat(bits) * 0.5f)) |
                 w.narrow(asBits(asFloat(other) * 0.5f)) << 16;
        std::string text = "v_cvt_scalef32_pk_" + std::string(w.name) + "_" +
                           f.name + " v2, v0, v1";
        ASSERT_EQ(eval(text, pair | 0x12340000, asBits(0.5f)), want) << text;
        ASSERT_EQ(eval(text + " op_sel:[1,0,0]", pair << 16, asBits(0.5f)),
                  want);
      }
      setVgpr(0, pair);
      setVgpr(1, asBits(0.5f));
      run("v_cvt_scalef32_pk_f32_" + std::string(f.name) + " v[4:5], v0, v1");
      ASSERT_EQ(vgpr(4)[0], asBits(asFloat(bits) * 0.5f));
      ASSERT_EQ(vgpr(5)[0], asBits(asFloat(other) * 0.5f));
      run("v_cvt_pk_f32_" + std::string(f.name) + " v[4:5], v0");
      ASSERT_EQ(vgpr(4)[0], bits);
      ASSERT_EQ(vgpr(5)[0], other);
      run("v_cvt_f32_" + std::string(f.name) + " v4, v0");
      ASSERT_EQ(vgpr(4)[0], bits);
    }
}

TEST_F(ScaledTest, SinglesFromEveryByte) {
  const char *const sources[4] = {"", " op_sel:[1,0,0]", " op_sel:[0,1,0]",
                                  " op_sel:[1,1,0]"};
  for (const Small &f : formats)
    for (unsigned byte = 0; byte < 4; ++byte) {
      U code = 0x3a;
      float want = asFloat(f.decodeCode(code)) * 2;
      std::string name = f.name;
      EXPECT_EQ(asFloat(eval("v_cvt_scalef32_f32_" + name + " v2, v0, v1" +
                                 sources[byte],
                             code << 8 * byte, asBits(2.0f))),
                want);
      setVgpr(2, 0x11112222);
      EXPECT_EQ(
          eval("v_cvt_scalef32_f16_" + name + " v2, v0, v1" + sources[byte],
               code << 8 * byte, asBits(2.0f)),
          0x11110000 | encodeNearest<F16>(asBits(want)));
    }
}

TEST_F(ScaledTest, StochasticIntoEveryByte) {
  const U value = asBits(1.1f);
  for (const Small &f : formats)
    for (unsigned byte = 0; byte < 4; ++byte)
      for (U seed : {0u, 0x40000000u, 0x80000000u, 0xffffffffu}) {
        std::string name = f.name;
        setVgpr(2, 0xcccccccc);
        EXPECT_EQ(eval("v_cvt_sr_" + name + "_f32 v2, v0, v1" + bytes[byte],
                       value, seed),
                  insert(0xcccccccc, f.random(value, seed), byte, 8));
        setVgpr(2, 0xcccccccc);
        U scaled = asBits(1.1f * 8);
        EXPECT_EQ(eval("v_cvt_scalef32_sr_" + name + "_f32 v2, v0, v1, v3" +
                           bytes[byte],
                       value, seed, asBits(0.125f)),
                  insert(0xcccccccc, f.random(scaled, seed), byte, 8));
        for (const Wide &w : wides) {
          bool isF16 = std::string(w.name) == "f16";
          U narrow = w.narrow(value);
          U wide = isF16 ? decode<F16>(narrow) : narrow << 16;
          setVgpr(2, 0xcccccccc);
          EXPECT_EQ(eval("v_cvt_scalef32_sr_" + name + "_" + w.name +
                             " v2, v0, v1, v3" + bytes[byte],
                         narrow | 0x7e7e0000, seed, asBits(0.125f)),
                    insert(0xcccccccc,
                           f.random(asBits(asFloat(wide) * 8), seed), byte, 8));
        }
      }
}

TEST_F(ScaledTest, StochasticFp4Of16Bits) {
  for (const Wide &w : wides) {
    U half = w.narrow(asBits(1.25f)); // half way between 1 and 1.5
    setVgpr(2, 0xeeeeeeee);
    EXPECT_EQ(eval("v_cvt_scalef32_sr_pk_fp4_" + std::string(w.name) +
                       " v2, v0, v1, v3 op_sel:[0,0,1,0]",
                   half | half << 16, 0xc0000000, asBits(1.0f)),
              0xeeee33eeu)
        << w.name;
  }
}

TEST_F(ScaledTest, StochasticHalves) {
  U third = asBits(1.0f + 0x1p-11f); // half an ulp of f16
  setVgpr(2, 0xaaaabbbb);
  EXPECT_EQ(eval("v_cvt_sr_f16_f32 v2, v0, v1", third, 0x7fffffff),
            0xaaaa3c00u);
  EXPECT_EQ(
      eval("v_cvt_sr_f16_f32 v2, v0, v1 op_sel:[0,0,1]", third, 0x80000000),
      0x3c013c00u);
  EXPECT_EQ(eval("v_cvt_sr_bf16_f32 v2, v0, v1", 0x3f808000, 0x80000000),
            0x3c013f81u);
}

TEST_F(ScaledTest, SixBitFormsAgree) {
  // The 16-bit and f32 forms of one family give the same codes.
  for (unsigned k = 0; k < 32; ++k)
    setVgpr(k, asBits(0.25f * k - 3.5f));
  for (unsigned k = 0; k < 16; ++k) {
    U a = asBits(0.25f * (2 * k) - 3.5f),
      b = asBits(0.25f * (2 * k + 1) - 3.5f);
    setVgpr(64 + k, encodeNearest<F16>(a) | encodeNearest<F16>(b) << 16);
    setVgpr(80 + k, encodeNearest<BF16>(a) | encodeNearest<BF16>(b) << 16);
  }
  setVgpr(60, 0x13572468);
  for (std::string f : {"fp6", "bf6"}) {
    run("v_cvt_scalef32_sr_pk32_" + f +
        "_f32 v[100:105], v[0:31], v60, 2.0\n"
        "v_cvt_scalef32_sr_pk32_" +
        f +
        "_f16 v[106:111], v[64:79], v60, 2.0\n"
        "v_cvt_scalef32_sr_pk32_" +
        f +
        "_bf16 v[112:117], v[80:95], v60, 2.0\n"
        "v_cvt_scalef32_pk32_" +
        f +
        "_f16 v[118:123], v[64:79], 2.0\n"
        "v_cvt_scalef32_pk32_" +
        f +
        "_bf16 v[124:129], v[80:95], 2.0\n"
        "v_cvt_scalef32_pk32_f32_" +
        f +
        " v[130:161], v[118:123], 2.0\n"
        "v_cvt_scalef32_pk32_f16_" +
        f +
        " v[162:177], v[118:123], 2.0\n"
        "v_cvt_scalef32_pk32_bf16_" +
        f + " v[178:193], v[118:123], 2.0\n");
    for (unsigned r = 0; r < 6; ++r) {
      EXPECT_EQ(vgpr(106 + r), vgpr(100 + r)) << f;
      EXPECT_EQ(vgpr(112 + r), vgpr(100 + r)) << f;
      EXPECT_EQ(vgpr(124 + r), vgpr(118 + r)) << f;
    }
    for (unsigned k = 0; k < 32; ++k) {
      U half = vgpr(162 + k / 2)[7] >> (16 * (k & 1)) & 0xffff;
      U brain = vgpr(178 + k / 2)[7] >> (16 * (k & 1)) & 0xffff;
      EXPECT_EQ(decode<F16>(half), vgpr(130 + k)[7]);
      EXPECT_EQ(brain << 16, vgpr(130 + k)[7]);
    }
  }
  for (unsigned k = 0; k < 16; ++k)
    setVgpr(200 + k, asBits(1.0f));
  run("v_cvt_scalef32_2xpk16_bf6_f32 v[100:105], v[200:215], v[200:215], 1.0");
  EXPECT_EQ(vgpr(100)[0] & 63, encodeNearest<F6E3M2FN>(asBits(1.0f)));
}

TEST_F(ScaledTest, Transcendentals) {
  auto f = [&](const std::string &op, float a) {
    return asFloat(eval("v_" + op + "_f32 v2, v0", asBits(a)));
  };
  EXPECT_EQ(f("exp", 10), 1024);
  EXPECT_EQ(f("exp_legacy", 0.5f), float(std::sqrt(2.0)));
  EXPECT_EQ(f("log", 1024), 10);
  EXPECT_EQ(f("log_legacy", 3), float(std::log2(3.0)));
  EXPECT_EQ(f("rcp", 3), 1.0f / 3);
  EXPECT_EQ(f("rcp_iflag", 7), 1.0f / 7);
  EXPECT_EQ(f("rsq", 2), float(1 / std::sqrt(2.0)));
  EXPECT_EQ(f("sqrt", 2), std::sqrt(2.0f));
  EXPECT_EQ(f("sin", 1.0f / 12), float(std::sin(2 * M_PI * double(1.0f / 12))));
  EXPECT_EQ(f("cos", -5.0f / 8), float(std::cos(2 * M_PI * 0.625)));
  EXPECT_EQ(f("frexp_mant", -12), -0.75f);
  EXPECT_EQ(int(eval("v_frexp_exp_i32_f32 v2, v0", asBits(-12.0f))), 4);
  setVgpr64(0, asBits(2.0));
  run("v_rsq_f64 v[2:3], v[0:1]\n v_sqrt_f64 v[4:5], v[0:1]\n"
      "v_trunc_f64 v[6:7], -v[0:1]\n v_floor_f64 v[8:9], 0.5\n"
      "v_ceil_f64 v[10:11], 0.5\n v_cvt_f64_i32 v[12:13], -3\n"
      "v_fmac_f64 v[12:13], v[0:1], v[0:1]\n");
  EXPECT_EQ(asDouble(vgpr64(2, 1)), 1 / std::sqrt(2.0));
  EXPECT_EQ(asDouble(vgpr64(4, 1)), std::sqrt(2.0));
  EXPECT_EQ(asDouble(vgpr64(6, 1)), -2);
  EXPECT_EQ(asDouble(vgpr64(8, 1)), 0);
  EXPECT_EQ(asDouble(vgpr64(10, 1)), 1);
  EXPECT_EQ(asDouble(vgpr64(12, 1)), 1);
}

TEST_F(ScaledTest, NormalisedAndBytes) {
  EXPECT_EQ(eval("v_cvt_norm_i16_f16 v2, v0", 0xbc00), 0x8001u);
  EXPECT_EQ(eval("v_cvt_norm_u16_f16 v2, v0", 0x3c00), 0xffffu);
  EXPECT_EQ(eval("v_cvt_pknorm_i16_f16 v2, v0, v1", 0x3c00, 0xbc00),
            0x80017fffu);
  EXPECT_EQ(eval("v_cvt_pknorm_u16_f16 v2, v0, v1", 0x3c00, 0x0000),
            0x0000ffffu);
  setVgpr(2, 0x11223344);
  EXPECT_EQ(eval("v_cvt_pkaccum_u8_f32 v2, v0, v1", asBits(7.0f), 1),
            0x11220744u);
  EXPECT_EQ(asFloat(eval("v_cvt_f32_ubyte1 v2, v0", 0x0000fe00)), 254.0f);
  EXPECT_EQ(asFloat(eval("v_cvt_f32_ubyte3 v2, v0", 0xfd000000)), 253.0f);
  EXPECT_EQ(eval("v_ashr_pk_u8_i32 v2, v0, v1, v3", 0x1000, U(-5), 4) & 0xffff,
            0x00ffu);
  EXPECT_EQ(asFloat(eval("v_minimum3_f32 v2, v0, v1, v3", asBits(3.0f),
                         asBits(-1.0f), asBits(2.0f))),
            -1.0f);
  EXPECT_EQ(eval("v_pk_minimum3_f16 v2, v0, v1, v3", 0x3c003c00, 0xbc007e00, 0),
            0xbc007e00u);
}

TEST_F(ScaledTest, ReversedSubtractions) {
  setVgpr(0, 3);
  setVgpr(1, 1);
  wave->setSgpr64(sreg::VCC, ~uint64_t(0));
  run("v_subrev_co_u32 v2, s[10:11], v0, v1\n"
      "v_subbrev_co_u32 v3, vcc, v0, v1, vcc\n");
  EXPECT_EQ(vgpr(2)[0], U(-2));
  EXPECT_EQ(vgpr(3)[0], U(-3));
  EXPECT_EQ(wave->sgpr64(10), ~uint64_t(0));
  EXPECT_EQ(wave->vcc(), ~uint64_t(0));
  setVgpr64(4, 0x8877665544332211);
  setVgpr64(8, 0);
  setVgpr(6, 0x00001100);
  run("v_mqsad_pk_u16_u8 v[10:11], v[4:5], v6, v[8:9]\n v_nop");
  EXPECT_EQ(vgpr64(10, 0), 0x0044003300220011u);
}

} // namespace
