// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Checks a launch, lays out its arguments and spreads its workgroups over
// threads.

#include "Workgroup.h"
#include "rowmill/Emulator/Emulator.h"

#include <llvm/Support/FormatVariadic.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <mutex>
#include <thread>

using namespace llvm;
namespace hsa = llvm::amdhsa;

namespace rowmill::emulator {

void collectStats(const Program &, ArrayRef<Counters>, Stats &);

template <typename... Args>
static Error failure(const char *format, Args... args) {
  return createStringError(inconvertibleErrorCode(),
                           formatv(format, std::forward<Args>(args)...).str());
}

/// The most LDS that a workgroup can have.
static uint32_t ldsLimit(StringRef arch) {
  return arch == "gfx950" ? 160 * 1024 : 64 * 1024;
}

static Error check(const Device &device, const Program &program,
                   const Launch &launch, const Kernel &kernel) {
  const std::string &name = launch.kernel;
  if (program.arch != device.arch())
    return failure("the code object is for {0}, but the device is a {1}",
                   program.arch, device.arch().str());
  uint64_t threads = 1;
  for (uint32_t size : launch.block) {
    if (size == 0 || size > 1024)
      return failure("kernel '{0}': block dimension {1} is not in 1 to 1024",
                     name, size);
    threads *= size;
  }
  uint32_t most =
      kernel.info.maxWorkgroupSize ? kernel.info.maxWorkgroupSize : 1024;
  if (threads > most)
    return failure(
        "kernel '{0}': a workgroup of {1} threads exceeds its limit of {2}",
        name, threads, most);
  for (uint32_t size : launch.grid)
    if (size > 0x7fffffff)
      return failure("kernel '{0}': grid dimension {1} is too large", name,
                     size);
  if (launch.kernarg.size() > kernel.info.kernargBytes ||
      launch.kernarg.size() < kernel.explicitBytes)
    return failure("kernel '{0}' expects {1} bytes of arguments, but got {2}",
                   name, kernel.explicitBytes, launch.kernarg.size());
  uint64_t lds = uint64_t(kernel.info.ldsBytes) + launch.dynamicLds;
  if (lds > ldsLimit(program.arch))
    return failure("kernel '{0}': {1} bytes of LDS exceed the {2} of {3}", name,
                   lds, ldsLimit(program.arch), program.arch);
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

static uint64_t hiddenValue(HiddenArg::Kind kind, const Launch &launch) {
  switch (kind) {
  case HiddenArg::BlockCountX:
  case HiddenArg::BlockCountY:
  case HiddenArg::BlockCountZ:
    return launch.grid[kind - HiddenArg::BlockCountX];
  case HiddenArg::GroupSizeX:
  case HiddenArg::GroupSizeY:
  case HiddenArg::GroupSizeZ:
    return launch.block[kind - HiddenArg::GroupSizeX];
  case HiddenArg::GridDims:
    return launch.grid[2] * launch.block[2] > 1   ? 3
           : launch.grid[1] * launch.block[1] > 1 ? 2
                                                  : 1;
  case HiddenArg::DynamicLdsSize:
    return launch.dynamicLds;
  case HiddenArg::PrivateBase:
    return kPrivateAperture >> 32;
  case HiddenArg::SharedBase:
    return kSharedAperture >> 32;
  default:
    return 0; // whole groups leave no remainder; the rest is zero
  }
}

static std::vector<uint8_t> layoutKernarg(const Launch &launch,
                                          const Kernel &kernel) {
  std::vector<uint8_t> bytes = launch.kernarg;
  bytes.resize(kernel.info.kernargBytes);
  for (const HiddenArg &arg : kernel.hidden) {
    if (arg.offset < launch.kernarg.size())
      continue; // the caller filled it
    uint64_t value = hiddenValue(arg.kind, launch);
    std::memcpy(bytes.data() + arg.offset, &value, std::min(arg.bytes, 8u));
  }
  return bytes;
}

/// The AQL packet, for kernels that ask for a pointer to it.
static std::array<uint32_t, 16> dispatchPacket(const Grid &grid) {
  const Launch &launch = grid.launch;
  std::array<uint32_t, 16> packet = {};
  packet[0] = 2 | 3u << 16; // kernel dispatch, three dimensions
  packet[1] = launch.block[0] | launch.block[1] << 16;
  packet[2] = launch.block[2];
  for (unsigned i = 0; i < 3; ++i)
    packet[3 + i] = launch.grid[i] * launch.block[i];
  packet[6] = grid.scratchBytes;
  packet[7] = grid.ldsBytes;
  uint64_t object = grid.program.imageBase + grid.kernel.descriptorOffset;
  std::memcpy(&packet[8], &object, 8);
  std::memcpy(&packet[10], &grid.kernargAddress, 8);
  return packet;
}

//===----------------------------------------------------------------------===//
// Threads
//===----------------------------------------------------------------------===//

namespace {
/// The first workgroup in grid order that faulted, whatever thread was faster.
struct FirstFault {
  std::atomic<uint64_t> group{~uint64_t(0)};
  std::mutex mutex;
  std::string text;
  void report(uint64_t id, const std::string &what) {
    std::lock_guard<std::mutex> lock(mutex);
    if (id >= group)
      return;
    group = id;
    text = what;
  }
};
} // namespace

static void runGroups(const Grid &grid, uint64_t total,
                      std::atomic<uint64_t> &next, FirstFault &first,
                      Counters *counters) {
  Workgroup group(grid, counters);
  for (;;) {
    uint64_t id = next.fetch_add(1, std::memory_order_relaxed);
    // Groups before the one that faulted still run: one of them may fault too.
    if (id >= total || id >= first.group)
      return;
    if (!group.run(id)) {
      first.report(id, group.faultText);
      return;
    }
  }
}

static Error runGrid(const Grid &grid, Stats *stats) {
  const std::array<uint32_t, 3> &size = grid.launch.grid;
  uint64_t total = uint64_t(size[0]) * size[1] * size[2];
  if (total == 0)
    return Error::success();
  unsigned threads = grid.launch.threads;
  if (threads == 0)
    threads = std::max(1u, std::thread::hardware_concurrency());
  threads = unsigned(std::min<uint64_t>(threads, total));
  std::vector<Counters> counters(stats ? threads : 0);
  for (Counters &c : counters) {
    c.waves.assign(grid.program.code.size(), 0);
    c.lanes.assign(grid.program.code.size(), 0);
  }
  std::atomic<uint64_t> next{0};
  FirstFault first;
  auto work = [&](unsigned i) {
    runGroups(grid, total, next, first, stats ? &counters[i] : nullptr);
  };
  std::vector<std::thread> pool;
  for (unsigned i = 1; i < threads; ++i)
    pool.emplace_back(work, i);
  work(0);
  for (std::thread &thread : pool)
    thread.join();
  if (stats) {
    collectStats(grid.program, counters, *stats);
    stats->workgroups = total;
    stats->waves = total * ((grid.threads + kLanes - 1) / kLanes);
  }
  if (first.group != ~uint64_t(0))
    return createStringError(inconvertibleErrorCode(), first.text);
  return Error::success();
}

Error launch(Device &device, const CodeObject &object, const Launch &launch,
             Stats *stats) {
  const Program &program = object.program();
  if (stats)
    *stats = {};
  auto it = program.kernels.find(launch.kernel);
  if (it == program.kernels.end())
    return failure("the code object has no kernel '{0}'", launch.kernel);
  const Kernel &kernel = it->second;
  if (Error error = check(device, program, launch, kernel))
    return error;

  Memory &memory = device.memory();
  Grid grid{
      program, kernel, launch, memory, 0, 0, layoutKernarg(launch, kernel),
      0,       0,      0};
  grid.threads = launch.block[0] * launch.block[1] * launch.block[2];
  grid.ldsBytes = (kernel.info.ldsBytes + launch.dynamicLds + 3) / 4 * 4;
  grid.scratchBytes = (kernel.info.scratchBytesPerLane + 15) / 16 * 16;
  // A stack whose depth the compiler could not tell.
  if (kernel.descriptor.kernel_code_properties &
      hsa::KERNEL_CODE_PROPERTY_USES_DYNAMIC_STACK)
    grid.scratchBytes += 16384;

  if (Error error = memory.mapAt(program.imageBase, program.image.get(),
                                 program.imageBytes, "the code object",
                                 program.imageWritable))
    return error;
  Expected<uint64_t> kernarg = memory.map(
      grid.kernarg.data(), grid.kernarg.size(), "the kernel arguments",
      /*writable=*/false);
  if (!kernarg)
    return joinErrors(kernarg.takeError(),
                      memory.release(program.imageBase, false));
  grid.kernargAddress = *kernarg;
  std::array<uint32_t, 16> packet = dispatchPacket(grid);
  Expected<uint64_t> dispatch =
      memory.map(packet.data(), sizeof(packet), "the dispatch packet", false);
  if (!dispatch)
    return joinErrors(dispatch.takeError(),
                      memory.release(program.imageBase, false));
  grid.dispatchAddress = *dispatch;

  Error result = runGrid(grid, stats);
  for (uint64_t address : {program.imageBase, *kernarg, *dispatch})
    if (Error error = memory.release(address, false))
      result = joinErrors(std::move(result), std::move(error));
  return result;
}

} // namespace rowmill::emulator
