// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Dot products of packed elements. The float ones flush denormals and round to
// nearest whatever MODE says.

#include "VALU.h"
#include "VALUTables.h"

namespace rowmill::emulator::ROWMILL_SIMD {
namespace {

using U = uint32_t;
using I = int32_t;

/// Modifiers as in VALUPacked.cpp: four bits a source, clamp at bit 12. The
/// two-operand forms (v_dot2c) have none: their elements are low and high.
void describe(Instruction &i) {
  i.imm[3] = i.clamp ? 1 << 12 : 0;
  for (unsigned k = 0; k < i.numSrc && k < 3; ++k) {
    i.imm[3] |= int32_t(i.src[k].mods & 15) << (4 * k);
    i.src[k].mods = 0;
  }
  i.clamp = 0;
}
void describePlain(Instruction &i) {
  i.imm[3] = mod::OpSelHi | mod::OpSelHi << 4;
}

template <bool High>
ROWMILL_INLINE U element(U v, U how) {
  return (v >> (((how >> (High ? 3 : 2)) & 1) << 4)) & 0xffff;
}

template <typename F>
ROWMILL_INLINE float factor(U code, U sign) {
  constexpr U exponent = F::infinity;
  code = (code & exponent) == 0 ? code & F::signBit : code;
  return asFloat(decode<F>(code) ^ sign << 31);
}
template <typename F>
float dot2(U a, U b, float c, Uniform u) {
  U x = u.value, y = u.value >> 4;
  float sum = asFloat(flush32(asBits((u.value >> 8) & 1 ? -c : c)));
  // The products of f16 are exact in f32, those of bf16 nearly always.
  sum = __builtin_fmaf(factor<F>(element<false>(a, x), x & 1),
                       factor<F>(element<false>(b, y), y & 1), sum);
  sum = __builtin_fmaf(factor<F>(element<true>(a, x), (x >> 1) & 1),
                       factor<F>(element<true>(b, y), (y >> 1) & 1), sum);
  return asFloat(flush32(asBits(sum)));
}
template <typename F>
float dot2c(U a, U b, Old<float> c, Uniform u) {
  return dot2<F>(a, b, c.value, u);
}

template <unsigned Bits, bool Signed>
ROWMILL_INLINE int64_t dotSum(U a, U b) {
  int64_t sum = 0;
  for (unsigned at = 0; at < 32; at += Bits) {
    U x = a << (32 - Bits - at), y = b << (32 - Bits - at);
    sum += Signed ? int64_t(I(x) >> (32 - Bits)) * (I(y) >> (32 - Bits))
                  : int64_t(uint64_t(x >> (32 - Bits)) * (y >> (32 - Bits)));
  }
  return sum;
}
template <unsigned Bits, bool Signed>
U dot(U a, U b, U c, Uniform u) {
  int64_t total = dotSum<Bits, Signed>(a, b) + (Signed ? I(c) : int64_t(c));
  int64_t least = Signed ? INT32_MIN : 0;
  int64_t most = Signed ? INT32_MAX : int64_t(UINT32_MAX);
  int64_t limited = total < least ? least : total > most ? most : total;
  return U((u.value >> 12) & 1 ? limited : total);
}
/// The 16-bit forms take op_sel.
template <bool Signed>
U dot16(U a, U b, U c, Uniform u) {
  U x = u.value, y = u.value >> 4;
  return dot<16, Signed>(element<false>(a, x) | element<true>(a, x) << 16,
                         element<false>(b, y) | element<true>(b, y) << 16, c,
                         u);
}
template <unsigned Bits>
U dotc(U a, U b, Old<U> c, Uniform u) {
  return dot<Bits, true>(a, b, c.value, u);
}

constexpr InstructionClass VALU = InstructionClass::VALU;

const InstructionEntry entries[] = {
    {"v_dot2_f32_f16", lanesPrepared<dot2<F16>, describe>, VALU},
    {"v_dot2_f32_bf16", lanesPrepared<dot2<BF16>, describe>, VALU},
    {"v_dot2c_f32_f16", lanesPrepared<dot2c<F16>, describePlain>, VALU},
    {"v_dot2c_f32_bf16", lanesPrepared<dot2c<BF16>, describePlain>, VALU},
    {"v_dot2_i32_i16", lanesPrepared<dot16<true>, describe>, VALU},
    {"v_dot2_u32_u16", lanesPrepared<dot16<false>, describe>, VALU},
    {"v_dot4_i32_i8", lanesPrepared<dot<8, true>, describe>, VALU},
    {"v_dot4_u32_u8", lanesPrepared<dot<8, false>, describe>, VALU},
    {"v_dot8_i32_i4", lanesPrepared<dot<4, true>, describe>, VALU},
    {"v_dot8_u32_u4", lanesPrepared<dot<4, false>, describe>, VALU},
    {"v_dot2c_i32_i16", lanesPrepared<dotc<16>, describePlain>, VALU},
    {"v_dot4c_i32_i8", lanesPrepared<dotc<8>, describePlain>, VALU},
    {"v_dot8c_i32_i4", lanesPrepared<dotc<4>, describePlain>, VALU},
};

} // namespace

const InstructionList dotList = {entries, sizeof(entries) / sizeof(entries[0])};

} // namespace rowmill::emulator::ROWMILL_SIMD
