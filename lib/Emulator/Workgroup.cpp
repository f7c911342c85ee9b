// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// The start of waves as the hardware does it, and the loop that executes them.

#include "Workgroup.h"

#include <llvm/Support/FormatVariadic.h>
#include <llvm/Support/MathExtras.h>

#include <algorithm>
#include <cstring>

using namespace llvm;
namespace hsa = llvm::amdhsa;

namespace rowmill::emulator {

/// What registers and LDS hold before they are written: a NaN that no
/// computation yields, so that a result made of it is recognised.
static constexpr uint32_t kPoison = 0xffbadbad;

void Wave::refreshExec() {
  uint64_t mask = exec();
  for (unsigned l = 0; l < kLanes; ++l)
    execRow.lane[l] = -uint32_t(mask >> l & 1);
}

void Wave::fault(const Instruction &inst, const char *message, int lane) {
  group->fault(*this, inst, message, lane);
}

Workgroup::Workgroup(const Grid &grid, Counters *counters)
    : grid(grid), memory(grid.memory), counters(counters),
      numWaves(divideCeil(grid.threads, kLanes)), waves(new Wave[numWaves]),
      executed(numWaves) {
  ldsData.reset(static_cast<uint8_t *>(std::malloc(grid.ldsBytes + 16)));
  scratchData.reset(static_cast<uint8_t *>(std::calloc(
      size_t(numWaves) * kLanes * std::max(grid.scratchBytes, 1u), 1)));
  for (unsigned i = 0; i < numWaves; ++i) {
    waves[i].group = this;
    waves[i].index = i;
  }
  prepare();
}

void Workgroup::fault(Wave &wave, const Instruction &inst,
                      const std::string &message, int lane) {
  if (wave.stop == Stop::Faulted)
    return; // the first one counts
  wave.stop = Stop::Faulted;
  if (!faultText.empty())
    return;
  faultText =
      formatv("{0} (instruction `{1}` at pc {2:x}, kernel {3}, workgroup "
              "({4},{5},{6}), wave {7}",
              message, grid.program.text(inst),
              grid.program.imageOffset(inst) - grid.kernel.entry,
              grid.kernel.info.name, id[0], id[1], id[2], wave.index);
  if (lane >= 0)
    faultText += formatv(", lane {0}", lane);
  faultText += ")";
}

//===----------------------------------------------------------------------===//
// Initial state
//===----------------------------------------------------------------------===//

/// User registers as the descriptor asks for them, then the workgroup's ids.
void Workgroup::startScalars() {
  const hsa::kernel_descriptor_t &d = grid.kernel.descriptor;
  unsigned next = 0;
  auto put = [&](uint32_t value) {
    if (next < sreg::FlatScratch)
      beginningSgprs[next++] = value;
  };
  auto put64 = [&](uint64_t value) {
    put(uint32_t(value));
    put(uint32_t(value >> 32));
  };
  auto enabled = [&](uint32_t mask) {
    return (d.kernel_code_properties & mask) != 0;
  };
  if (enabled(hsa::KERNEL_CODE_PROPERTY_ENABLE_SGPR_PRIVATE_SEGMENT_BUFFER)) {
    put64(0);
    put64(0);
  }
  if (enabled(hsa::KERNEL_CODE_PROPERTY_ENABLE_SGPR_DISPATCH_PTR))
    put64(grid.dispatchAddress);
  if (enabled(hsa::KERNEL_CODE_PROPERTY_ENABLE_SGPR_QUEUE_PTR))
    put64(0);
  if (enabled(hsa::KERNEL_CODE_PROPERTY_ENABLE_SGPR_KERNARG_SEGMENT_PTR))
    put64(grid.kernargAddress);
  if (enabled(hsa::KERNEL_CODE_PROPERTY_ENABLE_SGPR_DISPATCH_ID))
    put64(0);
  if (enabled(hsa::KERNEL_CODE_PROPERTY_ENABLE_SGPR_FLAT_SCRATCH_INIT))
    put64(0);
  if (enabled(hsa::KERNEL_CODE_PROPERTY_ENABLE_SGPR_PRIVATE_SEGMENT_SIZE))
    put(grid.scratchBytes);
  unsigned length =
      AMDHSA_BITS_GET(d.kernarg_preload, hsa::KERNARG_PRELOAD_SPEC_LENGTH);
  unsigned offset =
      AMDHSA_BITS_GET(d.kernarg_preload, hsa::KERNARG_PRELOAD_SPEC_OFFSET);
  for (unsigned i = 0; i < length; ++i) {
    uint32_t value = 0;
    if (size_t(offset + i + 1) * 4 <= grid.kernarg.size())
      std::memcpy(&value, grid.kernarg.data() + size_t(offset + i) * 4, 4);
    put(value);
  }
  next = AMDHSA_BITS_GET(d.compute_pgm_rsrc2,
                         hsa::COMPUTE_PGM_RSRC2_GFX6_GFX120_USER_SGPR_COUNT);
  const uint32_t idMasks[3] = {
      hsa::COMPUTE_PGM_RSRC2_ENABLE_SGPR_WORKGROUP_ID_X,
      hsa::COMPUTE_PGM_RSRC2_ENABLE_SGPR_WORKGROUP_ID_Y,
      hsa::COMPUTE_PGM_RSRC2_ENABLE_SGPR_WORKGROUP_ID_Z};
  for (unsigned i = 0; i < 3; ++i)
    if (d.compute_pgm_rsrc2 & idMasks[i]) {
      idRegs[i] = int(next);
      put(0);
    }
  if (d.compute_pgm_rsrc2 & hsa::COMPUTE_PGM_RSRC2_ENABLE_SGPR_WORKGROUP_INFO)
    put(0);
}

static Mode modeOf(const hsa::kernel_descriptor_t &d) {
  uint32_t r = d.compute_pgm_rsrc1;
  Mode mode;
  mode.round32 = AMDHSA_BITS_GET(r, hsa::COMPUTE_PGM_RSRC1_FLOAT_ROUND_MODE_32);
  mode.round16_64 =
      AMDHSA_BITS_GET(r, hsa::COMPUTE_PGM_RSRC1_FLOAT_ROUND_MODE_16_64);
  mode.denorm32 =
      AMDHSA_BITS_GET(r, hsa::COMPUTE_PGM_RSRC1_FLOAT_DENORM_MODE_32);
  mode.denorm16_64 =
      AMDHSA_BITS_GET(r, hsa::COMPUTE_PGM_RSRC1_FLOAT_DENORM_MODE_16_64);
  mode.dx10Clamp =
      AMDHSA_BITS_GET(r, hsa::COMPUTE_PGM_RSRC1_GFX6_GFX11_ENABLE_DX10_CLAMP);
  mode.ieee =
      AMDHSA_BITS_GET(r, hsa::COMPUTE_PGM_RSRC1_GFX6_GFX11_ENABLE_IEEE_MODE);
  mode.fp16Overflow =
      AMDHSA_BITS_GET(r, hsa::COMPUTE_PGM_RSRC1_GFX9_PLUS_FP16_OVFL);
  mode.pack();
  return mode;
}

void Workgroup::prepare() {
  std::fill(std::begin(beginningSgprs), std::end(beginningSgprs), kPoison);
  std::fill(beginningSgprs + sreg::SharedBase, std::end(beginningSgprs), 0);
  auto set64 = [&](unsigned reg, uint64_t value) {
    beginningSgprs[reg] = uint32_t(value);
    beginningSgprs[reg + 1] = uint32_t(value >> 32);
  };
  set64(sreg::SharedBase, kSharedAperture);
  set64(sreg::SharedLimit, kSharedAperture | 0xffffffff);
  set64(sreg::PrivateBase, kPrivateAperture);
  set64(sreg::PrivateLimit, kPrivateAperture | 0xffffffff);
  set64(sreg::VCC, 0);
  set64(sreg::FlatScratch, 0);
  beginningSgprs[sreg::M0] = 0;
  startScalars();

  uint32_t sizeX = grid.launch.block[0], sizeY = grid.launch.block[1];
  beginnings.resize(numWaves);
  for (uint32_t flat = 0; flat < numWaves * kLanes; ++flat) {
    Beginning &beginning = beginnings[flat / kLanes];
    uint32_t x = flat % sizeX, y = flat / sizeX % sizeY,
             z = flat / sizeX / sizeY;
    beginning.threadIds.lane[flat % kLanes] = x | y << 10 | z << 20;
    beginning.exec |= uint64_t(flat < grid.threads) << (flat % kLanes);
  }
}

void Workgroup::start(Wave &wave) {
  std::copy(std::begin(beginningSgprs), std::end(beginningSgprs), wave.sgpr);
  for (unsigned i = 0; i < 3; ++i)
    if (idRegs[i] >= 0)
      wave.sgpr[idRegs[i]] = id[i];
  wave.setMode(modeOf(grid.kernel.descriptor));
  const KernelInfo &info = grid.kernel.info;
  std::fill_n(&wave.vgpr[0][0], info.vgprs * kLanes, kPoison);
  std::fill_n(&wave.vgpr[kAgprBase][0], info.agprs * kLanes, kPoison);
  const Beginning &beginning = beginnings[wave.index];
  std::copy_n(beginning.threadIds.lane, kLanes, wave.vgpr[0]);
  wave.setExec(beginning.exec);
  wave.stop = Stop::Running;
  wave.next = grid.program.at(grid.kernel.entry);
  executed[wave.index] = 0;
}

//===----------------------------------------------------------------------===//
// Execution
//===----------------------------------------------------------------------===//

/// A wave that spins on memory lets the others of its workgroup run after so
/// many instructions.
static constexpr uint64_t kSlice = 1 << 20;

void Workgroup::checkWaits(Wave &wave, const Instruction &inst) {
  const Program &program = grid.program;
  const RegisterUse &use = program.uses[&inst - program.code.data()];
  const Instruction *load = nullptr;
  std::string text = waits[wave.index].step(inst, use, load);
  if (!text.empty())
    fault(wave, inst,
          formatv("{0} by `{1}` at pc {2:x}", text, program.text(*load),
                  program.imageOffset(*load) - grid.kernel.entry),
          -1);
}

template <bool Counting, bool Checking>
void Workgroup::runWave(Wave &wave) {
  const Instruction *inst = wave.next;
  const Instruction *code = grid.program.code.data();
  uint64_t &total = executed[wave.index];
  uint64_t slice = std::min(kSlice, grid.launch.maxInstructions - total);
  uint64_t count = 0;
  for (;;) {
    ++count;
    if (Counting) {
      size_t index = inst - code;
      ++counters->waves[index];
      counters->lanes[index] += popcount(wave.exec());
    }
    if (Checking) {
      checkWaits(wave, *inst);
      if (wave.stop == Stop::Faulted)
        break;
    }
    if (LLVM_LIKELY(!inst->control)) {
      inst->handler(wave, *inst);
      ++inst;
      continue;
    }
    wave.next = inst + 1;
    wave.current = inst;
    inst->handler(wave, *inst);
    inst = wave.next;
    if (LLVM_UNLIKELY(wave.stop != Stop::Running || count > slice))
      break;
  }
  total += count;
  if (wave.stop == Stop::Running && total > grid.launch.maxInstructions)
    fault(
        wave, *wave.current,
        formatv("a wave has executed more than {0} instructions, as an endless "
                "loop would",
                grid.launch.maxInstructions),
        -1);
}

bool Workgroup::run(uint64_t linearId) {
  const std::array<uint32_t, 3> &size = grid.launch.grid;
  id[0] = linearId % size[0];
  id[1] = linearId / size[0] % size[1];
  id[2] = linearId / size[0] / size[1];
  faultText.clear();
  for (uint32_t i = 0; i < grid.ldsBytes / 4; ++i)
    std::memcpy(ldsData.get() + 4 * i, &kPoison, 4);
  for (unsigned i = 0; i < numWaves; ++i)
    start(waves[i]);
  bool checking = linearId < grid.launch.checkedWorkgroups;
  waits.assign(checking ? numWaves : 0, WaitCheck());
  for (;;) {
    unsigned running = 0, waiting = 0;
    for (unsigned i = 0; i < numWaves; ++i) {
      Wave &wave = waves[i];
      if (wave.stop == Stop::Running) {
        if (checking)
          counters ? runWave<true, true>(wave) : runWave<false, true>(wave);
        else
          counters ? runWave<true, false>(wave) : runWave<false, false>(wave);
      }
      if (wave.stop == Stop::Faulted)
        return false;
      running += wave.stop == Stop::Running;
      waiting += wave.stop == Stop::Barrier;
    }
    if (running)
      continue;
    if (!waiting)
      return true;
    // All waves that have not ended are at the barrier.
    for (unsigned i = 0; i < numWaves; ++i)
      if (waves[i].stop == Stop::Barrier)
        waves[i].stop = Stop::Running;
  }
}

} // namespace rowmill::emulator
