// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Kernels as clang compiles them, compared with the host bit for bit.

#include "TestDevice.h"

#include <numeric>
#include <random>

using namespace rowmill::emulator;
using namespace rowmill::emulator::test;

namespace {

constexpr uint32_t kGroup = 256;

class Kernels : public testing::TestWithParam<const char *> {
protected:
  Kernels() : gpu("basic", GetParam()) {}

  std::vector<uint32_t> randomWords(size_t n) {
    std::vector<uint32_t> words(n);
    for (uint32_t &word : words)
      word = uint32_t(random());
    return words;
  }
  TestDevice gpu;
  std::mt19937 random{20261201};
};

// The tail of the grid is cut off by a comparison, so EXEC is partial there.
TEST_P(Kernels, VectorAdd) {
  const uint32_t n = 1000;
  std::vector<float> a(n), b(n), c(n + kGroup, -1.0f);
  std::iota(a.begin(), a.end(), 0.5f);
  std::iota(b.begin(), b.end(), -300.25f);
  Kernarg args;
  args.add(gpu.map(a, "a", false)).add(gpu.map(b, "b", false));
  args.add(gpu.map(c, "c")).add(n);
  ASSERT_EQ(gpu.run("vector_add", 4, kGroup, args), "");
  for (uint32_t i = 0; i < c.size(); ++i)
    EXPECT_EQ(c[i], i < n ? a[i] + b[i] : -1.0f) << i;
}

TEST_P(Kernels, ReduceThroughLds) {
  const uint32_t groups = 37;
  std::vector<uint32_t> in = randomWords(groups * kGroup), out(groups);
  Kernarg args;
  args.add(gpu.map(in, "in", false)).add(gpu.map(out, "out"));
  ASSERT_EQ(gpu.run("reduce", groups, kGroup, args), "");
  for (uint32_t g = 0; g < groups; ++g) {
    uint32_t sum = 0;
    for (uint32_t i = 0; i < kGroup; ++i)
      sum += in[g * kGroup + i];
    EXPECT_EQ(out[g], sum) << g;
  }
}

TEST_P(Kernels, DivergentLoop) {
  std::vector<uint32_t> in(2 * kGroup), steps(2 * kGroup);
  std::iota(in.begin(), in.end(), 1);
  Kernarg args;
  args.add(gpu.map(in, "in", false)).add(gpu.map(steps, "steps"));
  ASSERT_EQ(gpu.run("collatz", 2, kGroup, args), "");
  for (size_t i = 0; i < in.size(); ++i) {
    uint32_t n = 0;
    for (uint64_t x = in[i]; x != 1; ++n)
      x = x % 2 ? 3 * x + 1 : x / 2;
    EXPECT_EQ(steps[i], n) << in[i];
  }
}

TEST_P(Kernels, BytesAndShorts) {
  std::vector<uint8_t> in(kGroup), out(kGroup);
  std::vector<int8_t> sign(kGroup);
  std::vector<uint16_t> wide(kGroup);
  std::iota(in.begin(), in.end(), 0);
  Kernarg args;
  args.add(gpu.map(in, "in", false)).add(gpu.map(sign, "sign"));
  args.add(gpu.map(wide, "wide")).add(gpu.map(out, "out"));
  ASSERT_EQ(gpu.run("bytes", 1, kGroup, args), "");
  for (uint32_t i = 0; i < kGroup; ++i) {
    EXPECT_EQ(sign[i], int8_t(in[i]) >> 1) << i;
    EXPECT_EQ(wide[i], uint16_t(in[i] * 257)) << i;
    EXPECT_EQ(out[i], uint8_t(uint8_t(wide[i] >> 3) ^ in[i])) << i;
  }
}

// The table spans 6 GiB of which only touched pages exist.
TEST_P(Kernels, IndicesBeyond32Bits) {
  const uint64_t elements = uint64_t(3) << 30;
  uint64_t table = llvm::cantFail(gpu.device->allocate(elements * 2, "table"));
  std::vector<uint64_t> index(kGroup);
  std::vector<uint16_t> out(kGroup);
  for (uint32_t i = 0; i < kGroup; ++i) {
    index[i] = elements / kGroup * i + i;
    uint16_t value = uint16_t(i * 3 + 1);
    ASSERT_EQ(messageOf(gpu.device->write(table + 2 * index[i], &value, 2)),
              "");
  }
  Kernarg args;
  args.add(gpu.map(index, "index", false)).add(table).add(gpu.map(out, "out"));
  ASSERT_EQ(gpu.run("strided", 1, kGroup, args), "");
  for (uint32_t i = 0; i < kGroup; ++i)
    EXPECT_EQ(out[i], i * 3 + 1) << i;
}

TEST_P(Kernels, ScratchArray) {
  std::vector<uint32_t> in = randomWords(2 * kGroup), out(2 * kGroup);
  Kernarg args;
  args.add(gpu.map(in, "in", false)).add(gpu.map(out, "out"));
  ASSERT_EQ(gpu.run("scratch", 2, kGroup, args), "");
  for (size_t i = 0; i < in.size(); ++i)
    EXPECT_EQ(out[i],
              in[i] * (in[i] % 16 + 1) + in[i] * ((in[i] >> 4) % 16 + 1));
}

// FLAT instructions whose lanes point to memory, LDS and scratch at once.
TEST_P(Kernels, FlatPointersOfAllSpaces) {
  std::vector<uint32_t> in = randomWords(16), out(kGroup);
  Kernarg args;
  args.add(gpu.map(in, "in")).add(gpu.map(out, "out"));
  ASSERT_EQ(gpu.run("mixed_spaces", 1, kGroup, args), "");
  uint32_t sum = std::accumulate(in.begin(), in.end(), 0u);
  for (uint32_t i = 0; i < kGroup; ++i)
    EXPECT_EQ(out[i], i % 3 == 0 ? sum : i % 3 == 1 ? sum + 16 : sum * i) << i;
}

// Groups run on several threads, so the atomics must be atomic there.
TEST_P(Kernels, AtomicHistogram) {
  const uint32_t groups = 64;
  std::vector<uint8_t> in(groups * kGroup);
  std::vector<uint32_t> histogram(256), expected(256);
  for (uint8_t &value : in)
    ++expected[value = uint8_t(random() % 7)];
  Kernarg args;
  args.add(gpu.map(histogram, "histogram")).add(gpu.map(in, "in", false));
  gpu.launch.threads = 4;
  ASSERT_EQ(gpu.run("count", groups, kGroup, args), "");
  EXPECT_EQ(histogram, expected);
}

TEST_P(Kernels, ConstantTable) {
  std::vector<uint32_t> in = randomWords(kGroup), out(kGroup);
  Kernarg args;
  args.add(gpu.map(in, "in", false)).add(gpu.map(out, "out"));
  ASSERT_EQ(gpu.run("lookup", 1, kGroup, args), "");
  for (uint32_t i = 0; i < kGroup; ++i)
    EXPECT_EQ(out[i], (in[i] % 8) * (in[i] % 8)) << i;
}

TEST_P(Kernels, LaneExchanges) {
  std::vector<uint32_t> in = randomWords(kGroup), swizzled(kGroup),
                        permuted(kGroup);
  Kernarg args;
  args.add(gpu.map(in, "in", false)).add(gpu.map(swizzled, "swizzled"));
  args.add(gpu.map(permuted, "permuted"));
  ASSERT_EQ(gpu.run("exchange", 1, kGroup, args), "");
  for (uint32_t i = 0; i < kGroup; ++i) {
    EXPECT_EQ(swizzled[i], in[i ^ 7]) << i;
    EXPECT_EQ(permuted[i], in[(i & ~63u) | (i * 5 & 63)]) << i;
  }
}

TEST_P(Kernels, RegistersChosenByIndex) {
  std::vector<uint32_t> in = randomWords(16), out(kGroup);
  uint64_t from = gpu.map(in, "in", false), to = gpu.map(out, "out");
  for (uint32_t k = 0; k < 16; ++k) {
    Kernarg args;
    args.add(from).add(to).add(k);
    ASSERT_EQ(gpu.run("register_index", 1, kGroup, args), "");
    for (uint32_t i = 0; i < kGroup; ++i) {
      auto element = [&](uint32_t e) {
        return 3 * (e == k ? i * 5 : in[e] + i);
      };
      ASSERT_EQ(out[i], element((k * 7 + 1) & 15) ^ element(k))
          << k << " " << i;
    }
  }
}

// The descriptor's bounds cut off; the device's own are not met.
TEST_P(Kernels, BufferDescriptors) {
  const uint32_t valid = 100;
  std::vector<uint32_t> in = randomWords(kGroup), out(kGroup, 7);
  Kernarg args;
  args.add(gpu.map(in, "in", false)).add(gpu.map(out, "out")).add(valid * 4);
  ASSERT_EQ(gpu.run("buffers", 1, kGroup, args), "");
  auto byte = [&](uint32_t at) {
    return at < valid * 4 ? in[at / 4] >> (8 * (at % 4)) & 0xff : 0;
  };
  for (uint32_t i = 0; i < kGroup; ++i) {
    uint32_t half = byte(4 * i + 2) | byte(4 * i + 3) << 8;
    EXPECT_EQ(out[i], i < valid ? in[i] + byte(4 * i + 5) + half : 7) << i;
  }
}

// Sums must not depend on how many threads counted.
TEST_P(Kernels, Statistics) {
  std::vector<float> a(4 * kGroup), b(4 * kGroup), c(4 * kGroup);
  Kernarg args;
  args.add(gpu.map(a, "a", false)).add(gpu.map(b, "b", false));
  args.add(gpu.map(c, "c")).add(uint32_t(4 * kGroup));
  for (unsigned threads : {1, 3}) {
    gpu.launch.threads = threads;
    Stats stats;
    ASSERT_EQ(gpu.run("vector_add", 4, kGroup, args, &stats), "");
    EXPECT_EQ(stats.workgroups, 4u);
    EXPECT_EQ(stats.waves, 16u);
    EXPECT_EQ(stats.globalLoadBytes, 2 * 4 * 4 * kGroup);
    EXPECT_EQ(stats.globalStoreBytes, 4 * 4 * kGroup);
    EXPECT_EQ(stats.byClass[size_t(InstructionClass::VectorLoad)], 2 * 16u);
    uint64_t sum = 0, opcodes = 0;
    for (uint64_t n : stats.byClass)
      sum += n;
    for (const Stats::Opcode &opcode : stats.opcodes)
      opcodes += opcode.waves;
    EXPECT_EQ(sum, stats.instructions);
    EXPECT_EQ(opcodes, stats.instructions);
  }
}

INSTANTIATE_TEST_SUITE_P(Archs, Kernels, testing::Values("gfx942", "gfx950"),
                         [](auto &info) { return std::string(info.param); });

} // namespace
