// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Runs snippets of assembly on a bare wave: no kernel, no memory.

#ifndef ROWMILL_TEST_UNIT_EMULATOR_WAVETEST_H
#define ROWMILL_TEST_UNIT_EMULATOR_WAVETEST_H

#include "Program.h"
#include "rowmill/Emulator/Numerics.h"
#include "rowmill/Emulator/Wave.h"

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <memory>
#include <string>

namespace rowmill::emulator::test {

using Lanes = std::array<uint32_t, kLanes>;

/// The machine code of an assembly text; empty, with a test failure, if LLVM
/// does not accept it.
std::string assemble(const std::string &arch, const std::string &text);

class WaveTest : public ::testing::Test {
protected:
  WaveTest();

  /// Assembles, decodes and executes a straight line of instructions.
  void run(const std::string &text);

  void setVgpr(unsigned reg, const Lanes &values);
  void setVgpr(unsigned reg, uint32_t value);
  void setVgpr64(unsigned reg, uint64_t value);
  Lanes vgpr(unsigned reg) const;
  uint64_t vgpr64(unsigned reg, unsigned lane) const {
    return wave->vgpr[reg][lane] | uint64_t(wave->vgpr[reg + 1][lane]) << 32;
  }
  void setExec(uint64_t mask);
  void setMode(const Mode &mode);

  /// The result in lane 0 of v2 after `text`, v0 and v1 holding a and b.
  uint32_t eval(const std::string &text, uint32_t a, uint32_t b = 0,
                uint32_t c = 0);

  std::string arch = "gfx950";
  std::unique_ptr<Wave> wave;

private:
  Program *programFor(const std::string &text);
  std::map<std::string, std::unique_ptr<Program>> programs;
};

/// Values that are edges for most formats, then pseudo-random ones.
uint32_t sample(unsigned index);

} // namespace rowmill::emulator::test

#endif // ROWMILL_TEST_UNIT_EMULATOR_WAVETEST_H
