// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// The loads, stores and atomics that GLOBAL, FLAT, SCRATCH and BUFFER have in
// common: the same suffixes, the same registers, another way to an address.

#ifndef ROWMILL_LIB_EMULATOR_VECTORMEMORY_H
#define ROWMILL_LIB_EMULATOR_VECTORMEMORY_H

#include "Atomics.h"
#include "rowmill/Emulator/InstructionTable.h"

namespace rowmill::emulator {

/// `Space` says how addresses are made of operands:
///   static bool arrange(Instruction &, bool load): puts the data register into
///     src[kDataSource]; false if the form is not supported.
///   static bool resolve(Wave &, const Instruction &, unsigned bytes,
///                       unsigned alignment, Access, LanePointers &);
constexpr unsigned kDataSource = 3;

enum class Access { Load, Store, Atomic };

template <typename Space>
struct VectorMemory {
  template <Fill F, unsigned Bytes>
  static void load(Wave &w, const Instruction &i) {
    LanePointers p;
    if (Space::resolve(w, i, Bytes, requiredAlignment(w, Bytes), Access::Load,
                       p))
      loadLanes<F, (Bytes + 3) / 4>(w, i.dst.reg, p);
  }
  template <unsigned Bytes, unsigned Shift>
  static void store(Wave &w, const Instruction &i) {
    LanePointers p;
    if (Space::resolve(w, i, Bytes, requiredAlignment(w, Bytes), Access::Store,
                       p))
      storeLanes<Bytes, Shift>(w, i.src[kDataSource].reg, p);
  }
  // Atomics must be aligned, whatever the launch allows.
  template <typename T, T (*F)(T, T)>
  static void atomic(Wave &w, const Instruction &i) {
    LanePointers p;
    if (Space::resolve(w, i, sizeof(T), sizeof(T), Access::Atomic, p))
      atomics::run<T, F>(w, i, i.src[kDataSource].reg, p);
  }
  // The new value, then the one to compare with.
  template <typename T>
  static void compareSwap(Wave &w, const Instruction &i) {
    LanePointers p;
    unsigned data = i.src[kDataSource].reg;
    if (Space::resolve(w, i, sizeof(T), sizeof(T), Access::Atomic, p))
      atomics::runCompareSwap<T>(w, i, data + sizeof(T) / 4, data, p);
  }

  template <Handler H, unsigned Bytes>
  static Handler makeLoad(Instruction &i) {
    i.laneBytes = Bytes;
    return i.dst.kind == OperandKind::Vector &&
                   i.dst.dwords == (Bytes + 3) / 4 && Space::arrange(i, true)
               ? H
               : nullptr;
  }
  template <Handler H, unsigned Bytes, unsigned Dwords = (Bytes + 3) / 4>
  static Handler makeStore(Instruction &i) {
    i.laneBytes = Bytes;
    if (!Space::arrange(i, false))
      return nullptr;
    const Source &data = i.src[kDataSource];
    return data.kind == OperandKind::Vector && data.dwords == Dwords ? H
                                                                     : nullptr;
  }

  template <Fill F, unsigned Bytes>
  static constexpr HandlerFactory loader = makeLoad<load<F, Bytes>, Bytes>;
  template <unsigned Bytes, unsigned Shift = 0>
  static constexpr HandlerFactory storer =
      makeStore<store<Bytes, Shift>, Bytes>;
  template <typename T, T (*F)(T, T)>
  static constexpr HandlerFactory modifier = makeStore<atomic<T, F>, sizeof(T)>;

