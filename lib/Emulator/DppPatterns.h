// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Where each lane of a DPP operand reads from, for every control.

#ifndef ROWMILL_LIB_EMULATOR_DPPPATTERNS_H
#define ROWMILL_LIB_EMULATOR_DPPPATTERNS_H

#include <cstdint>

namespace rowmill::emulator {

struct DppPattern {
  uint8_t index[64]; ///< source lane of each lane
  uint64_t valid;    ///< lanes whose source exists
  bool withinRow;    ///< every row of 16 lanes does the same, inside itself
  bool supported;    ///< the control exists on CDNA3 and CDNA4
};

/// The pattern of a dpp_ctrl below 512.
const DppPattern &dppPattern(unsigned ctrl);

} // namespace rowmill::emulator

#endif // ROWMILL_LIB_EMULATOR_DPPPATTERNS_H
