// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Access to LLVM's AMDGPU disassembler, whose private headers are not
// installed: registers are recognised by name, operand types by those of a
// known opcode.

#include "Disassembler.h"

#include <llvm/MC/MCAsmInfo.h>
#include <llvm/MC/MCContext.h>
#include <llvm/MC/MCDisassembler/MCDisassembler.h>
#include <llvm/MC/MCInstPrinter.h>
#include <llvm/MC/MCInstrInfo.h>
#include <llvm/MC/MCRegisterInfo.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/MC/MCTargetOptions.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/TargetParser/Triple.h>

#include <mutex>

using namespace llvm;

extern "C" {
void LLVMInitializeAMDGPUTargetInfo();
void LLVMInitializeAMDGPUTargetMC();
void LLVMInitializeAMDGPUDisassembler();
}

namespace rowmill::emulator {

Disassembler::Disassembler() = default;
Disassembler::~Disassembler() = default;

namespace {
/// LLVM's numbers for kinds of operands, which no header says.
struct OperandTypes {
  unsigned modifiers = 0, literal = 0, literal16 = 0;
};
} // namespace

/// v_fma_f32: vdst, modifiers, src0, ... and v_fmaak/v_madak: vdst, src0, src1,
/// k.
static OperandTypes findOperandTypes(const MCInstrInfo &instructions) {
  OperandTypes types;
  for (unsigned op = 0, e = instructions.getNumOpcodes(); op < e; ++op) {
    StringRef name = instructions.getName(op);
    if (name == "V_FMA_F32_vi")
      types.modifiers = instructions.get(op).operands()[1].OperandType;
    else if (name == "V_FMAAK_F32_gfx940")
      types.literal = instructions.get(op).operands()[3].OperandType;
    else if (name == "V_MADAK_F16_vi")
      types.literal16 = instructions.get(op).operands()[3].OperandType;
  }
  return types;
}

Expected<std::unique_ptr<Disassembler>> Disassembler::create(StringRef arch) {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeAMDGPUTargetInfo();
    LLVMInitializeAMDGPUTargetMC();
    LLVMInitializeAMDGPUDisassembler();
  });
  auto fail = [&](const Twine &what) {
    return createStringError(inconvertibleErrorCode(),
                             "LLVM has no " + what + " for '" + arch + "'");
  };
  Triple triple("amdgcn-amd-amdhsa");
  std::string message;
  const Target *target = TargetRegistry::lookupTarget(triple, message);
  if (!target)
    return fail("AMDGPU target");
  std::unique_ptr<Disassembler> d(new Disassembler);
  MCTargetOptions options;
  d->registers.reset(target->createMCRegInfo(triple));
  if (!d->registers)
    return fail("register information");
  d->asmInfo.reset(target->createMCAsmInfo(*d->registers, triple, options));
  d->subtarget.reset(target->createMCSubtargetInfo(triple, arch, ""));
  d->instructions.reset(target->createMCInstrInfo());
  if (!d->asmInfo || !d->subtarget || !d->instructions ||
      !d->subtarget->isCPUStringValid(arch))
    return fail("subtarget");
  d->context = std::make_unique<MCContext>(
      triple, d->asmInfo.get(), d->registers.get(), d->subtarget.get());
  d->disassembler.reset(
      target->createMCDisassembler(*d->subtarget, *d->context));
  d->printer.reset(target->createMCInstPrinter(
      triple, 0, *d->asmInfo, *d->instructions, *d->registers));
  if (!d->disassembler || !d->printer)
    return fail("disassembler");
  static const OperandTypes types = findOperandTypes(*d->instructions);
  if (!types.modifiers || !types.literal)
    return fail("opcode that the decoder knows operand types from");
  d->modifiersType = types.modifiers;
  d->literalType = types.literal;
  d->literal16Type = types.literal16;
  return d;
}

uint64_t Disassembler::decode(ArrayRef<uint8_t> bytes, uint64_t offset,
                              MCInst &inst) const {
  uint64_t size = 0;
  inst.clear();
  MCDisassembler::DecodeStatus status =
      disassembler->getInstruction(inst, size, bytes, offset, nulls());
  return status == MCDisassembler::Success ? size : 0;
}

std::string Disassembler::print(const MCInst &inst, uint64_t offset) const {
  std::string text;
  raw_string_ostream os(text);
  printer->printInst(&inst, offset, "", *subtarget, os);
  return StringRef(text).trim().str();
}

StringRef Disassembler::mnemonic(const MCInst &inst) const {
  // Some opcodes print a fixed operand as well: "scratch_load_dword off, ".
  return StringRef(printer->getMnemonic(inst).first).trim().split(' ').first;
}

StringRef Disassembler::opcodeName(const MCInst &inst) const {
  return instructions->getName(inst.getOpcode());
}

const MCInstrDesc &Disassembler::desc(const MCInst &inst) const {
  return instructions->get(inst.getOpcode());
}

