// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// v_mfma and v_smfmac: products of small matrices that a wave holds together.
//
// A is M x K, B is K x N with N = M, D and C are M x N, in one or several
// blocks. Lane l holds row (A) or column (B) l % M of block l / M % blocks, and
// of K the part l / (M * blocks), consecutive elements from the low bits of its
// first register on. D and C have their column in the lane; their rows are four
// neighbours to four registers. EXEC is ignored.
//
// How the hardware rounds inside is not documented. Here products of 16 bits
// and less are exact, their sum with C is formed in double and rounded once;
// f32 and f64 are a chain of fused multiply-adds over ascending k. No denormal
// is flushed.

#include "rowmill/Emulator/InstructionTable.h"
#include "rowmill/Emulator/Numerics.h"
#include "rowmill/Emulator/Wave.h"

#include <cmath>
#include <cstring>
#include <type_traits>

namespace rowmill::emulator {

namespace {

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

template <typename F>
struct Small {
  static constexpr unsigned width = F::width;
  using Value = double;
  static Value get(uint64_t bits) { return asFloat(decode<F>(uint32_t(bits))); }
};
struct Single {
  static constexpr unsigned width = 32;
  using Value = float;
  static Value get(uint64_t bits) { return asFloat(uint32_t(bits)); }
};
/// f32 of which ten bits of mantissa count; the others are taken as zero.
struct Short {
  static constexpr unsigned width = 32;
  using Value = double;
  static Value get(uint64_t bits) {
    return asFloat(uint32_t(bits) & ~uint32_t(0x1fff));
  }
};
struct Double {
  static constexpr unsigned width = 64;
  using Value = double;
  static Value get(uint64_t bits) { return asDouble(bits); }
};
struct Byte {
  static constexpr unsigned width = 8;
  using Value = int32_t;
  static Value get(uint64_t bits) { return int8_t(bits); }
};

/// Element `index` of what a lane holds from register `reg` on.
uint64_t extract(const Wave &w, unsigned reg, unsigned lane, unsigned index,
                 unsigned width) {
  unsigned bit = index * width;
  const auto *column = &w.vgpr[reg + bit / 32];
  uint64_t bits = column[0][lane];
  if (bit % 32 + width > 32)
    bits |= uint64_t(column[1][lane]) << 32;
  bits >>= bit % 32;
  return width == 64 ? bits : bits & ((uint64_t(1) << width) - 1);
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

/// What D and C hold, and how a row of products is added to C.
struct SumOfExact {
  using Value = float;
  using Total = double;
  static Total add(Total total, double a, double b) { return total + a * b; }
};
struct FusedSingle {
  using Value = float;
  using Total = float;
  static Total add(Total total, float a, float b) {
    return std::fma(a, b, total);
  }
};
struct FusedDouble {
  using Value = double;
  using Total = double;
  static Total add(Total total, double a, double b) {
    return std::fma(a, b, total);
  }
};
struct Wrapping {
  using Value = int32_t;
  using Total = uint32_t;
  static Total add(Total total, int32_t a, int32_t b) {
    return total + uint32_t(a) * uint32_t(b);
  }
};

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

template <unsigned Rows, unsigned Depth, unsigned Blocks = 1>
struct Shape {
  static constexpr unsigned m = Rows, k = Depth, blocks = Blocks;
  /// Lanes along K, and elements of it in each.
  static constexpr unsigned groups = kLanes / (m * blocks);
  static constexpr unsigned perLane = k / groups;

  static unsigned lane(unsigned row, unsigned block, unsigned k) {
    return row + m * block + m * blocks * (k / perLane);
  }
};

/// Where element (row, column) of a block of D lies.
struct Place {
  unsigned lane, index;
};
template <typename S, bool IsDouble>
Place place(unsigned block, unsigned row, unsigned column) {
  if (IsDouble)
    return S::m == 4 ? Place{column + 4 * block + 16 * row, 0}
                     : Place{column + 16 * (row % 4), row / 4};
  if (S::m == 4)
    return {column + 4 * block, row};
  if (S::m == 16)
    return {column + 16 * (row / 4), 4 * block + row % 4};
  return {column + 32 * (row / 4 % 2), 16 * block + 4 * (row / 8) + row % 4};
}

/// The lane of B whose column a lane multiplies by.
unsigned permuteB(unsigned lane, unsigned pattern) {
  switch (pattern) {
  case 0:
    return lane;
  case 1:
    return lane % 32;
  case 2:
    return 32 + lane % 32;
  case 3:
    return (lane + 16) % kLanes;
  default:
    return lane % 16 + 16 * (pattern - 4);
  }
}

/// Reads of C, which may be a constant, and writes of D.
template <typename T>
T readC(const Wave &w, const Source &c, Place at) {
  uint64_t bits;
  constexpr unsigned dwords = sizeof(T) / 4;
  if (c.kind == OperandKind::Vector)
    bits = extract(w, c.reg, at.lane, at.index, 32 * dwords);
  else
    bits = dwords == 2 ? w.scalar64(c) : w.scalar32(c);
  T value;
  std::memcpy(&value, &bits, sizeof(T));
  return value;
}
template <typename T>
void writeD(Wave &w, const Dest &d, Place at, T value) {
  constexpr unsigned dwords = sizeof(T) / 4;
  uint32_t words[dwords];
  std::memcpy(words, &value, sizeof(T));
  for (unsigned i = 0; i < dwords; ++i)
    w.vgpr[d.reg + at.index * dwords + i][at.lane] = words[i];
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// One block: A by rows, B by rows of K, and their product on top of `total`.
template <typename S, typename Sum, typename A, typename B>
struct Block {
  A a[S::m][S::k];
  B b[S::k][S::m];
  typename Sum::Total total[S::m][S::m];

  void multiply() {
    for (unsigned i = 0; i < S::m; ++i)
      for (unsigned k = 0; k < S::k; ++k)
        for (unsigned j = 0; j < S::m; ++j)
          total[i][j] = Sum::add(total[i][j], a[i][k], b[k][j]);
  }
};

template <typename S, typename Sum, typename T>
void loadC(const Wave &w, const Source &c, unsigned block, bool negate,
           T &total) {
  using Value = typename Sum::Value;
  constexpr bool isDouble = sizeof(Value) == 8;
  for (unsigned i = 0; i < S::m; ++i)
    for (unsigned j = 0; j < S::m; ++j) {
      Value value = readC<Value>(w, c, place<S, isDouble>(block, i, j));
      total[i][j] = typename Sum::Total(negate ? -value : value);
    }
}
template <typename S, typename Sum, typename T>
void storeD(Wave &w, const Dest &d, unsigned block, const T &total) {
  using Value = typename Sum::Value;
  constexpr bool isDouble = sizeof(Value) == 8;
  for (unsigned i = 0; i < S::m; ++i)
    for (unsigned j = 0; j < S::m; ++j)
      writeD(w, d, place<S, isDouble>(block, i, j), Value(total[i][j]));
}

/// v_mfma: imm is cbsz, abid, blgp. D may be one of the operands, so all blocks
/// are read before one is written.
template <typename S, typename Sum, typename P, typename Q>
void multiplyDense(Wave &w, const Instruction &i) {
  constexpr bool isDouble = sizeof(typename Sum::Value) == 8;
  unsigned cbsz = i.imm[0], abid = i.imm[1], blgp = i.imm[2];
  static thread_local Block<S, Sum, typename P::Value, typename Q::Value>
      blocks[S::blocks];
  for (unsigned n = 0; n < S::blocks; ++n) {
    auto &block = blocks[n];
    // A group of 2^cbsz blocks takes one of its blocks of A.
    unsigned from = n;
    if (S::blocks > 1 && cbsz)
      from = (n & ~((1u << cbsz) - 1)) + abid;
    for (unsigned r = 0; r < S::m; ++r)
      for (unsigned k = 0; k < S::k; ++k) {
        unsigned lane = S::lane(r, from % S::blocks, k);
        block.a[r][k] =
            P::get(extract(w, i.src[0].reg, lane, k % S::perLane, P::width));
        lane = S::lane(r, n, k);
        if (!isDouble)
          lane = permuteB(lane, blgp);
        block.b[k][r] =
            Q::get(extract(w, i.src[1].reg, lane, k % S::perLane, Q::width));
        // For doubles blgp says what is negated.
        if (isDouble && (blgp & 1))
          block.a[r][k] = -block.a[r][k];
        if (isDouble && (blgp & 2))
          block.b[k][r] = -block.b[k][r];
      }
    loadC<S, Sum>(w, i.src[2], n, isDouble && (blgp & 4), block.total);
  }
  for (unsigned n = 0; n < S::blocks; ++n) {
    blocks[n].multiply();
    storeD<S, Sum>(w, i.dst, n, blocks[n].total);
  }
}

/// v_smfmac: A holds two of each four neighbours in K, and two bits for each
/// say which. D is C; src is A, B, the indices; imm is cbsz, abid.
template <typename S, typename Sum, typename P, typename Q>
void multiplySparse(Wave &w, const Instruction &i) {
  using AShape = Shape<S::m, S::k / 2>;
  static thread_local Block<S, Sum, typename P::Value, typename Q::Value> block;
  std::memset(block.a, 0, sizeof(block.a));
  // A register of indices holds several sets where a set is less.
  constexpr unsigned setBits = 2 * AShape::perLane;
  unsigned set = i.imm[0] ? 0 : i.imm[1] % (32 / setBits);
  for (unsigned r = 0; r < S::m; ++r) {
    for (unsigned e = 0; e < S::k / 2; ++e) {
      unsigned lane = AShape::lane(r, 0, e), at = e % AShape::perLane;
      unsigned which =
          w.vgpr[i.src[2].reg][lane] >> (set * setBits + 2 * at) & 3;
      unsigned k = e / AShape::perLane * S::perLane + at / 2 * 4 + which;
      block.a[r][k] = P::get(extract(w, i.src[0].reg, lane, at, P::width));
    }
    for (unsigned k = 0; k < S::k; ++k)
      block.b[k][r] = Q::get(
          extract(w, i.src[1].reg, S::lane(r, 0, k), k % S::perLane, Q::width));
  }
  Source c;
  c.kind = OperandKind::Vector;
  c.reg = i.dst.reg;
  loadC<S, Sum>(w, c, 0, false, block.total);
  block.multiply();
  storeD<S, Sum>(w, i.dst, 0, block.total);
}

//===----------------------------------------------------------------------===//
// Block scales
//===----------------------------------------------------------------------===//

double getScaled(unsigned format, uint64_t bits) {
  switch (format) {
  case 0:
    return Small<F8E4M3FN>::get(bits);
  case 1:
    return Small<F8E5M2>::get(bits);
  case 2:
    return Small<F6E2M3FN>::get(bits);
  case 3:
    return Small<F6E3M2FN>::get(bits);
  default:
    return Small<F4E2M1FN>::get(bits);
  }
}
constexpr unsigned formatBits[] = {8, 8, 6, 6, 4};

/// The scale of a lane's 32 elements: one of the four bytes of its register.
double scaleOf(const Wave &w, const Source &scale, unsigned lane) {
  if (!scale)
    return 1;
  uint32_t word = scale.kind == OperandKind::Vector ? w.vgpr[scale.reg][lane]
                                                    : w.scalar32(scale);
  unsigned byte =
      (scale.mods & mod::OpSel ? 1 : 0) + (scale.mods & mod::OpSelHi ? 2 : 0);
  unsigned e = word >> (8 * byte) & 0xff;
  return e == 255 ? std::nan("") : std::ldexp(1.0, int(e) - 127);
}

/// v_mfma_f32_*_f8f6f4, scaled or not: imm is the formats of A and B; a scale
/// stands in src[3] and src[4].
template <typename S>
void multiplyScaled(Wave &w, const Instruction &i) {
  static_assert(S::perLane == 32, "a lane holds one block of a scale");
  static thread_local Block<S, SumOfExact, double, double> block;
  unsigned formatA = i.imm[0], formatB = i.imm[1];
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    double scaleA = scaleOf(w, i.src[3], lane);
    double scaleB = scaleOf(w, i.src[4], lane);
    unsigned row = lane % S::m, first = lane / S::m * S::perLane;
    for (unsigned e = 0; e < S::perLane; ++e) {
      block.a[row][first + e] =
          scaleA * getScaled(formatA, extract(w, i.src[0].reg, lane, e,
                                              formatBits[formatA]));
      block.b[first + e][row] =
          scaleB * getScaled(formatB, extract(w, i.src[1].reg, lane, e,
                                              formatBits[formatB]));
    }
  }
  loadC<S, SumOfExact>(w, i.src[2], 0, false, block.total);
  block.multiply();
  storeD<S, SumOfExact>(w, i.dst, 0, block.total);
}

//===----------------------------------------------------------------------===//
// Table
//===----------------------------------------------------------------------===//

bool areVectors(const Instruction &i) {
  return i.dst.kind == OperandKind::Vector &&
         i.src[0].kind == OperandKind::Vector &&
         i.src[1].kind == OperandKind::Vector;
}

template <typename S, typename Sum, typename P, typename Q = P>
Handler dense(Instruction &i) {
  return areVectors(i) ? multiplyDense<S, Sum, P, Q> : nullptr;
}
template <typename S, typename Sum, typename P, typename Q = P>
Handler sparse(Instruction &i) {
  bool hasIndices = i.src[2].kind == OperandKind::Vector;
  return areVectors(i) && hasIndices ? multiplySparse<S, Sum, P, Q> : nullptr;
}
template <typename S>
Handler scaled(Instruction &i) {
  bool isKnown = unsigned(i.imm[0]) < 5 && unsigned(i.imm[1]) < 5;
  // Which byte of each scale: modifiers that stand behind all sources.
  i.src[3].mods = uint8_t(i.imm[2]);
  i.src[4].mods = uint8_t(i.imm[3]);
  return areVectors(i) && isKnown ? multiplyScaled<S> : nullptr;
}

constexpr InstructionClass Matrix = InstructionClass::Matrix;

using Half = Small<F16>;
using Brain = Small<BF16>;
using E4 = Small<F8E4M3FN>;
using E5 = Small<F8E5M2>;
using E4Z = Small<F8E4M3FNUZ>;
using E5Z = Small<F8E5M2FNUZ>;

template <unsigned M, unsigned K, unsigned Blocks, typename P>
constexpr HandlerFactory small = dense<Shape<M, K, Blocks>, SumOfExact, P>;
template <unsigned M, unsigned K, typename P, typename Q>
constexpr HandlerFactory bytes = dense<Shape<M, K>, SumOfExact, P, Q>;
template <unsigned M, unsigned K, typename P, typename Q = P>
constexpr HandlerFactory halved = sparse<Shape<M, K>, SumOfExact, P, Q>;

const InstructionEntry entries[] = {
    {"v_mfma_f32_32x32x1_2b_f32", dense<Shape<32, 1, 2>, FusedSingle, Single>,
     Matrix},
    {"v_mfma_f32_16x16x1_4b_f32", dense<Shape<16, 1, 4>, FusedSingle, Single>,
     Matrix},
    {"v_mfma_f32_4x4x1_16b_f32", dense<Shape<4, 1, 16>, FusedSingle, Single>,
     Matrix},
    {"v_mfma_f32_32x32x2_f32", dense<Shape<32, 2>, FusedSingle, Single>,
     Matrix},
    {"v_mfma_f32_16x16x4_f32", dense<Shape<16, 4>, FusedSingle, Single>,
     Matrix},
    {"v_mfma_f32_32x32x4_xf32", small<32, 4, 1, Short>, Matrix},
    {"v_mfma_f32_16x16x8_xf32", small<16, 8, 1, Short>, Matrix},
    {"v_mfma_f64_16x16x4_f64", dense<Shape<16, 4>, FusedDouble, Double>,
     Matrix},
    {"v_mfma_f64_4x4x4_4b_f64", dense<Shape<4, 4, 4>, FusedDouble, Double>,
     Matrix},

    {"v_mfma_f32_32x32x4_2b_f16", small<32, 4, 2, Half>, Matrix},
    {"v_mfma_f32_16x16x4_4b_f16", small<16, 4, 4, Half>, Matrix},
    {"v_mfma_f32_4x4x4_16b_f16", small<4, 4, 16, Half>, Matrix},
    {"v_mfma_f32_32x32x8_f16", small<32, 8, 1, Half>, Matrix},
    {"v_mfma_f32_16x16x16_f16", small<16, 16, 1, Half>, Matrix},
    {"v_mfma_f32_32x32x16_f16", small<32, 16, 1, Half>, Matrix},
    {"v_mfma_f32_16x16x32_f16", small<16, 32, 1, Half>, Matrix},
    {"v_mfma_f32_32x32x4_2b_bf16", small<32, 4, 2, Brain>, Matrix},
    {"v_mfma_f32_16x16x4_4b_bf16", small<16, 4, 4, Brain>, Matrix},
    {"v_mfma_f32_4x4x4_16b_bf16", small<4, 4, 16, Brain>, Matrix},
    {"v_mfma_f32_32x32x8_bf16", small<32, 8, 1, Brain>, Matrix},
    {"v_mfma_f32_16x16x16_bf16", small<16, 16, 1, Brain>, Matrix},
    {"v_mfma_f32_32x32x16_bf16", small<32, 16, 1, Brain>, Matrix},
    {"v_mfma_f32_16x16x32_bf16", small<16, 32, 1, Brain>, Matrix},

    {"v_mfma_i32_32x32x4_2b_i8", dense<Shape<32, 4, 2>, Wrapping, Byte>,
     Matrix},
    {"v_mfma_i32_16x16x4_4b_i8", dense<Shape<16, 4, 4>, Wrapping, Byte>,
     Matrix},
    {"v_mfma_i32_4x4x4_16b_i8", dense<Shape<4, 4, 16>, Wrapping, Byte>, Matrix},
    {"v_mfma_i32_32x32x16_i8", dense<Shape<32, 16>, Wrapping, Byte>, Matrix},
    {"v_mfma_i32_16x16x32_i8", dense<Shape<16, 32>, Wrapping, Byte>, Matrix},
    {"v_mfma_i32_32x32x32_i8", dense<Shape<32, 32>, Wrapping, Byte>, Matrix},
    {"v_mfma_i32_16x16x64_i8", dense<Shape<16, 64>, Wrapping, Byte>, Matrix},

    {"v_mfma_f32_16x16x32_fp8_fp8", bytes<16, 32, E4, E4>, Matrix},
    {"v_mfma_f32_16x16x32_fp8_bf8", bytes<16, 32, E4, E5>, Matrix},
    {"v_mfma_f32_16x16x32_bf8_fp8", bytes<16, 32, E5, E4>, Matrix},
    {"v_mfma_f32_16x16x32_bf8_bf8", bytes<16, 32, E5, E5>, Matrix},
    {"v_mfma_f32_32x32x16_fp8_fp8", bytes<32, 16, E4, E4>, Matrix},
    {"v_mfma_f32_32x32x16_fp8_bf8", bytes<32, 16, E4, E5>, Matrix},
    {"v_mfma_f32_32x32x16_bf8_fp8", bytes<32, 16, E5, E4>, Matrix},
    {"v_mfma_f32_32x32x16_bf8_bf8", bytes<32, 16, E5, E5>, Matrix},
    {"v_mfma_f32_16x16x32_fp8_fp8.fnuz", bytes<16, 32, E4Z, E4Z>, Matrix},
    {"v_mfma_f32_16x16x32_fp8_bf8.fnuz", bytes<16, 32, E4Z, E5Z>, Matrix},
    {"v_mfma_f32_16x16x32_bf8_fp8.fnuz", bytes<16, 32, E5Z, E4Z>, Matrix},
    {"v_mfma_f32_16x16x32_bf8_bf8.fnuz", bytes<16, 32, E5Z, E5Z>, Matrix},
    {"v_mfma_f32_32x32x16_fp8_fp8.fnuz", bytes<32, 16, E4Z, E4Z>, Matrix},
    {"v_mfma_f32_32x32x16_fp8_bf8.fnuz", bytes<32, 16, E4Z, E5Z>, Matrix},
    {"v_mfma_f32_32x32x16_bf8_fp8.fnuz", bytes<32, 16, E5Z, E4Z>, Matrix},
    {"v_mfma_f32_32x32x16_bf8_bf8.fnuz", bytes<32, 16, E5Z, E5Z>, Matrix},

    {"v_mfma_f32_16x16x128_f8f6f4", scaled<Shape<16, 128>>, Matrix},
    {"v_mfma_f32_32x32x64_f8f6f4", scaled<Shape<32, 64>>, Matrix},
    {"v_mfma_scale_f32_16x16x128_f8f6f4", scaled<Shape<16, 128>>, Matrix},
    {"v_mfma_scale_f32_32x32x64_f8f6f4", scaled<Shape<32, 64>>, Matrix},

    {"v_smfmac_f32_16x16x32_f16", halved<16, 32, Half>, Matrix},
    {"v_smfmac_f32_32x32x16_f16", halved<32, 16, Half>, Matrix},
    {"v_smfmac_f32_16x16x64_f16", halved<16, 64, Half>, Matrix},
    {"v_smfmac_f32_32x32x32_f16", halved<32, 32, Half>, Matrix},
    {"v_smfmac_f32_16x16x32_bf16", halved<16, 32, Brain>, Matrix},
    {"v_smfmac_f32_32x32x16_bf16", halved<32, 16, Brain>, Matrix},
    {"v_smfmac_f32_16x16x64_bf16", halved<16, 64, Brain>, Matrix},
    {"v_smfmac_f32_32x32x32_bf16", halved<32, 32, Brain>, Matrix},
    {"v_smfmac_i32_16x16x64_i8", sparse<Shape<16, 64>, Wrapping, Byte>, Matrix},
    {"v_smfmac_i32_32x32x32_i8", sparse<Shape<32, 32>, Wrapping, Byte>, Matrix},
    {"v_smfmac_i32_16x16x128_i8", sparse<Shape<16, 128>, Wrapping, Byte>,
     Matrix},
    {"v_smfmac_i32_32x32x64_i8", sparse<Shape<32, 64>, Wrapping, Byte>, Matrix},
    {"v_smfmac_f32_16x16x64_fp8_fp8", halved<16, 64, E4, E4>, Matrix},
    {"v_smfmac_f32_16x16x64_fp8_bf8", halved<16, 64, E4, E5>, Matrix},
    {"v_smfmac_f32_16x16x64_bf8_fp8", halved<16, 64, E5, E4>, Matrix},
    {"v_smfmac_f32_16x16x64_bf8_bf8", halved<16, 64, E5, E5>, Matrix},
    {"v_smfmac_f32_32x32x32_fp8_fp8", halved<32, 32, E4, E4>, Matrix},
    {"v_smfmac_f32_32x32x32_fp8_bf8", halved<32, 32, E4, E5>, Matrix},
    {"v_smfmac_f32_32x32x32_bf8_fp8", halved<32, 32, E5, E4>, Matrix},
    {"v_smfmac_f32_32x32x32_bf8_bf8", halved<32, 32, E5, E5>, Matrix},
    {"v_smfmac_f32_16x16x128_fp8_fp8", halved<16, 128, E4, E4>, Matrix},
    {"v_smfmac_f32_16x16x128_fp8_bf8", halved<16, 128, E4, E5>, Matrix},
    {"v_smfmac_f32_16x16x128_bf8_fp8", halved<16, 128, E5, E4>, Matrix},
    {"v_smfmac_f32_16x16x128_bf8_bf8", halved<16, 128, E5, E5>, Matrix},
    {"v_smfmac_f32_32x32x64_fp8_fp8", halved<32, 64, E4, E4>, Matrix},
    {"v_smfmac_f32_32x32x64_fp8_bf8", halved<32, 64, E4, E5>, Matrix},
    {"v_smfmac_f32_32x32x64_bf8_fp8", halved<32, 64, E5, E4>, Matrix},
    {"v_smfmac_f32_32x32x64_bf8_bf8", halved<32, 64, E5, E5>, Matrix},
    {"v_smfmac_f32_16x16x64_fp8_fp8.fnuz", halved<16, 64, E4Z, E4Z>, Matrix},
    {"v_smfmac_f32_16x16x64_fp8_bf8.fnuz", halved<16, 64, E4Z, E5Z>, Matrix},
    {"v_smfmac_f32_16x16x64_bf8_fp8.fnuz", halved<16, 64, E5Z, E4Z>, Matrix},
    {"v_smfmac_f32_16x16x64_bf8_bf8.fnuz", halved<16, 64, E5Z, E5Z>, Matrix},
    {"v_smfmac_f32_32x32x32_fp8_fp8.fnuz", halved<32, 32, E4Z, E4Z>, Matrix},
    {"v_smfmac_f32_32x32x32_fp8_bf8.fnuz", halved<32, 32, E4Z, E5Z>, Matrix},
    {"v_smfmac_f32_32x32x32_bf8_fp8.fnuz", halved<32, 32, E5Z, E4Z>, Matrix},
    {"v_smfmac_f32_32x32x32_bf8_bf8.fnuz", halved<32, 32, E5Z, E5Z>, Matrix},
};

} // namespace

void registerMatrix(InstructionTable &table) { table.add(entries); }

} // namespace rowmill::emulator
