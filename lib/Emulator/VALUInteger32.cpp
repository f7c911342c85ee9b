// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// 32-bit integer arithmetic of the vector ALU, carries included.

#include "VALU.h"
#include "VALUTables.h"

namespace rowmill::emulator::ROWMILL_SIMD {
namespace {

using U = uint32_t;
using I = int32_t;

U addU(U a, U b) { return a + b; }
U subU(U a, U b) { return a - b; }
U subrevU(U a, U b) { return b - a; }
U addSaturating(U a, U b) {
  U sum = a + b;
  return sum < a ? UINT32_MAX : sum;
}
U subSaturating(U a, U b) { return a < b ? 0 : a - b; }
U subrevSaturating(U a, U b) { return subSaturating(b, a); }

U signedSaturate(int64_t v) {
  return v > INT32_MAX ? U(INT32_MAX) : v < INT32_MIN ? U(INT32_MIN) : U(v);
}
U addSignedSaturating(U a, U b) { return signedSaturate(int64_t(I(a)) + I(b)); }
U subSignedSaturating(U a, U b) { return signedSaturate(int64_t(I(a)) - I(b)); }

WithCarry<U> addCo(U a, U b) {
  U sum = a + b;
  return {sum, sum < a};
}
WithCarry<U> subCo(U a, U b) { return {a - b, a < b}; }
WithCarry<U> subrevCo(U a, U b) { return subCo(b, a); }
WithCarry<U> addcCo(U a, U b, LaneMask carry) {
  uint64_t sum = uint64_t(a) + b + (carry.bits & 1);
  return {U(sum), sum >> 32 != 0};
}
WithCarry<U> subbCo(U a, U b, LaneMask carry) {
  uint64_t difference = uint64_t(a) - b - (carry.bits & 1);
  return {U(difference), difference >> 63 != 0};
}
WithCarry<U> subbrevCo(U a, U b, LaneMask carry) { return subbCo(b, a, carry); }

U mulLo(U a, U b) { return a * b; }
U mulHiU(U a, U b) { return U((uint64_t(a) * b) >> 32); }
U mulHiI(I a, I b) { return U(uint64_t(int64_t(a) * b) >> 32); }
I low24(I a) { return I(U(a) << 8) >> 8; }
U mulI24(I a, I b) { return U(low24(a)) * U(low24(b)); }
U mulHiI24(I a, I b) { return U(uint64_t(int64_t(low24(a)) * low24(b)) >> 32); }
U mulU24(U a, U b) { return (a & 0xffffff) * (b & 0xffffff); }
U mulHiU24(U a, U b) {
  return U((uint64_t(a & 0xffffff) * (b & 0xffffff)) >> 32);
}
U madI24(I a, I b, U c) { return mulI24(a, b) + c; }
U madU24(U a, U b, U c) { return mulU24(a, b) + c; }
U madI24Saturating(I a, I b, I c) {
  return signedSaturate(int64_t(low24(a)) * low24(b) + c);
}
U madU24Saturating(U a, U b, U c) {
  uint64_t r = uint64_t(a & 0xffffff) * (b & 0xffffff) + c;
  return r > UINT32_MAX ? UINT32_MAX : U(r);
}
U madU16(uint16_t a, uint16_t b, U c) { return U(a) * U(b) + c; }
U madI16(int16_t a, int16_t b, U c) { return U(I(a) * I(b)) + c; }

I minI(I a, I b) { return a < b ? a : b; }
I maxI(I a, I b) { return a > b ? a : b; }
U minU(U a, U b) { return a < b ? a : b; }
U maxU(U a, U b) { return a > b ? a : b; }
I min3I(I a, I b, I c) { return minI(minI(a, b), c); }
I max3I(I a, I b, I c) { return maxI(maxI(a, b), c); }
U min3U(U a, U b, U c) { return minU(minU(a, b), c); }
U max3U(U a, U b, U c) { return maxU(maxU(a, b), c); }
I med3I(I a, I b, I c) { return maxI(minI(a, b), minI(maxI(a, b), c)); }
U med3U(U a, U b, U c) { return maxU(minU(a, b), minU(maxU(a, b), c)); }

U add3(U a, U b, U c) { return a + b + c; }
U xad(U a, U b, U c) { return (a ^ b) + c; }
U lshlAdd(U a, U b, U c) { return (a << (b & 31)) + c; }
U addLshl(U a, U b, U c) { return (a + b) << (c & 31); }

U absDiff(U a, U b) { return a > b ? a - b : b - a; }
U byteOf(U v, unsigned n) { return (v >> (8 * n)) & 0xff; }
U sadU8(U a, U b, U c) {
  for (unsigned n = 0; n < 4; ++n)
    c += absDiff(byteOf(a, n), byteOf(b, n));
  return c;
}
U sadHiU8(U a, U b, U c) { return (sadU8(a, b, 0) << 16) + c; }
/// Bytes of the reference that are zero do not count.
U msadU8(U a, U b, U c) {
  for (unsigned n = 0; n < 4; ++n)
    c += byteOf(b, n) ? absDiff(byteOf(a, n), byteOf(b, n)) : 0;
  return c;
}
U sadU16(U a, U b, U c) {
  return c + absDiff(a & 0xffff, b & 0xffff) + absDiff(a >> 16, b >> 16);
}
U sadU32(U a, U b, U c) { return c + absDiff(a, b); }
U lerpU8(U a, U b, U c) {
  U r = 0;
  for (unsigned n = 0; n < 4; ++n)
    r |= ((byteOf(a, n) + byteOf(b, n) + (byteOf(c, n) & 1)) >> 1) << (8 * n);
  return r;
}

constexpr InstructionClass VALU = InstructionClass::VALU;

const InstructionEntry entries[] = {
    {"v_add_u32", lanesClamped<addU, addSaturating>, VALU},
    {"v_sub_u32", lanesClamped<subU, subSaturating>, VALU},
    {"v_subrev_u32", lanesClamped<subrevU, subrevSaturating>, VALU},
    {"v_add_i32", lanesClamped<addU, addSignedSaturating>, VALU},
    {"v_sub_i32", lanesClamped<subU, subSignedSaturating>, VALU},
    {"v_add_co_u32", lanes<addCo>, VALU},
    {"v_sub_co_u32", lanes<subCo>, VALU},
    {"v_subrev_co_u32", lanes<subrevCo>, VALU},
    {"v_addc_co_u32", lanes<addcCo>, VALU},
    {"v_subb_co_u32", lanes<subbCo>, VALU},
    {"v_subbrev_co_u32", lanes<subbrevCo>, VALU},
    {"v_mul_lo_u32", lanes<mulLo>, VALU},
    {"v_mul_hi_u32", lanes<mulHiU>, VALU},
    {"v_mul_hi_i32", lanes<mulHiI>, VALU},
    {"v_mul_i32_i24", lanes<mulI24>, VALU},
    {"v_mul_hi_i32_i24", lanes<mulHiI24>, VALU},
    {"v_mul_u32_u24", lanes<mulU24>, VALU},
    {"v_mul_hi_u32_u24", lanes<mulHiU24>, VALU},
    {"v_mad_i32_i24", lanesClamped<madI24, madI24Saturating>, VALU},
    {"v_mad_u32_u24", lanesClamped<madU24, madU24Saturating>, VALU},
    {"v_mad_u32_u16", lanes<madU16>, VALU},
    {"v_mad_i32_i16", lanes<madI16>, VALU},
    {"v_min_i32", lanes<minI>, VALU},
    {"v_max_i32", lanes<maxI>, VALU},
    {"v_min_u32", lanes<minU>, VALU},
    {"v_max_u32", lanes<maxU>, VALU},
    {"v_min3_i32", lanes<min3I>, VALU},
    {"v_max3_i32", lanes<max3I>, VALU},
    {"v_min3_u32", lanes<min3U>, VALU},
    {"v_max3_u32", lanes<max3U>, VALU},
    {"v_med3_i32", lanes<med3I>, VALU},
    {"v_med3_u32", lanes<med3U>, VALU},
    {"v_add3_u32", lanes<add3>, VALU},
    {"v_xad_u32", lanes<xad>, VALU},
    {"v_lshl_add_u32", lanes<lshlAdd>, VALU},
    {"v_add_lshl_u32", lanes<addLshl>, VALU},
    {"v_sad_u8", lanes<sadU8>, VALU},
    {"v_sad_hi_u8", lanes<sadHiU8>, VALU},
    {"v_msad_u8", lanes<msadU8>, VALU},
    {"v_sad_u16", lanes<sadU16>, VALU},
    {"v_sad_u32", lanes<sadU32>, VALU},
    {"v_lerp_u8", lanes<lerpU8>, VALU},
};

} // namespace

const InstructionList integer32List = {entries,
                                       sizeof(entries) / sizeof(entries[0])};

} // namespace rowmill::emulator::ROWMILL_SIMD
