// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Scalar instructions of one operand: SOP1, those that change EXEC included.

#include "ScalarOperands.h"
#include "rowmill/Emulator/InstructionTable.h"

#include <llvm/ADT/bit.h>
#include <llvm/Support/MathExtras.h>

namespace rowmill::emulator {

using namespace scalar;

namespace {

/// An operation on a value and SCC, which it may change.
template <typename T>
using Unary = T (*)(T, u32 &scc);
template <typename T, Unary<T> F>
void unary(Wave &w, const Instruction &i) {
  u32 scc = w.sgpr[sreg::SCC];
  T result = F(read<T>(w, i.src[0]), scc);
  write<T>(w, i.dst, result);
  w.sgpr[sreg::SCC] = scc;
}

template <typename T>
T mov(T a, u32 &) {
  return a;
}
template <typename T>
T bitNot(T a, u32 &scc) {
  return scc = T(~a) != 0, T(~a);
}
template <typename T>
T wqm(T a, u32 &scc) {
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

/// Counts bits of a 32- or 64-bit source into 32 bits.
template <typename T, bool Ones>
void bitCount(Wave &w, const Instruction &i) {
  T a = read<T>(w, i.src[0]);
  u32 r = llvm::popcount(Ones ? a : T(~a));
  w.setSgpr32(i.dst.reg, r);
  w.sgpr[sreg::SCC] = r != 0;
}
/// The position of the lowest bit equal to One, or -1.
template <typename T, bool One>
void findFirst(Wave &w, const Instruction &i) {
  T a = read<T>(w, i.src[0]);
  if (!One)
    a = ~a;
  w.setSgpr32(i.dst.reg, a ? u32(llvm::countr_zero(a)) : ~0u);
}
template <typename T>
void leadingZeros(Wave &w, const Instruction &i) {
  T a = read<T>(w, i.src[0]);
  w.setSgpr32(i.dst.reg, a ? u32(llvm::countl_zero(a)) : ~0u);
}
/// Leading bits equal to the sign; -1 if all are.
template <typename T>
void leadingSign(Wave &w, const Instruction &i) {
  T a = read<T>(w, i.src[0]);
  T flipped = a >> (sizeof(T) * 8 - 1) ? T(~a) : a;
  w.setSgpr32(i.dst.reg, flipped ? u32(llvm::countl_zero(flipped)) : ~0u);
}
template <bool One>
void bitset32(Wave &w, const Instruction &i) {
  u32 bit = 1u << (w.scalar32(i.src[0]) & 31), old = w.sgpr[i.dst.reg];
  w.setSgpr32(i.dst.reg, One ? old | bit : old & ~bit);
}
template <bool One>
void bitset64(Wave &w, const Instruction &i) {
  u64 bit = u64(1) << (w.scalar32(i.src[0]) & 63), old = w.sgpr64(i.dst.reg);
  w.setSgpr64(i.dst.reg, One ? old | bit : old & ~bit);
}
template <typename T>
void cmov(Wave &w, const Instruction &i) {
  if (w.sgpr[sreg::SCC])
    write<T>(w, i.dst, read<T>(w, i.src[0]));
}
template <typename T>
void quadmask(Wave &w, const Instruction &i) {
  T a = read<T>(w, i.src[0]), r = 0;
  for (unsigned q = 0; q < 2 * sizeof(T); ++q)
    r |= T((a >> (4 * q) & 0xf) != 0) << q;
  write<T>(w, i.dst, r);
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
template <u64 (*F)(u64, u64)>
void saveExec(Wave &w, const Instruction &i) {
  u64 source = w.scalar64(i.src[0]), old = w.exec(), result = F(source, old);
  w.setSgpr64(i.dst.reg, old);
  w.setExec(result);
  w.sgpr[sreg::SCC] = result != 0;
}
/// EXEC and D = F(source, EXEC).
template <u64 (*F)(u64, u64)>
void writeExec(Wave &w, const Instruction &i) {
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

constexpr InstructionClass kSALU = InstructionClass::SALU;

const InstructionEntry kTable[] = {
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
    {"s_quadmask_b32", always<quadmask<u32>>, kSALU},
    {"s_quadmask_b64", always<quadmask<u64>>, kSALU},
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
};

} // namespace

void registerScalarUnary(InstructionTable &table) { table.add(kTable); }

} // namespace rowmill::emulator
