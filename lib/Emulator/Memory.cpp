// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Placement of buffers, and the explanation of an access that misses them all.

#include "Memory.h"

#include <llvm/ADT/Twine.h>
#include <llvm/Support/FormatVariadic.h>
#include <llvm/Support/MathExtras.h>

#include <cstdlib>

using namespace llvm;

namespace rowmill::emulator {

static constexpr uint64_t kSlotBytes = uint64_t(1) << Memory::kSlotBits;
static constexpr uint64_t kGuard = uint64_t(1) << 24;
static constexpr uint64_t kFourGiB = uint64_t(1) << 32;

static Error failure(const Twine &message) {
  return createStringError(inconvertibleErrorCode(), message);
}

Memory::Memory() : table(new std::atomic<const Buffer *>[kSlots]) {
  for (unsigned i = 0; i < kSlots; ++i)
    table[i].store(nullptr, std::memory_order_relaxed);
}

Memory::~Memory() {
  for (const std::unique_ptr<Buffer> &buffer : buffers)
    if (buffer->owned)
      std::free(buffer->host);
}

/// Puts a buffer across the middle 4 GiB boundary of free slots, so that a
/// kernel that loses a carry is caught. The address is `offset` modulo `align`.
Expected<uint64_t> Memory::place(std::unique_ptr<Buffer> buffer, uint64_t align,
                                 uint64_t offset) {
  uint64_t room = kSlotBytes - 2 * kGuard - kFourGiB;
  uint64_t slots =
      buffer->size <= room
          ? 1
          : divideCeil(buffer->size + 2 * kGuard + kFourGiB + align,
                       kSlotBytes);
  std::lock_guard<std::mutex> lock(mutex);
  // Fresh slots first: a pointer to a freed buffer then stays invalid longest.
  for (unsigned tried = 0, slot = nextSlot; tried < kFixedSlot;
       ++tried, ++slot) {
    if (slot + slots > kFixedSlot)
      slot = 1;
    bool isFree = slot + slots <= kFixedSlot;
    for (unsigned i = 0; i < slots && isFree; ++i)
      isFree = !table[slot + i].load(std::memory_order_relaxed);
    if (!isFree)
      continue;
    uint64_t start = slot * kSlotBytes, end = start + slots * kSlotBytes;
    uint64_t boundary = alignDown((start + end) / 2, kFourGiB);
    uint64_t base = alignDown(boundary - buffer->size / 2, align) + offset;
    if (base < start + kGuard)
      base = alignTo(start + kGuard, align) + offset;
    buffer->base = base;
    buffer->slots = slots;
    for (unsigned i = 0; i < slots; ++i)
      table[slot + i].store(buffer.get(), std::memory_order_release);
    nextSlot = slot + slots;
    buffers.push_back(std::move(buffer));
    return base;
  }
  return failure("no address range left for a buffer of " +
                 Twine(buffer->size) + " bytes");
}

Expected<uint64_t> Memory::allocate(uint64_t bytes, std::string name,
                                    uint64_t align) {
  if (!isPowerOf2_64(align) || align > kGuard)
    return failure("alignment " + Twine(align) +
                   " is not a power of two of at most 16 MiB");
  auto buffer = std::make_unique<Buffer>();
  buffer->host = static_cast<uint8_t *>(std::calloc(bytes ? bytes : 1, 1));
  if (!buffer->host)
    return failure("out of memory for a buffer of " + Twine(bytes) + " bytes");
  buffer->size = bytes;
  buffer->name = std::move(name);
  buffer->owned = true;
  uint8_t *host = buffer->host;
  Expected<uint64_t> base =
      place(std::move(buffer), std::max<uint64_t>(align, 256), 0);
  if (!base)
    std::free(host);
  return base;
}

Expected<uint64_t> Memory::map(void *host, uint64_t bytes, std::string name,
                               bool writable) {
  if (!host && bytes)
    return failure("cannot map a null pointer");
  auto buffer = std::make_unique<Buffer>();
  buffer->host = static_cast<uint8_t *>(host);
  buffer->size = bytes;
  buffer->name = std::move(name);
  buffer->writable = writable;
  return place(std::move(buffer), 256, reinterpret_cast<uintptr_t>(host) % 256);
}

Error Memory::mapAt(uint64_t base, void *host, uint64_t bytes, std::string name,
                    bool writable) {
  std::lock_guard<std::mutex> lock(mutex);
  uint64_t slot = base >> kSlotBits;
  if (slot < kFixedSlot || slot >= kSlots ||
      (base % kSlotBytes) + bytes > kSlotBytes)
    return failure("address " + Twine::utohexstr(base) +
                   " is not one that can be mapped");
  if (table[slot].load(std::memory_order_relaxed)) {
    for (const std::unique_ptr<Buffer> &buffer : buffers)
      if (buffer->base == base && buffer->host == host) {
        ++buffer->users;
        return Error::success();
      }
    return failure("address " + Twine::utohexstr(base) + " is already mapped");
  }
  auto buffer = std::make_unique<Buffer>();
  buffer->base = base;
  buffer->host = static_cast<uint8_t *>(host);
  buffer->size = bytes;
  buffer->name = std::move(name);
  buffer->writable = writable;
  table[slot].store(buffer.get(), std::memory_order_release);
  buffers.push_back(std::move(buffer));
  return Error::success();
}

Error Memory::release(uint64_t base, bool owned) {
  std::lock_guard<std::mutex> lock(mutex);
  for (auto it = buffers.begin(); it != buffers.end(); ++it) {
    Buffer &buffer = **it;
    if (buffer.base != base)
      continue;
    if (buffer.owned != owned)
      return failure(
          "'" + buffer.name + "' was " +
          (owned ? "mapped, not allocated" : "allocated, not mapped"));
    if (--buffer.users)
      return Error::success();
    for (uint64_t i = 0, slot = base >> kSlotBits; i < kSlots; ++i, ++slot) {
      if (slot >= kSlots || table[slot].load() != &buffer)
        break;
      table[slot].store(nullptr);
    }
    // The base of a buffer of several slots lies in the middle of the first.
    for (uint64_t slot = base >> kSlotBits; slot-- > 0;) {
      if (table[slot].load() != &buffer)
        break;
      table[slot].store(nullptr);
    }
    if (buffer.owned)
      std::free(buffer.host);
    buffers.erase(it);
    return Error::success();
  }
  return failure(formatv("no buffer begins at {0:x}", base).str());
}

std::string Memory::explain(uint64_t address, uint64_t bytes,
                            bool write) const {
  std::lock_guard<std::mutex> lock(mutex);
  const Buffer *nearest = nullptr;
  uint64_t best = ~uint64_t(0);
  for (const std::unique_ptr<Buffer> &buffer : buffers) {
    uint64_t end = buffer->base + buffer->size;
    uint64_t distance = address < buffer->base ? buffer->base - address
                        : address >= end       ? address - end
                                               : 0;
    if (distance < best || !nearest) {
      best = distance;
      nearest = buffer.get();
    }
  }
  // Further away than this it is no neighbour, but a wrong pointer.
  constexpr uint64_t kNear = uint64_t(1) << 33;
  if (!nearest || best > kNear)
    return "is in no buffer";
  std::string quoted =
      nearest->name.empty() ? "an unnamed buffer" : "'" + nearest->name + "'";
  uint64_t end = nearest->base + nearest->size;
  if (address < nearest->base)
    return formatv("is {0} bytes before the start of {1}", best, quoted);
  if (address >= end)
    return formatv("is {0} bytes past the end of {1}", address - end, quoted);
  if (end - address < bytes)
    return formatv("ends {0} bytes past the end of {1}",
                   bytes - (end - address), quoted);
  if (write && !nearest->writable)
    return formatv("is in {0}, which is read-only", quoted);
  return formatv("is in {0}", quoted);
}

} // namespace rowmill::emulator
