// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Scalar instructions against the same operation on the host, over edges of
// their operands; ScalarTest.cpp has those that need words.

#include "WaveTest.h"

#include <bit>
#include <functional>

using namespace rowmill::emulator;
using namespace rowmill::emulator::test;

namespace {

const uint32_t edges[] = {0,          1,          2,          31,
                          0x7fff,     0x8000,     0xffff,     0x10000,
                          0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff,
                          0x12345678, 0xf0f0f0f0, 0x00ff00ff};

uint64_t wide(unsigned i) {
  constexpr unsigned count = std::size(edges);
  return uint64_t(edges[i * 7 % count]) << 32 | edges[i % count];
}

unsigned leadingZeros(uint64_t v) {
  return v ? unsigned(__builtin_clzll(v)) : 64;
}
unsigned trailingZeros(uint64_t v) {
  return v ? unsigned(__builtin_ctzll(v)) : 64;
}
unsigned ones(uint64_t v) { return unsigned(__builtin_popcountll(v)); }

uint64_t reverse(uint64_t v) {
  uint64_t r = 0;
  for (unsigned b = 0; b < 64; ++b)
    r |= (v >> b & 1) << (63 - b);
  return r;
}
/// Each bit of the low half twice.
uint64_t replicate(uint32_t v) {
  uint64_t r = 0;
  for (unsigned b = 0; b < 32; ++b)
    r |= uint64_t(v >> b & 1) * 3 << 2 * b;
  return r;
}
/// All of each four bits where one is set.
uint64_t wholeQuads(uint64_t v) {
  uint64_t r = 0;
  for (unsigned b = 0; b < 64; b += 4)
    r |= (v >> b & 15 ? uint64_t(15) : 0) << b;
  return r;
}
/// One bit for each four.
uint64_t quadMask(uint64_t v) {
  uint64_t r = 0;
  for (unsigned b = 0; b < 16; ++b)
    r |= uint64_t((v >> 4 * b & 15) != 0) << b;
  return r;
}

class ScalarTable : public WaveTest {
protected:
  uint32_t scc() const { return wave->sgpr[sreg::SCC]; }

