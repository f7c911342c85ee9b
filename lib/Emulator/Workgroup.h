// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// A workgroup in execution: its waves, its LDS, its scratch, its first fault.

#ifndef ROWMILL_LIB_EMULATOR_WORKGROUP_H
#define ROWMILL_LIB_EMULATOR_WORKGROUP_H

#include "Memory.h"
#include "Program.h"
#include "rowmill/Emulator/Wave.h"

#include <memory>
#include <string>
#include <vector>

namespace rowmill::emulator {

/// The upper halves of the addresses by which FLAT instructions reach LDS and
/// scratch: above all buffers.
constexpr uint64_t kSharedAperture = uint64_t(0x10000) << 32;
constexpr uint64_t kPrivateAperture = uint64_t(0x20000) << 32;

/// What all workgroups of a launch share.
struct Grid {
  const Program &program;
  const Kernel &kernel;
  const Launch &launch;
  const Memory &memory;
  uint64_t kernargAddress = 0;
  uint64_t dispatchAddress = 0;
  std::vector<uint8_t> kernarg; // as in memory, for preloading
  uint32_t ldsBytes = 0;
  uint32_t scratchBytes = 0; // each lane
  uint32_t threads = 0;      // of a workgroup
};

/// Executions of each instruction, and the lanes that took part.
struct Counters {
  std::vector<uint64_t> waves;
  std::vector<uint64_t> lanes;
};

/// One host thread's workgroup, used for one after another.
class Workgroup {
public:
  Workgroup(const Grid &grid, Counters *counters);

  /// Runs to the end; false if it faulted, and then `faultText` says how.
  bool run(uint64_t linearId);

  void fault(Wave &wave, const Instruction &inst, const std::string &message,
             int lane);

  const Grid &grid;
  const Memory &memory;
  uint8_t *lds() { return ldsData.get(); }
  uint32_t ldsBytes() const { return grid.ldsBytes; }
  /// Scratch of a lane; each has grid.scratchBytes.
  uint8_t *scratch(const Wave &wave, unsigned lane) {
    return scratchData.get() +
           (size_t(wave.index) * kLanes + lane) * grid.scratchBytes;
  }
  uint32_t id[3] = {0, 0, 0};
  std::string faultText;
  /// What inactive lanes read and write.
  alignas(64) uint8_t idle[64] = {};
  /// What lanes outside a buffer descriptor load.
  alignas(64) uint8_t zeros[64] = {};

private:
  /// What every wave of an index begins with, whatever its workgroup.
  struct Beginning {
    Row threadIds;
    uint64_t exec = 0;
  };
  void prepare();
  void start(Wave &wave);
  void startScalars();
  template <bool Counting, bool Checking>
  void runWave(Wave &wave);
  void checkWaits(Wave &wave, const Instruction &inst);

  struct FreeDeleter {
    void operator()(uint8_t *p) const { std::free(p); }
  };
  Counters *counters;
  unsigned numWaves;
  std::unique_ptr<Wave[]> waves;
  std::vector<Beginning> beginnings; // each wave
  /// The scalar registers, but for the workgroup ids that go to idRegs.
  uint32_t beginningSgprs[sreg::Count];
  int idRegs[3] = {-1, -1, -1};
  std::vector<uint64_t> executed; // instructions, each wave
  std::vector<WaitCheck> waits;   // each wave, in groups that are checked
  std::unique_ptr<uint8_t[], FreeDeleter> ldsData;
  std::unique_ptr<uint8_t[], FreeDeleter> scratchData;
};

} // namespace rowmill::emulator

#endif // ROWMILL_LIB_EMULATOR_WORKGROUP_H
