// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Lane addresses to host pointers: one check where all lanes fall into one
// buffer, lane by lane where they do not.

#include "MemoryAccess.h"

#include <llvm/Support/FormatVariadic.h>

using namespace llvm;

namespace rowmill::emulator {

void memoryFault(Wave &w, const Instruction &i, const AccessName &access,
                 int lane) {
  std::string why =
      w.group->memory.explain(access.address, access.bytes, access.write);
  w.group->fault(w, i,
                 formatv("{0} of {1} bytes at {2:x} {3}", access.what,
                         access.bytes, access.address, why),
                 lane);
}

void alignmentFault(Wave &w, const Instruction &i, const AccessName &access,
                    unsigned alignment, int lane) {
  w.group->fault(
      w, i,
      formatv("{0} of {1} bytes at {2:x} is not aligned to {3} bytes",
              access.what, access.bytes, access.address, alignment),
      lane);
}

/// Lane by lane: for lanes in several buffers, and to find the one at fault.
static bool resolveEach(Wave &w, const Instruction &i,
                        const LaneAddresses &addresses, unsigned bytes,
                        unsigned alignment, bool write, const char *what,
                        LanePointers &pointers) {
  pointers.contiguous = false;
  for (unsigned l = 0; l < kLanes; ++l) {
    if (!w.execRow.lane[l]) {
      pointers.lane[l] = w.group->idle;
      continue;
    }
    uint64_t address = addresses.lane[l];
    AccessName access{what, address, bytes, write};
    pointers.lane[l] = w.group->memory.host(address, bytes, write);
    if (!pointers.lane[l])
      return memoryFault(w, i, access, l), false;
    if (address & (alignment - 1))
      return alignmentFault(w, i, access, alignment, l), false;
  }
  return true;
}

bool resolveGlobal(Wave &w, const Instruction &i,
                   const LaneAddresses &addresses, unsigned bytes,
                   unsigned alignment, bool write, const char *what,
                   LanePointers &pointers) {
  const MemoryLanes &lanes = memoryLanes();
  bool full = w.execFull();
  LaneSpan span = lanes.span(addresses, w.execRow, full);
  const Buffer *buffer = w.group->memory.find(span.low);
  if (LLVM_UNLIKELY(!buffer || (write && !buffer->writable) ||
                    (span.bits & (alignment - 1)) || buffer->size < bytes ||
                    span.high - buffer->base > buffer->size - bytes))
    return resolveEach(w, i, addresses, bytes, alignment, write, what,
                       pointers);
  uint64_t bias = reinterpret_cast<uint64_t>(buffer->host) - buffer->base;
  lanes.pointers(addresses, bias, bytes, w.execRow, full, w.group->idle,
                 pointers);
  return true;
}

bool resolveLds(Wave &w, const Instruction &i, const uint32_t *addresses,
                uint32_t offset, unsigned bytes, unsigned alignment,
                const char *what, LanePointers &pointers) {
  uint64_t size = w.group->ldsBytes();
  uint8_t *lds = w.group->lds(), *idle = w.group->idle;
  if (LLVM_LIKELY(size >= bytes &&
                  memoryLanes().lds(addresses, offset, size - bytes + 1,
                                    alignment - 1, bytes, w.execRow,
                                    w.execFull(), lds, idle, pointers)))
    return true;
  // Again, to find the lane that is wrong.
  for (unsigned l = 0; l < kLanes; ++l) {
    if (!w.execRow.lane[l]) {
      pointers.lane[l] = idle;
      continue;
    }
    uint64_t address = uint64_t(addresses[l]) + offset;
    if (address + bytes > size) {
      w.group->fault(
          w, i,
          formatv("{0} of {1} bytes at {2:x} is past the {3} bytes of LDS that "
                  "the workgroup has",
                  what, bytes, address, size),
          l);
      return false;
    }
    if (address & (alignment - 1))
      return alignmentFault(w, i, {what, address, bytes, false}, alignment, l),
             false;
    pointers.lane[l] = lds + address;
  }
  pointers.contiguous = false;
  return true;
}

bool resolveScratch(Wave &w, const Instruction &i, const LaneAddresses &offsets,
                    unsigned bytes, unsigned alignment, const char *what,
                    LanePointers &pointers) {
  uint64_t size = w.group->grid.scratchBytes;
  pointers.contiguous = false;
  for (unsigned l = 0; l < kLanes; ++l) {
    if (!w.execRow.lane[l]) {
      pointers.lane[l] = w.group->idle;
      continue;
    }
    uint64_t offset = offsets.lane[l];
    if (offset > size || size - offset < bytes) {
      w.group->fault(
          w, i,
          formatv("{0} of {1} bytes at {2:x} is past the {3} bytes of "
                  "scratch that a lane has",
                  what, bytes, offset, size),
          l);
      return false;
    }
    if (offset & (alignment - 1))
      return alignmentFault(w, i, {what, offset, bytes, false}, alignment, l),
             false;
    pointers.lane[l] = w.group->scratch(w, l) + offset;
  }
  return true;
}

} // namespace rowmill::emulator
