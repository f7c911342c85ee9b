// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// The loader: what it reads of a code object, and that no file can crash it.

#include "TestDevice.h"

#include <gmock/gmock.h>

#include <random>

using namespace rowmill::emulator;
using namespace rowmill::emulator::test;
using testing::HasSubstr;

namespace {

std::string loadError(llvm::StringRef bytes) {
  auto code = CodeObject::load(bytes);
  return code ? "" : messageOf(code.takeError());
}

/// The code object with one byte of its header changed.
std::string withByte(size_t offset, uint8_t value) {
  std::string bytes = deviceCode("basic", "gfx950");
  bytes[offset] = char(value);
  return bytes;
}

TEST(CodeObjects, Kernels) {
  auto code = llvm::cantFail(CodeObject::load(deviceCode("basic", "gfx950")));
  EXPECT_EQ(code->arch(), "gfx950");
  EXPECT_THAT(code->kernelNames(), testing::Contains("vector_add"));
  KernelInfo info = llvm::cantFail(code->kernelInfo("reduce"));
  EXPECT_EQ(info.name, "reduce");
  EXPECT_EQ(info.ldsBytes, 1024u);
  EXPECT_EQ(info.scratchBytesPerLane, 0u);
  EXPECT_EQ(info.maxWorkgroupSize, 256u);
  EXPECT_EQ(info.waveSize, 64u);
  EXPECT_GE(info.kernargBytes, 16u);
  EXPECT_EQ(messageOf(code->kernelInfo("x").takeError()),
            "code object: there is no kernel 'x'");
}

TEST(CodeObjects, NotElf) {
  EXPECT_EQ(loadError(""), "code object: is not an ELF file");
  EXPECT_EQ(loadError(std::string(1000, 'x')),
            "code object: is not an ELF file");
}

TEST(CodeObjects, ForeignElf) {
  EXPECT_THAT(loadError(withByte(18, 62)), // e_machine of x86-64
              HasSubstr("expects machine AMDGPU (224), but got 62"));
  EXPECT_THAT(loadError(withByte(4, 1)), HasSubstr("is not a 64-bit "));
  EXPECT_THAT(loadError(withByte(16, 1)), // relocatable
              HasSubstr("expects a linked shared object, but got ELF type 1"));
  EXPECT_THAT(loadError(withByte(7, 0)), HasSubstr("expects the amdhsa ABI"));
  EXPECT_THAT(
      loadError(withByte(8, 1)), // code object version 3
      HasSubstr("expects code object version 4 to 6, but got ABI version 1"));
}

TEST(CodeObjects, OtherArch) {
  EXPECT_THAT(loadError(withByte(48, 0x49)),
              HasSubstr("the emulator does not run gfx1250 yet"));
  EXPECT_THAT(loadError(withByte(48, 0x2f)),
              HasSubstr("an arch that the emulator does not know"));
}

// Every prefix of a file: an error, or a file that lacks nothing it needs.
TEST(CodeObjects, MalformedMetadata) {
  std::string bytes = deviceCode("basic", "gfx950");
  // The keys of the note's map begin with this one or come soon after; a byte
  // that msgpack never uses takes the place of its header.
  size_t key = bytes.find("\xae"
                          "amdhsa.kernels");
  ASSERT_NE(key, std::string::npos);
  bytes[key] = char(0xc1);
  EXPECT_EQ(loadError(bytes), "code object: the metadata note is malformed");
}

TEST(CodeObjects, Truncated) {
  std::string bytes = deviceCode("faults", "gfx950");
  for (size_t size = 0; size < bytes.size(); size += 1 + size / 97)
    loadError(llvm::StringRef(bytes).take_front(size));
  EXPECT_NE(loadError(llvm::StringRef(bytes).take_front(bytes.size() / 2)), "");
}

// Random damage, and a launch of what still loads: no crash, whatever it says.
TEST(CodeObjects, Damaged) {
  std::string good = deviceCode("faults", "gfx950");
  std::mt19937 random(7);
  auto device = llvm::cantFail(Device::create("gfx950"));
  for (unsigned round = 0; round < 1500; ++round) {
    std::string bytes = good;
    // Half of the damage goes where the loader reads structures.
    size_t range =
        round % 2 ? bytes.size() : std::min<size_t>(bytes.size(), 1024);
    for (unsigned i = 0; i <= round % 4; ++i)
      bytes[random() % range] ^= char(1u << random() % 8);
    auto code = CodeObject::load(bytes);
    if (!code) {
      llvm::consumeError(code.takeError());
      continue;
    }
    std::vector<uint32_t> out(4096);
    for (const std::string &name : (*code)->kernelNames()) {
      Launch launch;
      launch.kernel = name;
      launch.maxInstructions = 5000;
      launch.threads = 1;
      uint64_t address =
          llvm::cantFail(device->map(out.data(), out.size() * 4, "out", true));
      for (unsigned size : {8u, 16u, 24u}) {
        launch.kernarg =
            Kernarg().add(address).add(address).add(int64_t(0)).bytes;
        launch.kernarg.resize(size);
        llvm::consumeError(rowmill::emulator::launch(*device, **code, launch));
      }
      llvm::cantFail(device->unmap(address));
    }
  }
}

} // namespace
