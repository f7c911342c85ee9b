// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Half precision arithmetic of the vector ALU.

#include "VALU.h"
#include "VALUTables.h"
#include "rowmill/Emulator/NumericsMath.h"

namespace rowmill::emulator::ROWMILL_SIMD {
namespace {

using H = HalfValue;

H add(H a, H b) { return {addOdd(a.value, b.value)}; }
H sub(H a, H b) { return {addOdd(a.value, -b.value)}; }
H subrev(H a, H b) { return {addOdd(b.value, -a.value)}; }
// 22 bits of product are exact in f32.
H mul(H a, H b) { return {a.value * b.value}; }
H fma(H a, H b, H c) { return {addOdd(a.value * b.value, c.value)}; }

/// v_mad/v_mac round after the product.
H mad(H a, H b, H c) {
  uint32_t product = encodeNearest<F16>(asBits(a.value * b.value));
  return {addOdd(asFloat(decode<F16>(product)), c.value)};
}
H mac(H a, H b, Old<H> c) { return mad(a, b, c.value); }

/// Codes compare like f32 ones, so the f32 rules serve.
uint32_t widen(Half h) { return decode<F16>(h.bits); }
bool signalling(Half h) {
  return (h.bits & 0x7fff) > 0x7c00 && !(h.bits & 0x200);
}
template <bool Max>
Half minMax(const Mode &m, Half a, Half b) {
  // Widening makes NaNs quiet, so IEEE mode is looked at here.
  uint32_t wide = minMax32<Max>(widen(a), widen(b), false);
  Half r = {uint16_t(encodeNearest<F16>(wide))};
  r = m.ieee && signalling(b) ? Half{uint16_t(b.bits | 0x200)} : r;
  return m.ieee && signalling(a) ? Half{uint16_t(a.bits | 0x200)} : r;
}
Half minimum(const Mode &m, Half a, Half b) { return minMax<false>(m, a, b); }
Half maximum(const Mode &m, Half a, Half b) { return minMax<true>(m, a, b); }
Half min3(const Mode &m, Half a, Half b, Half c) {
  return minimum(m, minimum(m, a, b), c);
}
Half max3(const Mode &m, Half a, Half b, Half c) {
  return maximum(m, maximum(m, a, b), c);
}
Half med3(const Mode &m, Half a, Half b, Half c) {
  bool anySignalling = signalling(a) || signalling(b) || signalling(c);
  Half least = min3(m, a, b, c);
  uint32_t median = med3F32(widen(a), widen(b), widen(c), false);
  return m.ieee && anySignalling ? least
                                 : Half{uint16_t(encodeNearest<F16>(median))};
}

H fract(H a) {
  float f = a.value - __builtin_floorf(a.value);
  constexpr float belowOne = 0x1.ffcp-1f; // the largest f16 below one
  return {f > belowOne ? belowOne : f};
}
H truncate(H a) { return {__builtin_truncf(a.value)}; }
H ceiling(H a) { return {__builtin_ceilf(a.value)}; }
H nearest(H a) { return {__builtin_roundevenf(a.value)}; }
H floor(H a) { return {__builtin_floorf(a.value)}; }

H rcp(H a) { return {asFloat(narrowToOdd(1.0 / double(a.value)))}; }
H sqrt(H a) { return {asFloat(narrowToOdd(__builtin_sqrt(double(a.value))))}; }
H rsq(H a) {
  return {asFloat(narrowToOdd(1.0 / __builtin_sqrt(double(a.value))))};
}
H exp(H a) { return {asFloat(narrowToOdd(exp2Wide(a.value)))}; }
H log(H a) { return {asFloat(narrowToOdd(log2Wide(a.value)))}; }
H sin(H a) { return {asFloat(narrowToOdd(sinWide(a.value)))}; }
H cos(H a) { return {asFloat(narrowToOdd(cosWide(a.value)))}; }

/// f32 holds every f16 scaled by up to 2^64, and beyond that f16 has over- or
/// underflowed.
H ldexp(H a, int16_t e) {
  int32_t clamped = e > 64 ? 64 : e < -64 ? -64 : e;
  return {ldexpF32(a.value, clamped)};
}
uint16_t frexpExponent(H a) { return uint16_t(frexpExpF32(asBits(a.value))); }
H frexpMantissa(H a) { return {asFloat(frexpMantF32(asBits(a.value)))}; }

Half divFixup(Half a, Half b, Half c) {
  return {divFixupF16(a.bits, b.bits, c.bits)};
}

/// v_fma_mix: each operand is an f32, or one half of a register as f16. The
/// uniform holds for each source: bit 0 f16, bit 1 its upper half, bit 2 abs,
/// bit 3 neg.
float mixOperand(uint32_t bits, uint32_t how) {
  uint32_t half = decode<F16>((how & 2 ? bits >> 16 : bits) & 0xffff);
  uint32_t value = how & 1 ? half : bits;
  value = how & 4 ? value & 0x7fffffff : value;
  return asFloat(how & 8 ? value ^ 0x80000000 : value);
}
float mixF32(uint32_t a, uint32_t b, uint32_t c, Uniform u) {
  return __builtin_fmaf(mixOperand(a, u.value), mixOperand(b, u.value >> 4),
                        mixOperand(c, u.value >> 8));
}
/// The f16 forms round the f32 result once more.
uint32_t mixLow(uint32_t a, uint32_t b, uint32_t c, Uniform u,
                Old<uint32_t> old) {
  uint32_t h = encodeNearest<F16>(asBits(mixF32(a, b, c, u)));
  return (old.value & 0xffff0000) | h;
}
uint32_t mixHigh(uint32_t a, uint32_t b, uint32_t c, Uniform u,
                 Old<uint32_t> old) {
  uint32_t h = encodeNearest<F16>(asBits(mixF32(a, b, c, u)));
  return (old.value & 0xffff) | h << 16;
}
/// The format's neg_hi means abs here, op_sel_hi chooses f16.
void describeMix(Instruction &i) {
  i.imm[3] = 0;
  for (unsigned k = 0; k < 3; ++k) {
    uint8_t m = i.src[k].mods;
    uint32_t how = (m & mod::OpSelHi ? 1 : 0) | (m & mod::OpSel ? 2 : 0) |
                   (m & mod::Abs ? 4 : 0) | (m & mod::Neg ? 8 : 0);
    i.imm[3] |= int32_t(how << (4 * k));
    i.src[k].mods = 0;
  }
}

constexpr InstructionClass VALU = InstructionClass::VALU;
constexpr InstructionClass Trans = InstructionClass::Transcendental;

const InstructionEntry entries[] = {
    {"v_add_f16", lanes<add>, VALU},
    {"v_sub_f16", lanes<sub>, VALU},
    {"v_subrev_f16", lanes<subrev>, VALU},
    {"v_mul_f16", lanes<mul>, VALU},
    {"v_fma_f16", lanes<fma, Upper::Keep>, VALU},
    {"v_fma_legacy_f16", lanes<fma>, VALU},
    {"v_mad_f16", lanes<mad, Upper::Keep>, VALU},
    {"v_mad_legacy_f16", lanes<mad>, VALU},
    {"v_mac_f16", lanes<mac>, VALU},
    {"v_madak_f16", lanes<mad>, VALU},
    {"v_madmk_f16", lanes<mad>, VALU},
    {"v_min_f16", lanes<minimum>, VALU},
    {"v_max_f16", lanes<maximum>, VALU},
    {"v_min3_f16", lanes<min3, Upper::Keep>, VALU},
    {"v_max3_f16", lanes<max3, Upper::Keep>, VALU},
    {"v_med3_f16", lanes<med3, Upper::Keep>, VALU},
    {"v_fract_f16", lanes<fract>, VALU},
    {"v_trunc_f16", lanes<truncate>, VALU},
    {"v_ceil_f16", lanes<ceiling>, VALU},
    {"v_rndne_f16", lanes<nearest>, VALU},
    {"v_floor_f16", lanes<floor>, VALU},
    {"v_rcp_f16", lanes<rcp>, Trans},
    {"v_rsq_f16", lanes<rsq>, Trans},
    {"v_sqrt_f16", lanes<sqrt>, Trans},
    {"v_exp_f16", lanes<exp>, Trans},
    {"v_log_f16", lanes<log>, Trans},
    {"v_sin_f16", lanes<sin>, Trans},
    {"v_cos_f16", lanes<cos>, Trans},
    {"v_ldexp_f16", lanes<ldexp>, VALU},
    {"v_frexp_exp_i16_f16", lanes<frexpExponent>, VALU},
    {"v_frexp_mant_f16", lanes<frexpMantissa>, VALU},
    {"v_div_fixup_f16", lanes<divFixup, Upper::Keep>, VALU},
    {"v_div_fixup_legacy_f16", lanes<divFixup>, VALU},
    {"v_fma_mix_f32", lanesPrepared<mixF32, describeMix>, VALU},
    {"v_fma_mixlo_f16", lanesPrepared<mixLow, describeMix>, VALU},
    {"v_fma_mixhi_f16", lanesPrepared<mixHigh, describeMix>, VALU},
};

} // namespace

const InstructionList float16List = {entries,
                                     sizeof(entries) / sizeof(entries[0])};

} // namespace rowmill::emulator::ROWMILL_SIMD
