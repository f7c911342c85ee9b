// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// The device's address space as the host sees it.

#include "TestDevice.h"

#include <gmock/gmock.h>

using namespace rowmill::emulator;
using namespace rowmill::emulator::test;
using testing::HasSubstr;

namespace {

struct DeviceMemory : testing::Test {
  std::unique_ptr<Device> device = llvm::cantFail(Device::create("gfx950"));

  uint64_t allocate(uint64_t bytes, const char *name, unsigned align = 256) {
    return llvm::cantFail(device->allocate(bytes, name, align));
  }
  std::string read(uint64_t address, size_t bytes) {
    std::vector<char> to(bytes);
    return messageOf(device->read(to.data(), address, bytes));
  }
};

TEST_F(DeviceMemory, WriteThenRead) {
  uint64_t a = allocate(1000, "a");
  std::string text = "row", back(3, ' ');
  EXPECT_EQ(messageOf(device->write(a + 997, text.data(), 3)), "");
  EXPECT_EQ(messageOf(device->read(back.data(), a + 997, 3)), "");
  EXPECT_EQ(back, text);
}

TEST_F(DeviceMemory, AllocationsAreZero) {
  uint64_t a = allocate(100, "a");
  std::vector<char> back(100, 1);
  EXPECT_EQ(messageOf(device->read(back.data(), a, 100)), "");
  EXPECT_EQ(back, std::vector<char>(100, 0));
}

// A kernel that drops a carry or an upper half must not hit the buffer.
TEST_F(DeviceMemory, BuffersCrossA4GiBBoundary) {
  // Nothing is accessed, so the larger ones need no memory behind them.
  alignas(256) static char host[512];
  for (uint64_t bytes : {512ull, 100000ull, 3ull << 30, 40ull << 30}) {
    uint64_t a = llvm::cantFail(device->map(host, bytes, "a", true));
    EXPECT_GT(a >> 32, 0u);
    EXPECT_NE(a >> 32, (a + bytes - 1) >> 32) << bytes;
    EXPECT_EQ(messageOf(device->unmap(a)), "");
  }
}

TEST_F(DeviceMemory, Alignment) {
  EXPECT_EQ(allocate(10, "a", 65536) % 65536, 0u);
  EXPECT_THAT(messageOf(device->allocate(1, "a", 3).takeError()),
              HasSubstr("alignment 3 is not a power of two"));
}

TEST_F(DeviceMemory, NearestBufferIsNamed) {
  uint64_t a = allocate(64, "first"), b = allocate(64, "second");
  EXPECT_THAT(read(a + 64, 4), HasSubstr("is 0 bytes past the end of 'first'"));
  EXPECT_THAT(read(b - 8, 4),
              HasSubstr("is 8 bytes before the start of 'second'"));
  EXPECT_THAT(read(b + 62, 4),
              HasSubstr("ends 2 bytes past the end of 'second'"));
  EXPECT_THAT(read(16, 4), HasSubstr(" is in no buffer"));
}

TEST_F(DeviceMemory, FreedBuffersAreGone) {
  uint64_t a = allocate(64, "a");
  EXPECT_EQ(messageOf(device->free(a)), "");
  EXPECT_THAT(read(a, 4), HasSubstr(" is in no buffer"));
  EXPECT_THAT(messageOf(device->free(a)), HasSubstr("no buffer begins at "));
  // A fresh buffer does not take its place at once.
  EXPECT_NE(allocate(64, "b"), a);
}

TEST_F(DeviceMemory, MappingSharesTheHostsBytes) {
  std::vector<uint32_t> host(16, 5);
  uint64_t a = llvm::cantFail(device->map(host.data(), 64, "host", true));
  EXPECT_EQ(a % 256, reinterpret_cast<uintptr_t>(host.data()) % 256);
  uint32_t value = 9;
  EXPECT_EQ(messageOf(device->write(a + 4, &value, 4)), "");
  EXPECT_EQ(host[1], 9u);
  EXPECT_EQ(messageOf(device->free(a)), "'host' was mapped, not allocated");
  EXPECT_EQ(messageOf(device->unmap(a)), "");
}

TEST_F(DeviceMemory, EmptyBuffers) {
  uint64_t a = allocate(0, "empty");
  EXPECT_EQ(read(a, 0), "");
  EXPECT_THAT(read(a, 1), HasSubstr("is 0 bytes past the end of 'empty'"));
  EXPECT_EQ(messageOf(device->free(a)), "");
}

// The range of addresses must not wear out.
TEST_F(DeviceMemory, ManyBuffersOneAfterAnother) {
  for (unsigned i = 0; i < 50000; ++i)
    ASSERT_EQ(messageOf(device->free(allocate(64, "a"))), "") << i;
}

TEST_F(DeviceMemory, TooManyAtOnce) {
  std::string text;
  for (unsigned i = 0; i < 10000 && text.empty(); ++i)
    text = messageOf(device->allocate(64, "a").takeError());
  EXPECT_THAT(text, HasSubstr("no address range left"));
}

TEST(Devices, UnknownArch) {
  EXPECT_EQ(messageOf(Device::create("gfx906").takeError()),
            "the emulator knows gfx942 and gfx950, but got 'gfx906'");
}

} // namespace
