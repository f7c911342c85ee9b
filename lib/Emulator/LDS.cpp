// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// DS: loads and stores of LDS, its atomics, and the lane exchanges that use its
// crossbar but no memory.

#include "Atomics.h"
#include "rowmill/Emulator/InstructionTable.h"

namespace rowmill::emulator {
namespace {

constexpr InstructionClass kLds = InstructionClass::LDS;

bool isVector(const Source &src, unsigned dwords) {
  return src.kind == OperandKind::Vector && src.dwords == dwords;
}

const uint32_t *address(const Wave &w, const Instruction &i) {
  return w.vgpr[i.src[0].reg];
}

//===----------------------------------------------------------------------===//
// One address
//===----------------------------------------------------------------------===//

template <Fill F, unsigned Bytes>
void read(Wave &w, const Instruction &i) {
  LanePointers p;
  if (resolveLds(w, i, address(w, i), i.imm[0], Bytes,
                 requiredAlignment(w, Bytes), "LDS load", p))
    loadLanes<F, (Bytes + 3) / 4>(w, i.dst.reg, p);
}
template <unsigned Bytes, unsigned Shift>
void write(Wave &w, const Instruction &i) {
  LanePointers p;
  if (resolveLds(w, i, address(w, i), i.imm[0], Bytes,
                 requiredAlignment(w, Bytes), "LDS store", p))
    storeLanes<Bytes, Shift>(w, i.src[1].reg, p);
}
template <Fill F, unsigned Bytes>
Handler makeRead(Instruction &i) {
  i.laneBytes = Bytes;
  return isVector(i.src[0], 1) && i.dst.dwords == (Bytes + 3) / 4
             ? read<F, Bytes>
             : nullptr;
}
template <unsigned Bytes, unsigned Shift = 0>
Handler makeWrite(Instruction &i) {
  i.laneBytes = Bytes;
  return isVector(i.src[0], 1) && isVector(i.src[1], (Bytes + 3) / 4)
             ? write<Bytes, Shift>
             : nullptr;
}

/// M0 names the address: base + offset + 4 * lane.
template <bool IsRead>
void addTid(Wave &w, const Instruction &i) {
  Row addresses;
  for (unsigned l = 0; l < kLanes; ++l)
    addresses.lane[l] = (w.sgpr[sreg::M0] & 0xffff) + 4 * l;
  LanePointers p;
  if (!resolveLds(w, i, addresses.lane, i.imm[0], 4, 4,
                  IsRead ? "LDS load" : "LDS store", p))
    return;
  if (IsRead)
    loadLanes<Fill::Dwords, 1>(w, i.dst.reg, p);
  else
    storeLanes<4>(w, i.src[0].reg, p);
}
template <bool IsRead>
Handler makeAddTid(Instruction &i) {
  i.laneBytes = 4;
  return IsRead || isVector(i.src[0], 1) ? addTid<IsRead> : nullptr;
}

//===----------------------------------------------------------------------===//
// Two addresses
//===----------------------------------------------------------------------===//

/// Both parts are resolved before a register changes: the address may be one.
template <unsigned Bytes, unsigned Stride>
void read2(Wave &w, const Instruction &i) {
  LanePointers first, second;
  unsigned alignment = requiredAlignment(w, Bytes);
  if (!resolveLds(w, i, address(w, i), uint32_t(i.imm[0]) * Stride, Bytes,
                  alignment, "LDS load", first) ||
      !resolveLds(w, i, address(w, i), uint32_t(i.imm[1]) * Stride, Bytes,
                  alignment, "LDS load", second))
    return;
  loadLanes<Fill::Dwords, Bytes / 4>(w, i.dst.reg, first);
  loadLanes<Fill::Dwords, Bytes / 4>(w, i.dst.reg + Bytes / 4, second);
}
template <unsigned Bytes, unsigned Stride>
void write2(Wave &w, const Instruction &i) {
  LanePointers first, second;
  unsigned alignment = requiredAlignment(w, Bytes);
  if (!resolveLds(w, i, address(w, i), uint32_t(i.imm[0]) * Stride, Bytes,
                  alignment, "LDS store", first) ||
      !resolveLds(w, i, address(w, i), uint32_t(i.imm[1]) * Stride, Bytes,
                  alignment, "LDS store", second))
    return;
  storeLanes<Bytes>(w, i.src[1].reg, first);
  storeLanes<Bytes>(w, i.src[2].reg, second);
}
template <unsigned Bytes, unsigned Stride>
Handler makeRead2(Instruction &i) {
  i.laneBytes = 2 * Bytes;
  return isVector(i.src[0], 1) && i.dst.dwords == Bytes / 2
             ? read2<Bytes, Stride>
             : nullptr;
}
template <unsigned Bytes, unsigned Stride>
Handler makeWrite2(Instruction &i) {
  i.laneBytes = 2 * Bytes;
  return isVector(i.src[0], 1) && isVector(i.src[1], Bytes / 4) &&
                 isVector(i.src[2], Bytes / 4)
             ? write2<Bytes, Stride>
             : nullptr;
}

//===----------------------------------------------------------------------===//
// Atomics
//===----------------------------------------------------------------------===//

template <typename T, T (*F)(T, T)>
void atomic(Wave &w, const Instruction &i) {
  LanePointers p;
  if (resolveLds(w, i, address(w, i), i.imm[0], sizeof(T), sizeof(T),
                 "LDS atomic", p))
    atomics::run<T, F>(w, i, i.src[1].reg, p);
}
template <typename T, T (*F)(T, T)>
Handler makeAtomic(Instruction &i) {
  i.laneBytes = sizeof(T);
  return isVector(i.src[0], 1) && isVector(i.src[1], sizeof(T) / 4)
             ? atomic<T, F>
             : nullptr;
}
/// The value to compare with, then the new one: the reverse of the others.
template <typename T>
void compareStore(Wave &w, const Instruction &i) {
  LanePointers p;
  if (resolveLds(w, i, address(w, i), i.imm[0], sizeof(T), sizeof(T),
                 "LDS atomic", p))
    atomics::runCompareSwap<T>(w, i, i.src[1].reg, i.src[2].reg, p);
}
template <typename T>
Handler makeCompareStore(Instruction &i) {
  i.laneBytes = sizeof(T);
  return isVector(i.src[0], 1) && isVector(i.src[1], sizeof(T) / 4) &&
                 isVector(i.src[2], sizeof(T) / 4)
             ? compareStore<T>
             : nullptr;
}

//===----------------------------------------------------------------------===//
// Exchanges
//===----------------------------------------------------------------------===//

void blend(Wave &w, unsigned reg, const Row &values) {
  for (unsigned l = 0; l < kLanes; ++l) {
    uint32_t mask = w.execRow.lane[l];
    w.vgpr[reg][l] = (values.lane[l] & mask) | (w.vgpr[reg][l] & ~mask);
  }
}

/// Each lane takes the value of the lane that it names; inactive lanes give 0.
void bpermute(Wave &w, const Instruction &i) {
  Row values;
  const uint32_t *from = w.vgpr[i.src[1].reg], *index = address(w, i);
  for (unsigned l = 0; l < kLanes; ++l) {
    unsigned source = ((index[l] + uint32_t(i.imm[0])) >> 2) & (w.lanes - 1);
    values.lane[l] = from[source] & w.execRow.lane[source];
  }
  blend(w, i.dst.reg, values);
}
/// Each active lane gives its value to the lane that it names; the highest
/// wins.
void permute(Wave &w, const Instruction &i) {
  Row values = {};
  const uint32_t *from = w.vgpr[i.src[1].reg], *index = address(w, i);
  for (unsigned l = 0; l < w.lanes; ++l)
    if (w.execRow.lane[l])
      values.lane[((index[l] + uint32_t(i.imm[0])) >> 2) & (w.lanes - 1)] =
          from[l];
  blend(w, i.dst.reg, values);
}
template <Handler H>
Handler makePermute(Instruction &i) {
  i.laneBytes = 0;
  return isVector(i.src[0], 1) && isVector(i.src[1], 1) ? H : nullptr;
}

/// The lane that `lane` reads under a ds_swizzle pattern.
unsigned swizzleSource(uint32_t pattern, unsigned lane) {
  if (pattern >= 0xe000) { // FFT: bit reversal of the low bits
    unsigned mask = pattern & 0x1f, reversed = 0;
    for (unsigned b = 0; b < 5; ++b)
      reversed |= (lane >> b & 1) << (4 - b);
    return (lane & 0x20) | (reversed & mask) | (lane & ~mask & 0x1f);
  }
  if (pattern >= 0xc000) { // rotate within 32 lanes, some bits kept
    unsigned mask = pattern & 0x1f, amount = pattern >> 5 & 0x1f;
    bool left = pattern >> 10 & 1;
    unsigned moved = left ? lane + amount : lane - amount;
    return (lane & 0x20) | (((lane & mask) | (moved & ~mask)) & 0x1f);
  }
  if (pattern & 0x8000) // permutation of each four lanes
    return (lane & ~3u) | (pattern >> (2 * (lane & 3)) & 3);
  unsigned andMask = pattern & 0x1f, orMask = pattern >> 5 & 0x1f,
           xorMask = pattern >> 10 & 0x1f;
  return (lane & 0x20) | ((((lane & andMask) | orMask) ^ xorMask) & 0x1f);
}

void swizzle(Wave &w, const Instruction &i) {
  Row values;
  const uint32_t *from = w.vgpr[i.src[0].reg];
  for (unsigned l = 0; l < kLanes; ++l) {
    unsigned source = swizzleSource(uint32_t(i.imm[0]), l);
    values.lane[l] = from[source] & w.execRow.lane[source];
  }
  blend(w, i.dst.reg, values);
}
Handler makeSwizzle(Instruction &i) {
  return isVector(i.src[0], 1) ? swizzle : nullptr;
}

void nothing(Wave &, const Instruction &) {}

using u32 = uint32_t;
using u64 = uint64_t;
using i32 = int32_t;
using i64 = int64_t;

const InstructionEntry kTable[] = {
    {"ds_nop", always<nothing>, kLds},
    {"ds_read_u8", makeRead<Fill::U8, 1>, kLds},
    {"ds_read_i8", makeRead<Fill::I8, 1>, kLds},
    {"ds_read_u16", makeRead<Fill::U16, 2>, kLds},
    {"ds_read_i16", makeRead<Fill::I16, 2>, kLds},
    {"ds_read_u8_d16", makeRead<Fill::D16U8, 1>, kLds},
    {"ds_read_u8_d16_hi", makeRead<Fill::D16U8Hi, 1>, kLds},
    {"ds_read_i8_d16", makeRead<Fill::D16I8, 1>, kLds},
    {"ds_read_i8_d16_hi", makeRead<Fill::D16I8Hi, 1>, kLds},
    {"ds_read_u16_d16", makeRead<Fill::D16, 2>, kLds},
    {"ds_read_u16_d16_hi", makeRead<Fill::D16Hi, 2>, kLds},
    {"ds_read_b32", makeRead<Fill::Dwords, 4>, kLds},
    {"ds_read_b64", makeRead<Fill::Dwords, 8>, kLds},
    {"ds_read_b96", makeRead<Fill::Dwords, 12>, kLds},
    {"ds_read_b128", makeRead<Fill::Dwords, 16>, kLds},
    {"ds_write_b8", makeWrite<1>, kLds},
    {"ds_write_b8_d16_hi", makeWrite<1, 16>, kLds},
    {"ds_write_b16", makeWrite<2>, kLds},
    {"ds_write_b16_d16_hi", makeWrite<2, 16>, kLds},
    {"ds_write_b32", makeWrite<4>, kLds},
    {"ds_write_b64", makeWrite<8>, kLds},
    {"ds_write_b96", makeWrite<12>, kLds},
    {"ds_write_b128", makeWrite<16>, kLds},
    {"ds_read_addtid_b32", makeAddTid<true>, kLds},
    {"ds_write_addtid_b32", makeAddTid<false>, kLds},
    {"ds_read2_b32", makeRead2<4, 4>, kLds},
    {"ds_read2_b64", makeRead2<8, 8>, kLds},
    {"ds_read2st64_b32", makeRead2<4, 4 * 64>, kLds},
    {"ds_read2st64_b64", makeRead2<8, 8 * 64>, kLds},
    {"ds_write2_b32", makeWrite2<4, 4>, kLds},
    {"ds_write2_b64", makeWrite2<8, 8>, kLds},
    {"ds_write2st64_b32", makeWrite2<4, 4 * 64>, kLds},
    {"ds_write2st64_b64", makeWrite2<8, 8 * 64>, kLds},
    {"ds_bpermute_b32", makePermute<bpermute>, kLds},
    {"ds_permute_b32", makePermute<permute>, kLds},
    {"ds_swizzle_b32", makeSwizzle, kLds},
    {"ds_cmpst_b32", makeCompareStore<u32>, kLds},
    {"ds_cmpst_rtn_b32", makeCompareStore<u32>, kLds},
    {"ds_cmpst_b64", makeCompareStore<u64>, kLds},
    {"ds_cmpst_rtn_b64", makeCompareStore<u64>, kLds},
};

/// Plain and returning form of an operation: "ds_add_u32", "ds_add_rtn_u32".
void addAtomic(InstructionTable &table, const char *operation, const char *type,
               HandlerFactory factory) {
  std::string name = std::string("ds_") + operation;
  table.add(name + type, factory, kLds);
  table.add(name + "_rtn" + type, factory, kLds);
}

} // namespace

void registerLDS(InstructionTable &table) {
  using namespace atomics;
  table.add(kTable);
  addAtomic(table, "add", "_u32", makeAtomic<u32, add<u32>>);
  addAtomic(table, "sub", "_u32", makeAtomic<u32, sub<u32>>);
  addAtomic(table, "rsub", "_u32", makeAtomic<u32, reverseSub<u32>>);
  addAtomic(table, "inc", "_u32", makeAtomic<u32, increment<u32>>);
  addAtomic(table, "dec", "_u32", makeAtomic<u32, decrement<u32>>);
  addAtomic(table, "min", "_i32", makeAtomic<i32, min<i32>>);
  addAtomic(table, "max", "_i32", makeAtomic<i32, max<i32>>);
  addAtomic(table, "min", "_u32", makeAtomic<u32, min<u32>>);
  addAtomic(table, "max", "_u32", makeAtomic<u32, max<u32>>);
  addAtomic(table, "and", "_b32", makeAtomic<u32, bitAnd<u32>>);
  addAtomic(table, "or", "_b32", makeAtomic<u32, bitOr<u32>>);
  addAtomic(table, "xor", "_b32", makeAtomic<u32, bitXor<u32>>);
  addAtomic(table, "add", "_f32", makeAtomic<float, add<float>>);
  addAtomic(table, "min", "_f32", makeAtomic<float, minFloat<float>>);
  addAtomic(table, "max", "_f32", makeAtomic<float, maxFloat<float>>);
  addAtomic(table, "add", "_u64", makeAtomic<u64, add<u64>>);
  addAtomic(table, "sub", "_u64", makeAtomic<u64, sub<u64>>);
  addAtomic(table, "min", "_i64", makeAtomic<i64, min<i64>>);
  addAtomic(table, "max", "_i64", makeAtomic<i64, max<i64>>);
  addAtomic(table, "min", "_u64", makeAtomic<u64, min<u64>>);
  addAtomic(table, "max", "_u64", makeAtomic<u64, max<u64>>);
  addAtomic(table, "and", "_b64", makeAtomic<u64, bitAnd<u64>>);
  addAtomic(table, "or", "_b64", makeAtomic<u64, bitOr<u64>>);
  addAtomic(table, "xor", "_b64", makeAtomic<u64, bitXor<u64>>);
  addAtomic(table, "rsub", "_u64", makeAtomic<u64, reverseSub<u64>>);
  addAtomic(table, "inc", "_u64", makeAtomic<u64, increment<u64>>);
  addAtomic(table, "dec", "_u64", makeAtomic<u64, decrement<u64>>);
  addAtomic(table, "add", "_f64", makeAtomic<double, add<double>>);
  addAtomic(table, "min", "_f64", makeAtomic<double, minFloat<double>>);
  addAtomic(table, "max", "_f64", makeAtomic<double, maxFloat<double>>);
  addAtomic(table, "pk_add", "_f16", makeAtomic<u32, addPair<F16>>);
  addAtomic(table, "pk_add", "_bf16", makeAtomic<u32, addPair<BF16>>);
  table.add("ds_wrxchg_rtn_b32", makeAtomic<u32, swap<u32>>, kLds);
  table.add("ds_wrxchg_rtn_b64", makeAtomic<u64, swap<u64>>, kLds);
}

} // namespace rowmill::emulator
