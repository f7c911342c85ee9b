// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// The lane patterns of the DPP controls, tabulated at compile time.

#include "DppPatterns.h"

namespace rowmill::emulator {
namespace {

constexpr int kOutside = -1;

/// The lane that `lane` reads under `ctrl`, or kOutside. A shift moves data
/// towards lower (shl) or higher (shr) lanes.
constexpr int sourceLane(unsigned ctrl, int lane) {
  int row = lane & ~15, inRow = lane & 15;
  int amount = int(ctrl & 15);
  if (ctrl <= 0xff) // quad_perm
    return (lane & ~3) + int((ctrl >> (2 * (lane & 3))) & 3);
  switch (ctrl & 0x1f0) {
  case 0x100: // row_shl
    return inRow + amount < 16 ? lane + amount : kOutside;
  case 0x110: // row_shr
    return inRow >= amount ? lane - amount : kOutside;
  case 0x120: // row_ror
    return row + ((inRow - amount) & 15);
  case 0x150: // row_newbcast
    return row + amount;
  }
  switch (ctrl) {
  case 0x130: // wave_shl:1
    return lane < 63 ? lane + 1 : kOutside;
  case 0x134: // wave_rol:1
    return (lane + 1) & 63;
  case 0x138: // wave_shr:1
    return lane > 0 ? lane - 1 : kOutside;
  case 0x13c: // wave_ror:1
    return (lane - 1) & 63;
  case 0x140: // row_mirror
    return row + 15 - inRow;
  case 0x141: // row_half_mirror
    return (lane & ~7) + 7 - (lane & 7);
  case 0x142: // row_bcast:15, the last lane of the row before
    return row ? row - 1 : kOutside;
  case 0x143: // row_bcast:31
    return lane >= 32 ? 31 : kOutside;
  }
  return kOutside;
}

constexpr bool exists(unsigned ctrl) {
  if (ctrl <= 0xff)
    return true;
  if (ctrl > 0x150 && ctrl <= 0x15f)
    return true;
  if (ctrl > 0x100 && ctrl < 0x130)
    return (ctrl & 15) != 0;
  return ctrl == 0x130 || ctrl == 0x134 || ctrl == 0x138 || ctrl == 0x13c ||
         (ctrl >= 0x140 && ctrl <= 0x143) || ctrl == 0x150;
}

struct Table {
  DppPattern patterns[512] = {};
  constexpr Table() {
    for (unsigned ctrl = 0; ctrl < 512; ++ctrl) {
      DppPattern &p = patterns[ctrl];
      p.supported = exists(ctrl);
      p.withinRow = true;
      for (int lane = 0; lane < 64; ++lane) {
        int source = p.supported ? sourceLane(ctrl, lane) : kOutside;
        if (source != kOutside)
          p.valid |= uint64_t(1) << lane;
        p.index[lane] = source == kOutside ? lane : uint8_t(source);
        bool sameAsFirstRow =
            p.index[lane] == p.index[lane & 15] + (lane & ~15) &&
            ((p.valid >> lane) & 1) == ((p.valid >> (lane & 15)) & 1);
        p.withinRow = p.withinRow && sameAsFirstRow && p.index[lane & 15] < 16;
      }
    }
  }
};

constexpr Table table;

} // namespace

const DppPattern &dppPattern(unsigned ctrl) { return table.patterns[ctrl]; }

} // namespace rowmill::emulator
