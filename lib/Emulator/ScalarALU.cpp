// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Scalar arithmetic of two operands: SOP2, SOPC and the arithmetic of SOPK.

#include "ScalarOperands.h"
#include "rowmill/Emulator/InstructionTable.h"

#include <algorithm>

namespace rowmill::emulator {

using namespace scalar;

namespace {

/// An operation on two values and SCC, which it may change.
template <typename T>
using Binary = T (*)(T, T, u32 &scc);
template <typename T>
using Compare = bool (*)(T, T);

template <typename T, Binary<T> F>
void binary(Wave &w, const Instruction &i) {
  u32 scc = w.sgpr[sreg::SCC];
  T result = F(read<T>(w, i.src[0]), read<T>(w, i.src[1]), scc);
  write<T>(w, i.dst, result);
  w.sgpr[sreg::SCC] = scc;
}
template <typename T, Compare<T> F>
void compare(Wave &w, const Instruction &i) {
  w.sgpr[sreg::SCC] = F(read<T>(w, i.src[0]), read<T>(w, i.src[1]));
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

u32 addU(u32 a, u32 b, u32 &scc) {
  u64 sum = u64(a) + b;
  scc = u32(sum >> 32);
  return u32(sum);
}
u32 subU(u32 a, u32 b, u32 &scc) {
  scc = a < b;
  return a - b;
}
u32 addc(u32 a, u32 b, u32 &scc) {
  u64 sum = u64(a) + b + scc;
  scc = u32(sum >> 32);
  return u32(sum);
}
u32 subb(u32 a, u32 b, u32 &scc) {
  u64 take = u64(b) + scc;
  scc = a < take;
  return u32(a - take);
}
u32 addI(u32 a, u32 b, u32 &scc) {
  u32 r = a + b;
  scc = (~(a ^ b) & (a ^ r)) >> 31;
  return r;
}
u32 subI(u32 a, u32 b, u32 &scc) {
  u32 r = a - b;
  scc = ((a ^ b) & (a ^ r)) >> 31;
  return r;
}
template <typename T>
T min(T a, T b, u32 &scc) {
  scc = a < b;
  return scc ? a : b;
}
template <typename T>
T max(T a, T b, u32 &scc) {
  scc = a >= b;
  return scc ? a : b;
}
template <typename T>
T cselect(T a, T b, u32 &scc) {
  return scc ? a : b;
}
template <typename T>
T logicAnd(T a, T b, u32 &scc) {
  return scc = (a & b) != 0, a & b;
}
template <typename T>
T logicOr(T a, T b, u32 &scc) {
  return scc = (a | b) != 0, a | b;
}
template <typename T>
T logicXor(T a, T b, u32 &scc) {
  return scc = (a ^ b) != 0, a ^ b;
}
template <typename T>
T andNot(T a, T b, u32 &scc) {
  return logicAnd<T>(a, ~b, scc);
}
template <typename T>
T orNot(T a, T b, u32 &scc) {
  return logicOr<T>(a, ~b, scc);
}
template <typename T>
T nand(T a, T b, u32 &scc) {
  T r = ~(a & b);
  return scc = r != 0, r;
}
template <typename T>
T nor(T a, T b, u32 &scc) {
  T r = ~(a | b);
  return scc = r != 0, r;
}
template <typename T>
T xnor(T a, T b, u32 &scc) {
  T r = ~(a ^ b);
  return scc = r != 0, r;
}
u32 shl32(u32 a, u32 b, u32 &scc) {
  u32 r = a << (b & 31);
  return scc = r != 0, r;
}
u32 shr32(u32 a, u32 b, u32 &scc) {
  u32 r = a >> (b & 31);
  return scc = r != 0, r;
}
u32 ashr32(u32 a, u32 b, u32 &scc) {
  u32 r = u32(i32(a) >> (b & 31));
  return scc = r != 0, r;
}
u32 bfm32(u32 a, u32 b, u32 &) { return ((1u << (a & 31)) - 1) << (b & 31); }
u32 mul32(u32 a, u32 b, u32 &) { return a * b; }
u32 mulHiU(u32 a, u32 b, u32 &) { return u32((u64(a) * b) >> 32); }
u32 mulHiI(u32 a, u32 b, u32 &) { return u32((i64(i32(a)) * i32(b)) >> 32); }
u32 bfeU32(u32 a, u32 b, u32 &scc) {
  unsigned offset = b & 31, width = b >> 16 & 0x7f;
  u32 r = width == 0    ? 0
          : width >= 32 ? a >> offset
                        : (a >> offset) & ((1u << width) - 1);
  return scc = r != 0, r;
}
u32 bfeI32(u32 a, u32 b, u32 &scc) {
  unsigned offset = b & 31, width = b >> 16 & 0x7f;
  u32 r = 0;
  if (width) {
    // The field ends at bit 31 at the latest; its top bit is the sign.
    unsigned top = std::min(offset + width, 32u);
    r = u32(i32(a << (32 - top)) >> (32 - top + offset));
  }
  return scc = r != 0, r;
}
u32 absdiff(u32 a, u32 b, u32 &scc) {
  u32 r = i32(a) > i32(b) ? a - b : b - a;
  return scc = r != 0, r;
}
template <unsigned N>
u32 shlAdd(u32 a, u32 b, u32 &scc) {
  u64 r = (u64(a) << N) + b;
  scc = (r >> 32) != 0;
  return u32(r);
}
u32 packLL(u32 a, u32 b, u32 &) { return (a & 0xffff) | b << 16; }
u32 packLH(u32 a, u32 b, u32 &) { return (a & 0xffff) | (b & 0xffff0000); }
u32 packHH(u32 a, u32 b, u32 &) { return a >> 16 | (b & 0xffff0000); }

bool eq32(u32 a, u32 b) { return a == b; }
bool ne32(u32 a, u32 b) { return a != b; }
bool eq64(u64 a, u64 b) { return a == b; }
bool ne64(u64 a, u64 b) { return a != b; }
template <typename T>
bool lt(T a, T b) {
  return a < b;
}
template <typename T>
bool le(T a, T b) {
  return a <= b;
}
template <typename T>
bool gt(T a, T b) {
  return a > b;
}
template <typename T>
bool ge(T a, T b) {
  return a >= b;
}

//===----------------------------------------------------------------------===//
// Instructions whose operands differ in width, or that read their destination
//===----------------------------------------------------------------------===//

template <u64 (*F)(u64, unsigned)>
void shift64(Wave &w, const Instruction &i) {
  u64 r = F(w.scalar64(i.src[0]), w.scalar32(i.src[1]) & 63);
  w.setSgpr64(i.dst.reg, r);
  w.sgpr[sreg::SCC] = r != 0;
}
u64 shl64(u64 a, unsigned n) { return a << n; }
u64 shr64(u64 a, unsigned n) { return a >> n; }
u64 ashr64(u64 a, unsigned n) { return u64(i64(a) >> n); }

void bfm64(Wave &w, const Instruction &i) {
  unsigned width = w.scalar32(i.src[0]) & 63,
           offset = w.scalar32(i.src[1]) & 63;
  w.setSgpr64(i.dst.reg, ((u64(1) << width) - 1) << offset);
}
template <bool Signed>
void bfe64(Wave &w, const Instruction &i) {
  u64 a = w.scalar64(i.src[0]);
  u32 b = w.scalar32(i.src[1]);
  unsigned offset = b & 63, width = b >> 16 & 0x7f;
  u64 r = 0;
  if (width) {
    unsigned top = std::min(offset + width, 64u), up = 64 - top;
    r = Signed ? u64(i64(a << up) >> (up + offset))
               : (a << up) >> (up + offset);
  }
  w.setSgpr64(i.dst.reg, r);
  w.sgpr[sreg::SCC] = r != 0;
}

template <typename T, bool One>
void bitcmp(Wave &w, const Instruction &i) {
  T bit =
      read<T>(w, i.src[0]) >> (w.scalar32(i.src[1]) & (sizeof(T) * 8 - 1)) & 1;
  w.sgpr[sreg::SCC] = bool(bit) == One;
}
//===----------------------------------------------------------------------===//
// SOPK: a 16-bit immediate; the disassembler leaves it unextended
//===----------------------------------------------------------------------===//

i32 simm16(const Instruction &i) { return int16_t(i.imm[0]); }

void movk(Wave &w, const Instruction &i) { w.setSgpr32(i.dst.reg, simm16(i)); }
void cmovk(Wave &w, const Instruction &i) {
  if (w.sgpr[sreg::SCC])
    w.setSgpr32(i.dst.reg, simm16(i));
}
void addk(Wave &w, const Instruction &i) {
  u32 scc = 0;
  u32 r = addI(w.sgpr[i.dst.reg], simm16(i), scc);
  w.setSgpr32(i.dst.reg, r);
  w.sgpr[sreg::SCC] = scc;
}
void mulk(Wave &w, const Instruction &i) {
  w.setSgpr32(i.dst.reg, w.sgpr[i.dst.reg] * u32(simm16(i)));
}
template <Compare<i32> F>
void cmpkI(Wave &w, const Instruction &i) {
  w.sgpr[sreg::SCC] = F(i32(w.scalar32(i.src[0])), simm16(i));
}
template <Compare<u32> F>
void cmpkU(Wave &w, const Instruction &i) {
  w.sgpr[sreg::SCC] = F(w.scalar32(i.src[0]), u32(uint16_t(i.imm[0])));
}
template <typename T>
bool eq(T a, T b) {
  return a == b;
}
template <typename T>
bool ne(T a, T b) {
  return a != b;
}

constexpr InstructionClass kSALU = InstructionClass::SALU;

const InstructionEntry kTable[] = {
    {"s_add_u32", always<binary<u32, addU>>, kSALU},
    {"s_sub_u32", always<binary<u32, subU>>, kSALU},
    {"s_add_i32", always<binary<u32, addI>>, kSALU},
    {"s_sub_i32", always<binary<u32, subI>>, kSALU},
    {"s_addc_u32", always<binary<u32, addc>>, kSALU},
    {"s_subb_u32", always<binary<u32, subb>>, kSALU},
    {"s_min_i32", always<binary<i32, min<i32>>>, kSALU},
    {"s_min_u32", always<binary<u32, min<u32>>>, kSALU},
    {"s_max_i32", always<binary<i32, max<i32>>>, kSALU},
    {"s_max_u32", always<binary<u32, max<u32>>>, kSALU},
    {"s_cselect_b32", always<binary<u32, cselect<u32>>>, kSALU},
    {"s_cselect_b64", always<binary<u64, cselect<u64>>>, kSALU},
    {"s_and_b32", always<binary<u32, logicAnd<u32>>>, kSALU},
    {"s_and_b64", always<binary<u64, logicAnd<u64>>>, kSALU},
    {"s_or_b32", always<binary<u32, logicOr<u32>>>, kSALU},
    {"s_or_b64", always<binary<u64, logicOr<u64>>>, kSALU},
    {"s_xor_b32", always<binary<u32, logicXor<u32>>>, kSALU},
    {"s_xor_b64", always<binary<u64, logicXor<u64>>>, kSALU},
    {"s_andn2_b32", always<binary<u32, andNot<u32>>>, kSALU},
    {"s_andn2_b64", always<binary<u64, andNot<u64>>>, kSALU},
    {"s_orn2_b32", always<binary<u32, orNot<u32>>>, kSALU},
    {"s_orn2_b64", always<binary<u64, orNot<u64>>>, kSALU},
    {"s_nand_b32", always<binary<u32, nand<u32>>>, kSALU},
    {"s_nand_b64", always<binary<u64, nand<u64>>>, kSALU},
    {"s_nor_b32", always<binary<u32, nor<u32>>>, kSALU},
    {"s_nor_b64", always<binary<u64, nor<u64>>>, kSALU},
    {"s_xnor_b32", always<binary<u32, xnor<u32>>>, kSALU},
    {"s_xnor_b64", always<binary<u64, xnor<u64>>>, kSALU},
    {"s_lshl_b32", always<binary<u32, shl32>>, kSALU},
    {"s_lshr_b32", always<binary<u32, shr32>>, kSALU},
    {"s_ashr_i32", always<binary<u32, ashr32>>, kSALU},
    {"s_lshl_b64", always<shift64<shl64>>, kSALU},
    {"s_lshr_b64", always<shift64<shr64>>, kSALU},
    {"s_ashr_i64", always<shift64<ashr64>>, kSALU},
    {"s_bfm_b32", always<binary<u32, bfm32>>, kSALU},
    {"s_bfm_b64", always<bfm64>, kSALU},
    {"s_mul_i32", always<binary<u32, mul32>>, kSALU},
    {"s_mul_hi_u32", always<binary<u32, mulHiU>>, kSALU},
    {"s_mul_hi_i32", always<binary<u32, mulHiI>>, kSALU},
    {"s_bfe_u32", always<binary<u32, bfeU32>>, kSALU},
    {"s_bfe_i32", always<binary<u32, bfeI32>>, kSALU},
    {"s_bfe_u64", always<bfe64<false>>, kSALU},
    {"s_bfe_i64", always<bfe64<true>>, kSALU},
    {"s_absdiff_i32", always<binary<u32, absdiff>>, kSALU},
    {"s_lshl1_add_u32", always<binary<u32, shlAdd<1>>>, kSALU},
    {"s_lshl2_add_u32", always<binary<u32, shlAdd<2>>>, kSALU},
    {"s_lshl3_add_u32", always<binary<u32, shlAdd<3>>>, kSALU},
    {"s_lshl4_add_u32", always<binary<u32, shlAdd<4>>>, kSALU},
    {"s_pack_ll_b32_b16", always<binary<u32, packLL>>, kSALU},
    {"s_pack_lh_b32_b16", always<binary<u32, packLH>>, kSALU},
    {"s_pack_hh_b32_b16", always<binary<u32, packHH>>, kSALU},

    {"s_cmp_eq_i32", always<compare<u32, eq32>>, kSALU},
    {"s_cmp_lg_i32", always<compare<u32, ne32>>, kSALU},
    {"s_cmp_gt_i32", always<compare<i32, gt<i32>>>, kSALU},
    {"s_cmp_ge_i32", always<compare<i32, ge<i32>>>, kSALU},
    {"s_cmp_lt_i32", always<compare<i32, lt<i32>>>, kSALU},
    {"s_cmp_le_i32", always<compare<i32, le<i32>>>, kSALU},
    {"s_cmp_eq_u32", always<compare<u32, eq32>>, kSALU},
    {"s_cmp_lg_u32", always<compare<u32, ne32>>, kSALU},
    {"s_cmp_gt_u32", always<compare<u32, gt<u32>>>, kSALU},
    {"s_cmp_ge_u32", always<compare<u32, ge<u32>>>, kSALU},
    {"s_cmp_lt_u32", always<compare<u32, lt<u32>>>, kSALU},
    {"s_cmp_le_u32", always<compare<u32, le<u32>>>, kSALU},
    {"s_cmp_eq_u64", always<compare<u64, eq64>>, kSALU},
    {"s_cmp_lg_u64", always<compare<u64, ne64>>, kSALU},
    {"s_bitcmp0_b32", always<bitcmp<u32, false>>, kSALU},
    {"s_bitcmp1_b32", always<bitcmp<u32, true>>, kSALU},
    {"s_bitcmp0_b64", always<bitcmp<u64, false>>, kSALU},
    {"s_bitcmp1_b64", always<bitcmp<u64, true>>, kSALU},

    {"s_movk_i32", always<movk>, kSALU},
    {"s_cmovk_i32", always<cmovk>, kSALU},
    {"s_addk_i32", always<addk>, kSALU},
    {"s_mulk_i32", always<mulk>, kSALU},
    {"s_cmpk_eq_i32", always<cmpkI<eq<i32>>>, kSALU},
    {"s_cmpk_lg_i32", always<cmpkI<ne<i32>>>, kSALU},
    {"s_cmpk_gt_i32", always<cmpkI<gt<i32>>>, kSALU},
    {"s_cmpk_ge_i32", always<cmpkI<ge<i32>>>, kSALU},
    {"s_cmpk_lt_i32", always<cmpkI<lt<i32>>>, kSALU},
    {"s_cmpk_le_i32", always<cmpkI<le<i32>>>, kSALU},
    {"s_cmpk_eq_u32", always<cmpkU<eq<u32>>>, kSALU},
    {"s_cmpk_lg_u32", always<cmpkU<ne<u32>>>, kSALU},
    {"s_cmpk_gt_u32", always<cmpkU<gt<u32>>>, kSALU},
    {"s_cmpk_ge_u32", always<cmpkU<ge<u32>>>, kSALU},
    {"s_cmpk_lt_u32", always<cmpkU<lt<u32>>>, kSALU},
    {"s_cmpk_le_u32", always<cmpkU<le<u32>>>, kSALU},
};

} // namespace

void registerScalarALU(InstructionTable &table) { table.add(kTable); }

} // namespace rowmill::emulator
