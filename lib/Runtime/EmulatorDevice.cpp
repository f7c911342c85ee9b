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
  /// Memory that lives as long as a run.
  struct Deleter {
    void operator()(uint8_t *data) const {
      operator delete[](data, std::align_val_t(256));
    }
  };
  using Scratch = std::unique_ptr<uint8_t[], Deleter>;

  /// Maps the arrays of `bound`, makes its scratch buffer, and enters their
  /// addresses in `kernarg`.
  static Error mapBuffers(emulator::Device &memory, const BoundLaunch &bound,
                          Scratch &scratch, std::vector<uint8_t> &kernarg);

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
                                 const BoundLaunch &bound, Scratch &scratch,
                                 std::vector<uint8_t> &kernarg) {
  for (const BoundBuffer &buffer : bound.buffers) {
    const ArgInfo &arg = bound.kernel->args[buffer.argIndex];
    void *data = buffer.data;
    if (buffer.isScratch) {
      scratch.reset(new (std::align_val_t(256)) uint8_t[buffer.bytes]);
      // A pattern that shows: as a float, a NaN.
      std::memset(scratch.get(), 0xff, buffer.bytes);
      data = scratch.get();
    }
    auto address = memory.map(data, buffer.bytes, arg.name, buffer.writable);
    if (!address)
      return address.takeError();
    support::endian::write64le(&kernarg[arg.offset], *address);
  }
  return Error::success();
}

Error EmulatorDevice::run(const BoundLaunch &bound, LaunchStats *stats) {
  emulator::Stats counts;
  if (!bound.groups.empty()) {
    // A memory of its own for each launch: a fault leaves nothing behind, and
    // launches of several threads do not meet.
    auto memory = emulator::Device::create(code->arch());
    if (!memory)
      return memory.takeError();
    Scratch scratch;
    std::vector<uint8_t> kernarg = bound.kernarg;
    if (Error error = mapBuffers(**memory, bound, scratch, kernarg))
      return error;
    const VariantInfo &variant = bound.kernel->variants[bound.variant];
    for (auto [part, groups] : zip_equal(variant.launches, bound.groups)) {
      emulator::Launch launch;
      launch.kernel = StringRef(part.symbol).rsplit(".kd").first.str();
      launch.grid = {groups, 1, 1};
      launch.block = part.block;
      launch.kernarg = kernarg;
      launch.checkAlignment = options.checkAlignment;
      if (options.maxInstructions)
        launch.maxInstructions = options.maxInstructions;
      emulator::Stats part_counts;
      if (Error error = emulator::launch(**memory, *code, launch,
                                         stats ? &part_counts : nullptr))
        return error;
      if (stats)
        counts.add(part_counts);
    }
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
