// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// The lines of the instruction table, in a header free of LLVM's: the files
// built for wider vectors include it.

#ifndef ROWMILL_EMULATOR_INSTRUCTIONLIST_H
#define ROWMILL_EMULATOR_INSTRUCTIONLIST_H

#include "rowmill/Emulator/Instruction.h"

namespace rowmill::emulator {

/// Chooses the handler of a decoded instruction, all of whose fields except
/// `handler` are set; it may rewrite them to suit the handler. Null when this
/// form of the instruction is not supported.
using HandlerFactory = Handler (*)(Instruction &);

/// One line of a format's table.
struct InstructionEntry {
  const char *name; // mnemonic without _e32, _e64, _dpp, _sdwa
  HandlerFactory factory;
  InstructionClass cls;
};

/// A format's table as a plain array.
struct InstructionList {
  const InstructionEntry *entries;
  size_t size;
};

} // namespace rowmill::emulator

#endif // ROWMILL_EMULATOR_INSTRUCTIONLIST_H
