// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Shorthand for tests: a device with buffers, and kernels to run on it.

#ifndef ROWMILL_TEST_UNIT_EMULATOR_TESTDEVICE_H
#define ROWMILL_TEST_UNIT_EMULATOR_TESTDEVICE_H

#include "ExecutedInstructions.h"
#include "rowmill/Emulator/Emulator.h"

#include <llvm/Support/MemoryBuffer.h>

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

namespace rowmill::emulator::test {

/// The text of an error, or "" of success.
inline std::string messageOf(llvm::Error error) {
  return error ? llvm::toString(std::move(error)) : std::string();
}

/// The bytes of a code object that CMake compiled.
inline std::string deviceCode(const std::string &stem,
                              const std::string &arch) {
  auto file = llvm::MemoryBuffer::getFile(std::string(DEVICE_CODE_DIR) + "/" +
                                          stem + "." + arch + ".hsaco");
  EXPECT_TRUE(bool(file)) << stem << " of " << arch << " is missing";
  return file ? (*file)->getBuffer().str() : std::string();
}

/// Kernel arguments one after another, each at its natural alignment.
class Kernarg {
public:
  template <typename T>
  Kernarg &add(T value) {
    bytes.resize((bytes.size() + sizeof(T) - 1) / sizeof(T) * sizeof(T));
    const char *from = reinterpret_cast<const char *>(&value);
    bytes.insert(bytes.end(), from, from + sizeof(T));
    return *this;
  }
  std::vector<uint8_t> bytes;
};

/// A device of one arch that runs kernels of one code object.
class TestDevice {
public:
  TestDevice(const std::string &stem, const std::string &arch)
      : device(llvm::cantFail(Device::create(arch))),
        code(llvm::cantFail(CodeObject::load(deviceCode(stem, arch)))) {}

  template <typename T>
  uint64_t map(std::vector<T> &data, std::string name, bool writable = true) {
    return llvm::cantFail(device->map(data.data(), data.size() * sizeof(T),
                                      std::move(name), writable));
  }
  /// One-dimensional; the message of the fault, or "".
  std::string run(const std::string &kernel, uint32_t groups, uint32_t block,
                  const Kernarg &args, Stats *stats = nullptr) {
    Launch launch = this->launch;
    launch.kernel = kernel;
    launch.grid = {groups, 1, 1};
    launch.block = {block, 1, 1};
    launch.kernarg = args.bytes;
    ExecutedInstructions &record = ExecutedInstructions::get();
    Stats executed;
    if (!stats && record.isWanted())
      stats = &executed;
    std::string message =
        messageOf(emulator::launch(*device, *code, launch, stats));
    if (record.isWanted())
      for (const Stats::Opcode &opcode : stats->opcodes)
        record.note(code->arch(), opcode.name);
    return message;
  }

  std::unique_ptr<Device> device;
  std::unique_ptr<CodeObject> code;
  Launch launch; // options of every run
};

} // namespace rowmill::emulator::test

#endif // ROWMILL_TEST_UNIT_EMULATOR_TESTDEVICE_H
