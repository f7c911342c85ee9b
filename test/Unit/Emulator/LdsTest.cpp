// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// DS instructions of every width and form, checked lane by lane.

#include "TestDevice.h"

#include <random>

using namespace rowmill::emulator;
using namespace rowmill::emulator::test;

namespace {

class Lds : public testing::TestWithParam<const char *> {
protected:
  Lds() : gpu("lds", GetParam()), before(64 * 8) {
    std::mt19937 random(3);
    for (uint32_t &word : before)
      word = uint32_t(random());
    after = before;
  }
  void run(const std::string &kernel) {
    Kernarg args;
    args.add(gpu.map(after, "data"));
    ASSERT_EQ(gpu.run(kernel, 1, 64, args), "");
  }
  /// Word `k` of lane `l`, before or after the kernel.
  uint32_t in(unsigned l, unsigned k) const { return before[l % 64 * 8 + k]; }
  uint32_t out(unsigned l, unsigned k) const { return after[l * 8 + k]; }

  TestDevice gpu;
  std::vector<uint32_t> before, after;
};

TEST_P(Lds, WideReadsAndWrites) {
  run("wide");
  for (unsigned l = 0; l < 64; ++l)
    for (unsigned k = 0; k < 4; ++k) {
      EXPECT_EQ(out(l, k), in(l, k)) << l << " " << k;
      EXPECT_EQ(out(l, 4 + k), in(l + 1, 4 + k)) << l << " " << k;
    }
}

TEST_P(Lds, PairsOfAddresses) {
  run("pairs");
  for (unsigned l = 0; l < 64; ++l) {
    EXPECT_EQ(out(l, 0), in(l, 1)) << l;
    EXPECT_EQ(out(l, 1), in(l, 0)) << l;
    for (unsigned k = 0; k < 2; ++k) {
      EXPECT_EQ(out(l, 4 + k), in(l, 2 + k)) << l;
      EXPECT_EQ(out(l, 6 + k), in(l, k)) << l;
    }
  }
}

TEST_P(Lds, BytesAndHalves) {
  run("small");
  for (unsigned l = 0; l < 64; ++l) {
    EXPECT_EQ(out(l, 0), in(l, 0) & 0xff);
    EXPECT_EQ(out(l, 1), uint32_t(int32_t(int8_t(in(l, 0) >> 16))));
    EXPECT_EQ(out(l, 2), 0xffff0000 | (in(l, 0) & 0xff));
    EXPECT_EQ(out(l, 3), 0xffff | in(l, 1) << 16);
    EXPECT_EQ(out(l, 4), uint32_t(int32_t(int16_t(in(l, 1) >> 16))));
    EXPECT_EQ(out(l, 5), in(l, 1) >> 16);
  }
}

TEST_P(Lds, Atomics) {
  run("atomics");
  for (unsigned l = 0; l < 64; ++l) {
    EXPECT_EQ(out(l, 0), l * (l - 1) / 2) << l;
    EXPECT_EQ(out(l, 1), 64 * 63 / 2u);
    EXPECT_EQ(out(l, 2), 63u);
    EXPECT_EQ(out(l, 3), 0x5400d400u); // 64, -64
  }
}

// Inactive lanes give zero to bpermute, nothing to permute, and keep their own.
TEST_P(Lds, ExchangesUnderExec) {
  run("exchange");
  for (unsigned l = 0; l < 64; ++l) {
    bool active = l % 2 == 0;
    EXPECT_EQ(out(l, 1), active ? 0 : ~0u) << l;
    EXPECT_EQ(out(l, 2), active ? in(l + 4, 0) : ~0u) << l;
    EXPECT_EQ(out(l, 3), active ? in(l + 60, 0) : ~0u) << l;
  }
}

INSTANTIATE_TEST_SUITE_P(Archs, Lds, testing::Values("gfx942", "gfx950"),
                         [](auto &info) { return std::string(info.param); });

} // namespace
