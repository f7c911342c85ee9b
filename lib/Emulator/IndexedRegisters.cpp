// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Register numbers that depend on M0: s_set_gpr_idx_* and what they enclose.

#include "Workgroup.h"
#include "rowmill/Emulator/InstructionTable.h"

namespace rowmill::emulator {
namespace {

/// M0[7:0] is the index; M0[15:12] the operands it applies to: sources 0 to 2
/// and, as bit 3, the destination.
void setIndex(Wave &w, uint32_t index) {
  w.sgpr[sreg::M0] = (w.sgpr[sreg::M0] & ~0xffu) | (index & 0xff);
}
void setOperands(Wave &w, int32_t operands) {
  w.sgpr[sreg::M0] = (w.sgpr[sreg::M0] & ~0xf000u) | uint32_t(operands & 0xf)
                                                         << 12;
}

void on(Wave &w, const Instruction &i) {
  setIndex(w, w.scalar32(i.src[0]));
  setOperands(w, i.imm[0]);
}
void index(Wave &w, const Instruction &i) { setIndex(w, w.scalar32(i.src[0])); }
void operands(Wave &w, const Instruction &i) { setOperands(w, i.imm[0]); }
void off(Wave &, const Instruction &) {}

constexpr InstructionClass kSALU = InstructionClass::SALU;
const InstructionEntry kTable[] = {
    {"s_set_gpr_idx_on", always<on>, kSALU},
    {"s_set_gpr_idx_off", always<off>, kSALU},
    {"s_set_gpr_idx_idx", always<index>, kSALU},
    {"s_set_gpr_idx_mode", always<operands>, kSALU},
};

/// Moves a register; false if it leaves the file.
template <typename Operand>
bool move(Operand &operand, uint32_t index) {
  if (operand.kind != OperandKind::Vector)
    return true;
  unsigned end = operand.reg < kAgprBase ? kAgprBase : 2 * kAgprBase;
  if (operand.reg + index + operand.dwords > end)
    return false;
  operand.reg += index;
  return true;
}

} // namespace

void executeIndexed(Wave &w, const Instruction &i) {
  Instruction moved = i;
  uint32_t m0 = w.sgpr[sreg::M0], index = m0 & 0xff;
  bool inside = true;
  for (unsigned k = 0; k < 3; ++k)
    if (m0 >> (12 + k) & 1)
      inside &= move(moved.src[k], index);
  if (m0 >> 15 & 1)
    inside &= move(moved.dst, index);
  if (!inside)
    return w.fault(i, "register index out of range");
  w.group->grid.program.indexed.lookup(i.offset)(w, moved);
}

void registerIndexedRegisters(InstructionTable &table) { table.add(kTable); }

} // namespace rowmill::emulator
