// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// What the emulator says of a kernel that goes wrong.

#include "TestDevice.h"

#include <gmock/gmock.h>

using namespace rowmill::emulator;
using namespace rowmill::emulator::test;
using testing::HasSubstr;
using testing::MatchesRegex;
using testing::StartsWith;

namespace {

class Faults : public testing::TestWithParam<const char *> {
protected:
  Faults() : gpu("faults", GetParam()) {}

  std::string copy4(int64_t offset, uint32_t groups = 1) {
    std::vector<uint32_t> in(256 * groups), out(256 * groups);
    Kernarg args;
    args.add(gpu.map(in, "in", false)).add(gpu.map(out, "out")).add(offset);
    return gpu.run("copy4", groups, 64, args);
  }
  std::string storeFar(int64_t offset, bool writable = true) {
    std::vector<uint32_t> out(64 * 8);
    Kernarg args;
    args.add(gpu.map(out, "out", writable)).add(offset);
    return gpu.run("store_far", 8, 64, args);
  }
  TestDevice gpu;
};

TEST_P(Faults, InBoundsIsNoFault) {
  EXPECT_EQ(copy4(0), "");
  EXPECT_EQ(storeFar(-4), "");
}

// The message names access, address, buffer, instruction, place and lane.
TEST_P(Faults, LoadPastTheEnd) {
  std::string text = copy4(32);
  EXPECT_THAT(text, MatchesRegex("global load of 16 bytes at 0x[0-9a-f]+ is 0 "
                                 "bytes past the end of 'in' \\(instruction "
                                 "`global_load_dwordx4 .*` at pc 0x[0-9a-f]+, "
                                 "kernel copy4, workgroup \\(0,0,0\\), wave 0, "
                                 "lane 62\\)"));
}

TEST_P(Faults, LoadAcrossTheEnd) {
  EXPECT_THAT(copy4(4), HasSubstr("ends 4 bytes past the end of 'in'"));
}

TEST_P(Faults, LoadBeforeTheStart) {
  std::string text = copy4(-32);
  EXPECT_THAT(text, HasSubstr("is 32 bytes before the start of 'in'"));
  EXPECT_THAT(text, HasSubstr("lane 0)"));
}

// Upper halves that were lost or wrapped fall into no buffer.
TEST_P(Faults, WrongPointer) {
  EXPECT_THAT(copy4(int64_t(1) << 45), HasSubstr(" is in no buffer"));
  EXPECT_THAT(copy4(-(int64_t(1) << 32)),
              HasSubstr(" before the start of 'in'"));
}

TEST_P(Faults, Misaligned) {
  EXPECT_THAT(copy4(-2), HasSubstr("before the start of 'in'"));
  std::vector<uint32_t> in(260), out(256);
  Kernarg args;
  args.add(gpu.map(in, "in")).add(gpu.map(out, "out")).add(int64_t(2));
  gpu.launch.checkAlignment = true;
  EXPECT_THAT(gpu.run("copy4", 1, 64, args),
              HasSubstr("global load of 16 bytes at 0x"));
  EXPECT_THAT(gpu.run("copy4", 1, 64, args),
              HasSubstr(" is not aligned to 4 bytes"));
  gpu.launch.checkAlignment = false;
  EXPECT_EQ(gpu.run("copy4", 1, 64, args), "");
}

TEST_P(Faults, OneLaneOfOneGroup) {
  std::string text = storeFar(64 * 8 * 4);
  EXPECT_THAT(text, StartsWith("global store of 4 bytes at 0x"));
  EXPECT_THAT(text, HasSubstr("past the end of 'out'"));
  EXPECT_THAT(text, HasSubstr("workgroup (3,0,0), wave 0, lane 5)"));
}

TEST_P(Faults, StoreToReadOnlyBuffer) {
  EXPECT_THAT(storeFar(0, false), HasSubstr("is in 'out', which is read-only"));
}

// However fast the threads are, the first group in grid order is reported.
TEST_P(Faults, TheFirstGroupIsReported) {
  gpu.launch.threads = 8;
  for (unsigned i = 0; i < 20; ++i)
    EXPECT_THAT(copy4(-32, 50), HasSubstr("workgroup (0,0,0)"));
}

TEST_P(Faults, LdsOverrun) {
  std::vector<uint32_t> out(64);
  Kernarg args;
  args.add(gpu.map(out, "out")).add(uint32_t(16));
  EXPECT_THAT(gpu.run("lds_overrun", 1, 64, args),
              HasSubstr("is past the 256 bytes of LDS that the workgroup has"));
}

TEST_P(Faults, EndlessLoop) {
  std::vector<uint32_t> flag(1);
  Kernarg args;
  args.add(gpu.map(flag, "flag"));
  gpu.launch.maxInstructions = 100000;
  std::string text = gpu.run("endless", 1, 64, args);
  EXPECT_THAT(text, StartsWith("a wave has executed more than 100000 "
                               "instructions"));
  EXPECT_THAT(text, HasSubstr("kernel endless"));
}

TEST_P(Faults, Trap) {
  std::vector<uint32_t> out(64);
  Kernarg args;
  args.add(gpu.map(out, "out"));
  EXPECT_EQ(gpu.run("trap", 1, 64, args), "");
  out[9] = 7;
  EXPECT_THAT(gpu.run("trap", 1, 64, args),
              StartsWith("trap (instruction `s_trap "));
}

TEST_P(Faults, UnknownInstruction) {
  std::vector<uint32_t> out(64);
  Kernarg args;
  args.add(gpu.map(out, "out"));
  EXPECT_THAT(gpu.run("unknown", 1, 64, args),
              StartsWith("unknown instruction (instruction `s_sendmsg "));
}

// The load has not arrived as far as the program knows.
TEST_P(Faults, MissingWait) {
  TestDevice waits("waits", GetParam());
  std::vector<uint32_t> data(256, 1);
  Kernarg args;
  args.add(waits.map(data, "data"));
  EXPECT_EQ(waits.run("waited", 1, 64, args), "");
  EXPECT_THAT(
      waits.run("no_vmcnt", 1, 64, args),
      MatchesRegex("v3 is used before an s_waitcnt vmcnt has waited for "
                   "the load into it by `global_load_dword v3, .*` at pc "
                   "0x[0-9a-f]+ \\(instruction `v_add_u32_e32 .*"));
  EXPECT_THAT(waits.run("no_lgkmcnt", 1, 64, args),
              StartsWith("s4 is used before an s_waitcnt lgkmcnt"));
  EXPECT_THAT(waits.run("no_lds_wait", 1, 64, args),
              StartsWith("v4 is used before an s_waitcnt lgkmcnt"));
  waits.launch.checkedWorkgroups = 0;
  EXPECT_EQ(waits.run("no_vmcnt", 1, 64, args), "");
}

//===----------------------------------------------------------------------===//
// Launches that do not begin
//===----------------------------------------------------------------------===//

TEST_P(Faults, NoSuchKernel) {
  EXPECT_EQ(gpu.run("nothing", 1, 64, {}),
            "the code object has no kernel 'nothing'");
}

TEST_P(Faults, WrongArguments) {
  EXPECT_EQ(gpu.run("copy4", 1, 64, Kernarg().add(uint64_t(0))),
            "kernel 'copy4' expects 24 bytes of arguments, but got 8");
}

TEST_P(Faults, WrongWorkgroup) {
  EXPECT_EQ(
      gpu.run("trap", 1, 128, Kernarg().add(uint64_t(0))),
      "kernel 'trap': a workgroup of 128 threads exceeds its limit of 64");
  EXPECT_EQ(gpu.run("trap", 1, 0, Kernarg().add(uint64_t(0))),
            "kernel 'trap': block dimension 0 is not in 1 to 1024");
}

TEST_P(Faults, TooMuchLds) {
  gpu.launch.dynamicLds = 1 << 20;
  EXPECT_THAT(gpu.run("trap", 1, 64, Kernarg().add(uint64_t(0))),
              HasSubstr("1048576 bytes of LDS exceed the "));
}

TEST_P(Faults, OtherArch) {
  std::string other = std::string(GetParam()) == "gfx942" ? "gfx950" : "gfx942";
  auto device = llvm::cantFail(Device::create(other));
  Launch launch;
  launch.kernel = "trap";
  EXPECT_EQ(messageOf(rowmill::emulator::launch(*device, *gpu.code, launch)),
            std::string("the code object is for ") + GetParam() +
                ", but the device is a " + other);
}

INSTANTIATE_TEST_SUITE_P(Archs, Faults, testing::Values("gfx942", "gfx950"),
                         [](auto &info) { return std::string(info.param); });

} // namespace
