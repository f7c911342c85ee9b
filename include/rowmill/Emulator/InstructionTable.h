// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Mnemonic to handler: filled once per process, read by the decoder.

#ifndef ROWMILL_EMULATOR_INSTRUCTIONTABLE_H
#define ROWMILL_EMULATOR_INSTRUCTIONTABLE_H

#include "rowmill/Emulator/InstructionList.h"

#include <llvm/ADT/StringMap.h>

namespace rowmill::emulator {

/// A factory without choice: the handler takes every form.
template <Handler H>
Handler always(Instruction &) {
  return H;
}

class InstructionTable {
public:
  /// The table for this host, its vector handlers built for the widest vectors
  /// that the processor has.
  static const InstructionTable &get();

  const InstructionEntry *lookup(llvm::StringRef name) const {
    auto it = entries.find(name);
    return it == entries.end() ? nullptr : &it->second;
  }
  size_t size() const { return entries.size(); }

  /// A later entry of the same name replaces the earlier.
  void add(llvm::StringRef name, HandlerFactory factory, InstructionClass cls) {
    auto it = entries.try_emplace(name).first;
    it->second = {it->first().data(), factory, cls};
  }
  void add(const InstructionEntry &entry) {
    add(entry.name, entry.factory, entry.cls);
  }
  template <size_t N>
  void add(const InstructionEntry (&table)[N]) {
    for (const InstructionEntry &entry : table)
      add(entry);
  }

private:
  llvm::StringMap<InstructionEntry> entries;
};

// One function a format, each in the file of its name.
void registerScalarALU(InstructionTable &);
void registerScalarUnary(InstructionTable &);
void registerScalarControl(InstructionTable &);
void registerScalarMemory(InstructionTable &);
void registerFlatMemory(InstructionTable &);
void registerBufferMemory(InstructionTable &);
void registerLDS(InstructionTable &);
void registerMatrix(InstructionTable &);
void registerIndexedRegisters(InstructionTable &);

// The VALU's tables, once for each width of vectors.
namespace simd_base {
const InstructionList *valuLists(size_t &count);
}
namespace simd_v3 { // AVX2, FMA, F16C
const InstructionList *valuLists(size_t &count);
}
namespace simd_v4 { // AVX-512
const InstructionList *valuLists(size_t &count);
}

} // namespace rowmill::emulator

#endif // ROWMILL_EMULATOR_INSTRUCTIONTABLE_H