  static void registerLoads(InstructionTable &table, llvm::StringRef prefix);
  static void registerStores(InstructionTable &table, llvm::StringRef prefix);
  static void registerAtomics(InstructionTable &table, llvm::StringRef prefix);
  static void add(InstructionTable &table, llvm::StringRef prefix,
                  std::initializer_list<InstructionEntry> entries) {
    for (const InstructionEntry &entry : entries)
      table.add((prefix + entry.name).str(), entry.factory, entry.cls);
  }
};

template <typename Space>
void VectorMemory<Space>::registerLoads(InstructionTable &table,
                                        llvm::StringRef prefix) {
  constexpr InstructionClass cls = InstructionClass::VectorLoad;
  add(table, prefix,
      {{"_load_ubyte", loader<Fill::U8, 1>, cls},
       {"_load_sbyte", loader<Fill::I8, 1>, cls},
       {"_load_ushort", loader<Fill::U16, 2>, cls},
       {"_load_sshort", loader<Fill::I16, 2>, cls},
       {"_load_dword", loader<Fill::Dwords, 4>, cls},
       {"_load_dwordx2", loader<Fill::Dwords, 8>, cls},
       {"_load_dwordx3", loader<Fill::Dwords, 12>, cls},
       {"_load_dwordx4", loader<Fill::Dwords, 16>, cls},
       {"_load_ubyte_d16", loader<Fill::D16U8, 1>, cls},
       {"_load_ubyte_d16_hi", loader<Fill::D16U8Hi, 1>, cls},
       {"_load_sbyte_d16", loader<Fill::D16I8, 1>, cls},
       {"_load_sbyte_d16_hi", loader<Fill::D16I8Hi, 1>, cls},
       {"_load_short_d16", loader<Fill::D16, 2>, cls},
       {"_load_short_d16_hi", loader<Fill::D16Hi, 2>, cls}});
}

template <typename Space>
void VectorMemory<Space>::registerStores(InstructionTable &table,
                                         llvm::StringRef prefix) {
  constexpr InstructionClass cls = InstructionClass::VectorStore;
  add(table, prefix,
      {{"_store_byte", storer<1>, cls},
       {"_store_byte_d16_hi", storer<1, 16>, cls},
       {"_store_short", storer<2>, cls},
       {"_store_short_d16_hi", storer<2, 16>, cls},
       {"_store_dword", storer<4>, cls},
       {"_store_dwordx2", storer<8>, cls},
       {"_store_dwordx3", storer<12>, cls},
       {"_store_dwordx4", storer<16>, cls}});
}

template <typename Space>
void VectorMemory<Space>::registerAtomics(InstructionTable &table,
                                          llvm::StringRef prefix) {
  using namespace atomics;
  using u32 = uint32_t;
  using u64 = uint64_t;
  using i32 = int32_t;
  using i64 = int64_t;
  constexpr InstructionClass cls = InstructionClass::VectorAtomic;
  add(table, prefix,
      {{"_atomic_swap", modifier<u32, swap<u32>>, cls},
       {"_atomic_add", modifier<u32, atomics::add<u32>>, cls},
       {"_atomic_sub", modifier<u32, sub<u32>>, cls},
       {"_atomic_smin", modifier<i32, min<i32>>, cls},
       {"_atomic_umin", modifier<u32, min<u32>>, cls},
       {"_atomic_smax", modifier<i32, max<i32>>, cls},
       {"_atomic_umax", modifier<u32, max<u32>>, cls},
       {"_atomic_and", modifier<u32, bitAnd<u32>>, cls},
       {"_atomic_or", modifier<u32, bitOr<u32>>, cls},
       {"_atomic_xor", modifier<u32, bitXor<u32>>, cls},
       {"_atomic_inc", modifier<u32, increment<u32>>, cls},
       {"_atomic_dec", modifier<u32, decrement<u32>>, cls},
       {"_atomic_add_f32", modifier<float, atomics::add<float>>, cls},
       {"_atomic_pk_add_f16", modifier<u32, addPair<F16>>, cls},
       {"_atomic_pk_add_bf16", modifier<u32, addPair<BF16>>, cls},
       {"_atomic_cmpswap", makeStore<compareSwap<u32>, 4, 2>, cls},
       {"_atomic_swap_x2", modifier<u64, swap<u64>>, cls},
       {"_atomic_add_x2", modifier<u64, atomics::add<u64>>, cls},
       {"_atomic_sub_x2", modifier<u64, sub<u64>>, cls},
       {"_atomic_smin_x2", modifier<i64, min<i64>>, cls},
       {"_atomic_umin_x2", modifier<u64, min<u64>>, cls},
       {"_atomic_smax_x2", modifier<i64, max<i64>>, cls},
       {"_atomic_umax_x2", modifier<u64, max<u64>>, cls},
       {"_atomic_and_x2", modifier<u64, bitAnd<u64>>, cls},
       {"_atomic_or_x2", modifier<u64, bitOr<u64>>, cls},
       {"_atomic_xor_x2", modifier<u64, bitXor<u64>>, cls},
       {"_atomic_inc_x2", modifier<u64, increment<u64>>, cls},
       {"_atomic_dec_x2", modifier<u64, decrement<u64>>, cls},
       {"_atomic_add_f64", modifier<double, atomics::add<double>>, cls},
       {"_atomic_min_f64", modifier<double, minFloat<double>>, cls},
       {"_atomic_max_f64", modifier<double, maxFloat<double>>, cls},
       {"_atomic_cmpswap_x2", makeStore<compareSwap<u64>, 8, 4>, cls}});
}

} // namespace rowmill::emulator

#endif // ROWMILL_LIB_EMULATOR_VECTORMEMORY_H
