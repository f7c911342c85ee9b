// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Scalar instructions on a bare wave: results, SCC, EXEC.

#include "WaveTest.h"

using namespace rowmill::emulator;
using namespace rowmill::emulator::test;

namespace {

class Scalar : public WaveTest {
protected:
  /// s4 after `text`, with a in s0 and b in s1.
  uint32_t of(const std::string &text, uint32_t a, uint32_t b = 0,
              uint32_t scc = 0) {
    wave->sgpr[0] = a;
    wave->sgpr[1] = b;
    wave->sgpr[sreg::SCC] = scc;
    run(text);
    return wave->sgpr[4];
  }
  /// s[4:5] with a in s[0:1] and b in s[2:3].
  uint64_t of64(const std::string &text, uint64_t a, uint64_t b = 0,
                uint32_t scc = 0) {
    wave->setSgpr64(0, a);
    wave->setSgpr64(2, b);
    wave->sgpr[sreg::SCC] = scc;
    run(text);
    return wave->sgpr64(4);
  }
  uint32_t scc() const { return wave->sgpr[sreg::SCC]; }
};

TEST_F(Scalar, AddWithCarry) {
  EXPECT_EQ(of("s_add_u32 s4, s0, s1", 0xffffffff, 2), 1u);
  EXPECT_EQ(scc(), 1u);
  EXPECT_EQ(of("s_addc_u32 s4, s0, s1", 5, 6, 1), 12u);
  EXPECT_EQ(scc(), 0u);
  EXPECT_EQ(of("s_addc_u32 s4, s0, s1", 0xffffffff, 0, 1), 0u);
  EXPECT_EQ(scc(), 1u);
  EXPECT_EQ(of("s_sub_u32 s4, s0, s1", 3, 5), 0xfffffffeu);
  EXPECT_EQ(scc(), 1u);
  EXPECT_EQ(of("s_subb_u32 s4, s0, s1", 5, 5, 1), 0xffffffffu);
  EXPECT_EQ(scc(), 1u);
  EXPECT_EQ(of("s_subb_u32 s4, s0, s1", 5, 0xffffffff, 1), 5u);
  EXPECT_EQ(scc(), 1u);
}

TEST_F(Scalar, SignedOverflow) {
  EXPECT_EQ(of("s_add_i32 s4, s0, s1", 0x7fffffff, 1), 0x80000000u);
  EXPECT_EQ(scc(), 1u);
  EXPECT_EQ(of("s_add_i32 s4, s0, s1", 0xffffffff, 1), 0u);
  EXPECT_EQ(scc(), 0u);
  EXPECT_EQ(of("s_sub_i32 s4, s0, s1", 0x80000000, 1), 0x7fffffffu);
  EXPECT_EQ(scc(), 1u);
  EXPECT_EQ(of("s_addk_i32 s4, 0xffff", 0), wave->sgpr[4]);
}

TEST_F(Scalar, MinMax) {
  EXPECT_EQ(of("s_min_i32 s4, s0, s1", 0xffffffff, 1), 0xffffffffu);
  EXPECT_EQ(scc(), 1u);
  EXPECT_EQ(of("s_min_u32 s4, s0, s1", 0xffffffff, 1), 1u);
  EXPECT_EQ(scc(), 0u);
  EXPECT_EQ(of("s_max_i32 s4, s0, s1", 0xffffffff, 1), 1u);
  EXPECT_EQ(scc(), 0u);
  EXPECT_EQ(of("s_max_u32 s4, s0, s1", 0xffffffff, 1), 0xffffffffu);
  EXPECT_EQ(scc(), 1u);
}

TEST_F(Scalar, Logic) {
  EXPECT_EQ(of("s_and_b32 s4, s0, s1", 0xf0, 0x0f), 0u);
  EXPECT_EQ(scc(), 0u);
  EXPECT_EQ(of("s_andn2_b32 s4, s0, s1", 0xff, 0x0f), 0xf0u);
  EXPECT_EQ(scc(), 1u);
  EXPECT_EQ(of("s_nor_b32 s4, s0, s1", 0xffffffff, 0), 0u);
  EXPECT_EQ(scc(), 0u);
  EXPECT_EQ(of64("s_xnor_b64 s[4:5], s[0:1], s[2:3]", 5, 5), ~uint64_t(0));
  EXPECT_EQ(of64("s_orn2_b64 s[4:5], s[0:1], s[2:3]", 1, ~uint64_t(0)), 1u);
  EXPECT_EQ(of64("s_not_b64 s[4:5], s[0:1]", ~uint64_t(0)), 0u);
  EXPECT_EQ(scc(), 0u);
}

// Constants: inline, negative, and literals that could be inline.
TEST_F(Scalar, Constants) {
  EXPECT_EQ(of("s_mov_b32 s4, 0x12345678", 0), 0x12345678u);
  EXPECT_EQ(of("s_mov_b32 s4, -16", 0), 0xfffffff0u);
  EXPECT_EQ(of("s_mov_b32 s4, 1.0", 0), 0x3f800000u);
  EXPECT_EQ(of("s_mov_b32 s4, lit(1)", 0), 1u);
  EXPECT_EQ(of("s_addc_u32 s4, s0, lit(0xffffffff)", 5, 0, 1), 5u);
  EXPECT_EQ(of64("s_mov_b64 s[4:5], -1", 0), ~uint64_t(0));
  EXPECT_EQ(of64("s_mov_b64 s[4:5], 0x80000000", 0), 0x80000000u);
  EXPECT_EQ(of("s_movk_i32 s4, 0xfffb", 0), 0xfffffffbu);
}

TEST_F(Scalar, Shifts) {
  EXPECT_EQ(of("s_lshl_b32 s4, s0, s1", 1, 33), 2u);
  EXPECT_EQ(of("s_ashr_i32 s4, s0, s1", 0x80000000, 31), 0xffffffffu);
  EXPECT_EQ(of("s_lshr_b32 s4, s0, s1", 1, 1), 0u);
  EXPECT_EQ(scc(), 0u);
  EXPECT_EQ(of64("s_lshl_b64 s[4:5], s[0:1], s2", 1, 63), uint64_t(1) << 63);
  EXPECT_EQ(of64("s_ashr_i64 s[4:5], s[0:1], s2", uint64_t(1) << 63, 62),
            ~uint64_t(1));
  EXPECT_EQ(of("s_lshl3_add_u32 s4, s0, s1", 0x20000001, 7), 15u);
  EXPECT_EQ(scc(), 1u);
}

TEST_F(Scalar, BitFields) {
  EXPECT_EQ(of("s_bfe_u32 s4, s0, s1", 0xabcd1234, 8 | 12 << 16), 0xd12u);
  EXPECT_EQ(of("s_bfe_i32 s4, s0, s1", 0xabcd1234, 16 | 12 << 16), 0xfffffbcdu);
  EXPECT_EQ(of("s_bfe_i32 s4, s0, s1", 0x80000000, 28 | 16 << 16), 0xfffffff8u);
  EXPECT_EQ(of("s_bfe_u32 s4, s0, s1", 0xffffffff, 0), 0u);
  EXPECT_EQ(scc(), 0u);
  EXPECT_EQ(of("s_bfe_u32 s4, s0, s1", 0xabcd1234, 32 << 16), 0xabcd1234u);
  EXPECT_EQ(
      of64("s_bfe_u64 s[4:5], s[0:1], s2", 0x123456789abcdef0, 4 | 40 << 16),
      0x6789abcdefu);
  EXPECT_EQ(of64("s_bfe_i64 s[4:5], s[0:1], s2", 0x00000080, 32 << 16 | 0),
            0x80u);
  EXPECT_EQ(of64("s_bfe_i64 s[4:5], s[0:1], s2", 0x80000000, 32 << 16 | 0),
            0xffffffff80000000u);
  EXPECT_EQ(of("s_bfm_b32 s4, s0, s1", 5, 3), 0xf8u);
  EXPECT_EQ(of64("s_bfm_b64 s[4:5], s0, s2", 40, 8), 0xffffffffff00u);
}

TEST_F(Scalar, Counting) {
  EXPECT_EQ(of("s_bcnt1_i32_b32 s4, s0", 0xf0f0), 8u);
  EXPECT_EQ(of("s_bcnt0_i32_b32 s4, s0", 0xffffffff), 0u);
  EXPECT_EQ(scc(), 0u);
  EXPECT_EQ(of("s_ff1_i32_b32 s4, s0", 0x50), 4u);
  EXPECT_EQ(of("s_ff1_i32_b32 s4, s0", 0), 0xffffffffu);
  EXPECT_EQ(of("s_ff0_i32_b32 s4, s0", 0x7), 3u);
  EXPECT_EQ(of("s_flbit_i32_b32 s4, s0", 0x00010000), 15u);
  EXPECT_EQ(of("s_flbit_i32 s4, s0", 0xffff0000), 16u);
  EXPECT_EQ(of("s_flbit_i32 s4, s0", 0xffffffff), 0xffffffffu);
  wave->sgpr[5] = 9;
  EXPECT_EQ(uint32_t(of64("s_ff1_i32_b64 s4, s[0:1]", uint64_t(1) << 40)), 40u);
  EXPECT_EQ(wave->sgpr[5], 9u);
  EXPECT_EQ(of("s_brev_b32 s4, s0", 1), 0x80000000u);
}

TEST_F(Scalar, MultiplyAndPack) {
  EXPECT_EQ(of("s_mul_i32 s4, s0, s1", 0x10001, 0x10001), 0x00020001u);
  EXPECT_EQ(of("s_mul_hi_u32 s4, s0, s1", 0xffffffff, 0xffffffff), 0xfffffffeu);
  EXPECT_EQ(of("s_mul_hi_i32 s4, s0, s1", 0xffffffff, 0xffffffff), 0u);
  EXPECT_EQ(of("s_pack_ll_b32_b16 s4, s0, s1", 0x11112222, 0x33334444),
            0x44442222u);
  EXPECT_EQ(of("s_pack_lh_b32_b16 s4, s0, s1", 0x11112222, 0x33334444),
            0x33332222u);
  EXPECT_EQ(of("s_pack_hh_b32_b16 s4, s0, s1", 0x11112222, 0x33334444),
            0x33331111u);
  EXPECT_EQ(of("s_absdiff_i32 s4, s0, s1", 2, 7), 5u);
  EXPECT_EQ(of("s_sext_i32_i8 s4, s0", 0x80), 0xffffff80u);
}

TEST_F(Scalar, Compare) {
  run("s_mov_b32 s0, -1\n s_mov_b32 s1, 1\n s_cmp_lt_i32 s0, s1");
  EXPECT_EQ(scc(), 1u);
  run("s_cmp_lt_u32 s0, s1");
  EXPECT_EQ(scc(), 0u);
  run("s_mov_b64 s[2:3], 0\n s_mov_b32 s3, 4\n s_cmp_eq_u64 s[2:3], 0");
  EXPECT_EQ(scc(), 0u);
  run("s_cmpk_eq_i32 s0, 0xffff");
  EXPECT_EQ(scc(), 1u);
  run("s_cmpk_eq_u32 s0, 0xffff");
  EXPECT_EQ(scc(), 0u);
  run("s_bitcmp1_b32 s1, 0");
  EXPECT_EQ(scc(), 1u);
}

TEST_F(Scalar, Select) {
  EXPECT_EQ(of("s_cselect_b32 s4, s0, s1", 7, 8, 1), 7u);
  EXPECT_EQ(of("s_cselect_b32 s4, s0, s1", 7, 8, 0), 8u);
  EXPECT_EQ(of64("s_cselect_b64 s[4:5], s[0:1], -1", 7, 8, 0), ~uint64_t(0));
  wave->sgpr[4] = 3;
  EXPECT_EQ(of("s_cmov_b32 s4, s0", 7, 0, 0), 3u);
}

// EXEC is saved, changed, and its effect on lanes is immediate.
TEST_F(Scalar, SaveExec) {
  setExec(0xff00);
  EXPECT_EQ(of64("s_and_saveexec_b64 s[4:5], s[0:1]", 0x0ff0), 0xff00u);
  EXPECT_EQ(wave->exec(), 0x0f00u);
  EXPECT_EQ(scc(), 1u);
  setExec(0xff00);
  of64("s_andn2_saveexec_b64 s[4:5], s[0:1]", 0x0ff0);
  EXPECT_EQ(wave->exec(), 0x00f0u);
  setExec(0xff00);
  of64("s_andn1_saveexec_b64 s[4:5], s[0:1]", 0x0ff0);
  EXPECT_EQ(wave->exec(), 0xf000u);
  setExec(0xff00);
  of64("s_or_saveexec_b64 s[4:5], s[0:1]", 1);
  EXPECT_EQ(wave->exec(), 0xff01u);
  setVgpr(0, 1u);
  run("s_mov_b64 exec, 5\n v_mov_b32 v0, 2");
  EXPECT_EQ(vgpr(0)[0], 2u);
  EXPECT_EQ(vgpr(0)[1], 1u);
  EXPECT_EQ(vgpr(0)[2], 2u);
  run("s_mov_b32 exec_lo, 0\n s_mov_b32 exec_hi, 1\n v_mov_b32 v0, 9");
  EXPECT_EQ(vgpr(0)[0], 2u);
  EXPECT_EQ(vgpr(0)[32], 9u);
}

TEST_F(Scalar, Mode) {
  run("s_setreg_imm32_b32 hwreg(HW_REG_MODE, 4, 2), 0\n"
      "s_getreg_b32 s4, hwreg(HW_REG_MODE, 0, 8)");
  EXPECT_EQ(wave->mode.denorm32, 0u);
  EXPECT_EQ(wave->mode.denorm16_64, 3u);
  EXPECT_FALSE(wave->hostLikeMode);
  EXPECT_EQ(wave->sgpr[4], 0xc0u);
  run("s_mov_b32 s0, 3\n s_setreg_b32 hwreg(HW_REG_MODE, 4, 2), s0");
  EXPECT_TRUE(wave->hostLikeMode);
}

} // namespace
