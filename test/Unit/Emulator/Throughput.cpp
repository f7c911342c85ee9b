// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Prints how many lane instructions the emulator executes in a second. Not a
// test: run it by hand on a quiet machine, `RowmillEmulatorThroughput
// [threads]`.

#include "TestDevice.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>

using namespace rowmill::emulator;
using namespace rowmill::emulator::test;

static void measure(TestDevice &gpu, const char *kernel, uint32_t groups,
                    const Kernarg &args) {
  Stats stats;
  std::string text = gpu.run(kernel, groups, 64, args, &stats);
  auto start = std::chrono::steady_clock::now();
  if (text.empty())
    text = gpu.run(kernel, groups, 64, args);
  std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
  if (!text.empty()) {
    std::printf("%-12s %s\n", kernel, text.c_str());
    return;
  }
  double lanes = double(stats.laneInstructions),
         waves = double(stats.instructions);
  std::printf(
      "%-12s %8.2f G lane instructions/s, %7.1f ns a wave instruction\n",
      kernel, lanes / time.count() * 1e-9, time.count() * 1e9 / waves);
}

int main(int argc, char **argv) {
  TestDevice gpu("throughput", "gfx950");
  gpu.launch.threads = argc > 1 ? unsigned(std::atoi(argv[1])) : 1;
  const uint32_t groups = 16, rounds = 4000;
  std::vector<uint32_t> in(groups * 64 * 4 + rounds * 256, 0x3f8ccccd),
      out = in;
  uint64_t from = gpu.map(in, "in"), to = gpu.map(out, "out");
  measure(gpu, "arithmetic", groups, Kernarg().add(from).add(rounds));
  measure(gpu, "exchange", groups, Kernarg().add(from).add(rounds));
  measure(gpu, "copy", groups, Kernarg().add(from).add(to).add(rounds));
  measure(gpu, "bytes", groups, Kernarg().add(from).add(to).add(rounds));
  return 0;
}
