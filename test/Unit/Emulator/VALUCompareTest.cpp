// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Every v_cmp and v_cmpx, by name, against the comparison that it names.

#include "WaveTest.h"

#include <cmath>

using namespace rowmill::emulator;
using namespace rowmill::emulator::test;

namespace {

/// By name: what holds for a < b, a == b, a > b and for unordered operands.
struct Relation {
  const char *name;
  bool less, equal, greater, unordered;
};
const Relation floats[] = {
    {"f", false, false, false, false}, {"lt", true, false, false, false},
    {"eq", false, true, false, false}, {"le", true, true, false, false},
    {"gt", false, false, true, false}, {"lg", true, false, true, false},
    {"ge", false, true, true, false},  {"o", true, true, true, false},
    {"u", false, false, false, true},  {"nge", true, false, false, true},
    {"nlg", false, true, false, true}, {"ngt", true, true, false, true},
    {"nle", false, false, true, true}, {"neq", true, false, true, true},
    {"nlt", false, true, true, true},  {"tru", true, true, true, true},
};
const Relation integers[] = {
    {"f", false, false, false, false}, {"lt", true, false, false, false},
    {"eq", false, true, false, false}, {"le", true, true, false, false},
    {"gt", false, false, true, false}, {"ne", true, false, true, false},
    {"ge", false, true, true, false},  {"t", true, true, true, false},
};

class CompareTest : public WaveTest {
protected:
  /// Runs both forms of one relation on what v[0:1] and v[2:3] hold.
  template <typename Value>
  void check(const Relation &r, const std::string &type, bool wide,
             Value value) {
    uint64_t exec = 0xfffffffff0f0ff01, want = 0;
    for (unsigned l = 0; l < kLanes; ++l) {
      auto a = value(0, l), b = value(2, l);
      bool holds = a < b    ? r.less
                   : a == b ? r.equal
                   : a > b  ? r.greater
                            : r.unordered;
      want |= uint64_t(holds) << l;
    }
    std::string operands = wide ? "v[0:1], v[2:3]" : "v0, v2";
    std::string name = std::string(r.name) + "_" + type;
    setExec(exec);
    run("v_cmp_" + name + " vcc, " + operands);
    EXPECT_EQ(wave->vcc(), want & exec) << name;
    run("v_cmp_" + name + " s[10:11], " + operands);
    EXPECT_EQ(wave->sgpr64(10), want & exec) << name;
    EXPECT_EQ(wave->exec(), exec);
    run("v_cmpx_" + name + " s[12:13], " + operands);
    EXPECT_EQ(wave->sgpr64(12), want & exec) << name;
    EXPECT_EQ(wave->exec(), want & exec) << name;
  }
  /// Pairs of which a third are equal.
  void fill(unsigned round) {
    for (unsigned r = 0; r < 2; ++r)
      for (unsigned l = 0; l < kLanes; ++l) {
        wave->vgpr[r][l] = sample(64 * round + l + 31 * r);
        wave->vgpr[2 + r][l] =
            l % 3 ? sample(97 * round + 63 - l + r) : wave->vgpr[r][l];
      }
  }
};

TEST_F(CompareTest, Floats) {
  for (unsigned round = 0; round < 3; ++round)
    for (const Relation &r : floats) {
      fill(round);
      check(r, "f32", false, [&](unsigned reg, unsigned l) {
        return asFloat(wave->vgpr[reg][l]);
      });
      fill(round);
      check(r, "f16", false, [&](unsigned reg, unsigned l) {
        return asFloat(decode<F16>(wave->vgpr[reg][l] & 0xffff));
      });
      fill(round);
      check(r, "f64", true,
            [&](unsigned reg, unsigned l) { return asDouble(vgpr64(reg, l)); });
    }
}

TEST_F(CompareTest, Integers) {
  for (unsigned round = 0; round < 3; ++round)
    for (const Relation &r : integers) {
      fill(round);
      auto narrow = [&](unsigned reg, unsigned l) {
        return wave->vgpr[reg][l];
      };
      check(r, "u32", false, narrow);
      check(r, "i32", false,
            [&](unsigned reg, unsigned l) { return int32_t(narrow(reg, l)); });
      check(r, "u16", false,
            [&](unsigned reg, unsigned l) { return uint16_t(narrow(reg, l)); });
      check(r, "i16", false,
            [&](unsigned reg, unsigned l) { return int16_t(narrow(reg, l)); });
      check(r, "u64", true,
            [&](unsigned reg, unsigned l) { return vgpr64(reg, l); });
      check(r, "i64", true,
            [&](unsigned reg, unsigned l) { return int64_t(vgpr64(reg, l)); });
    }
}

TEST_F(CompareTest, ModifiersAndScalars) {
  setVgpr(0, asBits(-3.0f));
  wave->sgpr[4] = asBits(3.0f);
  run("v_cmp_eq_f32 vcc, |v0|, s4\n v_cmp_eq_f32 s[10:11], -v0, s4\n"
      "v_cmp_gt_f32 s[12:13], 4.0, |v0|");
  EXPECT_EQ(wave->vcc(), ~uint64_t(0));
  EXPECT_EQ(wave->sgpr64(10), ~uint64_t(0));
  EXPECT_EQ(wave->sgpr64(12), ~uint64_t(0));
}

TEST_F(CompareTest, DenormalsCompareAsMODESays) {
  setVgpr(0, 1);
  setVgpr(2, 0);
  run("v_cmp_gt_f32 vcc, v0, v2");
  EXPECT_EQ(wave->vcc(), ~uint64_t(0));
  Mode mode;
  mode.denorm32 = 0;
  setMode(mode);
  run("v_cmp_gt_f32 vcc, v0, v2");
  EXPECT_EQ(wave->vcc(), 0u);
}

TEST_F(CompareTest, ClassesNarrowExec) {
  setVgpr(0, 0x7fc00000);
  setVgpr(1, 0x7ff80000);
  setVgpr(2, 2); // quiet NaN
  setExec(6);
  run("v_cmpx_class_f32 s[10:11], v0, v2");
  EXPECT_EQ(wave->exec(), 6u);
  run("v_cmpx_class_f64 s[10:11], v[0:1], v2");
  EXPECT_EQ(wave->exec(), 6u);
  run("v_cmpx_class_f16 s[10:11], v0, v2"); // its low half is zero
  EXPECT_EQ(wave->exec(), 0u);
}

} // namespace
