// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Instructions that move values between lanes, other than DPP.

#include "VALU.h"
#include "VALULanes.h"
#include "VALUTables.h"

namespace rowmill::emulator::ROWMILL_SIMD {
namespace {

ROWMILL_INLINE uint32_t laneValue(const Wave &w, const Source &s,
                                  unsigned lane) {
  return s.kind == OperandKind::Vector ? w.vgpr[s.reg][lane] : w.scalar32(s);
}

void readlane(Wave &w, const Instruction &i) {
  unsigned lane = w.scalar32(i.src[1]) & (w.lanes - 1);
  w.setSgpr32(i.dst.reg, laneValue(w, i.src[0], lane));
}

/// The first active lane; lane 0 when none is.
void readfirstlane(Wave &w, const Instruction &i) {
  uint64_t exec = w.exec();
  unsigned lane = exec ? unsigned(__builtin_ctzll(exec)) : 0;
  w.setSgpr32(i.dst.reg, laneValue(w, i.src[0], lane));
}

/// Writes whether the lane is active or not.
void writelane(Wave &w, const Instruction &i) {
  unsigned lane = w.scalar32(i.src[1]) & (w.lanes - 1);
  w.vgpr[i.dst.reg][lane] = w.scalar32(i.src[0]);
}

/// Swaps blocks of `Width` lanes: the odd blocks of the first register with the
/// even blocks of the second.
template <unsigned Width>
void permlaneSwap(Wave &w, const Instruction &i) {
  // The trailing operands, where clamp and omod would be.
  bool fetchInactive = i.clamp, boundControl = i.omod;
  uint32_t *a = w.vgpr[i.dst.reg], *b = w.vgpr[i.sdst.reg];
  const uint32_t *exec = w.execRow.lane;
  Row oldA, oldB;
  __builtin_memcpy(oldA.lane, a, sizeof(Row));
  __builtin_memcpy(oldB.lane, b, sizeof(Row));
  if (w.execFull() || fetchInactive) {
    for (unsigned base = 0; base < kLanes; base += 2 * Width)
      for (unsigned l = base; l < base + Width; ++l) {
        uint32_t low = exec[l], high = exec[l + Width];
        b[l] = (oldA.lane[l + Width] & low) | (oldB.lane[l] & ~low);
        a[l + Width] = (oldB.lane[l] & high) | (oldA.lane[l + Width] & ~high);
      }
    return;
  }
  // A partner that is switched off has nothing to give: zero with bound_ctrl,
  // else the lane stays as it is.
  for (unsigned base = 0; base < kLanes; base += 2 * Width)
    for (unsigned l = base; l < base + Width; ++l) {
      uint32_t low = exec[l], high = exec[l + Width];
      uint32_t toB = boundControl ? low : low & high;
      uint32_t toA = boundControl ? high : low & high;
      b[l] = (oldA.lane[l + Width] & high & toB) | (oldB.lane[l] & ~toB);
      a[l + Width] = (oldB.lane[l] & low & toA) | (oldA.lane[l + Width] & ~toA);
    }
}
template <unsigned Width>
Handler swapLanes(Instruction &i) {
  return i.sdst.kind == OperandKind::Vector ? permlaneSwap<Width> : nullptr;
}

constexpr InstructionClass X = InstructionClass::CrossLane;

const InstructionEntry entries[] = {
    {"v_readlane_b32", only<readlane>, X},
    {"v_readfirstlane_b32", only<readfirstlane>, X},
    {"v_writelane_b32", only<writelane>, X},
    {"v_permlane16_swap_b32", swapLanes<16>, X},
    {"v_permlane32_swap_b32", swapLanes<32>, X},
};

} // namespace

const InstructionList crossLaneList = {entries,
                                       sizeof(entries) / sizeof(entries[0])};

} // namespace rowmill::emulator::ROWMILL_SIMD
