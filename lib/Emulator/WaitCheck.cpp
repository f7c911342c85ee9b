// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// The counters of s_waitcnt, and the registers that wait on them.

#include "WaitCheck.h"

#include <algorithm>

namespace rowmill::emulator {

/// Operations beyond the last `left` of a counter have finished.
void WaitCheck::wait(uint16_t operand) {
  unsigned vectorLeft = (operand & 0xf) | (operand >> 14 & 3) << 4;
  unsigned ldsLeft = operand >> 8 & 0xf;
  Counter &vm = counterOf(WaitCounter::Vector);
  if (vm.issued > vectorLeft)
    vm.done = std::max(vm.done, vm.issued - vectorLeft);
  Counter &lds = counterOf(WaitCounter::LDS),
          &smem = counterOf(WaitCounter::Scalar);
  if (ldsLeft == 0) {
    lds.done = lds.issued;
    smem.done = smem.issued;
  } else if (smem.done == smem.issued && lds.issued > ldsLeft) {
    // A scalar load in flight could be any of those that have finished.
    lds.done = std::max(lds.done, lds.issued - ldsLeft);
  }
}

static std::string registerName(const RegisterUse::Range &range, unsigned k) {
  unsigned reg = range.first + k;
  if (!range.vector)
    return "s" + std::to_string(reg);
  return reg < kAgprBase ? "v" + std::to_string(reg)
                         : "a" + std::to_string(reg - kAgprBase);
}

std::string WaitCheck::step(const Instruction &inst, const RegisterUse &use,
                            const Instruction *&culprit) {
  if (use.counter == WaitCounter::Wait) {
    wait(use.wait);
    return "";
  }
  for (unsigned r = 0; r < use.numRanges; ++r) {
    const RegisterUse::Range &range = use.ranges[r];
    for (unsigned k = 0; k < range.count; ++k) {
      Pending &pending =
          range.vector ? vector[range.first + k] : scalar[range.first + k];
      if (pending.number <= counterOf(pending.counter).done)
        continue;
      // A later load of the same, ordered kind overwrites it after it arrives.
      if (r >= use.numReads && pending.counter == use.counter &&
          use.counter != WaitCounter::Scalar)
        continue;
      culprit = pending.load;
      const char *counter =
          pending.counter == WaitCounter::Vector ? "vmcnt" : "lgkmcnt";
      return registerName(range, k) + " is used before an s_waitcnt " +
             counter + " has waited for the load into it";
    }
  }
  if (use.counter == WaitCounter::None)
    return "";
  Counter &counter = counterOf(use.counter);
  ++counter.issued;
  for (unsigned r = use.numReads; r < use.numRanges; ++r) {
    const RegisterUse::Range &range = use.ranges[r];
    for (unsigned k = 0; k < range.count; ++k)
      (range.vector ? vector[range.first + k] : scalar[range.first + k]) = {
          use.counter, counter.issued, &inst};
  }
  return "";
}

} // namespace rowmill::emulator
