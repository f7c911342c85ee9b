// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Where bound launches run.
#ifndef ROWMILL_RUNTIME_DEVICE_H
#define ROWMILL_RUNTIME_DEVICE_H

#include "rowmill/Runtime/Binding.h"
#include <memory>

namespace rowmill {

/// What a launch executed, counted by wave.
struct LaunchStats {
  struct Counter {
    std::string name;
    uint64_t value = 0;
  };
  /// Waves, instructions, bytes and so on.
  std::vector<Counter> counters;
  /// Instructions by class.
  std::vector<Counter> classes;
  /// Instructions by opcode, the most frequent first.
  std::vector<Counter> opcodes;
};

/// A device with one code object loaded. Several threads may launch at a time.
class Device {
public:
  virtual ~Device() = default;

  /// Runs `launch` to its end; its arrays then hold what the kernel wrote. A
  /// launch without rows does nothing. `stats` is filled when it is not null
  /// and the device can count.
  virtual llvm::Error run(const BoundLaunch &launch,
                          LaunchStats *stats = nullptr) = 0;
};

/// Options of the emulator that stands in for a device.
struct EmulatorOptions {
  /// Instructions after which a wave is taken to hang; 0 is the emulator's own
  /// limit.
  uint64_t maxInstructions = 0;
  /// Refuse accesses that are not aligned to their size. The hardware allows
  /// them, at a price.
  bool checkAlignment = false;
};

/// Loads the code object `elf` onto the emulator. The bytes need not outlive
/// the call.
llvm::Expected<std::unique_ptr<Device>>
createEmulatorDevice(llvm::StringRef elf, const EmulatorOptions &options = {});

} // namespace rowmill

#endif // ROWMILL_RUNTIME_DEVICE_H
