// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// The lane loops of memory instructions, built for each vector width. No LLVM
// headers here (Simd.h says why).

#ifndef ROWMILL_LIB_EMULATOR_MEMORYLANES_H
#define ROWMILL_LIB_EMULATOR_MEMORYLANES_H

#include "rowmill/Emulator/Wave.h"

namespace rowmill::emulator {

struct alignas(64) LaneAddresses {
  uint64_t lane[kLanes];
};

/// Where each lane's access goes. Inactive lanes get a place of their own that
/// may be read and written, so that the loops need not ask.
struct alignas(64) LanePointers {
  uint8_t *lane[kLanes];
  /// All lanes are active and each begins where the one before ends.
  bool contiguous = false;
};

/// What the active lanes' addresses have in common.
struct LaneSpan {
  uint64_t low, high;
  uint64_t bits; // all of them or'ed
};

/// How a loaded value fills a register. The D16 forms keep the other half.
enum class Fill : uint8_t {
  U8,
  I8,
  U16,
  I16,
  D16U8,
  D16I8,
  D16,
  D16U8Hi,
  D16I8Hi,
  D16Hi,
  Dwords // with a count
};

using LoadLanes = void (*)(uint32_t (*to)[kLanes], const LanePointers &,
                           const Row &exec, bool full);
using StoreLanes = void (*)(const uint32_t (*from)[kLanes],
                            const LanePointers &);

struct MemoryLanes {
  /// base + lane, or base + the pair of lanes if there is a high row.
  void (*addresses)(const uint32_t *low, const uint32_t *high, uint64_t base,
                    LaneAddresses &);
  LaneSpan (*span)(const LaneAddresses &, const Row &exec, bool full);
  /// lane + bias for active lanes.
  void (*pointers)(const LaneAddresses &, uint64_t bias, unsigned bytes,
                   const Row &exec, bool full, uint8_t *idle, LanePointers &);
  /// The same for 32-bit addresses below `limit` and without bits of
  /// `misaligned`; false if an active lane has another.
  bool (*lds)(const uint32_t *address, uint32_t offset, uint64_t limit,
              uint32_t misaligned, unsigned bytes, const Row &exec, bool full,
              uint8_t *lds, uint8_t *idle, LanePointers &);
  LoadLanes
      load[unsigned(Fill::Dwords) + 4]; // dwords: 1 to 4 from Fill::Dwords
  LoadLanes loadOf(Fill fill, unsigned dwords) const {
    return load[unsigned(fill) + (fill == Fill::Dwords ? dwords - 1 : 0)];
  }
  StoreLanes storeByte[2], storeShort[2]; // the low or the high half
  StoreLanes storeDwords[4];
};

namespace simd_base {
const MemoryLanes &memoryLanes();
}
namespace simd_v3 {
const MemoryLanes &memoryLanes();
}
namespace simd_v4 {
const MemoryLanes &memoryLanes();
}
/// Of the widest vectors that the processor has.
const MemoryLanes &hostMemoryLanes();

} // namespace rowmill::emulator

#endif // ROWMILL_LIB_EMULATOR_MEMORYLANES_H
