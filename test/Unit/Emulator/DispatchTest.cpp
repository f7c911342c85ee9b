// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// How waves start and end: ids, arguments, LDS, barriers.

#include "TestDevice.h"

using namespace rowmill::emulator;
using namespace rowmill::emulator::test;

namespace {

class Dispatch : public testing::TestWithParam<const char *> {
protected:
  std::string run3D(TestDevice &gpu, const std::string &kernel,
                    std::array<uint32_t, 3> grid, std::array<uint32_t, 3> block,
                    const Kernarg &args) {
    Launch launch;
    launch.kernel = kernel;
    launch.grid = grid;
    launch.block = block;
    launch.kernarg = args.bytes;
    return messageOf(rowmill::emulator::launch(*gpu.device, *gpu.code, launch));
  }
};

// Packed thread ids, group ids in SGPRs, sizes and counts in hidden arguments;
// a workgroup that does not fill its last wave.
TEST_P(Dispatch, ThreeDimensions) {
  TestDevice gpu("dispatch", GetParam());
  const uint32_t g[3] = {3, 2, 4}, b[3] = {5, 7, 3};
  const uint32_t n[3] = {g[0] * b[0], g[1] * b[1], g[2] * b[2]};
  std::vector<uint32_t> out(8 * n[0] * n[1] * n[2], 0xdeadbeef);
  Kernarg args;
  args.add(gpu.map(out, "out")).add(n[0]).add(n[1]);
  ASSERT_EQ(run3D(gpu, "where", {g[0], g[1], g[2]}, {b[0], b[1], b[2]}, args),
            "");
  for (uint32_t z = 0; z < n[2]; ++z)
    for (uint32_t y = 0; y < n[1]; ++y)
      for (uint32_t x = 0; x < n[0]; ++x) {
        const uint32_t *at = &out[8 * ((z * n[1] + y) * n[0] + x)];
        ASSERT_EQ(at[0], x / b[0] | y / b[1] << 8 | z / b[2] << 16);
        ASSERT_EQ(at[1], x % b[0] | y % b[1] << 8 | z % b[2] << 16);
        ASSERT_EQ(at[2], b[0] | b[1] << 8 | b[2] << 16);
        ASSERT_EQ(at[3], g[0]);
        ASSERT_EQ(at[4], 0xdeadbeef);
      }
}

TEST_P(Dispatch, Packet) {
  TestDevice gpu("dispatch", GetParam());
  std::vector<uint32_t> out(8);
  ASSERT_EQ(run3D(gpu, "packet", {6, 2, 1}, {64, 2, 1},
                  Kernarg().add(gpu.map(out, "out"))),
            "");
  EXPECT_EQ(out[1], 64u | 2u << 16);
  EXPECT_EQ(out[2], 1u);
  EXPECT_EQ(out[3], 6 * 64u);
  EXPECT_EQ(out[4], 2 * 2u);
  EXPECT_EQ(out[5], 1u);
}

TEST_P(Dispatch, DynamicLds) {
  TestDevice gpu("dispatch", GetParam());
  const uint32_t words = 1000;
  std::vector<uint32_t> out(words);
  Kernarg args;
  args.add(gpu.map(out, "out")).add(words);
  gpu.launch.dynamicLds = words * 4;
  ASSERT_EQ(gpu.run("dynamic_lds", 1, 64, args), "");
  for (uint32_t k = 0; k < words; ++k)
    ASSERT_EQ(out[k], (words - 1 - k) * 3) << k;
  gpu.launch.dynamicLds = words * 4 - 4;
  EXPECT_NE(gpu.run("dynamic_lds", 1, 64, args), "");
}

// A barrier waits for the waves that are left.
TEST_P(Dispatch, WavesThatEndBeforeABarrier) {
  TestDevice gpu("dispatch", GetParam());
  const uint32_t rounds = 10;
  std::vector<uint32_t> out(rounds * 256, ~0u);
  Kernarg args;
  args.add(gpu.map(out, "out")).add(rounds);
  ASSERT_EQ(gpu.run("early_exit", 1, 256, args), "");
  uint32_t total = 0;
  for (uint32_t k = 0; k < rounds; ++k) {
    for (uint32_t wave = 0; wave < 4; ++wave)
      total += k <= 2 * wave;
    for (uint32_t l = 0; l < 256; ++l)
      ASSERT_EQ(out[k * 256 + l], k <= 2 * (l / 64) ? total : ~0u)
          << k << " " << l;
  }
}

TEST_P(Dispatch, PreloadedArguments) {
  TestDevice gpu("preload", GetParam());
  std::vector<uint32_t> out(64);
  Kernarg args;
  args.add(gpu.map(out, "out")).add(uint32_t(100)).add(uint32_t(20));
  args.add(uint32_t(3));
  ASSERT_EQ(gpu.run("preloaded", 2, 64, args), "");
  // Both groups store to the same place; the sums of one or the other remain.
  for (uint32_t value : out)
    EXPECT_TRUE(value == (100 ^ 123) || value == (1 << 16) + (100 ^ 123))
        << value;
}

TEST_P(Dispatch, EmptyGrid) {
  TestDevice gpu("dispatch", GetParam());
  EXPECT_EQ(
      run3D(gpu, "packet", {0, 1, 1}, {64, 1, 1}, Kernarg().add(uint64_t(0))),
      "");
}

INSTANTIATE_TEST_SUITE_P(Archs, Dispatch, testing::Values("gfx942", "gfx950"),
                         [](auto &info) { return std::string(info.param); });

} // namespace