static RegisterRef parseRegister(StringRef name) {
  struct Named {
    const char *name;
    uint16_t reg;
    uint8_t dwords;
  };
  // The names of LLVM that are not numbered; some carry a generation's suffix.
  static const Named known[] = {
      {"VCC", sreg::VCC, 2},
      {"VCC_LO", sreg::VCC, 1},
      {"VCC_HI", sreg::VCC + 1, 1},
      {"EXEC", sreg::EXEC, 2},
      {"EXEC_LO", sreg::EXEC, 1},
      {"EXEC_HI", sreg::EXEC + 1, 1},
      {"M0", sreg::M0, 1},
      {"M0_gfxpre11", sreg::M0, 1},
      {"FLAT_SCR", sreg::FlatScratch, 2},
      {"FLAT_SCR_vi", sreg::FlatScratch, 2},
      {"FLAT_SCR_LO", sreg::FlatScratch, 1},
      {"FLAT_SCR_LO_vi", sreg::FlatScratch, 1},
      {"FLAT_SCR_HI", sreg::FlatScratch + 1, 1},
      {"FLAT_SCR_HI_vi", sreg::FlatScratch + 1, 1},
      {"XNACK_MASK", sreg::XnackMask, 2},
      {"XNACK_MASK_LO", sreg::XnackMask, 1},
      {"XNACK_MASK_HI", sreg::XnackMask + 1, 1},
      {"SRC_SHARED_BASE", sreg::SharedBase, 2},
      {"SRC_SHARED_BASE_LO", sreg::SharedBase, 1},
      {"SRC_SHARED_BASE_HI", sreg::SharedBase + 1, 1},
      {"SRC_SHARED_LIMIT", sreg::SharedLimit, 2},
      {"SRC_SHARED_LIMIT_LO", sreg::SharedLimit, 1},
      {"SRC_SHARED_LIMIT_HI", sreg::SharedLimit + 1, 1},
      {"SRC_PRIVATE_BASE", sreg::PrivateBase, 2},
      {"SRC_PRIVATE_BASE_LO", sreg::PrivateBase, 1},
      {"SRC_PRIVATE_BASE_HI", sreg::PrivateBase + 1, 1},
      {"SRC_PRIVATE_LIMIT", sreg::PrivateLimit, 2},
      {"SRC_PRIVATE_LIMIT_LO", sreg::PrivateLimit, 1},
      {"SRC_PRIVATE_LIMIT_HI", sreg::PrivateLimit + 1, 1},
      {"SRC_SCC", sreg::SCC, 1},
      {"SGPR_NULL", sreg::Null, 1},
      {"SGPR_NULL64", sreg::Null, 2},
  };
  for (const Named &entry : known)
    if (name == entry.name)
      return {OperandKind::Scalar, entry.dwords, entry.reg};

  // VGPR4_VGPR5, SGPR0, TTMP4_TTMP5...: the first names it, the rest count.
  StringRef first = name.split('_').first;
  RegisterRef ref;
  unsigned base = 0, limit = 0;
  if (first.consume_front("VGPR")) {
    ref.kind = OperandKind::Vector;
    limit = 256;
  } else if (first.consume_front("AGPR")) {
    ref.kind = OperandKind::Vector;
    base = kAgprBase;
    limit = 256;
  } else if (first.consume_front("SGPR")) {
    ref.kind = OperandKind::Scalar;
    limit = 106;
  } else if (first.consume_front("TTMP")) {
    ref.kind = OperandKind::Scalar;
    base = sreg::TTMP0;
    limit = 16;
    // TTMP4_vi, or TTMP4_TTMP5_vi.
    name.consume_back("_vi") || name.consume_back("_gfx9plus");
    first = name.split('_').first.drop_front(4);
  } else {
    return {};
  }
  unsigned number;
  if (first.getAsInteger(10, number))
    return {};
  unsigned dwords = 1 + name.count('_');
  if (number + dwords > limit)
    return {};
  ref.reg = base + number;
  ref.dwords = dwords;
  return ref;
}

RegisterRef Disassembler::registerOf(unsigned reg) const {
  auto [it, isNew] = registerCache.try_emplace(reg);
  if (isNew)
    it->second = parseRegister(registers->getName(reg));
  return it->second;
}

bool Disassembler::isModifiers(const MCInst &inst, unsigned index) const {
  const MCInstrDesc &d = desc(inst);
  return index < d.getNumOperands() &&
         d.operands()[index].OperandType == modifiersType;
}

unsigned Disassembler::operandDwords(const MCInst &inst, unsigned index) const {
  const MCInstrDesc &d = desc(inst);
  if (index >= d.getNumOperands())
    return 0;
  unsigned type = d.operands()[index].OperandType;
  if (type == literalType || (literal16Type && type == literal16Type))
    return 1;
  int16_t cls = instructions->getOpRegClassID(
      d.operands()[index],
      subtarget->getHwMode(MCSubtargetInfo::HwMode_RegInfo));
  if (cls < 0)
    return 0;
  unsigned bits = registers->getRegClass(cls).getSizeInBits();
  return (bits + 31) / 32;
}

bool Disassembler::implicitlyDefines(const MCInst &inst, uint16_t sgpr) const {
  for (MCPhysReg reg : desc(inst).implicit_defs())
    if (registerOf(reg).kind == OperandKind::Scalar &&
        registerOf(reg).reg == sgpr)
      return true;
  return false;
}

bool Disassembler::implicitlyUses(const MCInst &inst, uint16_t sgpr) const {
  for (MCPhysReg reg : desc(inst).implicit_uses())
    if (registerOf(reg).kind == OperandKind::Scalar &&
        registerOf(reg).reg == sgpr)
      return true;
  return false;
}

} // namespace rowmill::emulator
