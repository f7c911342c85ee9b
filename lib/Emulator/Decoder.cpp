// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// From MC instructions to Instruction: operands by position and type, the same
// shape for every encoding of an instruction, and a handler by name.

#include "Program.h"
#include "rowmill/Emulator/InstructionTable.h"
#include "rowmill/Emulator/Wave.h"

#include <llvm/MC/MCExpr.h>
#include <llvm/MC/MCInstrDesc.h>

using namespace llvm;

namespace rowmill::emulator {

const uint32_t *ConstantPool::get(uint64_t value, unsigned dwords) {
  // A 32-bit constant only shows its first row, so it may share one that has
  // the same low half. Zero-extended it is the 64-bit key of itself.
  if (dwords < 2)
    value &= 0xffffffffu;
  // DenseMap reserves two keys at the top of the range.
  bool reserved = value >= ~uint64_t(1);
  auto it = reserved ? known.end() : known.find(value);
  if (it != known.end())
    return it->second->lane[0];
  rows.emplace_back();
  for (unsigned l = 0; l < kLanes; ++l) {
    rows.back().lane[0][l] = uint32_t(value);
    rows.back().lane[1][l] = uint32_t(value >> 32);
  }
  if (!reserved)
    known[value] = &rows.back();
  return rows.back().lane[0];
}

std::string Program::text(const Instruction &inst) const {
  std::lock_guard<std::mutex> lock(disassemblerMutex);
  MCInst mc;
  uint64_t at = imageOffset(inst);
  if (!disassembler->decode({image.get() + at, size_t(imageBytes - at)}, at,
                            mc))
    return "<not an instruction>";
  return disassembler->print(mc, at);
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

namespace {
struct OperandReader {
  const Disassembler &dis;
  const MCInst &mc;
  Instruction &inst;
  ConstantPool &constants;
  /// A scalar or memory instruction may have more immediates than imm holds
  /// only if its format changes; the rest is ignored.
  int32_t trailing[12] = {};
  unsigned numTrailing = 0;
  /// Sources follow the immediates: v_mfma_scale.
  bool hasLateSources = false;

  bool read();
  void addSource(Source src) {
    if (inst.numSrc < std::size(inst.src))
      inst.src[inst.numSrc++] = src;
  }
  void addImplicitVcc();
};
} // namespace

static Source scalarSource(uint16_t reg, uint8_t dwords) {
  Source src;
  src.kind = OperandKind::Scalar;
  src.reg = reg;
  src.dwords = dwords;
  return src;
}

/// False if an operand is a register that the emulator does not have.
bool OperandReader::read() {
  const MCInstrDesc &desc = dis.desc(mc);
  uint8_t mods = 0;
  for (unsigned k = 0; k < mc.getNumOperands(); ++k) {
    const MCOperand &op = mc.getOperand(k);
    bool listed = k < desc.getNumOperands();
    if (listed && desc.getOperandConstraint(k, MCOI::TIED_TO) >= 0) {
      // Modifiers without a source: v_cvt_sr_fp8_f32 keeps a bit of op_sel
      // where its third source would be.
      if (mods && inst.numSrc < 4)
        inst.src[inst.numSrc].mods = mods;
      mods = 0;
      continue;
    }
    if (op.isImm() && dis.isModifiers(mc, k) && !hasLateSources) {
      mods = uint8_t(op.getImm());
      continue;
    }
    if (op.isReg()) {
      // What follows the immediates is a tied operand that is not marked so,
      // but for the scales of matrices.
      if ((numTrailing && !hasLateSources) || !op.getReg())
        continue;
      RegisterRef ref = dis.registerOf(op.getReg());
      if (ref.kind == OperandKind::None)
        return false;
      if (k < desc.getNumDefs()) {
        Dest &dest = k == 0 ? inst.dst : inst.sdst;
        dest.kind = ref.kind;
        dest.reg = ref.reg;
        dest.dwords = ref.dwords;
        continue;
      }
      Source src;
      src.kind = ref.kind;
      src.reg = ref.reg;
      src.dwords = ref.dwords;
      src.mods = mods;
      mods = 0;
      addSource(src);
      continue;
    }
    int64_t value;
    // A literal that could also be an inline constant comes as an expression.
    if (op.isImm())
      value = op.getImm();
    else if (!op.isExpr() || !op.getExpr()->evaluateAsAbsolute(value))
      return false;
    unsigned dwords = dis.operandDwords(mc, k);
    if (dwords == 0) {
      if (numTrailing < 12)
        trailing[numTrailing++] = int32_t(value);
      continue;
    }
    Source src;
    src.kind = OperandKind::Constant;
    src.dwords = std::min(dwords, 2u);
    src.mods = mods;
    src.rows = constants.get(uint64_t(value), src.dwords);
    mods = 0;
    addSource(src);
  }
  return true;
}

/// E32 and SDWA forms leave VCC implicit; say it as the E64 form does.
void OperandReader::addImplicitVcc() {
  if (dis.implicitlyDefines(mc, sreg::VCC)) {
    Dest &dest = inst.dst ? inst.sdst : inst.dst;
    if (!dest) {
      dest.kind = OperandKind::Scalar;
      dest.reg = sreg::VCC;
      dest.dwords = 2;
    }
  }
  if (dis.implicitlyUses(mc, sreg::VCC))
    addSource(scalarSource(sreg::VCC, 2));
}

//===----------------------------------------------------------------------===//
// VALU
//===----------------------------------------------------------------------===//

/// Takes `count` immediates off the end.
static const int32_t *takeLast(OperandReader &reader, unsigned count) {
  if (reader.numTrailing < count)
    return nullptr;
  reader.numTrailing -= count;
  return reader.trailing + reader.numTrailing;
}

static bool finishVALU(OperandReader &reader, StringRef name) {
  Instruction &inst = reader.inst;
  bool isCompare = name.starts_with("v_cmp");
  reader.addImplicitVcc();
  if (inst.encoding == Encoding::DPP) {
    const int32_t *imm = takeLast(reader, 4);
    if (!imm)
      return false;
    inst.dpp.ctrl = uint16_t(imm[0]);
    inst.dpp.rowMask = uint8_t(imm[1]);
    inst.dpp.bankMask = uint8_t(imm[2]);
    inst.dpp.boundCtrl = imm[3] != 0;
  } else if (inst.encoding == Encoding::SDWA) {
    // Comparisons have two sources and no destination to select in; otherwise
    // there is one selection for each source that is not the implicit VCC.
    unsigned vectors = 0;
    for (unsigned k = 0; k < inst.numSrc; ++k)
      vectors +=
          !(inst.src[k].kind == OperandKind::Scalar && inst.src[k].dwords == 2);
    unsigned selections = isCompare ? 2 : 2 + std::min(vectors, 2u);
    // v_cvt_f32_fp8 and its like choose a part of the source, and no more: a
    // clamp and an omod stand where the others have their destination.
    if (reader.numTrailing == 3 && !isCompare) {
      inst.sdwa.srcSel[0] = uint8_t(takeLast(reader, 1)[0]);
      selections = 0;
    }
    const int32_t *imm = takeLast(reader, selections);
    if (!imm)
      return false;
    if (selections && !isCompare) {
      inst.sdwa.dstSel = uint8_t(*imm++);
      inst.sdwa.dstUnused = uint8_t(*imm++);
      --selections, --selections;
    }
    for (unsigned k = 0; k < selections && k < 2; ++k)
      inst.sdwa.srcSel[k] = uint8_t(imm[k]);
  }
  // These carry only immediates of their own; the others clamp, then omod.
  unsigned first = 0;
  bool ownImmediates = name.starts_with("v_mfma") ||
                       name.starts_with("v_smfmac") ||
                       name.starts_with("v_bitop3");
  if (!ownImmediates) {
    if (reader.numTrailing > 0)
      inst.clamp = uint8_t(reader.trailing[first++]);
    if (reader.numTrailing > 1)
      inst.omod = uint8_t(reader.trailing[first++]);
  }
  for (unsigned k = first; k < reader.numTrailing && inst.numImm < 4; ++k)
    inst.imm[inst.numImm++] = reader.trailing[k];
  return true;
}

/// v_swap_b32 and v_permlane*_swap_b32 write both of their operands.
static void splitSwapOperands(Instruction &inst, StringRef name) {
  if (!name.contains("swap") || inst.sdst)
    return;
  for (unsigned k = 0; k < inst.numSrc; ++k) {
    if (inst.src[k].kind != OperandKind::Vector ||
        inst.src[k].reg == inst.dst.reg)
      continue;
    inst.sdst.kind = OperandKind::Vector;
    inst.sdst.reg = inst.src[k].reg;
    inst.sdst.dwords = inst.src[k].dwords;
    inst.numSrc = 0;
    return;
  }
}

//===----------------------------------------------------------------------===//
// One instruction
//===----------------------------------------------------------------------===//

static Encoding encodingOf(StringRef opcode) {
  if (opcode.contains("_sdwa"))
    return Encoding::SDWA;
  if (opcode.contains("_dpp"))
    return Encoding::DPP;
  if (opcode.contains("_e32"))
    return Encoding::E32;
  return Encoding::E64;
}

static StringRef baseName(StringRef mnemonic) {
  for (StringRef suffix : {"_e32", "_e64", "_dpp", "_sdwa"})
    if (mnemonic.consume_back(suffix))
      break;
  return mnemonic;
}

static void badEncoding(Wave &w, const Instruction &i) {
  w.fault(i, "cannot decode this as an instruction");
}
static void unknownInstruction(Wave &w, const Instruction &i) {
  w.fault(i, "unknown instruction");
}
static void unsupportedForm(Wave &w, const Instruction &i) {
  w.fault(i, "unsupported form of an instruction");
}

static Handler stopWith(Instruction &inst, Handler handler) {
  inst.control = true;
  return handler;
}

static bool isControlClass(InstructionClass cls) {
  switch (cls) {
  case InstructionClass::Branch:
  case InstructionClass::Wait:
  case InstructionClass::Barrier:
  case InstructionClass::ScalarMemory:
  case InstructionClass::VectorLoad:
  case InstructionClass::VectorStore:
  case InstructionClass::VectorAtomic:
  case InstructionClass::LDS:
    return true;
  default:
    return false;
  }
}

/// The registers, before a factory rearranges the operands.
static RegisterUse registerUse(const Instruction &inst, StringRef name) {
  RegisterUse use;
  for (unsigned k = 0; k < inst.numSrc; ++k)
    use.add(inst.src[k].kind, inst.src[k].reg, inst.src[k].dwords);
  use.numReads = use.numRanges;
  use.add(inst.dst.kind, inst.dst.reg, inst.dst.dwords);
  use.add(inst.sdst.kind, inst.sdst.reg, inst.sdst.dwords);
  switch (inst.cls) {
  case InstructionClass::VectorLoad:
  case InstructionClass::VectorStore:
  case InstructionClass::VectorAtomic:
    use.counter = WaitCounter::Vector;
    break;
  case InstructionClass::LDS:
    use.counter = WaitCounter::LDS;
    break;
  case InstructionClass::ScalarMemory:
    use.counter = WaitCounter::Scalar;
    break;
  default:
    if (name == "s_waitcnt") {
      use.counter = WaitCounter::Wait;
      use.wait = uint16_t(inst.imm[0]);
    }
  }
  return use;
}

static Handler decodeOne(Program &program, const MCInst &mc,
                         Instruction &inst) {
  const Disassembler &dis = *program.disassembler;
  StringRef name = baseName(dis.mnemonic(mc));
  StringRef opcode = dis.opcodeName(mc);
  const InstructionTable &table = InstructionTable::get();
  const InstructionEntry *entry = nullptr;
  // The fp8 conversions have the same names for other formats.
  if (program.arch == "gfx942" &&
      (name.contains("fp8") || name.contains("bf8")))
    entry = table.lookup((name + ".fnuz").str());
  if (!entry)
    entry = table.lookup(name);
  if (!entry)
    return stopWith(inst, unknownInstruction);
  inst.cls = entry->cls;
  inst.control = isControlClass(inst.cls);
  OperandReader reader{dis, mc, inst, program.constants};
  reader.hasLateSources = name.starts_with("v_mfma_scale");
  if (!reader.read())
    return stopWith(inst, unsupportedForm);
  if (name.starts_with("v_")) {
    inst.encoding = encodingOf(opcode);
    if (!finishVALU(reader, name))
      return stopWith(inst, unsupportedForm);
    splitSwapOperands(inst, name);
  } else {
    inst.numImm = std::min(reader.numTrailing, 4u);
    for (unsigned k = 0; k < inst.numImm; ++k)
      inst.imm[k] = reader.trailing[k];
    if (name.starts_with("buffer_"))
      inst.form =
          (opcode.contains("_OFFEN") || opcode.contains("_BOTHEN") ? 1 : 0) |
          (opcode.contains("_IDXEN") || opcode.contains("_BOTHEN") ? 2 : 0) |
          (opcode.contains("_LDS_") ? 4 : 0);
  }
  program.uses.back() = registerUse(inst, name);
  Handler handler = entry->factory(inst);
  return handler ? handler : stopWith(inst, unsupportedForm);
}

//===----------------------------------------------------------------------===//
// The code
//===----------------------------------------------------------------------===//

/// Branches name a distance in dwords from the next instruction; they become
/// pointers once all instructions have their place.
static void linkBranches(Program &program) {
  for (Instruction &inst : program.code) {
    if (inst.cls != InstructionClass::Branch || inst.numImm != 1)
      continue;
    uint64_t target = program.imageOffset(inst) + 4 * inst.dwords +
                      4 * int64_t(int16_t(inst.imm[0]));
    inst.target = program.at(target);
    if (!inst.target)
      inst.handler = badEncoding;
  }
}

void decodeCode(Program &program, uint64_t begin, uint64_t end,
                ArrayRef<uint64_t> starts) {
  const Disassembler &dis = *program.disassembler;
  program.codeBegin = begin;
  program.slotOf.assign((end - begin) / 4, Program::kNoInstruction);
  std::vector<bool> isStart(program.slotOf.size() + 1);
  for (uint64_t start : starts)
    if (start >= begin && start < end && start % 4 == 0)
      isStart[(start - begin) / 4] = true;

  StringMap<uint32_t> opcodeIds;
  auto opcodeId = [&](StringRef name) {
    auto [it, isNew] = opcodeIds.try_emplace(name, program.opcodeNames.size());
    if (isNew)
      program.opcodeNames.push_back(name.str());
    return it->second;
  };

  MCInst mc;
  bool indexing = false;
  for (uint64_t at = begin; at + 4 <= end;) {
    uint64_t dword = (at - begin) / 4;
    uint64_t size =
        dis.decode({program.image.get() + at, size_t(end - at)}, at, mc);
    // Data between functions must not swallow the start of the next one.
    for (uint64_t d = dword + 1; d < dword + size / 4; ++d)
      if (isStart[d])
        size = 0;
    program.code.emplace_back();
    program.uses.emplace_back();
    Instruction &inst = program.code.back();
    inst.offset = uint32_t(at - begin);
    program.slotOf[dword] = program.code.size() - 1;
    if (size == 0 || size % 4) {
      inst.handler = stopWith(inst, badEncoding);
      program.opcodeOf.push_back(opcodeId("<invalid>"));
      at += 4;
      continue;
    }
    inst.dwords = size / 4;
    program.opcodeOf.push_back(opcodeId(dis.mnemonic(mc)));
    inst.handler = decodeOne(program, mc, inst);
    // LLVM keeps such a pair and what is between together, without a branch.
    StringRef name = dis.mnemonic(mc);
    if (name.starts_with("s_set_gpr_idx_o"))
      indexing = name == "s_set_gpr_idx_on";
    else if (indexing && inst.cls <= InstructionClass::Matrix &&
             !inst.control) {
      program.indexed[inst.offset] = inst.handler;
      inst.handler = executeIndexed;
    }
    at += size;
  }
  // Running off the end meets an instruction that says so.
  program.code.emplace_back();
  program.uses.emplace_back();
  program.code.back().offset = uint32_t(end - begin);
  program.code.back().handler = stopWith(program.code.back(), badEncoding);
  program.opcodeOf.push_back(opcodeId("<invalid>"));
  linkBranches(program);
}

} // namespace rowmill::emulator
