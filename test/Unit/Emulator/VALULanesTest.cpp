// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// DPP, SDWA and the instructions that move values between lanes. First what
// other emulators got silently wrong on ordinary LLVM output.

#include "WaveTest.h"

using namespace rowmill::emulator;
using namespace rowmill::emulator::test;

namespace {

class LanesTest : public WaveTest {
protected:
  /// v0 and v1 number their lanes from 1000 and 5000.
  void number() {
    for (unsigned l = 0; l < kLanes; ++l) {
      wave->vgpr[0][l] = 1000 + l;
      wave->vgpr[1][l] = 5000 + l;
      wave->vgpr[2][l] = 9000 + l;
    }
  }
  /// Expects v2 after `text`: source(l) is the lane of v0 that lane l reads, -1
  /// where it keeps its old value, -2 where it reads zero.
  void expectMove(const std::string &text, int (*source)(int)) {
    number();
    run(text);
    for (int l = 0; l < int(kLanes); ++l) {
      int s = source(l);
      uint32_t want = s == -1 ? 9000 + l : s == -2 ? 0 : 1000 + s;
      EXPECT_EQ(wave->vgpr[2][l], want) << text << " lane " << l;
    }
  }
};

TEST_F(LanesTest, DppDestinationIsAlsoASource) {
  // v0 is read permuted, read plain and written.
  number();
  run("v_add_u32_dpp v0, v0, v0 quad_perm:[1,0,3,2] row_mask:0xf "
      "bank_mask:0xf");
  for (unsigned l = 0; l < kLanes; ++l)
    EXPECT_EQ(vgpr(0)[l], 1000 + (l ^ 1) + 1000 + l);
  number();
  run("v_mov_b32_dpp v0, v0 row_ror:4 row_mask:0xf bank_mask:0xf");
  for (unsigned l = 0; l < kLanes; ++l)
    EXPECT_EQ(vgpr(0)[l], 1000 + (l & ~15) + ((l - 4) & 15));
}

TEST_F(LanesTest, RowBroadcasts) {
  expectMove("v_mov_b32_dpp v2, v0 row_bcast:15 row_mask:0xf bank_mask:0xf",
             [](int l) { return l < 16 ? -1 : l / 16 * 16 - 1; });
  expectMove("v_mov_b32_dpp v2, v0 row_bcast:15 row_mask:0xa bank_mask:0xf",
             [](int l) { return l / 16 % 2 ? l / 16 * 16 - 1 : -1; });
  expectMove("v_mov_b32_dpp v2, v0 row_bcast:31 row_mask:0xc bank_mask:0xf",
             [](int l) { return l < 32 ? -1 : 31; });
  expectMove("v_mov_b32_dpp v2, v0 row_newbcast:5 row_mask:0xf bank_mask:0xf",
             [](int l) { return l / 16 * 16 + 5; });
}

TEST_F(LanesTest, MasksTouchTheWriteOnly) {
  // The source lanes lie in rows and banks that are masked off.
  expectMove("v_mov_b32_dpp v2, v0 row_ror:4 row_mask:0x2 bank_mask:0x1",
             [](int l) { return l >= 16 && l < 20 ? l + 12 : -1; });
  expectMove(
      "v_mov_b32_dpp v2, v0 quad_perm:[3,3,3,3] row_mask:0xf bank_mask:0x8",
      [](int l) { return l % 16 >= 12 ? l / 4 * 4 + 3 : -1; });
}

TEST_F(LanesTest, BoundControl) {
  expectMove("v_mov_b32_dpp v2, v0 row_shl:3 row_mask:0xf bank_mask:0xf",
             [](int l) { return l % 16 < 13 ? l + 3 : -1; });
  // The assembler writes the bit that is set as bound_ctrl:1 (once :0).
  expectMove(
      "v_mov_b32_dpp v2, v0 row_shl:3 row_mask:0xf bank_mask:0xf bound_ctrl:1",
      [](int l) { return l % 16 < 13 ? l + 3 : -2; });
}

TEST_F(LanesTest, EveryControl) {
  const std::string rest = " row_mask:0xf bank_mask:0xf";
  expectMove("v_mov_b32_dpp v2, v0 quad_perm:[3,0,1,2]" + rest,
             [](int l) { return l / 4 * 4 + (l + 3) % 4; });
  expectMove("v_mov_b32_dpp v2, v0 row_shr:1" + rest,
             [](int l) { return l % 16 ? l - 1 : -1; });
  expectMove("v_mov_b32_dpp v2, v0 row_ror:15" + rest,
             [](int l) { return l / 16 * 16 + (l + 1) % 16; });
  expectMove("v_mov_b32_dpp v2, v0 row_mirror" + rest,
             [](int l) { return l ^ 15; });
  expectMove("v_mov_b32_dpp v2, v0 row_half_mirror" + rest,
             [](int l) { return l ^ 7; });
  expectMove("v_mov_b32_dpp v2, v0 wave_shl:1" + rest,
             [](int l) { return l < 63 ? l + 1 : -1; });
  expectMove("v_mov_b32_dpp v2, v0 wave_shr:1" + rest,
             [](int l) { return l > 0 ? l - 1 : -1; });
  expectMove("v_mov_b32_dpp v2, v0 wave_rol:1" + rest,
             [](int l) { return (l + 1) % 64; });
  expectMove("v_mov_b32_dpp v2, v0 wave_ror:1" + rest,
             [](int l) { return (l + 63) % 64; });
}

TEST_F(LanesTest, InactiveSourceLaneIsOutside) {
  setExec(0x5555555555555555);
  expectMove(
      "v_mov_b32_dpp v2, v0 quad_perm:[1,0,2,2] row_mask:0xf bank_mask:0xf",
      [](int l) { return l % 4 == 2 ? l : -1; });
  expectMove(
      "v_mov_b32_dpp v2, v0 quad_perm:[1,0,2,2] row_mask:0xf bank_mask:0xf "
      "bound_ctrl:1",
      [](int l) { return l % 2        ? -1
                         : l % 4 == 2 ? l
                                      : -2; });
}

TEST_F(LanesTest, DppFloatModifiers) {
  setVgpr(0, asBits(3.0f));
  setVgpr(1, asBits(10.0f));
  run("v_add_f32_dpp v2, -v0, |v1| quad_perm:[1,0,3,2] row_mask:0xf "
      "bank_mask:0xf");
  EXPECT_EQ(vgpr(2)[9], asBits(7.0f));
}

TEST_F(LanesTest, DppOnPairs) {
  for (unsigned l = 0; l < kLanes; ++l) {
    wave->vgpr[0][l] = l;
    wave->vgpr[1][l] = 100 + l;
  }
  run("v_mov_b64_dpp v[2:3], v[0:1] row_newbcast:3 row_mask:0xf bank_mask:0xf");
  for (unsigned l = 0; l < kLanes; ++l) {
    EXPECT_EQ(vgpr(2)[l], l / 16 * 16 + 3);
    EXPECT_EQ(vgpr(3)[l], 100 + l / 16 * 16 + 3);
  }
}

TEST_F(LanesTest, SdwaSelectsAndExtends) {
  const uint32_t a = 0x81c2f304, b = 0x00010002;
  EXPECT_EQ(
      eval("v_add_u32_sdwa v2, v0, v1 dst_sel:DWORD dst_unused:UNUSED_PAD "
           "src0_sel:BYTE_1 src1_sel:WORD_1",
           a, b),
      0xf4u);
  EXPECT_EQ(eval("v_add_u32_sdwa v2, sext(v0), v1 dst_sel:DWORD "
                 "dst_unused:UNUSED_PAD src0_sel:BYTE_1 src1_sel:WORD_0",
                 a, b),
            uint32_t(-13 + 2));
  EXPECT_EQ(eval("v_mov_b32_sdwa v2, sext(v0) dst_sel:DWORD "
                 "dst_unused:UNUSED_PAD src0_sel:WORD_1",
                 a),
            0xffff81c2u);
}

TEST_F(LanesTest, SdwaDestinationParts) {
  setVgpr(2, 0xaabbccdd);
  EXPECT_EQ(eval("v_mov_b32_sdwa v2, v0 dst_sel:BYTE_2 "
                 "dst_unused:UNUSED_PRESERVE src0_sel:BYTE_0",
                 0x11),
            0xaa11ccddu);
  EXPECT_EQ(eval("v_mov_b32_sdwa v2, v0 dst_sel:WORD_1 dst_unused:UNUSED_PAD "
                 "src0_sel:WORD_0",
                 0x1234),
            0x12340000u);
  EXPECT_EQ(eval("v_mov_b32_sdwa v2, v0 dst_sel:BYTE_1 dst_unused:UNUSED_SEXT "
                 "src0_sel:BYTE_0",
                 0x80),
            0xffff8000u);
  // A 16-bit result into the upper word.
  setVgpr(2, 0x55556666);
  EXPECT_EQ(eval("v_add_f16_sdwa v2, v0, v1 dst_sel:WORD_1 "
                 "dst_unused:UNUSED_PRESERVE src0_sel:WORD_1 src1_sel:WORD_0",
                 0x3c000000, 0x00004000),
            0x42006666u);
  EXPECT_EQ(eval("v_mul_f32_sdwa v2, -v0, v1 dst_sel:DWORD "
                 "dst_unused:UNUSED_PAD src0_sel:DWORD src1_sel:DWORD",
                 asBits(2.0f), asBits(3.0f)),
            asBits(-6.0f));
}

TEST_F(LanesTest, SdwaComparesAndConverts) {
  number();
  run("v_cmp_eq_u32_sdwa vcc, v0, v0 src0_sel:BYTE_0 src1_sel:DWORD");
  EXPECT_EQ(wave->vcc(), 0u);
  EXPECT_EQ(eval("v_cvt_f32_ubyte0_sdwa v2, v0 dst_sel:DWORD "
                 "dst_unused:UNUSED_PAD src0_sel:BYTE_3",
                 0x7f000000),
            asBits(127.0f));
  EXPECT_EQ(eval("v_cvt_f32_fp8_sdwa v2, v0 src0_sel:BYTE_2", 0x00380000),
            asBits(1.0f));
  EXPECT_EQ(eval("v_cvt_f32_bf16_sdwa v2, v0 dst_sel:DWORD "
                 "dst_unused:UNUSED_PAD src0_sel:WORD_1",
                 0x40490000),
            0x40490000u);
}

TEST_F(LanesTest, ReadAndWriteLane) {
  number();
  wave->setSgpr32(5, 64 + 7); // modulo the wave
  wave->setSgpr32(6, 0x77);
  setExec(0xf0);
  run("v_readlane_b32 s0, v0, 63\n"
      "v_readlane_b32 s1, v0, s5\n"
      "v_readfirstlane_b32 s2, v0\n"
      "v_writelane_b32 v1, s6, 2\n"
      "v_writelane_b32 v1, 5, s5\n");
  EXPECT_EQ(wave->sgpr[0], 1063u);
  EXPECT_EQ(wave->sgpr[1], 1007u);
  EXPECT_EQ(wave->sgpr[2], 1004u);
  EXPECT_EQ(vgpr(1)[2], 0x77u);
  EXPECT_EQ(vgpr(1)[7], 5u);
  setExec(0);
  run("v_readfirstlane_b32 s3, v0");
  EXPECT_EQ(wave->sgpr[3], 1000u);
}

TEST_F(LanesTest, PermlaneSwaps) {
  number();
  run("v_permlane32_swap_b32 v0, v1");
  for (unsigned l = 0; l < 32; ++l) {
    EXPECT_EQ(vgpr(0)[l], 1000 + l);
    EXPECT_EQ(vgpr(0)[l + 32], 5000 + l);
    EXPECT_EQ(vgpr(1)[l], 1032 + l);
    EXPECT_EQ(vgpr(1)[l + 32], 5032 + l);
  }
  number();
  run("v_permlane16_swap_b32 v0, v1");
  for (unsigned l = 0; l < 16; ++l)
    for (unsigned half : {0, 32}) {
      EXPECT_EQ(vgpr(0)[half + l], 1000 + half + l);
      EXPECT_EQ(vgpr(0)[half + l + 16], 5000 + half + l);
      EXPECT_EQ(vgpr(1)[half + l], 1016 + half + l);
      EXPECT_EQ(vgpr(1)[half + l + 16], 5016 + half + l);
    }
}

TEST_F(LanesTest, MbcntCountsLanesBelow) {
  wave->setSgpr64(10, 0xf0f0f0f0ff00ff01);
  setVgpr(0, 100);
  run("v_mbcnt_lo_u32_b32 v1, s10, v0\n"
      "v_mbcnt_hi_u32_b32 v2, s11, v1\n"
      "v_mbcnt_lo_u32_b32 v3, -1, 0\n"
      "v_mbcnt_hi_u32_b32 v3, -1, v3\n");
  for (unsigned l = 0; l < kLanes; ++l) {
    uint64_t below = (uint64_t(1) << l) - 1;
    EXPECT_EQ(vgpr(2)[l],
              100u + __builtin_popcountll(0xf0f0f0f0ff00ff01 & below));
    EXPECT_EQ(vgpr(3)[l], l);
  }
}

TEST_F(LanesTest, AccumulatorMoves) {
  number();
  run("v_accvgpr_write_b32 a7, v0\n"
      "v_accvgpr_mov_b32 a9, a7\n"
      "v_accvgpr_read_b32 v2, a9\n");
  EXPECT_EQ(vgpr(2)[13], 1013u);
  EXPECT_EQ(vgpr(kAgprBase + 9)[13], 1013u);
}

TEST_F(LanesTest, ComparesWriteBits) {
  for (unsigned l = 0; l < kLanes; ++l) {
    wave->vgpr[0][l] = l - 20;
    wave->vgpr[1][l] = 10;
  }
  auto expect = [&](bool (*p)(int)) {
    uint64_t mask = 0;
    for (int l = 0; l < 64; ++l)
      mask |= uint64_t(p(l - 20)) << l;
    return mask;
  };
  run("v_cmp_lt_i32 vcc, v0, v1\n"
      "v_cmp_gt_u32 s[10:11], v0, v1\n"
      "v_cmp_ne_u16 s[12:13], v0, v1\n");
  EXPECT_EQ(wave->vcc(), expect([](int v) { return v < 10; }));
  EXPECT_EQ(wave->sgpr64(10), expect([](int v) { return unsigned(v) > 10; }));
  EXPECT_EQ(wave->sgpr64(12), expect([](int v) { return v != 10; }));
  // Inactive lanes give zeros; v_cmpx narrows EXEC as well.
  setExec(0xffff0000ffff);
  run("v_cmp_ge_i32 vcc, v0, v1");
  EXPECT_EQ(wave->vcc(),
            expect([](int v) { return v >= 10; }) & 0xffff0000ffff);
  run("v_cmpx_ge_i32 vcc, v0, v1");
  uint64_t narrowed = expect([](int v) { return v >= 10; }) & 0xffff0000ffff;
  EXPECT_EQ(wave->vcc(), narrowed);
  EXPECT_EQ(wave->exec(), narrowed);
  for (unsigned l = 0; l < kLanes; ++l)
    EXPECT_EQ(wave->execRow.lane[l], narrowed >> l & 1 ? ~0u : 0u);
}

TEST_F(LanesTest, FloatComparesOfNaNs) {
  setVgpr(0, 0x7fc00000);
  setVgpr(1, asBits(1.0f));
  const std::pair<const char *, bool> tests[] = {
      {"lt", false}, {"eq", false}, {"le", false}, {"gt", false},
      {"lg", false}, {"ge", false}, {"o", false},  {"u", true},
      {"nge", true}, {"nlg", true}, {"ngt", true}, {"nle", true},
      {"neq", true}, {"nlt", true}, {"tru", true}, {"f", false}};
  for (auto [name, want] : tests) {
    run("v_cmp_" + std::string(name) + "_f32 vcc, v0, v1");
    EXPECT_EQ(wave->vcc(), want ? ~uint64_t(0) : 0) << name;
  }
  setVgpr(1, 0x7ff80000); // with v0 low half: f64 NaN 0x7ff80000'7fc00000
  setVgpr64(2, 0x3ff0000000000000);
  run("v_cmp_u_f64 vcc, v[0:1], v[2:3]\n v_cmp_neq_f16 s[4:5], v0, v2");
  EXPECT_EQ(wave->vcc(), ~uint64_t(0));
  EXPECT_EQ(wave->sgpr64(4), 0u); // low halves are both zero
}

TEST_F(LanesTest, Classes) {
  const std::pair<uint32_t, unsigned> values[] = {
      {0x7f800001, 0}, {0x7fc00000, 1}, {0xff800000, 2}, {0xbf800000, 3},
      {0x80000001, 4}, {0x80000000, 5}, {0x00000000, 6}, {0x00000001, 7},
      {0x3f800000, 8}, {0x7f800000, 9}};
  for (auto [bits, cls] : values)
    for (unsigned bit = 0; bit < 10; ++bit) {
      setVgpr(0, bits);
      setVgpr(1, 1u << bit);
      run("v_cmp_class_f32 vcc, v0, v1");
      EXPECT_EQ(wave->vcc() != 0, bit == cls) << std::hex << bits;
    }
  setVgpr(0, 0xfc00);
  run("v_cmp_class_f16 vcc, v0, 4");
  EXPECT_NE(wave->vcc(), 0u);
  setVgpr64(0, 0x000fffffffffffff);
  setVgpr(2, 0x80);
  run("v_cmp_class_f64 vcc, v[0:1], v2");
  EXPECT_NE(wave->vcc(), 0u);
}

} // namespace
