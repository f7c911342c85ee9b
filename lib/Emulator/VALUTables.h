// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// The tables of the vector ALU, one a file.

#ifndef ROWMILL_LIB_EMULATOR_VALUTABLES_H
#define ROWMILL_LIB_EMULATOR_VALUTABLES_H

#include "Simd.h"
#include "rowmill/Emulator/InstructionList.h"

namespace rowmill::emulator::ROWMILL_SIMD {

extern const InstructionList bits32List;
extern const InstructionList compareList;
extern const InstructionList convertList;
extern const InstructionList crossLaneList;
extern const InstructionList dotList;
extern const InstructionList float16List;
extern const InstructionList float32List;
extern const InstructionList float64List;
extern const InstructionList integer16List;
extern const InstructionList integer32List;
extern const InstructionList integer64List;
extern const InstructionList packedList;
extern const InstructionList scaledConvertList;
extern const InstructionList sixBitList;
extern const InstructionList smallConvertList;
extern const InstructionList wideConvertList;

} // namespace rowmill::emulator::ROWMILL_SIMD

#endif // ROWMILL_LIB_EMULATOR_VALUTABLES_H
