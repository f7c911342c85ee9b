// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Finds registers that are used before the wave has waited for the load that
// fills them. The emulator's loads finish at once, so only this notices.

#ifndef ROWMILL_LIB_EMULATOR_WAITCHECK_H
#define ROWMILL_LIB_EMULATOR_WAITCHECK_H

#include "rowmill/Emulator/Wave.h"

#include <array>
#include <string>

namespace rowmill::emulator {

/// Which of the hardware's counters an instruction raises or waits for.
enum class WaitCounter : uint8_t {
  None,
  Vector, // vmcnt, in order
  LDS,    // lgkmcnt, in order among themselves
  Scalar, // lgkmcnt, in any order
  Wait    // s_waitcnt itself
};

/// The registers that an instruction touches, as the decoder read them.
struct RegisterUse {
  struct Range {
    uint16_t first;
    uint8_t count;
    bool vector;
  };
  std::array<Range, 7> ranges; // five sources, two results
  uint8_t numReads = 0, numRanges = 0; // reads first, then writes
  WaitCounter counter = WaitCounter::None;
  uint16_t wait = 0; // the operand of s_waitcnt

  void add(OperandKind kind, uint16_t reg, uint8_t dwords) {
    if ((kind == OperandKind::Vector || kind == OperandKind::Scalar) &&
        numRanges < ranges.size())
      ranges[numRanges++] = {reg, dwords, kind == OperandKind::Vector};
  }
};

/// What one wave still waits for.
class WaitCheck {
public:
  /// Accounts for `inst`, which is about to execute; "" or what is wrong with
  /// it, and then `culprit` is the load.
  std::string step(const Instruction &inst, const RegisterUse &use,
                   const Instruction *&culprit);

private:
  struct Counter {
    uint32_t issued = 0, done = 0;
  };
  /// The load that fills a register: its number, 0 for none.
  struct Pending {
    WaitCounter counter = WaitCounter::None;
    uint32_t number = 0;
    const Instruction *load = nullptr;
  };
  Counter &counterOf(WaitCounter counter) { return counters[size_t(counter)]; }
  void wait(uint16_t operand);

  std::array<Counter, 4> counters;
  std::array<Pending, 512> vector;
  std::array<Pending, sreg::Count> scalar;
};

} // namespace rowmill::emulator

#endif // ROWMILL_LIB_EMULATOR_WAITCHECK_H
