// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// What vector memory instructions share: from lane addresses to host pointers,
// and from there to registers and back.

#ifndef ROWMILL_LIB_EMULATOR_MEMORYACCESS_H
#define ROWMILL_LIB_EMULATOR_MEMORYACCESS_H

#include "MemoryLanes.h"
#include "Workgroup.h"

#include <cstring>

namespace rowmill::emulator {

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
bool resolveGlobal(Wave &w, const Instruction &i,
                   const LaneAddresses &addresses, unsigned bytes,
                   unsigned alignment, bool write, const char *what,
                   LanePointers &pointers);

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

/// Chosen once: the lane loops for this processor.
inline const MemoryLanes &memoryLanes() {
  static const MemoryLanes &lanes = hostMemoryLanes();
  return lanes;
}

/// Loads `Dwords` registers from `reg` on (1 unless F is Dwords).
template <Fill F, unsigned Dwords>
inline void loadLanes(Wave &w, unsigned reg, const LanePointers &p) {
  memoryLanes().loadOf(F, Dwords)(&w.vgpr[reg], p, w.execRow, w.execFull());
}

/// Stores the low `Bytes` of each lane, from bit `Shift` on if below a dword.
template <unsigned Bytes, unsigned Shift = 0>
inline void storeLanes(Wave &w, unsigned reg, const LanePointers &p) {
  const MemoryLanes &lanes = memoryLanes();
  if constexpr (Bytes == 1)
    lanes.storeByte[Shift / 16](&w.vgpr[reg], p);
  else if constexpr (Bytes == 2)
    lanes.storeShort[Shift / 16](&w.vgpr[reg], p);
  else
    lanes.storeDwords[Bytes / 4 - 1](&w.vgpr[reg], p);
}

} // namespace rowmill::emulator

#endif // ROWMILL_LIB_EMULATOR_MEMORYACCESS_H