  void set(uint64_t a, uint64_t b, uint64_t old, uint32_t scc) {
    wave->setSgpr64(0, a);
    wave->setSgpr64(2, b);
    wave->setSgpr64(4, old);
    wave->sgpr[sreg::SCC] = scc;
  }
};

struct Want {
  uint64_t value;
  int scc; // -1: as before
};

/// SCC says whether the result is other than zero.
Want nonzero(uint64_t value) { return {value, value != 0}; }

TEST_F(ScalarTable, Unary64) {
  struct {
    const char *name;
    bool narrow; // the result is 32 bits
    std::function<Want(uint64_t a, uint64_t old)> want;
  } const ops[] = {
      {"s_bcnt0_i32_b64", true,
       [](auto a, auto) { return nonzero(64 - ones(a)); }},
      {"s_bcnt1_i32_b64", true, [](auto a, auto) { return nonzero(ones(a)); }},
      {"s_brev_b64", false,
       [](auto a, auto) {
         return Want{reverse(a), -1};
       }},
      {"s_not_b64", false, [](auto a, auto) { return nonzero(~a); }},
      {"s_wqm_b64", false, [](auto a, auto) { return nonzero(wholeQuads(a)); }},
      {"s_quadmask_b64", false,
       [](auto a, auto) { return nonzero(quadMask(a)); }},
      {"s_ff0_i32_b64", true,
       [](auto a, auto) {
         return Want{~a ? trailingZeros(~a) : 0xffffffffu, -1};
       }},
      {"s_ff1_i32_b64", true,
       [](auto a, auto) {
         return Want{a ? trailingZeros(a) : 0xffffffffu, -1};
       }},
      {"s_flbit_i32_b64", true,
       [](auto a, auto) {
         return Want{a ? leadingZeros(a) : 0xffffffffu, -1};
       }},
      // The bits that are as the sign; all of them: -1.
      {"s_flbit_i32_i64", true,
       [](auto a, auto) {
         uint64_t v = int64_t(a) < 0 ? ~a : a;
         return Want{v ? leadingZeros(v) : 0xffffffffu, -1};
       }},
  };
  for (const auto &op : ops)
    for (unsigned i = 0; i < 60; ++i)
      for (uint32_t before : {0u, 1u}) {
        uint64_t a = wide(i);
        set(a, 0, 99, before);
        run(op.name +
            std::string(op.narrow ? " s4, s[0:1]" : " s[4:5], s[0:1]"));
        Want want = op.want(a, 99);
        uint64_t got = op.narrow ? wave->sgpr[4] : wave->sgpr64(4);
        ASSERT_EQ(got, want.value) << op.name << " " << std::hex << a;
        ASSERT_EQ(scc(), want.scc < 0 ? before : uint32_t(want.scc)) << op.name;
      }
}

TEST_F(ScalarTable, Unary32) {
  struct {
    const char *text;
    bool isWide; // the result is 64 bits
    std::function<Want(uint32_t a, uint64_t old)> want;
  } const ops[] = {
      {"s_abs_i32 s4, s0", false,
       [](auto a, auto) { return nonzero(int32_t(a) < 0 ? uint32_t(-a) : a); }},
      {"s_not_b32 s4, s0", false,
       [](auto a, auto) { return nonzero(uint32_t(~a)); }},
      {"s_wqm_b32 s4, s0", false,
       [](auto a, auto) { return nonzero(wholeQuads(a)); }},
      {"s_quadmask_b32 s4, s0", false,
       [](auto a, auto) { return nonzero(quadMask(a)); }},
      {"s_sext_i32_i8 s4, s0", false,
       [](auto a, auto) {
         return Want{uint32_t(int8_t(a)), -1};
       }},
      {"s_sext_i32_i16 s4, s0", false,
       [](auto a, auto) {
         return Want{uint32_t(int16_t(a)), -1};
       }},
      {"s_bitreplicate_b64_b32 s[4:5], s0", true,
       [](auto a, auto) {
         return Want{replicate(a), -1};
       }},
      {"s_bitset0_b32 s4, s0", false,
       [](auto a, auto old) {
         return Want{uint32_t(old) & ~(1u << (a & 31)), -1};
       }},
      {"s_bitset1_b32 s4, s0", false,
       [](auto a, auto old) {
         return Want{uint32_t(old) | 1u << (a & 31), -1};
       }},
      {"s_bitset0_b64 s[4:5], s0", true,
       [](auto a, auto old) {
         return Want{old & ~(uint64_t(1) << (a & 63)), -1};
       }},
      {"s_bitset1_b64 s[4:5], s0", true,
       [](auto a, auto old) {
         return Want{old | uint64_t(1) << (a & 63), -1};
       }},
  };
  for (const auto &op : ops)
    for (uint32_t a : edges)
      for (uint32_t before : {0u, 1u}) {
        uint64_t old = 0x5555aaaa12345678;
        set(a, 0, old, before);
        run(op.text);
        Want want = op.want(a, old);
        ASSERT_EQ(op.isWide ? wave->sgpr64(4) : wave->sgpr[4], want.value)
            << op.text << " " << std::hex << a;
        ASSERT_EQ(scc(), want.scc < 0 ? before : uint32_t(want.scc)) << op.text;
      }
}

TEST_F(ScalarTable, Binary) {
  struct {
    const char *name;
    std::function<uint64_t(uint64_t a, uint64_t b)> want;
  } const logic[] = {
      {"and", [](auto a, auto b) { return a & b; }},
      {"or", [](auto a, auto b) { return a | b; }},
      {"xor", [](auto a, auto b) { return a ^ b; }},
      {"andn2", [](auto a, auto b) { return a & ~b; }},
      {"orn2", [](auto a, auto b) { return a | ~b; }},
      {"nand", [](auto a, auto b) { return ~(a & b); }},
      {"nor", [](auto a, auto b) { return ~(a | b); }},
      {"xnor", [](auto a, auto b) { return ~(a ^ b); }},
  };
  for (const auto &op : logic)
    for (unsigned i = 0; i < 40; ++i) {
      uint64_t a = wide(i), b = wide(3 * i + 1), want = op.want(a, b);
      set(a, b, 0, 0);
      run("s_" + std::string(op.name) + "_b64 s[4:5], s[0:1], s[2:3]");
      ASSERT_EQ(wave->sgpr64(4), want) << op.name;
      ASSERT_EQ(scc(), want != 0) << op.name;
      set(a, b, 0, 0);
      run("s_" + std::string(op.name) + "_b32 s4, s0, s2");
      ASSERT_EQ(wave->sgpr[4], uint32_t(want)) << op.name;
      ASSERT_EQ(scc(), uint32_t(want) != 0) << op.name;
    }
  for (unsigned shift = 1; shift <= 4; ++shift)
    for (uint32_t a : edges) {
      uint64_t want = (uint64_t(a) << shift) + 0xfffffff0u;
      set(a, 0xfffffff0u, 0, 0);
      run("s_lshl" + std::to_string(shift) + "_add_u32 s4, s0, s2");
      ASSERT_EQ(wave->sgpr[4], uint32_t(want));
      ASSERT_EQ(scc(), want >> 32 != 0);
    }
  for (unsigned i = 0; i < 40; ++i) {
    uint64_t a = wide(i);
    uint32_t by = edges[i % std::size(edges)];
    set(a, by, 0, 0);
    run("s_lshr_b64 s[4:5], s[0:1], s2");
    ASSERT_EQ(wave->sgpr64(4), a >> (by & 63));
    ASSERT_EQ(scc(), a >> (by & 63) != 0);
  }
}

TEST_F(ScalarTable, Compares) {
  struct {
    const char *name;
    std::function<bool(int64_t a, int64_t b)> want;
  } const ops[] = {
      {"eq", std::equal_to<int64_t>()}, {"lg", std::not_equal_to<int64_t>()},
      {"gt", std::greater<int64_t>()},  {"ge", std::greater_equal<int64_t>()},
      {"lt", std::less<int64_t>()},     {"le", std::less_equal<int64_t>()},
  };
  for (const auto &op : ops)
    for (uint32_t a : edges)
      for (uint32_t b : edges) {
        std::string name = op.name;
        set(a, b, 0, 0);
        run("s_cmp_" + name + "_i32 s0, s2");
        ASSERT_EQ(scc(), op.want(int32_t(a), int32_t(b))) << name << "_i32";
        run("s_cmp_" + name + "_u32 s0, s2");
        ASSERT_EQ(scc(), op.want(a, b)) << name << "_u32";
      }
  // Against constants of 16 bits, with their sign or without.
  for (const auto &op : ops)
    for (uint32_t a : edges)
      for (int k : {0, 1, 0x7fff, 0x8000, 0xffff}) {
        std::string name = op.name, text = " s0, " + std::to_string(k);
        set(a, 0, 0, 0);
        run("s_cmpk_" + name + "_i32 s0, " + std::to_string(int16_t(k)));
        ASSERT_EQ(scc(), op.want(int32_t(a), int16_t(k))) << name << text;
        run("s_cmpk_" + name + "_u32" + text);
        ASSERT_EQ(scc(), op.want(a, k)) << name << text;
      }
  for (unsigned i = 0; i < 40; ++i)
    for (unsigned j : {i, i + 1}) {
      set(wide(i), wide(j), 0, 0);
      run("s_cmp_eq_u64 s[0:1], s[2:3]");
      ASSERT_EQ(scc(), wide(i) == wide(j));
      run("s_cmp_lg_u64 s[0:1], s[2:3]");
      ASSERT_EQ(scc(), wide(i) != wide(j));
    }
}

TEST_F(ScalarTable, BitCompares) {
  for (unsigned i = 0; i < 40; ++i)
    for (unsigned bit : {0u, 5u, 31u, 33u, 63u, 64u}) {
      uint64_t a = wide(i);
      set(a, bit, 0, 0);
      run("s_bitcmp0_b32 s0, s2");
      ASSERT_EQ(scc(), (uint32_t(a) >> (bit & 31) & 1) == 0);
      run("s_bitcmp1_b32 s0, s2");
      ASSERT_EQ(scc(), (uint32_t(a) >> (bit & 31) & 1) == 1);
      run("s_bitcmp0_b64 s[0:1], s2");
      ASSERT_EQ(scc(), (a >> (bit & 63) & 1) == 0);
      run("s_bitcmp1_b64 s[0:1], s2");
      ASSERT_EQ(scc(), (a >> (bit & 63) & 1) == 1);
    }
}

TEST_F(ScalarTable, ConditionalMovesAndConstants) {
  for (uint32_t before : {0u, 1u}) {
    set(0x1111222233334444, 0, 0x5555666677778888, before);
    run("s_cmov_b32 s4, s0");
    EXPECT_EQ(wave->sgpr[4], before ? 0x33334444u : 0x77778888u);
    set(0x1111222233334444, 0, 0x5555666677778888, before);
    run("s_cmov_b64 s[4:5], s[0:1]");
    EXPECT_EQ(wave->sgpr64(4),
              before ? 0x1111222233334444 : 0x5555666677778888);
    set(0, 0, 7, before);
    run("s_cmovk_i32 s4, -2");
    EXPECT_EQ(wave->sgpr[4], before ? 0xfffffffeu : 7u);
  }
  set(0, 0, 0xffffffff, 1);
  run("s_mulk_i32 s4, -3");
  EXPECT_EQ(wave->sgpr[4], 3u);
  run("s_nop 0");
  EXPECT_EQ(scc(), 1u);
}

TEST_F(ScalarTable, ExecIsSavedAndCombined) {
  struct {
    const char *name;
    std::function<uint64_t(uint64_t a, uint64_t exec)> want;
  } const ops[] = {
      {"and", [](auto a, auto e) { return a & e; }},
      {"or", [](auto a, auto e) { return a | e; }},
      {"xor", [](auto a, auto e) { return a ^ e; }},
      {"andn1", [](auto a, auto e) { return ~a & e; }},
      {"andn2", [](auto a, auto e) { return a & ~e; }},
      {"orn1", [](auto a, auto e) { return ~a | e; }},
      {"orn2", [](auto a, auto e) { return a | ~e; }},
      {"nand", [](auto a, auto e) { return ~(a & e); }},
      {"nor", [](auto a, auto e) { return ~(a | e); }},
      {"xnor", [](auto a, auto e) { return ~(a ^ e); }},
  };
  for (const auto &op : ops)
    for (unsigned i = 0; i < 20; ++i) {
      uint64_t a = wide(i), exec = wide(5 * i + 2), want = op.want(a, exec);
      setExec(exec);
      set(a, 0, 0, 0);
      run("s_" + std::string(op.name) + "_saveexec_b64 s[4:5], s[0:1]");
      ASSERT_EQ(wave->sgpr64(4), exec) << op.name;
      ASSERT_EQ(wave->exec(), want) << op.name;
      ASSERT_EQ(scc(), want != 0) << op.name;
      // The forms that put the result into both.
      std::string name = op.name;
      if (name != "andn1" && name != "andn2")
        continue;
      setExec(exec);
      set(a, 0, 0, 0);
      run("s_" + name + "_wrexec_b64 s[4:5], s[0:1]");
      ASSERT_EQ(wave->sgpr64(4), want) << op.name;
      ASSERT_EQ(wave->exec(), want) << op.name;
    }
}

} // namespace
