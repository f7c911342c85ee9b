// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Integer instructions of the vector ALU against plain C++.

#include "WaveTest.h"

#include <algorithm>

using namespace rowmill::emulator;
using namespace rowmill::emulator::test;

namespace {

using U = uint32_t;
using I = int32_t;
using U64 = uint64_t;

struct Case {
  const char *text;
  U (*expected)(U a, U b, U c, U old);
};

U min3(U a, U b, U c) { return std::min({a, b, c}); }
U max3(U a, U b, U c) { return std::max({a, b, c}); }
U median(U a, U b, U c) { return a + b + c - min3(a, b, c) - max3(a, b, c); }
I s16(U v) { return int16_t(v); }
U lo16(I v) { return U(v) & 0xffff; }
I clamp(int64_t v, int64_t lo, int64_t hi) {
  return I(std::min(std::max(v, lo), hi));
}

// Sources v0, v1 and v3; result in v2, which held `old`.
const Case cases[] = {
    {"v_mov_b32 v2, v0", [](U a, U, U, U) { return a; }},
    {"v_mov_b32 v2, 0x12345678", [](U, U, U, U) { return U(0x12345678); }},
    {"v_mov_b32 v2, -16", [](U, U, U, U) { return U(-16); }},
    {"v_add_u32 v2, v0, v1", [](U a, U b, U, U) { return a + b; }},
    {"v_add_u32 v2, 5, v1", [](U, U b, U, U) { return 5 + b; }},
    {"v_add_u32 v2, v0, v1 clamp", [](U a, U b, U, U) {
       return U(std::min<U64>(U64(a) + b, UINT32_MAX));
     }},
    {"v_sub_u32 v2, v0, v1", [](U a, U b, U, U) { return a - b; }},
    {"v_sub_u32 v2, v0, v1 clamp",
     [](U a, U b, U, U) { return a < b ? 0 : a - b; }},
    {"v_subrev_u32 v2, v0, v1", [](U a, U b, U, U) { return b - a; }},
    {"v_add_i32 v2, v0, v1 clamp", [](U a, U b, U, U) {
       return U(clamp(int64_t(I(a)) + I(b), INT32_MIN, INT32_MAX));
     }},
    {"v_sub_i32 v2, v0, v1 clamp", [](U a, U b, U, U) {
       return U(clamp(int64_t(I(a)) - I(b), INT32_MIN, INT32_MAX));
     }},
    {"v_mul_lo_u32 v2, v0, v1", [](U a, U b, U, U) { return a * b; }},
    {"v_mul_hi_u32 v2, v0, v1",
     [](U a, U b, U, U) { return U(U64(a) * b >> 32); }},
    {"v_mul_hi_i32 v2, v0, v1",
     [](U a, U b, U, U) { return U(U64(int64_t(I(a)) * I(b)) >> 32); }},
    {"v_mul_i32_i24 v2, v0, v1",
     [](U a, U b, U, U) { return U(U64(int64_t(I(a << 8) >> 8) * (I(b << 8) >> 8))); }},
    {"v_mul_hi_i32_i24 v2, v0, v1", [](U a, U b, U, U) {
       return U(U64(int64_t(I(a << 8) >> 8) * (I(b << 8) >> 8)) >> 32);
     }},
    {"v_mul_u32_u24 v2, v0, v1",
     [](U a, U b, U, U) { return (a & 0xffffff) * (b & 0xffffff); }},
    {"v_mul_hi_u32_u24 v2, v0, v1", [](U a, U b, U, U) {
       return U(U64(a & 0xffffff) * (b & 0xffffff) >> 32);
     }},
    {"v_mad_u32_u24 v2, v0, v1, v3",
     [](U a, U b, U c, U) { return (a & 0xffffff) * (b & 0xffffff) + c; }},
    {"v_mad_i32_i24 v2, v0, v1, v3", [](U a, U b, U c, U) {
       return U(I(a << 8) >> 8) * U(I(b << 8) >> 8) + c;
     }},
    {"v_mad_u32_u16 v2, v0, v1, v3",
     [](U a, U b, U c, U) { return (a & 0xffff) * (b & 0xffff) + c; }},
    {"v_mad_u32_u16 v2, v0, v1, v3 op_sel:[1,0,0,0]",
     [](U a, U b, U c, U) { return (a >> 16) * (b & 0xffff) + c; }},
    {"v_mad_i32_i16 v2, v0, v1, v3",
     [](U a, U b, U c, U) { return U(s16(a) * s16(b)) + c; }},
    {"v_min_u32 v2, v0, v1", [](U a, U b, U, U) { return std::min(a, b); }},
    {"v_max_u32 v2, v0, v1", [](U a, U b, U, U) { return std::max(a, b); }},
    {"v_min_i32 v2, v0, v1",
     [](U a, U b, U, U) { return U(std::min(I(a), I(b))); }},
    {"v_max_i32 v2, v0, v1",
     [](U a, U b, U, U) { return U(std::max(I(a), I(b))); }},
    {"v_min3_u32 v2, v0, v1, v3", [](U a, U b, U c, U) { return min3(a, b, c); }},
    {"v_max3_u32 v2, v0, v1, v3", [](U a, U b, U c, U) { return max3(a, b, c); }},
    {"v_med3_u32 v2, v0, v1, v3",
     [](U a, U b, U c, U) { return median(a, b, c); }},
    {"v_med3_i32 v2, v0, v1, v3", [](U a, U b, U c, U) {
       I v[3] = {I(a), I(b), I(c)};
       std::sort(v, v + 3);
       return U(v[1]);
     }},
    {"v_min3_i32 v2, v0, v1, v3",
     [](U a, U b, U c, U) { return U(std::min({I(a), I(b), I(c)})); }},
    {"v_max3_i32 v2, v0, v1, v3",
     [](U a, U b, U c, U) { return U(std::max({I(a), I(b), I(c)})); }},
    {"v_add3_u32 v2, v0, v1, v3", [](U a, U b, U c, U) { return a + b + c; }},
    {"v_xad_u32 v2, v0, v1, v3", [](U a, U b, U c, U) { return (a ^ b) + c; }},
    {"v_lshl_add_u32 v2, v0, v1, v3",
     [](U a, U b, U c, U) { return (a << (b % 32)) + c; }},
    {"v_add_lshl_u32 v2, v0, v1, v3",
     [](U a, U b, U c, U) { return (a + b) << (c % 32); }},
    {"v_lshl_or_b32 v2, v0, v1, v3",
     [](U a, U b, U c, U) { return (a << (b % 32)) | c; }},
    {"v_and_or_b32 v2, v0, v1, v3",
     [](U a, U b, U c, U) { return (a & b) | c; }},
    {"v_or3_b32 v2, v0, v1, v3", [](U a, U b, U c, U) { return a | b | c; }},
    {"v_and_b32 v2, v0, v1", [](U a, U b, U, U) { return a & b; }},
    {"v_or_b32 v2, v0, v1", [](U a, U b, U, U) { return a | b; }},
    {"v_xor_b32 v2, v0, v1", [](U a, U b, U, U) { return a ^ b; }},
    {"v_xnor_b32 v2, v0, v1", [](U a, U b, U, U) { return ~(a ^ b); }},
    {"v_not_b32 v2, v0", [](U a, U, U, U) { return ~a; }},
    {"v_lshlrev_b32 v2, v0, v1", [](U a, U b, U, U) { return b << (a % 32); }},
    {"v_lshrrev_b32 v2, v0, v1", [](U a, U b, U, U) { return b >> (a % 32); }},
    {"v_ashrrev_i32 v2, v0, v1",
     [](U a, U b, U, U) { return U(I(b) >> (a % 32)); }},
    {"v_bfe_u32 v2, v0, v1, v3", [](U a, U b, U c, U) {
       return U((U64(a) >> (b % 32)) & ((U64(1) << (c % 32)) - 1));
     }},
    {"v_bfe_i32 v2, v0, v1, v3", [](U a, U b, U c, U) {
       unsigned width = c % 32;
       if (!width)
         return U(0);
       // Offsets past the end read copies of the sign.
       int64_t shifted = int64_t(I(a)) >> (b % 32);
       return U(U64(int64_t(U64(shifted) << (64 - width)) >> (64 - width)));
     }},
    {"v_bfi_b32 v2, v0, v1, v3",
     [](U a, U b, U c, U) { return (a & b) | (~a & c); }},
    {"v_bfm_b32 v2, v0, v1",
     [](U a, U b, U, U) { return ((1u << (a % 32)) - 1) << (b % 32); }},
    {"v_alignbit_b32 v2, v0, v1, v3", [](U a, U b, U c, U) {
       return U(((U64(a) << 32) + b) >> (c % 32));
     }},
    {"v_alignbyte_b32 v2, v0, v1, v3", [](U a, U b, U c, U) {
       return U(((U64(a) << 32) + b) >> (8 * (c % 4)));
     }},
    {"v_bfrev_b32 v2, v0", [](U a, U, U, U) {
       U r = 0;
       for (int k = 0; k < 32; ++k)
         r |= ((a >> k) & 1) << (31 - k);
       return r;
     }},
    {"v_bcnt_u32_b32 v2, v0, v1",
     [](U a, U b, U, U) { return U(__builtin_popcount(a)) + b; }},
    {"v_ffbh_u32 v2, v0",
     [](U a, U, U, U) { return a ? U(__builtin_clz(a)) : ~0u; }},
    {"v_ffbl_b32 v2, v0",
     [](U a, U, U, U) { return a ? U(__builtin_ctz(a)) : ~0u; }},
    {"v_ffbh_i32 v2, v0", [](U a, U, U, U) {
       for (U k = 1; k < 32; ++k)
         if (((a >> (31 - k)) & 1) != a >> 31)
           return k;
       return ~0u;
     }},
    {"v_prng_b32 v2, v0",
     [](U a, U, U, U) { return (a << 1) ^ (a >> 31 ? 197 : 0); }},
    {"v_bitop3_b32 v2, v0, v1, v3 bitop3:0x96",
     [](U a, U b, U c, U) { return a ^ b ^ c; }},
    {"v_bitop3_b32 v2, v0, v1, v3 bitop3:0xea",
     [](U a, U b, U c, U) { return (a & b) | c; }},
    {"v_sad_u32 v2, v0, v1, v3",
     [](U a, U b, U c, U) { return std::max(a, b) - std::min(a, b) + c; }},
    // 16-bit results clear the upper half, or leave it where VOP3 is newer.
    {"v_add_u16 v2, v0, v1", [](U a, U b, U, U) { return (a + b) & 0xffff; }},
    {"v_sub_u16 v2, v0, v1", [](U a, U b, U, U) { return (a - b) & 0xffff; }},
    {"v_mul_lo_u16 v2, v0, v1", [](U a, U b, U, U) { return (a * b) & 0xffff; }},
    {"v_lshlrev_b16 v2, v0, v1",
     [](U a, U b, U, U) { return (b << (a % 16)) & 0xffff; }},
    {"v_lshrrev_b16 v2, v0, v1",
     [](U a, U b, U, U) { return (b & 0xffff) >> (a % 16); }},
    {"v_ashrrev_i16 v2, v0, v1",
     [](U a, U b, U, U) { return lo16(s16(b) >> (a % 16)); }},
    {"v_max_i16 v2, v0, v1",
     [](U a, U b, U, U) { return lo16(std::max(s16(a), s16(b))); }},
    {"v_min_u16 v2, v0, v1",
     [](U a, U b, U, U) { return std::min(a & 0xffff, b & 0xffff); }},
    {"v_mad_u16 v2, v0, v1, v3", [](U a, U b, U c, U old) {
       return ((a * b + c) & 0xffff) | (old & 0xffff0000);
     }},
    {"v_mad_u16 v2, v0, v1, v3 op_sel:[1,0,1,1]", [](U a, U b, U c, U old) {
       return ((a >> 16) * (b & 0xffff) + (c >> 16)) << 16 | (old & 0xffff);
     }},
    {"v_mad_i16 v2, v0, v1, v3 clamp", [](U a, U b, U c, U old) {
       return lo16(clamp(int64_t(s16(a)) * s16(b) + s16(c), -32768, 32767)) |
              (old & 0xffff0000);
     }},
    {"v_add_i16 v2, v0, v1 clamp", [](U a, U b, U, U old) {
       return lo16(clamp(s16(a) + s16(b), -32768, 32767)) | (old & 0xffff0000);
     }},
    {"v_sub_u16 v2, v0, v1 clamp", [](U a, U b, U, U) {
       return lo16(clamp(I(a & 0xffff) - I(b & 0xffff), 0, 65535));
     }},
    {"v_bitop3_b16 v2, v0, v1, v3 bitop3:0x96 op_sel:[1,0,0,1]",
     [](U a, U b, U c, U old) {
       return (((a >> 16) ^ b ^ c) << 16) | (old & 0xffff);
     }},
    // Packed.
    {"v_pk_add_u16 v2, v0, v1", [](U a, U b, U, U) {
       return ((a + b) & 0xffff) | ((a >> 16) + (b >> 16)) << 16;
     }},
    {"v_pk_add_u16 v2, v0, v1 op_sel:[1,0] op_sel_hi:[0,1]", [](U a, U b, U, U) {
       return (((a >> 16) + b) & 0xffff) | (a + (b >> 16)) << 16;
     }},
    {"v_pk_sub_i16 v2, v0, v1 clamp", [](U a, U b, U, U) {
       return lo16(clamp(s16(a) - s16(b), -32768, 32767)) |
              lo16(clamp(s16(a >> 16) - s16(b >> 16), -32768, 32767)) << 16;
     }},
    {"v_pk_mad_u16 v2, v0, v1, v3", [](U a, U b, U c, U) {
       return ((a * b + c) & 0xffff) |
              ((a >> 16) * (b >> 16) + (c >> 16)) << 16;
     }},
    {"v_pk_mul_lo_u16 v2, v0, v1", [](U a, U b, U, U) {
       return ((a * b) & 0xffff) | ((a >> 16) * (b >> 16)) << 16;
     }},
    {"v_pk_lshlrev_b16 v2, v0, v1", [](U a, U b, U, U) {
       return ((b << (a % 16)) & 0xffff) |
              ((b >> 16) << ((a >> 16) % 16)) << 16;
     }},
    {"v_pk_ashrrev_i16 v2, v0, v1", [](U a, U b, U, U) {
       return lo16(s16(b) >> (a % 16)) |
              lo16(s16(b >> 16) >> ((a >> 16) % 16)) << 16;
     }},
    {"v_pk_max_i16 v2, v0, v1", [](U a, U b, U, U) {
       return lo16(std::max(s16(a), s16(b))) |
              lo16(std::max(s16(a >> 16), s16(b >> 16))) << 16;
     }},
    {"v_pk_min_u16 v2, v0, v1", [](U a, U b, U, U) {
       return std::min(a & 0xffff, b & 0xffff) |
              std::min(a >> 16, b >> 16) << 16;
     }},
    {"v_dot4_i32_i8 v2, v0, v1, v3", [](U a, U b, U c, U) {
       for (int k = 0; k < 32; k += 8)
         c += U(int8_t(a >> k) * int8_t(b >> k));
       return c;
     }},
    {"v_dot4_u32_u8 v2, v0, v1, v3", [](U a, U b, U c, U) {
       for (int k = 0; k < 32; k += 8)
         c += (a >> k & 255) * (b >> k & 255);
       return c;
     }},
    {"v_dot4c_i32_i8 v2, v0, v1", [](U a, U b, U, U old) {
       for (int k = 0; k < 32; k += 8)
         old += U(int8_t(a >> k) * int8_t(b >> k));
       return old;
     }},
    {"v_dot8_i32_i4 v2, v0, v1, v3", [](U a, U b, U c, U) {
       for (int k = 0; k < 32; k += 4)
         c += U((I(a << (28 - k)) >> 28) * (I(b << (28 - k)) >> 28));
       return c;
     }},
    {"v_dot2_i32_i16 v2, v0, v1, v3", [](U a, U b, U c, U) {
       return c + U(s16(a) * s16(b)) + U(s16(a >> 16) * s16(b >> 16));
     }},
    {"v_cvt_pk_u16_u32 v2, v0, v1", [](U a, U b, U, U) {
       return std::min(a, 65535u) | std::min(b, 65535u) << 16;
     }},
    {"v_cvt_pk_i16_i32 v2, v0, v1", [](U a, U b, U, U) {
       return lo16(clamp(I(a), -32768, 32767)) |
              lo16(clamp(I(b), -32768, 32767)) << 16;
     }},
    {"v_sat_pk_u8_i16 v2, v0", [](U a, U, U, U) {
       return U(clamp(s16(a), 0, 255)) | U(clamp(s16(a >> 16), 0, 255)) << 8;
     }},
    {"v_ashr_pk_i8_i32 v2, v0, v1, v3", [](U a, U b, U c, U old) {
       return (U(clamp(I(a) >> (c % 32), -128, 127)) & 255) |
              (U(clamp(I(b) >> (c % 32), -128, 127)) & 255) << 8 |
              (old & 0xffff0000);
     }},
};

class IntegerTest : public WaveTest {
protected:
  void check(const Case &test, uint64_t exec) {
    for (unsigned round = 0; round < 24; ++round) {
      Lanes a, b, c, old;
      for (unsigned l = 0; l < kLanes; ++l) {
        a[l] = sample(round * 64 + l);
        b[l] = sample(round * 131 + l * 7 % 64);
        c[l] = sample(round * 17 + 63 - l);
        old[l] = 0xabcd0123 + l;
      }
      setExec(exec);
      setVgpr(0, a);
      setVgpr(1, b);
      setVgpr(3, c);
      setVgpr(2, old);
      run(test.text);
      for (unsigned l = 0; l < kLanes; ++l) {
        bool active = exec >> l & 1;
        U want = active ? test.expected(a[l], b[l], c[l], old[l]) : old[l];
        ASSERT_EQ(vgpr(2)[l], want)
            << test.text << " lane " << l << std::hex << " of " << a[l] << ", "
            << b[l] << ", " << c[l];
      }
    }
  }
};

TEST_F(IntegerTest, AgreesWithPlainArithmetic) {
  for (const Case &test : cases)
    check(test, ~uint64_t(0));
}
TEST_F(IntegerTest, LeavesInactiveLanesAlone) {
  for (const Case &test : cases)
    check(test, 0x8000000180f0ff01);
}

TEST_F(IntegerTest, PermChoosesBytesAndSigns) {
  // Selectors 0-3 are the second source.
  EXPECT_EQ(
      eval("v_perm_b32 v2, v0, v1, v3", 0x44332211, 0x88776655, 0x07040300),
      0x44118855u);
  EXPECT_EQ(
      eval("v_perm_b32 v2, v0, v1, v3", 0x44332211, 0x88776655, 0x0d0c0908),
      0xff00ff00u);
  EXPECT_EQ(
      eval("v_perm_b32 v2, v0, v1, v3", 0x84332211, 0x08776655, 0xff0c0b0a),
      0xff00ff00u);
}

TEST_F(IntegerTest, CarriesGoToVccOrAPair) {
  Lanes a, b;
  for (unsigned l = 0; l < kLanes; ++l) {
    a[l] = l % 3 ? 0xffffffff : 5;
    b[l] = l % 2;
  }
  setVgpr(0, a);
  setVgpr(1, b);
  setVgpr(5, 0);
  run("v_add_co_u32 v2, vcc, v0, v1\n"
      "v_addc_co_u32 v3, vcc, v5, v5, vcc\n"
      "v_sub_co_u32 v6, s[10:11], v1, v0\n"
      "v_subb_co_u32 v7, s[12:13], v5, v5, s[10:11]\n");
  for (unsigned l = 0; l < kLanes; ++l) {
    uint64_t sum = uint64_t(a[l]) + b[l], difference = uint64_t(b[l]) - a[l];
    EXPECT_EQ(vgpr64(2, l), sum);
    EXPECT_EQ(vgpr64(6, l), difference);
    EXPECT_EQ(wave->sgpr64(10) >> l & 1, b[l] < a[l]);
    EXPECT_EQ(wave->sgpr64(12) >> l & 1, difference >> 63);
  }
  EXPECT_EQ(wave->vcc(), 0u);
}

TEST_F(IntegerTest, CarryOfInactiveLanesIsZero) {
  setVgpr(0, 0xffffffff);
  setVgpr(1, 1);
  setExec(0x0f);
  wave->setSgpr64(sreg::VCC, ~uint64_t(0));
  run("v_add_co_u32 v2, vcc, v0, v1");
  EXPECT_EQ(wave->vcc(), 0x0fu);
}

TEST_F(IntegerTest, SixtyFourBits) {
  for (unsigned k = 0; k < 40; ++k) {
    uint64_t a = uint64_t(sample(k)) << 32 | sample(k + 9);
    uint64_t c = uint64_t(sample(2 * k + 1)) << 32 | sample(k + 2);
    uint32_t s = sample(k + 3), t = sample(k + 5);
    setVgpr64(0, a);
    setVgpr64(2, c);
    setVgpr(4, s);
    setVgpr(5, t);
    run("v_lshlrev_b64 v[6:7], v4, v[0:1]\n"
        "v_lshrrev_b64 v[8:9], v4, v[0:1]\n"
        "v_ashrrev_i64 v[10:11], v4, v[0:1]\n"
        "v_lshl_add_u64 v[12:13], v[0:1], 3, v[2:3]\n"
        "v_mad_u64_u32 v[14:15], s[20:21], v4, v5, v[2:3]\n"
        "v_mad_i64_i32 v[16:17], s[22:23], v4, v5, v[2:3]\n"
        "v_mov_b64 v[18:19], v[0:1]\n");
    EXPECT_EQ(vgpr64(6, 7), a << (s % 64));
    EXPECT_EQ(vgpr64(8, 7), a >> (s % 64));
    EXPECT_EQ(vgpr64(10, 7), uint64_t(int64_t(a) >> (s % 64)));
    EXPECT_EQ(vgpr64(12, 7), (a << 3) + c);
    EXPECT_EQ(vgpr64(14, 7), uint64_t(s) * t + c);
    EXPECT_EQ(wave->sgpr64(20) & 1,
              uint64_t(((unsigned __int128)(uint64_t(s) * t) + c) >> 64));
    EXPECT_EQ(vgpr64(16, 7), uint64_t(int64_t(I(s)) * I(t)) + c);
    EXPECT_EQ(vgpr64(18, 7), a);
  }
}

TEST_F(IntegerTest, OverlappingPairs) {
  // The destination pair starts inside the source pair.
  setVgpr(0, 0x11111111);
  setVgpr(1, 0x80000000);
  setVgpr(2, 7);
  run("v_lshlrev_b64 v[0:1], 4, v[0:1]");
  EXPECT_EQ(vgpr64(0, 3), 0x80000000'11111111u << 4);
}

TEST_F(IntegerTest, CndmaskAndSwap) {
  setVgpr(0, 10);
  setVgpr(1, 20);
  wave->setSgpr64(sreg::VCC, 0x5);
  wave->setSgpr64(30, ~uint64_t(1));
  run("v_cndmask_b32 v2, v0, v1, vcc\n"
      "v_cndmask_b32 v3, v0, v1, s[30:31]\n"
      "v_cndmask_b32_e64 v4, -v0, |v1|, s[30:31]\n");
  EXPECT_EQ(vgpr(2)[0], 20u);
  EXPECT_EQ(vgpr(2)[1], 10u);
  EXPECT_EQ(vgpr(3)[0], 10u);
  EXPECT_EQ(vgpr(3)[63], 20u);
  EXPECT_EQ(vgpr(4)[0], 0x8000000au);
  setExec(2);
  run("v_swap_b32 v0, v1");
  EXPECT_EQ(vgpr(0)[0], 10u);
  EXPECT_EQ(vgpr(0)[1], 20u);
  EXPECT_EQ(vgpr(1)[1], 10u);
}

} // namespace
