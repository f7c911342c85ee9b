// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// LLVM's AMDGPU disassembler with what the decoder must know about operands.

#ifndef ROWMILL_LIB_EMULATOR_DISASSEMBLER_H
#define ROWMILL_LIB_EMULATOR_DISASSEMBLER_H

#include "rowmill/Emulator/Instruction.h"

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/MC/MCInst.h>
#include <llvm/Support/Error.h>

#include <memory>
#include <string>

namespace llvm {
class MCAsmInfo;
class MCContext;
class MCDisassembler;
class MCInstPrinter;
class MCInstrDesc;
class MCInstrInfo;
class MCRegisterInfo;
class MCSubtargetInfo;
} // namespace llvm

namespace rowmill::emulator {

/// A register as the decoder places it.
struct RegisterRef {
  OperandKind kind = OperandKind::None;
  uint8_t dwords = 0;
  uint16_t reg = 0;
};

/// Not thread safe: LLVM's disassembler keeps state between calls.
class Disassembler {
public:
  static llvm::Expected<std::unique_ptr<Disassembler>>
  create(llvm::StringRef arch);
  ~Disassembler();

  /// Decodes the instruction at the start of `bytes`; its size is 0 if there is
  /// none.
  uint64_t decode(llvm::ArrayRef<uint8_t> bytes, uint64_t offset,
                  llvm::MCInst &inst) const;
  /// As assembly, without leading blanks.
  std::string print(const llvm::MCInst &inst, uint64_t offset) const;
  /// As printed, suffixes included.
  llvm::StringRef mnemonic(const llvm::MCInst &inst) const;
  /// LLVM's name of the opcode, such as V_ADD_F32_e32_vi.
  llvm::StringRef opcodeName(const llvm::MCInst &inst) const;
  const llvm::MCInstrDesc &desc(const llvm::MCInst &inst) const;
  /// None for a register that has no place in the emulator.
  RegisterRef registerOf(unsigned reg) const;
  /// Is operand `index` the modifiers of the source that follows it?
  bool isModifiers(const llvm::MCInst &inst, unsigned index) const;
  /// Width in dwords of the register class of an operand; 0 if it has none.
  unsigned operandDwords(const llvm::MCInst &inst, unsigned index) const;
  bool implicitlyDefines(const llvm::MCInst &inst, uint16_t sgpr) const;
  bool implicitlyUses(const llvm::MCInst &inst, uint16_t sgpr) const;

private:
  Disassembler();
  std::unique_ptr<llvm::MCRegisterInfo> registers;
  std::unique_ptr<llvm::MCAsmInfo> asmInfo;
  std::unique_ptr<llvm::MCSubtargetInfo> subtarget;
  std::unique_ptr<llvm::MCInstrInfo> instructions;
  std::unique_ptr<llvm::MCContext> context;
  std::unique_ptr<llvm::MCDisassembler> disassembler;
  std::unique_ptr<llvm::MCInstPrinter> printer;
  unsigned modifiersType = 0;
  unsigned literalType = 0, literal16Type = 0;
  mutable llvm::DenseMap<unsigned, RegisterRef> registerCache;
};

} // namespace rowmill::emulator

#endif // ROWMILL_LIB_EMULATOR_DISASSEMBLER_H
