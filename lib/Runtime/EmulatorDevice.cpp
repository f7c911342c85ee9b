// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Runs launches on the ISA emulator.
#include "rowmill/Emulator/Emulator.h"
#include "rowmill/Runtime/Device.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/Endian.h"

using namespace llvm;
using namespace rowmill;

namespace {
class EmulatorDevice : public rowmill::Device {
public:
  EmulatorDevice(std::unique_ptr<emulator::CodeObject> code,
                 const EmulatorOptions &options)
      : code(std::move(code)), options(options) {}

  Error run(const BoundLaunch &bound, LaunchStats *stats) override;

private:
  /// Maps the arrays of `bound` and enters their addresses in `kernarg`.
  static Error mapBuffers(emulator::Device &memory, const BoundLaunch &bound,
                          std::vector<uint8_t> &kernarg);

  std::unique_ptr<emulator::CodeObject> code;
  EmulatorOptions options;
};
} // namespace

static void fillStats(const emulator::Stats &from, LaunchStats &to) {
  to.counters = {{"workgroups", from.workgroups},
                 {"waves", from.waves},
                 {"instructions", from.instructions},
                 {"lane_instructions", from.laneInstructions},
                 {"global_load_bytes", from.globalLoadBytes},
                 {"global_store_bytes", from.globalStoreBytes},
                 {"lds_bytes", from.ldsBytes}};
  to.classes.clear();
  for (size_t i = 0; i < from.byClass.size(); ++i)
    to.classes.push_back(
        {emulator::className(static_cast<emulator::InstructionClass>(i)).str(),
         from.byClass[i]});
  to.opcodes.clear();
  for (const emulator::Stats::Opcode &opcode : from.opcodes)
    to.opcodes.push_back({opcode.name, opcode.waves});
}

Error EmulatorDevice::mapBuffers(emulator::Device &memory,
                                 const BoundLaunch &bound,
                                 std::vector<uint8_t> &kernarg) {
  for (const BoundBuffer &buffer : bound.buffers) {
    const ArgInfo &arg = bound.kernel->args[buffer.argIndex];
    auto address =
        memory.map(buffer.data, buffer.bytes, arg.name, buffer.writable);
    if (!address)
      return address.takeError();
    support::endian::write64le(&kernarg[arg.offset], *address);
  }
  return Error::success();
}

Error EmulatorDevice::run(const BoundLaunch &bound, LaunchStats *stats) {
  emulator::Stats counts;
  if (bound.groups != 0) {
    // A memory of its own for each launch: a fault leaves nothing behind, and
    // launches of several threads do not meet.
    auto memory = emulator::Device::create(code->arch());
    if (!memory)
      return memory.takeError();
    emulator::Launch launch;
    launch.kernel = StringRef(bound.kernel->symbol).rsplit(".kd").first.str();
    launch.grid = {bound.groups, 1, 1};
    launch.block = bound.kernel->block;
    launch.kernarg = bound.kernarg;
    if (options.maxInstructions)
      launch.maxInstructions = options.maxInstructions;
    if (Error error = mapBuffers(**memory, bound, launch.kernarg))
      return error;
    if (Error error = emulator::launch(**memory, *code, launch,
                                       stats ? &counts : nullptr))
      return error;
  }
  if (stats)
    fillStats(counts, *stats);
  return Error::success();
}

Expected<std::unique_ptr<rowmill::Device>>
rowmill::createEmulatorDevice(StringRef elf, const EmulatorOptions &options) {
  auto code = emulator::CodeObject::load(elf);
  if (!code)
    return code.takeError();
  return std::make_unique<EmulatorDevice>(std::move(*code), options);
}
