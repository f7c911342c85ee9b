// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// What vector memory instructions share: from lane addresses to host pointers,
// and from there to registers and back.

#ifndef ROWMILL_LIB_EMULATOR_MEMORYACCESS_H
#define ROWMILL_LIB_EMULATOR_MEMORYACCESS_H

#include "Workgroup.h"

#include <cstring>

namespace rowmill::emulator {

/// Where each lane's access goes. Inactive lanes get a place of their own that
/// may be read and written, so that the loops need not ask.
struct alignas(64) LanePointers {
  uint8_t *lane[kLanes];
};

struct alignas(64) LaneAddresses {
  uint64_t lane[kLanes];
};

/// An access for a message: "global load of 16 bytes at 0x...".
struct AccessName {
  const char *what;
  uint64_t address;
  unsigned bytes;
  bool write;
};

/// Faults with the reason why the device's memory refuses the access.
void memoryFault(Wave &w, const Instruction &i, const AccessName &access,
                 int lane);
void alignmentFault(Wave &w, const Instruction &i, const AccessName &access,
                    unsigned alignment, int lane);

/// Resolves the active lanes in device memory; false after a fault.
/// `what` names the access, `alignment` is what the addresses must have.
bool resolveGlobal(Wave &w, const Instruction &i, const LaneAddresses &addresses,
                   unsigned bytes, unsigned alignment, bool write,
                   const char *what, LanePointers &pointers);

/// Resolves 32-bit addresses in LDS, in rows of lanes.
bool resolveLds(Wave &w, const Instruction &i, const uint32_t *addresses,
                uint32_t offset, unsigned bytes, unsigned alignment,
                const char *what, LanePointers &pointers);

/// Resolves offsets into each lane's scratch.
bool resolveScratch(Wave &w, const Instruction &i, const LaneAddresses &offsets,
                    unsigned bytes, unsigned alignment, const char *what,
                    LanePointers &pointers);

/// Accesses of a dword or more must be dword aligned, shorter ones naturally.
inline unsigned requiredAlignment(const Wave &w, unsigned bytes) {
  if (!w.group->grid.launch.checkAlignment)
    return 1;
  return bytes >= 4 ? 4 : bytes;
}

/// How a loaded value fills a register. The D16 forms keep the other half.
enum class Fill { Dwords, U8, I8, U16, D16U8, D16I8, D16, D16U8Hi, D16I8Hi, D16Hi,
                  I16 };

template <Fill F> ROWMILL_INLINE uint32_t fillLane(const uint8_t *from,
                                                   uint32_t old) {
  uint16_t half = 0;
  if constexpr (F == Fill::U16 || F == Fill::I16 || F == Fill::D16 ||
                F == Fill::D16Hi)
    std::memcpy(&half, from, 2);
  uint32_t value;
  switch (F) {
  case Fill::U8:
    return *from;
  case Fill::I8:
    return uint32_t(int32_t(int8_t(*from)));
  case Fill::U16:
    return half;
  case Fill::I16:
    return uint32_t(int32_t(int16_t(half)));
  case Fill::D16U8:
    return (old & 0xffff0000) | *from;
  case Fill::D16I8:
    return (old & 0xffff0000) | uint16_t(int16_t(int8_t(*from)));
  case Fill::D16:
    return (old & 0xffff0000) | half;
  case Fill::D16U8Hi:
    return (old & 0xffff) | uint32_t(*from) << 16;
  case Fill::D16I8Hi:
    return (old & 0xffff) | uint32_t(uint16_t(int16_t(int8_t(*from)))) << 16;
  case Fill::D16Hi:
    return (old & 0xffff) | uint32_t(half) << 16;
  case Fill::Dwords:
    std::memcpy(&value, from, 4);
    return value;
  }
  return old;
}

/// Loads `Dwords` registers from dst.reg on (1 unless F is Dwords).
template <Fill F, unsigned Dwords>
inline void loadLanes(Wave &w, unsigned reg, const LanePointers &p) {
  for (unsigned r = 0; r < Dwords; ++r) {
    uint32_t *to = w.vgpr[reg + r];
    for (unsigned l = 0; l < kLanes; ++l) {
      uint32_t value = fillLane<F>(p.lane[l] + 4 * r, to[l]);
      uint32_t mask = w.execRow.lane[l];
      to[l] = (value & mask) | (to[l] & ~mask);
    }
  }
}

/// Stores the low `Bytes` of each lane, from bit `Shift` on if below a dword.
/// Lanes that write the same place do so in ascending order.
template <unsigned Bytes, unsigned Shift = 0>
inline void storeLanes(Wave &w, unsigned reg, const LanePointers &p) {
  for (unsigned l = 0; l < kLanes; ++l) {
    if constexpr (Bytes < 4) {
      uint32_t value = w.vgpr[reg][l] >> Shift;
      std::memcpy(p.lane[l], &value, Bytes);
    } else {
      for (unsigned r = 0; r < Bytes / 4; ++r)
        std::memcpy(p.lane[l] + 4 * r, &w.vgpr[reg + r][l], 4);
    }
  }
}

} // namespace rowmill::emulator

#endif // ROWMILL_LIB_EMULATOR_MEMORYACCESS_H
