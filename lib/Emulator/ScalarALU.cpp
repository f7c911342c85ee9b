// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Scalar arithmetic: SOP1, SOP2, SOPC and the arithmetic of SOPK.

#include "rowmill/Emulator/InstructionTable.h"
#include "rowmill/Emulator/Wave.h"

#include <llvm/ADT/bit.h>
#include <llvm/Support/MathExtras.h>

namespace rowmill::emulator {
namespace {

using u32 = uint32_t;
using u64 = uint64_t;
using i32 = int32_t;
using i64 = int64_t;

/// An operation on two values and SCC, which it may change.
template <typename T> using Binary = T (*)(T, T, u32 &scc);
template <typename T> using Unary = T (*)(T, u32 &scc);
template <typename T> using Compare = bool (*)(T, T);

template <typename T> T read(const Wave &w, const Source &src) {
  if constexpr (sizeof(T) == 8)
    return T(w.scalar64(src));
  else
    return T(w.scalar32(src));
}
template <typename T> void write(Wave &w, const Dest &dst, T value) {
  if constexpr (sizeof(T) == 8)
    w.setSgpr64(dst.reg, u64(value));
  else
    w.setSgpr32(dst.reg, u32(value));
}

template <typename T, Binary<T> F> void binary(Wave &w, const Instruction &i) {
  u32 scc = w.sgpr[sreg::SCC];
  T result = F(read<T>(w, i.src[0]), read<T>(w, i.src[1]), scc);
  write<T>(w, i.dst, result);
  w.sgpr[sreg::SCC] = scc;
}
template <typename T, Unary<T> F> void unary(Wave &w, const Instruction &i) {
  u32 scc = w.sgpr[sreg::SCC];
  T result = F(read<T>(w, i.src[0]), scc);
  write<T>(w, i.dst, result);
  w.sgpr[sreg::SCC] = scc;
}
template <typename T, Compare<T> F> void compare(Wave &w, const Instruction &i) {
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
template <typename T> T min(T a, T b, u32 &scc) {
  scc = a < b;
  return scc ? a : b;
}
template <typename T> T max(T a, T b, u32 &scc) {
  scc = a >= b;
  return scc ? a : b;
}
template <typename T> T cselect(T a, T b, u32 &scc) { return scc ? a : b; }
template <typename T> T logicAnd(T a, T b, u32 &scc) { return scc = (a & b) != 0, a & b; }
template <typename T> T logicOr(T a, T b, u32 &scc) { return scc = (a | b) != 0, a | b; }
template <typename T> T logicXor(T a, T b, u32 &scc) { return scc = (a ^ b) != 0, a ^ b; }
template <typename T> T andNot(T a, T b, u32 &scc) { return logicAnd<T>(a, ~b, scc); }
template <typename T> T orNot(T a, T b, u32 &scc) { return logicOr<T>(a, ~b, scc); }
template <typename T> T nand(T a, T b, u32 &scc) {
  T r = ~(a & b);
  return scc = r != 0, r;
}
template <typename T> T nor(T a, T b, u32 &scc) {
  T r = ~(a | b);
  return scc = r != 0, r;
}
template <typename T> T xnor(T a, T b, u32 &scc) {
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
  u32 r = width == 0 ? 0
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
template <unsigned N> u32 shlAdd(u32 a, u32 b, u32 &scc) {
  u64 r = (u64(a) << N) + b;
  scc = (r >> 32) != 0;
  return u32(r);
}
u32 packLL(u32 a, u32 b, u32 &) { return (a & 0xffff) | b << 16; }
u32 packLH(u32 a, u32 b, u32 &) { return (a & 0xffff) | (b & 0xffff0000); }
u32 packHH(u32 a, u32 b, u32 &) { return a >> 16 | (b & 0xffff0000); }

template <typename T> T mov(T a, u32 &) { return a; }
template <typename T> T bitNot(T a, u32 &scc) { return scc = T(~a) != 0, T(~a); }
template <typename T> T wqm(T a, u32 &scc) {
  T r = 0;
  for (unsigned q = 0; q < sizeof(T) * 8; q += 4)
    if (a >> q & 0xf)
      r |= T(0xf) << q;
  return scc = r != 0, r;
}
u32 brev32(u32 a, u32 &) { return llvm::reverseBits(a); }
u64 brev64(u64 a, u32 &) { return llvm::reverseBits(a); }
u32 absI32(u32 a, u32 &scc) {
  u32 r = i32(a) < 0 ? 0 - a : a;
  return scc = r != 0, r;
}
u32 sext8(u32 a, u32 &) { return u32(i32(int8_t(a))); }
u32 sext16(u32 a, u32 &) { return u32(i32(int16_t(a))); }

bool eq32(u32 a, u32 b) { return a == b; }
bool ne32(u32 a, u32 b) { return a != b; }
bool eq64(u64 a, u64 b) { return a == b; }
bool ne64(u64 a, u64 b) { return a != b; }
template <typename T> bool lt(T a, T b) { return a < b; }
template <typename T> bool le(T a, T b) { return a <= b; }
template <typename T> bool gt(T a, T b) { return a > b; }
template <typename T> bool ge(T a, T b) { return a >= b; }

//===----------------------------------------------------------------------===//
// Instructions whose operands differ in width, or that read their destination
//===----------------------------------------------------------------------===//

template <u64 (*F)(u64, unsigned)> void shift64(Wave &w, const Instruction &i) {
  u64 r = F(w.scalar64(i.src[0]), w.scalar32(i.src[1]) & 63);
  w.setSgpr64(i.dst.reg, r);
  w.sgpr[sreg::SCC] = r != 0;
}
u64 shl64(u64 a, unsigned n) { return a << n; }
u64 shr64(u64 a, unsigned n) { return a >> n; }
u64 ashr64(u64 a, unsigned n) { return u64(i64(a) >> n); }

void bfm64(Wave &w, const Instruction &i) {
  unsigned width = w.scalar32(i.src[0]) & 63, offset = w.scalar32(i.src[1]) & 63;
  w.setSgpr64(i.dst.reg, ((u64(1) << width) - 1) << offset);
}
template <bool Signed> void bfe64(Wave &w, const Instruction &i) {
  u64 a = w.scalar64(i.src[0]);
  u32 b = w.scalar32(i.src[1]);
  unsigned offset = b & 63, width = b >> 16 & 0x7f;
  u64 r = 0;
  if (width) {
    unsigned top = std::min(offset + width, 64u), up = 64 - top;
    r = Signed ? u64(i64(a << up) >> (up + offset)) : (a << up) >> (up + offset);
  }
  w.setSgpr64(i.dst.reg, r);
  w.sgpr[sreg::SCC] = r != 0;
}

/// Counts bits of a 32- or 64-bit source into 32 bits.
template <typename T, bool Ones> void bitCount(Wave &w, const Instruction &i) {
  T a = read<T>(w, i.src[0]);
  u32 r = llvm::popcount(Ones ? a : T(~a));
  w.setSgpr32(i.dst.reg, r);
  w.sgpr[sreg::SCC] = r != 0;
}
/// The position of the lowest bit equal to One, or -1.
template <typename T, bool One> void findFirst(Wave &w, const Instruction &i) {
  T a = read<T>(w, i.src[0]);
  if (!One)
    a = ~a;
  w.setSgpr32(i.dst.reg, a ? u32(llvm::countr_zero(a)) : ~0u);
}
template <typename T> void leadingZeros(Wave &w, const Instruction &i) {
  T a = read<T>(w, i.src[0]);
  w.setSgpr32(i.dst.reg, a ? u32(llvm::countl_zero(a)) : ~0u);
}
/// Leading bits equal to the sign; -1 if all are.
template <typename T> void leadingSign(Wave &w, const Instruction &i) {
  T a = read<T>(w, i.src[0]);
  T flipped = a >> (sizeof(T) * 8 - 1) ? T(~a) : a;
  w.setSgpr32(i.dst.reg, flipped ? u32(llvm::countl_zero(flipped)) : ~0u);
}
template <bool One> void bitset32(Wave &w, const Instruction &i) {
  u32 bit = 1u << (w.scalar32(i.src[0]) & 31), old = w.sgpr[i.dst.reg];
  w.setSgpr32(i.dst.reg, One ? old | bit : old & ~bit);
}
template <bool One> void bitset64(Wave &w, const Instruction &i) {
  u64 bit = u64(1) << (w.scalar32(i.src[0]) & 63), old = w.sgpr64(i.dst.reg);
  w.setSgpr64(i.dst.reg, One ? old | bit : old & ~bit);
}
template <typename T, bool One> void bitcmp(Wave &w, const Instruction &i) {
  T bit = read<T>(w, i.src[0]) >> (w.scalar32(i.src[1]) & (sizeof(T) * 8 - 1)) & 1;
  w.sgpr[sreg::SCC] = bool(bit) == One;
}
template <typename T> void cmov(Wave &w, const Instruction &i) {
  if (w.sgpr[sreg::SCC])
    write<T>(w, i.dst, read<T>(w, i.src[0]));
}
void quadmask64(Wave &w, const Instruction &i) {
  u64 a = w.scalar64(i.src[0]), r = 0;
  for (unsigned q = 0; q < 16; ++q)
    r |= u64((a >> (4 * q) & 0xf) != 0) << q;
  w.setSgpr64(i.dst.reg, r);
  w.sgpr[sreg::SCC] = r != 0;
}
void bitreplicate(Wave &w, const Instruction &i) {
  u32 a = w.scalar32(i.src[0]);
  u64 r = 0;
  for (unsigned b = 0; b < 32; ++b)
    r |= u64(a >> b & 1) * 3 << (2 * b);
  w.setSgpr64(i.dst.reg, r);
}

/// D = EXEC; EXEC = F(source, EXEC).
template <u64 (*F)(u64, u64)> void saveExec(Wave &w, const Instruction &i) {
  u64 source = w.scalar64(i.src[0]), old = w.exec(), result = F(source, old);
  w.setSgpr64(i.dst.reg, old);
  w.setExec(result);
  w.sgpr[sreg::SCC] = result != 0;
}
/// EXEC and D = F(source, EXEC).
template <u64 (*F)(u64, u64)> void writeExec(Wave &w, const Instruction &i) {
  u64 result = F(w.scalar64(i.src[0]), w.exec());
  w.setExec(result);
  w.setSgpr64(i.dst.reg, result);
  w.sgpr[sreg::SCC] = result != 0;
}
u64 execAnd(u64 s, u64 e) { return s & e; }
u64 execOr(u64 s, u64 e) { return s | e; }
u64 execXor(u64 s, u64 e) { return s ^ e; }
u64 execAndN1(u64 s, u64 e) { return ~s & e; }
u64 execAndN2(u64 s, u64 e) { return s & ~e; }
u64 execOrN1(u64 s, u64 e) { return ~s | e; }
u64 execOrN2(u64 s, u64 e) { return s | ~e; }
u64 execNand(u64 s, u64 e) { return ~(s & e); }
u64 execNor(u64 s, u64 e) { return ~(s | e); }
u64 execXnor(u64 s, u64 e) { return ~(s ^ e); }

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
template <Compare<i32> F> void cmpkI(Wave &w, const Instruction &i) {
  w.sgpr[sreg::SCC] = F(i32(w.scalar32(i.src[0])), simm16(i));
}
template <Compare<u32> F> void cmpkU(Wave &w, const Instruction &i) {
  w.sgpr[sreg::SCC] = F(w.scalar32(i.src[0]), u32(uint16_t(i.imm[0])));
}
template <typename T> bool eq(T a, T b) { return a == b; }
template <typename T> bool ne(T a, T b) { return a != b; }

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

    {"s_mov_b32", always<unary<u32, mov<u32>>>, kSALU},
    {"s_mov_b64", always<unary<u64, mov<u64>>>, kSALU},
    {"s_cmov_b32", always<cmov<u32>>, kSALU},
    {"s_cmov_b64", always<cmov<u64>>, kSALU},
    {"s_not_b32", always<unary<u32, bitNot<u32>>>, kSALU},
    {"s_not_b64", always<unary<u64, bitNot<u64>>>, kSALU},
    {"s_wqm_b32", always<unary<u32, wqm<u32>>>, kSALU},
    {"s_wqm_b64", always<unary<u64, wqm<u64>>>, kSALU},
    {"s_brev_b32", always<unary<u32, brev32>>, kSALU},
    {"s_brev_b64", always<unary<u64, brev64>>, kSALU},
    {"s_bcnt0_i32_b32", always<bitCount<u32, false>>, kSALU},
    {"s_bcnt0_i32_b64", always<bitCount<u64, false>>, kSALU},
    {"s_bcnt1_i32_b32", always<bitCount<u32, true>>, kSALU},
    {"s_bcnt1_i32_b64", always<bitCount<u64, true>>, kSALU},
    {"s_ff0_i32_b32", always<findFirst<u32, false>>, kSALU},
    {"s_ff0_i32_b64", always<findFirst<u64, false>>, kSALU},
    {"s_ff1_i32_b32", always<findFirst<u32, true>>, kSALU},
    {"s_ff1_i32_b64", always<findFirst<u64, true>>, kSALU},
    {"s_flbit_i32_b32", always<leadingZeros<u32>>, kSALU},
    {"s_flbit_i32_b64", always<leadingZeros<u64>>, kSALU},
    {"s_flbit_i32", always<leadingSign<u32>>, kSALU},
    {"s_flbit_i32_i64", always<leadingSign<u64>>, kSALU},
    {"s_sext_i32_i8", always<unary<u32, sext8>>, kSALU},
    {"s_sext_i32_i16", always<unary<u32, sext16>>, kSALU},
    {"s_bitset0_b32", always<bitset32<false>>, kSALU},
    {"s_bitset1_b32", always<bitset32<true>>, kSALU},
    {"s_bitset0_b64", always<bitset64<false>>, kSALU},
    {"s_bitset1_b64", always<bitset64<true>>, kSALU},
    {"s_abs_i32", always<unary<u32, absI32>>, kSALU},
    {"s_quadmask_b64", always<quadmask64>, kSALU},
    {"s_bitreplicate_b64_b32", always<bitreplicate>, kSALU},
    {"s_and_saveexec_b64", always<saveExec<execAnd>>, kSALU},
    {"s_or_saveexec_b64", always<saveExec<execOr>>, kSALU},
    {"s_xor_saveexec_b64", always<saveExec<execXor>>, kSALU},
    {"s_andn1_saveexec_b64", always<saveExec<execAndN1>>, kSALU},
    {"s_andn2_saveexec_b64", always<saveExec<execAndN2>>, kSALU},
    {"s_orn1_saveexec_b64", always<saveExec<execOrN1>>, kSALU},
    {"s_orn2_saveexec_b64", always<saveExec<execOrN2>>, kSALU},
    {"s_nand_saveexec_b64", always<saveExec<execNand>>, kSALU},
    {"s_nor_saveexec_b64", always<saveExec<execNor>>, kSALU},
    {"s_xnor_saveexec_b64", always<saveExec<execXnor>>, kSALU},
    {"s_andn1_wrexec_b64", always<writeExec<execAndN1>>, kSALU},
    {"s_andn2_wrexec_b64", always<writeExec<execAndN2>>, kSALU},

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
