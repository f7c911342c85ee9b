// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Every matrix instruction against a plain product of the matrices that were
// put into its registers.

#include "WaveTest.h"

#include <cmath>

using namespace rowmill::emulator;
using namespace rowmill::emulator::test;

namespace {

/// How elements are stored and what they are worth.
struct Format {
  unsigned bits;
  double (*value)(uint64_t);
  uint64_t one; ///< the code of 1
};

template <typename F>
double valueOf(uint64_t code) {
  return asFloat(decode<F>(uint32_t(code)));
}
double valueOfF32(uint64_t code) { return asFloat(uint32_t(code)); }
double valueOfF64(uint64_t code) { return asDouble(code); }
double valueOfI8(uint64_t code) { return int8_t(code); }

const std::map<std::string, Format> formats = {
    {"f16", {16, valueOf<F16>, 0x3c00}},
    {"bf16", {16, valueOf<BF16>, 0x3f80}},
    {"f32", {32, valueOfF32, 0x3f800000}},
    {"xf32", {32, valueOfF32, 0x3f800000}},
    {"f64", {64, valueOfF64, 0x3ff0000000000000}},
    {"i8", {8, valueOfI8, 1}},
    {"fp8", {8, valueOf<F8E4M3FN>, 0x38}},
    {"bf8", {8, valueOf<F8E5M2>, 0x3c}},
    {"fp8z", {8, valueOf<F8E4M3FNUZ>, 0x40}},
    {"bf8z", {8, valueOf<F8E5M2FNUZ>, 0x40}},
    {"fp6", {6, valueOf<F6E2M3FN>, 0x08}},
    {"bf6", {6, valueOf<F6E3M2FN>, 0x0c}},
    {"fp4", {4, valueOf<F4E2M1FN>, 0x2}},
};

/// Small exact values, so that no order of sums matters: halves from -2 to 2.
uint64_t codeFor(const Format &format, unsigned seed) {
  static const double small[] = {1, -1, 0, 2, -2, 1, 0.5, -0.5};
  double want = small[(seed * 2654435761u >> 13) % 8];
  if (format.value == valueOfI8)
    return uint8_t(int8_t(want * 2));
  if (format.bits == 64)
    return asBits(want);
  if (format.bits == 32)
    return asBits(float(want));
  for (uint64_t code = 0; code < (uint64_t(1) << format.bits); ++code)
    if (format.value(code) == want)
      return code;
  return format.one;
}

/// One instruction: its name, the size and the formats of its operands.
struct Case {
  std::string name;
  unsigned m, k, blocks;
  std::string a, b;
  std::string arch = "gfx950";
};

std::ostream &operator<<(std::ostream &os, const Case &c) {
  return os << c.name << " on " << c.arch;
}

class MatrixTest : public WaveTest, public ::testing::WithParamInterface<Case> {
protected:
  static constexpr unsigned regA = 0, regB = 32, regC = 64, regD = 128;

  void put(unsigned reg, unsigned lane, unsigned element, unsigned bits,
           uint64_t code) {
    for (unsigned bit = 0; bit < bits; ++bit) {
      unsigned at = element * bits + bit;
      uint32_t &word = wave->vgpr[reg + at / 32][lane];
      word &= ~(1u << at % 32);
      word |= uint32_t(code >> bit & 1) << at % 32;
    }
  }

