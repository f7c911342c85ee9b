// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Single precision arithmetic of the vector ALU.

#include "VALU.h"
#include "VALUTables.h"
#include "rowmill/Emulator/NumericsMath.h"

namespace rowmill::emulator::ROWMILL_SIMD {
namespace {

float add(float a, float b) { return a + b; }
float sub(float a, float b) { return a - b; }
float subrev(float a, float b) { return b - a; }
float mul(float a, float b) { return a * b; }
float fma(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
float fmac(float a, float b, Old<float> c) {
  return __builtin_fmaf(a, b, c.value);
}
/// DX9: zero times anything is zero.
float mulLegacy(float a, float b) {
  return a == 0.0f || b == 0.0f ? 0.0f : a * b;
}

float minimum(const Mode &m, float a, float b) {
  return asFloat(minMax32<false>(asBits(a), asBits(b), m.ieee));
}
float maximum(const Mode &m, float a, float b) {
  return asFloat(minMax32<true>(asBits(a), asBits(b), m.ieee));
}
float min3(const Mode &m, float a, float b, float c) {
  return minimum(m, minimum(m, a, b), c);
}
float max3(const Mode &m, float a, float b, float c) {
  return maximum(m, maximum(m, a, b), c);
}
float med3(const Mode &m, float a, float b, float c) {
  return asFloat(med3F32(asBits(a), asBits(b), asBits(c), m.ieee));
}
/// IEEE 754-2019 minimum/maximum: a NaN wins, quietly.
template <bool Max>
uint32_t propagate(uint32_t a, uint32_t b) {
  uint32_t result = minMax32<Max>(a, b, false);
  result = isNaN32(b) ? b | 0x400000 : result;
  return isNaN32(a) ? a | 0x400000 : result;
}
float minimum3(float a, float b, float c) {
  return asFloat(
      propagate<false>(propagate<false>(asBits(a), asBits(b)), asBits(c)));
}
float maximum3(float a, float b, float c) {
  return asFloat(
      propagate<true>(propagate<true>(asBits(a), asBits(b)), asBits(c)));
}

float fract(float a) {
  float f = a - __builtin_floorf(a);
  // 1 - tiny would round to one.
  return f >= 1.0f ? asFloat(0x3f7fffff) : f;
}
float truncate(float a) { return __builtin_truncf(a); }
float ceiling(float a) { return __builtin_ceilf(a); }
float nearest(float a) { return __builtin_roundevenf(a); }
float floor(float a) { return __builtin_floorf(a); }

float rcp(float a) { return asFloat(rcpF32(asBits(a))); }
float rsq(float a) { return asFloat(rsqF32(asBits(a))); }
float sqrt(float a) { return asFloat(sqrtF32(asBits(a))); }
float exp(float a) { return asFloat(exp2F32(asBits(a))); }
float log(float a) { return asFloat(log2F32(asBits(a))); }
float sin(float a) { return asFloat(sinF32(asBits(a))); }
float cos(float a) { return asFloat(cosF32(asBits(a))); }

float ldexp(float a, int32_t e) { return ldexpF32(a, e); }
int32_t frexpExponent(float a) { return frexpExpF32(asBits(a)); }
float frexpMantissa(float a) { return asFloat(frexpMantF32(asBits(a))); }

WithCarry<float> divScale(float a, float b, float c) {
  bool post;
  uint32_t r = divScaleF32(asBits(a), asBits(b), asBits(c), post);
  return {asFloat(r), post};
}
float divFmas(float a, float b, float c, LaneMask vcc) {
  float quotient = __builtin_fmaf(a, b, c);
  float scaled = divFmasF32(a, b, c);
  return vcc.bits ? scaled : quotient;
}
float divFixup(float a, float b, float c) {
  return asFloat(divFixupF32(asBits(a), asBits(b), asBits(c)));
}

// The cube map functions look for the axis with the largest magnitude, z before
// y before x.
bool zLeads(float x, float y, float z) {
  return __builtin_fabsf(z) >= __builtin_fabsf(x) &&
         __builtin_fabsf(z) >= __builtin_fabsf(y);
}
bool yLeads(float x, float y) {
  return __builtin_fabsf(y) >= __builtin_fabsf(x);
}
float cubeFace(float x, float y, float z) {
  float major = zLeads(x, y, z) ? z : yLeads(x, y) ? y : x;
  float face = zLeads(x, y, z) ? 4.0f : yLeads(x, y) ? 2.0f : 0.0f;
  return face + (major < 0.0f ? 1.0f : 0.0f);
}
float cubeS(float x, float y, float z) {
  float ofX = x < 0.0f ? z : -z;
  return zLeads(x, y, z) ? (z < 0.0f ? -x : x) : yLeads(x, y) ? x : ofX;
}
float cubeT(float x, float y, float z) {
  float ofY = y < 0.0f ? -z : z;
  return zLeads(x, y, z) ? -y : yLeads(x, y) ? ofY : -y;
}
float cubeMajor(float x, float y, float z) {
  return 2.0f * (zLeads(x, y, z) ? z : yLeads(x, y) ? y : x);
}

constexpr InstructionClass VALU = InstructionClass::VALU;
constexpr InstructionClass Trans = InstructionClass::Transcendental;

const InstructionEntry entries[] = {
    {"v_add_f32", lanes<add>, VALU},
    {"v_sub_f32", lanes<sub>, VALU},
    {"v_subrev_f32", lanes<subrev>, VALU},
    {"v_mul_f32", lanes<mul>, VALU},
    {"v_mul_legacy_f32", lanes<mulLegacy>, VALU},
    {"v_fma_f32", lanes<fma>, VALU},
    {"v_fmac_f32", lanes<fmac>, VALU},
    {"v_fmaak_f32", lanes<fma>, VALU},
    {"v_fmamk_f32", lanes<fma>, VALU},
    {"v_min_f32", lanes<minimum>, VALU},
    {"v_max_f32", lanes<maximum>, VALU},
    {"v_min3_f32", lanes<min3>, VALU},
    {"v_max3_f32", lanes<max3>, VALU},
    {"v_med3_f32", lanes<med3>, VALU},
    {"v_minimum3_f32", lanes<minimum3>, VALU},
    {"v_maximum3_f32", lanes<maximum3>, VALU},
    {"v_fract_f32", lanes<fract>, VALU},
    {"v_trunc_f32", lanes<truncate>, VALU},
    {"v_ceil_f32", lanes<ceiling>, VALU},
    {"v_rndne_f32", lanes<nearest>, VALU},
    {"v_floor_f32", lanes<floor>, VALU},
    {"v_rcp_f32", lanes<rcp>, Trans},
    {"v_rcp_iflag_f32", lanes<rcp>, Trans},
    {"v_rsq_f32", lanes<rsq>, Trans},
    {"v_sqrt_f32", lanes<sqrt>, Trans},
    {"v_exp_f32", lanes<exp>, Trans},
    {"v_exp_legacy_f32", lanes<exp>, Trans},
    {"v_log_f32", lanes<log>, Trans},
    {"v_log_legacy_f32", lanes<log>, Trans},
    {"v_sin_f32", lanes<sin>, Trans},
    {"v_cos_f32", lanes<cos>, Trans},
    {"v_ldexp_f32", lanes<ldexp>, VALU},
    {"v_frexp_exp_i32_f32", lanes<frexpExponent>, VALU},
    {"v_frexp_mant_f32", lanes<frexpMantissa>, VALU},
    {"v_div_scale_f32", lanes<divScale>, VALU},
    {"v_div_fmas_f32", lanes<divFmas>, VALU},
    {"v_div_fixup_f32", lanes<divFixup>, VALU},
    {"v_cubeid_f32", lanes<cubeFace>, VALU},
    {"v_cubesc_f32", lanes<cubeS>, VALU},
    {"v_cubetc_f32", lanes<cubeT>, VALU},
    {"v_cubema_f32", lanes<cubeMajor>, VALU},
};

} // namespace

const InstructionList float32List = {entries,
                                     sizeof(entries) / sizeof(entries[0])};

} // namespace rowmill::emulator::ROWMILL_SIMD
