// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Runs a kernel of a code object on the emulator, with arrays from .npy
// files.
#include "Arguments.h"
#include "Options.h"
#include "rowmill/Runtime/Device.h"
#include "rowmill/Runtime/Npy.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace rowmill;

static Expected<const KernelInfo *> chooseKernel(const ModuleInfo &info,
                                                 const RunOptions &options) {
  if (!options.kernel.empty()) {
    if (const KernelInfo *kernel = info.lookup(options.kernel))
      return kernel;
    return createStringError("'" + options.object + "': no kernel '" +
                             options.kernel + "', it has " +
                             getKernelNames(info));
  }
  if (info.kernels.size() == 1)
    return &info.kernels[0];
  if (info.kernels.empty())
    return createStringError("'" + options.object + "': no kernels");
  return createStringError("'" + options.object +
                           "': several kernels, choose one with '--kernel': " +
                           getKernelNames(info));
}

static void printCounters(ArrayRef<LaunchStats::Counter> counters,
                          uint64_t total) {
  for (const LaunchStats::Counter &counter : counters)
    if (counter.value)
      outs() << formatv("  {0,-32} {1,14}  {2,6:P}\n", counter.name,
                        counter.value, double(counter.value) / double(total));
}

static void printStats(const BoundLaunch &launch, const LaunchStats &stats,
                       bool withOpcodes) {
  uint64_t total = 0;
  outs() << formatv("{0,-34} {1,14}\n", "rows", launch.rows);
  if (launch.kernel->variants.size() > 1)
    outs() << formatv("{0,-34} {1,14}\n", "variant", launch.variant);
  for (const LaunchStats::Counter &counter : stats.counters)
    outs() << formatv("{0,-34} {1,14}\n", counter.name, counter.value);
  for (const LaunchStats::Counter &counter : stats.classes)
    total += counter.value;
  outs() << "instructions by class\n";
  printCounters(stats.classes, total);
  if (!withOpcodes)
    return;
  outs() << "instructions by opcode\n";
  printCounters(stats.opcodes, total);
}

static Error launchKernel(StringRef elf, const ModuleInfo &info,
                          const RunOptions &options) {
  auto kernel = chooseKernel(info, options);
  if (!kernel)
    return kernel.takeError();
  auto arguments = makeArguments(**kernel, options);
  if (!arguments)
    return arguments.takeError();
  auto launch = bindArguments(**kernel, arguments->values, options.variant);
  if (!launch)
    return launch.takeError();
  EmulatorOptions emulatorOptions;
  emulatorOptions.maxInstructions = options.maxInstructions;
  emulatorOptions.checkAlignment = options.checkAlignment;
  auto device = createEmulatorDevice(elf, emulatorOptions);
  if (!device)
    return device.takeError();

  LaunchStats stats;
  bool withStats = options.stats != RunOptions::Stats::None;
  if (Error error = (*device)->run(*launch, withStats ? &stats : nullptr))
    return error;
  for (const RunOptions::Assignment &out : options.outs)
    if (Error error = writeNpyFile(out.value, arguments->arrays.at(out.name)))
      return error;
  if (withStats)
    printStats(*launch, stats, options.stats == RunOptions::Stats::Opcodes);
  return Error::success();
}

/// An error of the output stream that is left to its destructor would end the
/// process there.
static Error flushOutput() {
  outs().flush();
  std::error_code error = outs().error();
  outs().clear_error();
  if (!error)
    return Error::success();
  return createStringError("cannot write 'standard output': " +
                           error.message());
}

static Error run(ArrayRef<const char *> args) {
  auto options = parseOptions(args);
  if (!options)
    return options.takeError();
  if (options->help) {
    outs() << kHelpText;
    return flushOutput();
  }
  auto file = MemoryBuffer::getFileOrSTDIN(options->object, /*IsText=*/false,
                                           /*RequiresNullTerminator=*/false);
  if (!file)
    return createStringError("cannot read '" + options->object +
                             "': " + file.getError().message());
  StringRef elf = (*file)->getBuffer();
  auto info = readModuleInfo(elf);
  if (!info)
    return createStringError("'" + options->object +
                             "': " + toString(info.takeError()));
  if (options->info) {
    printModuleInfo(*info, outs());
    return flushOutput();
  }
  if (Error error = launchKernel(elf, *info, *options))
    return error;
  return flushOutput();
}

int main(int argc, char **argv) {
  Error error = run(ArrayRef(argv + 1, argc > 0 ? argc - 1 : 0));
  if (!error)
    return 0;
  errs() << "rowmill-run: error: " << toString(std::move(error)) << '\n';
  return 1;
}
