// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// A loaded code object: its memory image, its decoded code and its kernels.

#ifndef ROWMILL_LIB_EMULATOR_PROGRAM_H
#define ROWMILL_LIB_EMULATOR_PROGRAM_H

#include "Disassembler.h"
#include "WaitCheck.h"
#include "rowmill/Emulator/Emulator.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/StringMap.h>
#include <llvm/Support/AMDHSAKernelDescriptor.h>

#include <cstdlib>
#include <deque>
#include <memory>
#include <mutex>

namespace rowmill::emulator {

/// Constants spread over lanes, each value once.
class ConstantPool {
public:
  const uint32_t *get(uint64_t value, unsigned dwords);

private:
  struct alignas(64) Rows {
    uint32_t lane[2][kLanes];
  };
  std::deque<Rows> rows; // a deque: addresses stay
  llvm::DenseMap<uint64_t, const Rows *> known;
};

/// A hidden argument that the launch fills in.
struct HiddenArg {
  enum Kind {
    BlockCountX,
    BlockCountY,
    BlockCountZ,
    GroupSizeX,
    GroupSizeY,
    GroupSizeZ,
    RemainderX,
    RemainderY,
    RemainderZ,
    GlobalOffset, // zero, like all others that are not listed
    GridDims,
    DynamicLdsSize,
    PrivateBase,
    SharedBase,
    Zero
  };
  Kind kind = Zero;
  uint32_t offset = 0;
  uint32_t bytes = 0;
};

struct Kernel {
  KernelInfo info;
  llvm::amdhsa::kernel_descriptor_t descriptor;
  uint64_t descriptorOffset = 0; // in the image
  uint64_t entry = 0;            // in the image
  uint32_t explicitBytes = 0;    // of the kernel arguments, without hidden ones
  std::vector<HiddenArg> hidden;
};

struct Program {
  std::string arch;

  /// The loaded segments at their virtual addresses.
  struct FreeDeleter {
    void operator()(uint8_t *p) const { std::free(p); }
  };
  std::unique_ptr<uint8_t[], FreeDeleter> image;
  uint64_t imageBytes = 0;
  uint64_t imageBase = 0; // device address, the same on every device
  bool imageWritable = false;

  /// Code is the image's [codeBegin, codeBegin + 4 * slotOf.size()); slotOf
  /// maps a dword of it to its instruction, or to kNoInstruction.
  static constexpr uint32_t kNoInstruction = ~0u;
  uint64_t codeBegin = 0;
  std::vector<uint32_t> slotOf;
  std::vector<Instruction> code;
  /// The handlers of instructions between s_set_gpr_idx_on and _off, by offset.
  llvm::DenseMap<uint32_t, Handler> indexed;
  /// What each instruction touches, for the check of waits.
  std::vector<RegisterUse> uses;
  /// Index into opcodeNames for each instruction.
  std::vector<uint32_t> opcodeOf;
  std::vector<std::string> opcodeNames;

  ConstantPool constants;
  llvm::StringMap<Kernel> kernels;
  std::vector<std::string> kernelOrder; // as in the symbol table

  mutable std::mutex disassemblerMutex;
  std::unique_ptr<Disassembler> disassembler;

  /// The instruction at an offset in the image, or null.
  const Instruction *at(uint64_t imageOffset) const {
    uint64_t dword = (imageOffset - codeBegin) / 4;
    if (imageOffset < codeBegin || imageOffset % 4 || dword >= slotOf.size() ||
        slotOf[dword] == kNoInstruction)
      return nullptr;
    return &code[slotOf[dword]];
  }
  uint64_t imageOffset(const Instruction &inst) const {
    return codeBegin + inst.offset;
  }
  /// As assembly, for messages.
  std::string text(const Instruction &inst) const;
};

/// Executes one of Program::indexed, its registers moved by M0.
void executeIndexed(Wave &, const Instruction &);

/// Decodes [begin, end) of the program's image as code; called once, before the
/// program is used. `starts` are offsets where a function is known to begin.
void decodeCode(Program &, uint64_t begin, uint64_t end,
                llvm::ArrayRef<uint64_t> starts);

/// Reads the kernels' argument lists from the amdhsa metadata note.
llvm::Error readMetadata(Program &, llvm::StringRef note);

} // namespace rowmill::emulator

#endif // ROWMILL_LIB_EMULATOR_PROGRAM_H
