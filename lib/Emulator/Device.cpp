// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// The device that callers see: names and checks around its memory.

#include "Memory.h"
#include "rowmill/Emulator/Emulator.h"

#include <llvm/ADT/Twine.h>
#include <llvm/Support/FormatVariadic.h>

#include <cstring>

using namespace llvm;

namespace rowmill::emulator {

Device::Device(StringRef arch) : archName(arch), mem(new Memory) {}
Device::~Device() = default;

Expected<std::unique_ptr<Device>> Device::create(StringRef arch) {
  if (arch != "gfx942" && arch != "gfx950")
    return createStringError(inconvertibleErrorCode(),
                             "the emulator knows gfx942 and gfx950, but got '" +
                                 arch + "'");
  return std::unique_ptr<Device>(new Device(arch));
}

Expected<uint64_t> Device::allocate(uint64_t bytes, std::string name,
                                    unsigned align) {
  return mem->allocate(bytes, std::move(name), align);
}

Error Device::free(uint64_t address) { return mem->release(address, true); }

Expected<uint64_t> Device::map(void *host, uint64_t bytes, std::string name,
                               bool writable) {
  return mem->map(host, bytes, std::move(name), writable);
}

Error Device::unmap(uint64_t address) { return mem->release(address, false); }

static Error copyFailure(const Memory &memory, const char *what,
                         uint64_t address, size_t bytes) {
  return createStringError(inconvertibleErrorCode(),
                           formatv("{0} of {1} bytes at {2:x} {3}", what, bytes,
                                   address,
                                   memory.explain(address, bytes, false))
                               .str());
}

// The host may fill buffers that kernels can only read.
Error Device::write(uint64_t address, const void *from, size_t bytes) {
  if (bytes == 0)
    return Error::success();
  uint8_t *host = mem->host(address, bytes, /*write=*/false);
  if (!host)
    return copyFailure(*mem, "write", address, bytes);
  std::memcpy(host, from, bytes);
  return Error::success();
}

Error Device::read(void *to, uint64_t address, size_t bytes) {
  if (bytes == 0)
    return Error::success();
  const uint8_t *host = mem->host(address, bytes, /*write=*/false);
  if (!host)
    return copyFailure(*mem, "read", address, bytes);
  std::memcpy(to, host, bytes);
  return Error::success();
}

} // namespace rowmill::emulator
