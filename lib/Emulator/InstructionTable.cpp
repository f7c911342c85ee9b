// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Fills the table with every format's entries, vector code for this processor.

#include "rowmill/Emulator/InstructionTable.h"

#include "MemoryLanes.h"

#include <cstdlib>

using llvm::StringRef;

namespace rowmill::emulator {

namespace {
enum class Width { Base, V3, V4 };
}

static Width hostWidth() {
  __builtin_cpu_init();
  // For tests of the narrower code on a wide host: base or v3.
  const char *wanted = std::getenv("ROWMILL_EMULATOR_VECTORS");
  StringRef limit = wanted ? wanted : "v4";
  if (limit == "v4" && __builtin_cpu_supports("x86-64-v4"))
    return Width::V4;
  if (limit != "base" && __builtin_cpu_supports("x86-64-v3"))
    return Width::V3;
  return Width::Base;
}

static const InstructionList *valuListsOfHost(size_t &count) {
  switch (hostWidth()) {
  case Width::V4:
    return simd_v4::valuLists(count);
  case Width::V3:
    return simd_v3::valuLists(count);
  case Width::Base:
    break;
  }
  return simd_base::valuLists(count);
}

const MemoryLanes &hostMemoryLanes() {
  switch (hostWidth()) {
  case Width::V4:
    return simd_v4::memoryLanes();
  case Width::V3:
    return simd_v3::memoryLanes();
  case Width::Base:
    break;
  }
  return simd_base::memoryLanes();
}

const InstructionTable &InstructionTable::get() {
  static const InstructionTable *table = [] {
    auto *t = new InstructionTable;
    registerScalarALU(*t);
    registerScalarUnary(*t);
    registerScalarControl(*t);
    registerScalarMemory(*t);
    registerFlatMemory(*t);
    registerBufferMemory(*t);
    registerLDS(*t);
    registerMatrix(*t);
    registerIndexedRegisters(*t);
    size_t count = 0;
    const InstructionList *lists = valuListsOfHost(count);
    for (size_t k = 0; k < count; ++k)
      for (size_t e = 0; e < lists[k].size; ++e)
        t->add(lists[k].entries[e]);
    return t;
  }();
  return *table;
}

} // namespace rowmill::emulator
