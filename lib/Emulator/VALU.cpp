// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// The vector ALU's tables for one width of host vectors.

#include "VALUTables.h"

namespace rowmill::emulator::ROWMILL_SIMD {

const InstructionList *valuLists(size_t &count) {
  static const InstructionList lists[] = {
      bits32List,        compareList,   convertList,      crossLaneList,
      dotList,           float16List,   float32List,      float64List,
      integer16List,     integer32List, integer64List,    packedList,
      scaledConvertList, sixBitList,    smallConvertList, wideConvertList,
  };
  count = sizeof(lists) / sizeof(lists[0]);
  return lists;
}

} // namespace rowmill::emulator::ROWMILL_SIMD
