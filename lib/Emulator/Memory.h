// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// The address space of a device: buffers far apart, found by one shift.

#ifndef ROWMILL_LIB_EMULATOR_MEMORY_H
#define ROWMILL_LIB_EMULATOR_MEMORY_H

#include <llvm/ADT/StringRef.h>
#include <llvm/Support/Error.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace rowmill::emulator {

struct Buffer {
  uint64_t base = 0;
  uint64_t size = 0;
  uint8_t *host = nullptr;
  std::string name;
  bool writable = true;
  bool owned = false; // host was allocated here
  unsigned slots = 1;
  unsigned users = 1; // of one mapped at a fixed address
};

class Memory {
public:
  /// Addresses are divided into slots; a buffer has one or more to itself.
  static constexpr unsigned kSlotBits = 34;
  static constexpr unsigned kSlots = 1u << (47 - kSlotBits);
  /// Slots from here on are for mapAt.
  static constexpr unsigned kFixedSlot = kSlots - kSlots / 8;

  Memory();
  ~Memory();

  llvm::Expected<uint64_t> allocate(uint64_t bytes, std::string name,
                                    uint64_t align);
  llvm::Expected<uint64_t> map(void *host, uint64_t bytes, std::string name,
                               bool writable);
  /// Maps at the given address, in a fixed slot, and counts the users of it.
  llvm::Error mapAt(uint64_t base, void *host, uint64_t bytes, std::string name,
                    bool writable);
  llvm::Error release(uint64_t base, bool owned);

  /// The buffer that contains `address`, if any.
  const Buffer *find(uint64_t address) const {
    uint64_t slot = address >> kSlotBits;
    if (slot >= kSlots)
      return nullptr;
    const Buffer *buffer = table[slot].load(std::memory_order_relaxed);
    return buffer && address - buffer->base < buffer->size ? buffer : nullptr;
  }

  /// The host pointer of [address, address + bytes), or null.
  uint8_t *host(uint64_t address, uint64_t bytes, bool write) const {
    const Buffer *buffer = find(address);
    if (!buffer || (write && !buffer->writable) ||
        buffer->size - (address - buffer->base) < bytes)
      return nullptr;
    return buffer->host + (address - buffer->base);
  }

  /// Why `host` refused, as the end of a sentence that begins with the access:
  /// "is 32 bytes past the end of 'x'".
  std::string explain(uint64_t address, uint64_t bytes, bool write) const;

private:
  llvm::Expected<uint64_t> place(std::unique_ptr<Buffer> buffer, uint64_t align,
                                 uint64_t offset);
  std::unique_ptr<std::atomic<const Buffer *>[]> table;
  mutable std::mutex mutex; // of what follows, and of writes to the table
  std::vector<std::unique_ptr<Buffer>> buffers;
  unsigned nextSlot = 1;
};

} // namespace rowmill::emulator

#endif // ROWMILL_LIB_EMULATOR_MEMORY_H
