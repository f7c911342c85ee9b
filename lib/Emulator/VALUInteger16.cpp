// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// 16-bit integer arithmetic of the vector ALU.

#include "VALU.h"
#include "VALUTables.h"

namespace rowmill::emulator::ROWMILL_SIMD {
namespace {

using U = uint16_t;
using I = int16_t;

U saturateU(int32_t v) { return U(v < 0 ? 0 : v > 0xffff ? 0xffff : v); }
I saturateI(int32_t v) {
  return I(v < -0x8000 ? -0x8000 : v > 0x7fff ? 0x7fff : v);
}

U add(U a, U b) { return U(a + b); }
U addSat(U a, U b) { return saturateU(a + b); }
U sub(U a, U b) { return U(a - b); }
U subSat(U a, U b) { return saturateU(a - b); }
U subrev(U a, U b) { return U(b - a); }
U subrevSat(U a, U b) { return saturateU(b - a); }
I addISat(I a, I b) { return saturateI(a + b); }
I subISat(I a, I b) { return saturateI(a - b); }
U mulLo(U a, U b) { return U(uint32_t(a) * b); }
U mad(U a, U b, U c) { return U(uint32_t(a) * b + c); }
U madSat(U a, U b, U c) {
  uint32_t product = uint32_t(a) * b;
  uint64_t r = uint64_t(product) + c;
  return U(r > 0xffff ? 0xffff : r);
}
I madISat(I a, I b, I c) {
  int64_t r = int64_t(a) * b + c;
  return I(r < -0x8000 ? -0x8000 : r > 0x7fff ? 0x7fff : r);
}
U lshlrev(U a, U b) { return U(uint32_t(b) << (a & 15)); }
U lshrrev(U a, U b) { return U(b >> (a & 15)); }
I ashrrev(U a, I b) { return I(b >> (a & 15)); }

template <typename T>
T least(T a, T b) {
  return a < b ? a : b;
}
template <typename T>
T most(T a, T b) {
  return a > b ? a : b;
}
template <typename T>
T least3(T a, T b, T c) {
  return least(least(a, b), c);
}
template <typename T>
T most3(T a, T b, T c) {
  return most(most(a, b), c);
}
template <typename T>
T median(T a, T b, T c) {
  return most(least(a, b), least(most(a, b), c));
}

constexpr InstructionClass VALU = InstructionClass::VALU;
constexpr Upper Keep = Upper::Keep;

const InstructionEntry entries[] = {
    {"v_add_u16", lanesClamped<add, addSat>, VALU},
    {"v_sub_u16", lanesClamped<sub, subSat>, VALU},
    {"v_subrev_u16", lanesClamped<subrev, subrevSat>, VALU},
    {"v_add_i16", lanesClamped<add, addISat, Keep>, VALU},
    {"v_sub_i16", lanesClamped<sub, subISat, Keep>, VALU},
    {"v_mul_lo_u16", lanes<mulLo>, VALU},
    {"v_mad_u16", lanesClamped<mad, madSat, Keep>, VALU},
    {"v_mad_i16", lanesClamped<mad, madISat, Keep>, VALU},
    {"v_mad_legacy_u16", lanesClamped<mad, madSat>, VALU},
    {"v_mad_legacy_i16", lanesClamped<mad, madISat>, VALU},
    {"v_lshlrev_b16", lanes<lshlrev>, VALU},
    {"v_lshrrev_b16", lanes<lshrrev>, VALU},
    {"v_ashrrev_i16", lanes<ashrrev>, VALU},
    {"v_min_u16", lanes<least<U>>, VALU},
    {"v_min_i16", lanes<least<I>>, VALU},
    {"v_max_u16", lanes<most<U>>, VALU},
    {"v_max_i16", lanes<most<I>>, VALU},
    {"v_min3_u16", lanes<least3<U>, Keep>, VALU},
    {"v_min3_i16", lanes<least3<I>, Keep>, VALU},
    {"v_max3_u16", lanes<most3<U>, Keep>, VALU},
    {"v_max3_i16", lanes<most3<I>, Keep>, VALU},
    {"v_med3_u16", lanes<median<U>, Keep>, VALU},
    {"v_med3_i16", lanes<median<I>, Keep>, VALU},
};

} // namespace

const InstructionList integer16List = {entries,
                                       sizeof(entries) / sizeof(entries[0])};

} // namespace rowmill::emulator::ROWMILL_SIMD
