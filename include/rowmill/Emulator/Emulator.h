// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// The emulator's interface: a device with memory, a code object, a launch.

#ifndef ROWMILL_EMULATOR_EMULATOR_H
#define ROWMILL_EMULATOR_EMULATOR_H

#include "rowmill/Emulator/Instruction.h"

#include <llvm/ADT/StringRef.h>
#include <llvm/Support/Error.h>

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace rowmill::emulator {

class Memory;
struct Program;
struct Kernel;

/// One emulated GPU: an arch and its memory. Buffers lie far apart, above 4
/// GiB, and across a 4 GiB boundary, so that an address that lost its upper
/// half or a carry falls into no buffer.
class Device {
public:
  /// Fails for an arch that the emulator does not know.
  static llvm::Expected<std::unique_ptr<Device>> create(llvm::StringRef arch);
  ~Device();

  llvm::StringRef arch() const { return archName; }

  /// A zeroed buffer; `name` is what faults call it. `align` is a power of two.
  llvm::Expected<uint64_t> allocate(uint64_t bytes, std::string name = "",
                                    unsigned align = 256);
  llvm::Error free(uint64_t address);
  llvm::Error write(uint64_t address, const void *from, size_t bytes);
  llvm::Error read(void *to, uint64_t address, size_t bytes);

  /// Makes host memory a device buffer without copying it. The address has the
  /// host pointer's alignment up to 256 bytes.
  llvm::Expected<uint64_t> map(void *host, uint64_t bytes, std::string name,
                               bool writable);
  llvm::Error unmap(uint64_t address);

  Memory &memory() { return *mem; }

private:
  Device(llvm::StringRef arch);
  std::string archName;
  std::unique_ptr<Memory> mem;
};

/// What a caller may want to know of a kernel before it launches it.
struct KernelInfo {
  std::string name;
  uint32_t kernargBytes = 0;
  uint32_t ldsBytes = 0;
  uint32_t scratchBytesPerLane = 0;
  uint32_t vgprs = 0; // allocated, accumulation registers not counted
  uint32_t agprs = 0;
  uint32_t waveSize = 64;
  /// From the metadata note; 0 when it says nothing.
  uint32_t maxWorkgroupSize = 0;
};

/// A linked code object, its kernels decoded. Immutable: any number of threads
/// may launch from it.
class CodeObject {
public:
  /// Parses an ELF; every defect of it is an error, never a crash.
  static llvm::Expected<std::unique_ptr<CodeObject>>
  load(llvm::StringRef elfBytes);
  ~CodeObject();

  llvm::StringRef arch() const;
  std::vector<std::string> kernelNames() const;
  llvm::Expected<KernelInfo> kernelInfo(llvm::StringRef name) const;

  const Program &program() const { return *prog; }

private:
  CodeObject();
  std::unique_ptr<Program> prog;
};

struct Launch {
  std::string kernel;
  std::array<uint32_t, 3> grid = {1, 1, 1}; // workgroups
  std::array<uint32_t, 3> block = {64, 1, 1};
  /// Explicit arguments. The hidden ones that the metadata lists (block counts,
  /// group sizes, offsets) are filled in behind them.
  std::vector<uint8_t> kernarg;
  uint32_t dynamicLds = 0;
  /// A wave that executes more is a fault: an endless loop, most likely.
  uint64_t maxInstructions = uint64_t(1) << 32;
  unsigned threads = 0; // host threads; 0: one for each processor
  /// Accesses of a dword or more must be dword aligned, shorter ones naturally.
  /// Off by default: outside atomics the hardware allows less, and LLVM relies
  /// on it when it merges stores of neighbouring bytes.
  bool checkAlignment = false;
  /// The first so many workgroups are checked for registers that are used
  /// before an s_waitcnt for them. It costs time, and groups mostly run the
  /// same code.
  unsigned checkedWorkgroups = 2;
};

/// What a launch executed. Counts of waves, except where lanes are named.
struct Stats {
  uint64_t workgroups = 0;
  uint64_t waves = 0;
  uint64_t instructions = 0;
  uint64_t laneInstructions = 0; // vector instructions times active lanes
  std::array<uint64_t, size_t(InstructionClass::Count)> byClass = {};
  uint64_t globalLoadBytes = 0;
  uint64_t globalStoreBytes = 0;
  uint64_t ldsBytes = 0;
  struct Opcode {
    std::string name; // as printed, with its _e32, _dpp...
    uint64_t waves = 0;
    uint64_t lanes = 0;
  };
  std::vector<Opcode> opcodes; // descending by waves

  /// Adds what another grid executed.
  void add(const Stats &other);
};

/// The name of a class as statistics print it, such as "valu".
llvm::StringRef className(InstructionClass);

/// Runs a grid to its end. Every fault is an error that names instruction,
/// lane, address and the nearest buffer; buffers keep what was stored until
/// then.
llvm::Error launch(Device &, const CodeObject &, const Launch &,
                   Stats *stats = nullptr);

} // namespace rowmill::emulator

#endif // ROWMILL_EMULATOR_EMULATOR_H