  static std::string registers(unsigned first, unsigned count) {
    std::string name = "v[" + std::to_string(first) + ":" +
                       std::to_string(first + count - 1) + "]";
    return count == 1 ? "v" + std::to_string(first) : name;
  }
};

/// Where the manual puts row and column of D: four neighbouring rows to four
/// registers, but for doubles.
std::pair<unsigned, unsigned> placeOfD(const Case &c, unsigned block,
                                       unsigned i, unsigned j) {
  if (c.a == "f64" && c.m == 16)
    return {j + 16 * (i % 4), i / 4};
  if (c.a == "f64")
    return {j + 4 * block + 16 * i, 0};
  switch (c.m) {
  case 4:
    return {j + 4 * block, i};
  case 16:
    return {j + 16 * (i / 4), 4 * block + i % 4};
  default:
    return {j + 32 * (i % 8 / 4), 16 * block + i / 8 * 4 + i % 4};
  }
}

TEST_P(MatrixTest, EqualsThePlainProduct) {
  const Case &c = GetParam();
  arch = c.arch;
  const Format &fa = formats.at(c.a), &fb = formats.at(c.b);
  unsigned groups = 64 / (c.m * c.blocks), perLane = c.k / groups;
  unsigned outs = c.m * c.m * c.blocks / 64;
  bool isDouble = c.a == "f64", isInt = c.a == "i8";
  std::vector<double> a(c.blocks * c.m * c.k), b(a.size());
  for (unsigned lane = 0; lane < 64; ++lane)
    for (unsigned e = 0; e < perLane; ++e) {
      unsigned row = lane % c.m, block = lane / c.m % c.blocks;
      unsigned k = lane / (c.m * c.blocks) * perLane + e;
      uint64_t codeA = codeFor(fa, 7 * lane + 131 * e + 1);
      uint64_t codeB = codeFor(fb, 11 * lane + 37 * e + 5);
      put(regA, lane, e, fa.bits, codeA);
      put(regB, lane, e, fb.bits, codeB);
      a[(block * c.m + row) * c.k + k] = fa.value(codeA);
      b[(block * c.m + row) * c.k + k] = fb.value(codeB);
    }
  for (unsigned lane = 0; lane < 64; ++lane)
    for (unsigned v = 0; v < outs; ++v) {
      double value = double(lane % 7) - v % 5;
      if (isDouble)
        put(regC, lane, v, 64, asBits(value));
      else
        put(regC, lane, v, 32,
            isInt ? uint32_t(int32_t(value)) : asBits(float(value)));
    }
  // Lanes that are off take part all the same.
  setExec(0x5);
  unsigned wide = isDouble ? 2 : 1;
  auto operand = [&](unsigned reg, const Format &f) {
    return registers(reg, std::max(1u, perLane * f.bits / 32));
  };
  run(c.name + " " + registers(regD, outs * wide) + ", " + operand(regA, fa) +
      ", " + operand(regB, fb) + ", " + registers(regC, outs * wide));
  for (unsigned block = 0; block < c.blocks; ++block)
    for (unsigned i = 0; i < c.m; ++i)
      for (unsigned j = 0; j < c.m; ++j) {
        auto [lane, v] = placeOfD(c, block, i, j);
        double want = double(lane % 7) - v % 5;
        for (unsigned k = 0; k < c.k; ++k)
          want +=
              a[(block * c.m + i) * c.k + k] * b[(block * c.m + j) * c.k + k];
        double got = isDouble ? asDouble(vgpr64(regD + 2 * v, lane))
                     : isInt  ? double(int32_t(wave->vgpr[regD + v][lane]))
                              : double(asFloat(wave->vgpr[regD + v][lane]));
        ASSERT_EQ(got, want)
            << "block " << block << " row " << i << " column " << j;
      }
}

INSTANTIATE_TEST_SUITE_P(
    Wide, MatrixTest,
    ::testing::Values(
        Case{"v_mfma_f32_32x32x1_2b_f32", 32, 1, 2, "f32", "f32"},
        Case{"v_mfma_f32_16x16x1_4b_f32", 16, 1, 4, "f32", "f32"},
        Case{"v_mfma_f32_4x4x1_16b_f32", 4, 1, 16, "f32", "f32"},
        Case{"v_mfma_f32_32x32x2_f32", 32, 2, 1, "f32", "f32"},
        Case{"v_mfma_f32_16x16x4_f32", 16, 4, 1, "f32", "f32"},
        Case{"v_mfma_f32_32x32x4_xf32", 32, 4, 1, "xf32", "xf32", "gfx942"},
        Case{"v_mfma_f32_16x16x8_xf32", 16, 8, 1, "xf32", "xf32", "gfx942"},
        Case{"v_mfma_f64_16x16x4_f64", 16, 4, 1, "f64", "f64"},
        Case{"v_mfma_f64_4x4x4_4b_f64", 4, 4, 4, "f64", "f64"}));

INSTANTIATE_TEST_SUITE_P(
    Half, MatrixTest,
    ::testing::Values(
        Case{"v_mfma_f32_32x32x4_2b_f16", 32, 4, 2, "f16", "f16"},
        Case{"v_mfma_f32_16x16x4_4b_f16", 16, 4, 4, "f16", "f16"},
        Case{"v_mfma_f32_4x4x4_16b_f16", 4, 4, 16, "f16", "f16"},
        Case{"v_mfma_f32_32x32x8_f16", 32, 8, 1, "f16", "f16"},
        Case{"v_mfma_f32_16x16x16_f16", 16, 16, 1, "f16", "f16"},
        Case{"v_mfma_f32_32x32x16_f16", 32, 16, 1, "f16", "f16"},
        Case{"v_mfma_f32_16x16x32_f16", 16, 32, 1, "f16", "f16"},
        Case{"v_mfma_f32_32x32x4_2b_bf16", 32, 4, 2, "bf16", "bf16"},
        Case{"v_mfma_f32_16x16x4_4b_bf16", 16, 4, 4, "bf16", "bf16"},
        Case{"v_mfma_f32_4x4x4_16b_bf16", 4, 4, 16, "bf16", "bf16"},
        Case{"v_mfma_f32_32x32x8_bf16", 32, 8, 1, "bf16", "bf16"},
        Case{"v_mfma_f32_16x16x16_bf16", 16, 16, 1, "bf16", "bf16"},
        Case{"v_mfma_f32_32x32x16_bf16", 32, 16, 1, "bf16", "bf16"},
        Case{"v_mfma_f32_16x16x32_bf16", 16, 32, 1, "bf16", "bf16"}));

INSTANTIATE_TEST_SUITE_P(
    Bytes, MatrixTest,
    ::testing::Values(
        Case{"v_mfma_i32_32x32x4_2b_i8", 32, 4, 2, "i8", "i8"},
        Case{"v_mfma_i32_16x16x4_4b_i8", 16, 4, 4, "i8", "i8"},
        Case{"v_mfma_i32_4x4x4_16b_i8", 4, 4, 16, "i8", "i8"},
        Case{"v_mfma_i32_32x32x16_i8", 32, 16, 1, "i8", "i8"},
        Case{"v_mfma_i32_16x16x32_i8", 16, 32, 1, "i8", "i8"},
        Case{"v_mfma_i32_32x32x32_i8", 32, 32, 1, "i8", "i8"},
        Case{"v_mfma_i32_16x16x64_i8", 16, 64, 1, "i8", "i8"},
        Case{"v_mfma_f32_16x16x32_fp8_fp8", 16, 32, 1, "fp8", "fp8"},
        Case{"v_mfma_f32_16x16x32_fp8_bf8", 16, 32, 1, "fp8", "bf8"},
        Case{"v_mfma_f32_16x16x32_bf8_fp8", 16, 32, 1, "bf8", "fp8"},
        Case{"v_mfma_f32_16x16x32_bf8_bf8", 16, 32, 1, "bf8", "bf8"},
        Case{"v_mfma_f32_32x32x16_fp8_fp8", 32, 16, 1, "fp8", "fp8"},
        Case{"v_mfma_f32_32x32x16_fp8_bf8", 32, 16, 1, "fp8", "bf8"},
        Case{"v_mfma_f32_32x32x16_bf8_fp8", 32, 16, 1, "bf8", "fp8"},
        Case{"v_mfma_f32_32x32x16_bf8_bf8", 32, 16, 1, "bf8", "bf8"},
        Case{"v_mfma_f32_16x16x32_fp8_fp8", 16, 32, 1, "fp8z", "fp8z",
             "gfx942"},
        Case{"v_mfma_f32_16x16x32_fp8_bf8", 16, 32, 1, "fp8z", "bf8z",
             "gfx942"},
        Case{"v_mfma_f32_32x32x16_bf8_fp8", 32, 16, 1, "bf8z", "fp8z",
             "gfx942"},
        Case{"v_mfma_f32_32x32x16_bf8_bf8", 32, 16, 1, "bf8z", "bf8z",
             "gfx942"}));

//===----------------------------------------------------------------------===//
// Formats by operand, and scales
//===----------------------------------------------------------------------===//

const char *const scaledFormats[] = {"fp8", "bf8", "fp6", "bf6", "fp4"};

struct ScaledMatrixTest : MatrixTest {
  /// Fills A, B and the scales of every lane and checks D for one pair of
  /// formats. `byteA` and `byteB` choose the scale's byte.
  void check(unsigned m, unsigned k, unsigned formatA, unsigned formatB,
             bool hasScales, unsigned byteA, unsigned byteB) {
    const Format &fa = formats.at(scaledFormats[formatA]);
    const Format &fb = formats.at(scaledFormats[formatB]);
    constexpr unsigned perLane = 32, scaleA = 200, scaleB = 201;
    std::vector<double> a(m * k), b(m * k);
    for (unsigned lane = 0; lane < 64; ++lane) {
      // A different scale for each byte and lane; the bytes not chosen are NaN.
      unsigned eA = 124 + lane % 5, eB = 125 + lane % 3;
      wave->vgpr[scaleA][lane] = ~(0xffu << 8 * byteA) | eA << 8 * byteA;
      wave->vgpr[scaleB][lane] = ~(0xffu << 8 * byteB) | eB << 8 * byteB;
      for (unsigned e = 0; e < perLane; ++e) {
        uint64_t codeA = codeFor(fa, 7 * lane + 131 * e + 1);
        uint64_t codeB = codeFor(fb, 11 * lane + 37 * e + 5);
        put(regA, lane, e, fa.bits, codeA);
        put(regB, lane, e, fb.bits, codeB);
        unsigned at = lane % m * k + lane / m * perLane + e;
        a[at] =
            fa.value(codeA) * (hasScales ? std::ldexp(1, int(eA) - 127) : 1);
        b[at] =
            fb.value(codeB) * (hasScales ? std::ldexp(1, int(eB) - 127) : 1);
      }
    }
    auto operand = [&](unsigned reg, const Format &f) {
      return registers(reg, perLane * f.bits / 32);
    };
    std::string shape = m == 16 ? "16x16x128" : "32x32x64";
    unsigned outs = m * m / 64;
    std::string text = std::string(hasScales ? "v_mfma_scale" : "v_mfma") +
                       "_f32_" + shape + "_f8f6f4 " + registers(regD, outs) +
                       ", " + operand(regA, fa) + ", " + operand(regB, fb) +
                       ", 0";
    if (hasScales)
      text += ", v200, v201 op_sel:[" + std::to_string(byteA & 1) + "," +
              std::to_string(byteB & 1) + ",0] op_sel_hi:[" +
              std::to_string(byteA >> 1) + "," + std::to_string(byteB >> 1) +
              ",0]";
    text +=
        " cbsz:" + std::to_string(formatA) + " blgp:" + std::to_string(formatB);
    run(text);
    for (unsigned i = 0; i < m; ++i)
      for (unsigned j = 0; j < m; ++j) {
        auto [lane, v] = placeOfD({"", m, k, 1, "", ""}, 0, i, j);
        double want = 0;
        for (unsigned n = 0; n < k; ++n)
          want += a[i * k + n] * b[j * k + n];
        ASSERT_EQ(asFloat(wave->vgpr[regD + v][lane]), float(want))
            << text << " row " << i << " column " << j;
      }
  }
};

TEST_F(ScaledMatrixTest, AllPairsOfFormats) {
  for (unsigned a = 0; a < 5; ++a)
    for (unsigned b = 0; b < 5; ++b) {
      check(16, 128, a, b, /*hasScales=*/false, 0, 0);
      check(32, 64, a, b, /*hasScales=*/false, 0, 0);
      check(16, 128, a, b, /*hasScales=*/true, 0, 0);
      check(32, 64, a, b, /*hasScales=*/true, 0, 0);
    }
}

TEST_F(ScaledMatrixTest, EveryByteOfTheScales) {
  for (unsigned a = 0; a < 4; ++a)
    for (unsigned b = 0; b < 4; ++b)
      check(16, 128, 4, 4, /*hasScales=*/true, a, b);
}

TEST_F(ScaledMatrixTest, ScaleOf255IsNaN) {
  wave->vgpr[20][0] = 255;
  for (unsigned lane = 1; lane < 64; ++lane)
    wave->vgpr[20][lane] = 127;
  setVgpr(21, 127);
  for (unsigned reg = 0; reg < 16; ++reg)
    setVgpr(reg, 0x22222222);
  run("v_mfma_scale_f32_16x16x128_f8f6f4 v[24:27], v[0:3], v[4:7], 0, v20, v21 "
      "op_sel_hi:[0,0,0] cbsz:4 blgp:4");
  // Lane 0 scales row 0 of A: all of row 0 of D, and nothing else.
  for (unsigned lane = 0; lane < 64; ++lane)
    for (unsigned v = 0; v < 4; ++v) {
      bool isRow0 = lane < 16 && v == 0;
      EXPECT_EQ(std::isnan(asFloat(wave->vgpr[24 + v][lane])), isRow0);
      if (!isRow0)
        EXPECT_EQ(asFloat(wave->vgpr[24 + v][lane]), 128.0f);
    }
}

//===----------------------------------------------------------------------===//
// Modifiers
//===----------------------------------------------------------------------===//

TEST_F(MatrixTest, BroadcastsBlocksOfA) {
  // 16 blocks of 4 x 4: A's row is the number of its block, B and C are ones.
  for (unsigned lane = 0; lane < 64; ++lane)
    wave->vgpr[0][lane] = asBits(float(lane / 4));
  setVgpr(1, asBits(1.0f));
  // Groups of four blocks take the third.
  run("v_mfma_f32_4x4x1_16b_f32 v[4:7], v0, v1, 0 cbsz:2 abid:2");
  for (unsigned lane = 0; lane < 64; ++lane)
    EXPECT_EQ(asFloat(wave->vgpr[4][lane]), float(lane / 16 * 4 + 2)) << lane;
}

TEST_F(MatrixTest, PermutesLanesOfB) {
  struct {
    unsigned pattern;
    unsigned (*source)(unsigned);
  } const patterns[] = {
      {1, [](unsigned l) { return l % 32; }},
      {2, [](unsigned l) { return 32 + l % 32; }},
      {3, [](unsigned l) { return (l + 16) % 64; }},
      {4, [](unsigned l) { return l % 16; }},
      {7, [](unsigned l) { return 48 + l % 16; }},
  };
  for (auto [pattern, source] : patterns) {
    setVgpr(0, asBits(1.0f));
    for (unsigned lane = 0; lane < 64; ++lane)
      wave->vgpr[1][lane] = asBits(float(lane));
    run("v_mfma_f32_4x4x1_16b_f32 v[4:7], v0, v1, 0 blgp:" +
        std::to_string(pattern));
    for (unsigned lane = 0; lane < 64; ++lane)
      EXPECT_EQ(asFloat(wave->vgpr[4][lane]), float(source(lane)))
          << pattern << " lane " << lane;
  }
}

TEST_F(MatrixTest, NegatesDoubles) {
  for (unsigned lane = 0; lane < 64; ++lane)
    for (auto [reg, value] : {std::pair(0, 2.0), {2, 3.0}, {4, 5.0}})
      put(reg, lane, 0, 64, asBits(value));
  run("v_mfma_f64_4x4x4_4b_f64 v[6:7], v[0:1], v[2:3], v[4:5] neg:[1,0,0]");
  EXPECT_EQ(asDouble(vgpr64(6, 9)), 5.0 - 4 * 6.0);
  run("v_mfma_f64_4x4x4_4b_f64 v[6:7], v[0:1], v[2:3], v[4:5] neg:[1,1,1]");
  EXPECT_EQ(asDouble(vgpr64(6, 9)), -5.0 + 4 * 6.0);
}

TEST_F(MatrixTest, AccumulatorsMayBeInAgprsAndInPlace) {
  setVgpr(0, asBits(2.0f));
  setVgpr(1, asBits(3.0f));
  for (unsigned v = 0; v < 4; ++v)
    for (unsigned lane = 0; lane < 64; ++lane)
      wave->vgpr[kAgprBase + v][lane] = asBits(10.0f);
  run("v_mfma_f32_16x16x4_f32 a[0:3], v0, v1, a[0:3]");
  for (unsigned v = 0; v < 4; ++v)
    EXPECT_EQ(asFloat(wave->vgpr[kAgprBase + v][33]), 10.0f + 4 * 6.0f);
  // D over A: all of A is read first.
  run("v_mfma_f32_16x16x4_f32 v[0:3], v0, v1, 1.0");
  EXPECT_EQ(asFloat(wave->vgpr[0][17]), 25.0f);
}

//===----------------------------------------------------------------------===//
// Sparse
//===----------------------------------------------------------------------===//

struct SparseMatrixTest : MatrixTest {
  void check(const Case &c, unsigned set) {
    arch = c.arch;
    const Format &fa = formats.at(c.a), &fb = formats.at(c.b);
    unsigned groups = 64 / c.m, perLaneB = c.k / groups,
             perLaneA = perLaneB / 2;
    unsigned sets = 32 / (2 * perLaneA), outs = c.m * c.m / 64;
    std::vector<double> a(c.m * c.k), b(a.size());
    for (unsigned lane = 0; lane < 64; ++lane) {
      unsigned row = lane % c.m, first = lane / c.m * perLaneB;
      uint32_t indices = 0x5a5a5a5a;
      for (unsigned e = 0; e < perLaneA; ++e) {
        // Two different places of each four neighbours.
        unsigned which = e % 2 ? 2 + (lane + e / 2) % 2 : (lane + e / 2) % 2;
        unsigned at = 2 * e + 2 * perLaneA * (set % sets);
        indices = (indices & ~(3u << at)) | which << at;
        uint64_t code = codeFor(fa, 7 * lane + 131 * e + 1);
        put(regA, lane, e, fa.bits, code);
        a[row * c.k + first + e / 2 * 4 + which] = fa.value(code);
      }
      wave->vgpr[200][lane] = indices;
      for (unsigned e = 0; e < perLaneB; ++e) {
        uint64_t code = codeFor(fb, 11 * lane + 37 * e + 5);
        put(regB, lane, e, fb.bits, code);
        b[row * c.k + first + e] = fb.value(code);
      }
      for (unsigned v = 0; v < outs; ++v)
        wave->vgpr[regD + v][lane] = c.a == "i8" ? 3 : asBits(3.0f);
    }
    run(c.name + " " + registers(regD, outs) + ", " +
        registers(regA, perLaneA * fa.bits / 32) + ", " +
        registers(regB, perLaneB * fb.bits / 32) +
        ", v200 abid:" + std::to_string(set));
    for (unsigned i = 0; i < c.m; ++i)
      for (unsigned j = 0; j < c.m; ++j) {
        auto [lane, v] = placeOfD(c, 0, i, j);
        double want = 3;
        for (unsigned k = 0; k < c.k; ++k)
          want += a[i * c.k + k] * b[j * c.k + k];
        uint32_t bits = wave->vgpr[regD + v][lane];
        double got = c.a == "i8" ? double(int32_t(bits)) : asFloat(bits);
        ASSERT_EQ(got, want) << c.name << " row " << i << " column " << j;
      }
  }
};

TEST_F(SparseMatrixTest, EqualsThePlainProduct) {
  for (unsigned set : {0u, 1u}) {
    check({"v_smfmac_f32_16x16x32_f16", 16, 32, 1, "f16", "f16"}, set);
    check({"v_smfmac_f32_32x32x16_f16", 32, 16, 1, "f16", "f16"}, set);
    check({"v_smfmac_f32_16x16x32_bf16", 16, 32, 1, "bf16", "bf16"}, set);
    check({"v_smfmac_f32_32x32x16_bf16", 32, 16, 1, "bf16", "bf16"}, set);
    check({"v_smfmac_i32_16x16x64_i8", 16, 64, 1, "i8", "i8"}, set);
    check({"v_smfmac_i32_32x32x32_i8", 32, 32, 1, "i8", "i8"}, set);
    check({"v_smfmac_f32_16x16x64_f16", 16, 64, 1, "f16", "f16"}, set);
    check({"v_smfmac_f32_32x32x32_f16", 32, 32, 1, "f16", "f16"}, set);
    check({"v_smfmac_f32_16x16x64_bf16", 16, 64, 1, "bf16", "bf16"}, set);
    check({"v_smfmac_f32_32x32x32_bf16", 32, 32, 1, "bf16", "bf16"}, set);
    check({"v_smfmac_i32_16x16x128_i8", 16, 128, 1, "i8", "i8"}, 0);
    check({"v_smfmac_i32_32x32x64_i8", 32, 64, 1, "i8", "i8"}, 0);
    for (std::string a : {"fp8", "bf8"})
      for (std::string b : {"fp8", "bf8"}) {
        check({"v_smfmac_f32_16x16x64_" + a + "_" + b, 16, 64, 1, a, b}, set);
        check({"v_smfmac_f32_32x32x32_" + a + "_" + b, 32, 32, 1, a, b}, set);
        check({"v_smfmac_f32_16x16x128_" + a + "_" + b, 16, 128, 1, a, b}, 0);
        check({"v_smfmac_f32_32x32x64_" + a + "_" + b, 32, 64, 1, a, b}, 0);
        check({"v_smfmac_f32_16x16x64_" + a + "_" + b, 16, 64, 1, a + "z",
               b + "z", "gfx942"},
              set);
      }
  }
}

} // namespace
