// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Where a wave goes next: branches, calls, barriers, waits, the end; and MODE.

#include "Workgroup.h"
#include "rowmill/Emulator/InstructionTable.h"
#include "rowmill/Emulator/Wave.h"

namespace rowmill::emulator {
namespace {

//===----------------------------------------------------------------------===//
// Branches
//===----------------------------------------------------------------------===//

using Condition = bool (*)(const Wave &);

bool unconditional(const Wave &) { return true; }
bool scc0(const Wave &w) { return !w.sgpr[sreg::SCC]; }
bool scc1(const Wave &w) { return w.sgpr[sreg::SCC]; }
bool vccz(const Wave &w) { return (w.vcc() & w.fullExec) == 0; }
bool vccnz(const Wave &w) { return (w.vcc() & w.fullExec) != 0; }
bool execz(const Wave &w) { return (w.exec() & w.fullExec) == 0; }
bool execnz(const Wave &w) { return (w.exec() & w.fullExec) != 0; }

template <Condition C>
void branch(Wave &w, const Instruction &i) {
  if (C(w))
    w.next = i.target;
}

uint64_t addressAfter(const Wave &w, const Instruction &i) {
  const Program &program = w.group->grid.program;
  return program.imageBase + program.imageOffset(i) + 4 * i.dwords;
}

void jump(Wave &w, const Instruction &i, uint64_t address) {
  const Program &program = w.group->grid.program;
  const Instruction *target = program.at(address - program.imageBase);
  if (!target)
    return w.fault(i, "jump to an address where no instruction begins");
  w.next = target;
}

void getpc(Wave &w, const Instruction &i) {
  w.setSgpr64(i.dst.reg, addressAfter(w, i));
}
void setpc(Wave &w, const Instruction &i) { jump(w, i, w.scalar64(i.src[0])); }
void swappc(Wave &w, const Instruction &i) {
  uint64_t address = w.scalar64(i.src[0]);
  w.setSgpr64(i.dst.reg, addressAfter(w, i));
  jump(w, i, address);
}
void call(Wave &w, const Instruction &i) {
  w.setSgpr64(i.dst.reg, addressAfter(w, i));
  w.next = i.target;
}

//===----------------------------------------------------------------------===//
// Stopping
//===----------------------------------------------------------------------===//

void endpgm(Wave &w, const Instruction &) { w.stop = Stop::Ended; }
void barrier(Wave &w, const Instruction &) { w.stop = Stop::Barrier; }
void trap(Wave &w, const Instruction &i) { w.fault(i, "trap"); }
void nothing(Wave &, const Instruction &) {}

//===----------------------------------------------------------------------===//
// Hardware registers
//===----------------------------------------------------------------------===//

/// hwreg(id, offset, width) as the instruction encodes it.
struct HwReg {
  unsigned id, offset, width;
  HwReg(int32_t imm)
      : id(imm & 0x3f), offset(imm >> 6 & 0x1f), width((imm >> 11 & 0x1f) + 1) {
  }
  uint32_t mask() const { return uint32_t((uint64_t(1) << width) - 1); }
};
enum { kHwMode = 1, kHwStatus = 2, kHwXccId = 20 };

void getreg(Wave &w, const Instruction &i) {
  HwReg reg(i.imm[0]);
  uint32_t value;
  if (reg.id == kHwMode)
    value = w.mode.raw;
  else if (reg.id == kHwXccId)
    value = 0; // one die
  else if (reg.id == kHwStatus)
    value =
        w.sgpr[sreg::SCC] | uint32_t(execz(w)) << 9 | uint32_t(vccz(w)) << 10;
  else
    return w.fault(i, "unsupported hardware register");
  w.setSgpr32(i.dst.reg, value >> reg.offset & reg.mask());
}

void setreg(Wave &w, const Instruction &i, int32_t imm, uint32_t value) {
  HwReg reg(imm);
  if (reg.id != kHwMode)
    return w.fault(i, "unsupported hardware register");
  Mode mode = w.mode;
  mode.raw = (mode.raw & ~(reg.mask() << reg.offset)) | (value & reg.mask())
                                                            << reg.offset;
  mode.unpack();
  w.setMode(mode);
}
void setregScalar(Wave &w, const Instruction &i) {
  setreg(w, i, i.imm[0], w.scalar32(i.src[0]));
}
void setregImmediate(Wave &w, const Instruction &i) {
  setreg(w, i, i.imm[1], uint32_t(i.imm[0]));
}

/// s_round_mode and s_denorm_mode do not exist before gfx10; s_setreg is it.
Handler makeSetregImmediate(Instruction &i) {
  // The literal is an operand of its own width in some versions of LLVM.
  if (i.numSrc == 1 && i.numImm == 1) {
    i.imm[1] = i.imm[0];
    i.imm[0] = int32_t(i.src[0].low());
    i.numImm = 2;
  }
  return i.numImm == 2 ? setregImmediate : nullptr;
}

/// For instructions of class SALU that must stop the fast loop.
template <Handler H>
Handler controlled(Instruction &i) {
  i.control = true;
  return H;
}

void memtime(Wave &w, const Instruction &i) {
  // Only differences of it are meaningful, and ours are as good as any.
  w.setSgpr64(i.dst.reg, __builtin_readcyclecounter());
}

using C = InstructionClass;
const InstructionEntry kTable[] = {
    {"s_branch", always<branch<unconditional>>, C::Branch},
    {"s_cbranch_scc0", always<branch<scc0>>, C::Branch},
    {"s_cbranch_scc1", always<branch<scc1>>, C::Branch},
    {"s_cbranch_vccz", always<branch<vccz>>, C::Branch},
    {"s_cbranch_vccnz", always<branch<vccnz>>, C::Branch},
    {"s_cbranch_execz", always<branch<execz>>, C::Branch},
    {"s_cbranch_execnz", always<branch<execnz>>, C::Branch},
    {"s_getpc_b64", always<getpc>, C::SALU},
    {"s_setpc_b64", always<setpc>, C::Branch},
    {"s_swappc_b64", always<swappc>, C::Branch},
    {"s_call_b64", always<call>, C::Branch},
    {"s_endpgm", controlled<endpgm>, C::Other},
    {"s_endpgm_saved", controlled<endpgm>, C::Other},
    {"s_barrier", always<barrier>, C::Barrier},
    {"s_trap", controlled<trap>, C::Other},
    {"s_nop", always<nothing>, C::Other},
    {"s_waitcnt", always<nothing>, C::Wait},
    {"s_waitcnt_depctr", always<nothing>, C::Wait},
    {"s_sleep", always<nothing>, C::Other},
    {"s_setprio", always<nothing>, C::Other},
    {"s_wakeup", always<nothing>, C::Other},
    {"s_icache_inv", always<nothing>, C::Other},
    {"s_dcache_inv", always<nothing>, C::Other},
    {"s_dcache_wb", always<nothing>, C::Other},
    {"s_ttracedata", always<nothing>, C::Other},
    {"s_memtime", always<memtime>, C::ScalarMemory},
    {"s_memrealtime", always<memtime>, C::ScalarMemory},
    {"s_getreg_b32", always<getreg>, C::SALU},
    {"s_setreg_b32", always<setregScalar>, C::SALU},
    {"s_setreg_imm32_b32", makeSetregImmediate, C::SALU},
};

} // namespace

void registerScalarControl(InstructionTable &table) { table.add(kTable); }

} // namespace rowmill::emulator
