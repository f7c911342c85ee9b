// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Double precision arithmetic of the vector ALU.

#include "VALU.h"
#include "VALUTables.h"
#include "rowmill/Emulator/NumericsMath.h"

namespace rowmill::emulator::ROWMILL_SIMD {
namespace {

double add(double a, double b) { return a + b; }
double mul(double a, double b) { return a * b; }
double fma(double a, double b, double c) { return __builtin_fma(a, b, c); }
double fmac(double a, double b, Old<double> c) {
  return __builtin_fma(a, b, c.value);
}

bool isNaN(double v) { return v != v; }
bool isSignalling(double v) {
  return v != v && !(asBits(v) & 0x0008000000000000);
}
double quiet(double v) { return asDouble(asBits(v) | 0x0008000000000000); }
int64_t orderKey(double v) {
  uint64_t bits = asBits(v);
  return int64_t(bits ^ (uint64_t(int64_t(bits) >> 63) >> 1));
}
template <bool Max>
double minMax(const Mode &m, double a, double b) {
  double r = (orderKey(a) < orderKey(b)) != Max ? a : b;
  r = isNaN(b) ? a : r;
  r = isNaN(a) ? b : r;
  r = m.ieee && isSignalling(b) ? quiet(b) : r;
  return m.ieee && isSignalling(a) ? quiet(a) : r;
}
double minimum(const Mode &m, double a, double b) {
  return minMax<false>(m, a, b);
}
double maximum(const Mode &m, double a, double b) {
  return minMax<true>(m, a, b);
}

double fract(double a) {
  double f = a - __builtin_floor(a);
  return f >= 1.0 ? asDouble(0x3fefffffffffffff) : f;
}
double truncate(double a) { return __builtin_trunc(a); }
double ceiling(double a) { return __builtin_ceil(a); }
double nearest(double a) { return __builtin_roundeven(a); }
double floor(double a) { return __builtin_floor(a); }

// The hardware's are good to 2^29 ulp only; code that refines them converges
// from the exact value as well.
double rcp(double a) { return 1.0 / a; }
double rsq(double a) { return 1.0 / __builtin_sqrt(a); }
double sqrt(double a) { return __builtin_sqrt(a); }

double ldexp(double a, int32_t e) { return ldexpF64(a, e); }
int32_t frexpExponent(double a) { return frexpExpF64(a); }
double frexpMantissa(double a) { return frexpMantF64(a); }

WithCarry<double> divScale(double a, double b, double c) {
  bool post;
  double r = divScaleF64(a, b, c, post);
  return {r, post};
}
double divFmas(double a, double b, double c, LaneMask vcc) {
  double quotient = __builtin_fma(a, b, c);
  return vcc.bits ? divFmasF64(a, b, c) : quotient;
}
double trigPreop(double a, uint32_t segment) {
  return trigPreopF64(a, segment);
}
double divFixup(double a, double b, double c) { return divFixupF64(a, b, c); }

constexpr InstructionClass VALU = InstructionClass::VALU;
constexpr InstructionClass Trans = InstructionClass::Transcendental;

const InstructionEntry entries[] = {
    {"v_add_f64", lanes<add>, VALU},
    {"v_mul_f64", lanes<mul>, VALU},
    {"v_fma_f64", lanes<fma>, VALU},
    {"v_fmac_f64", lanes<fmac>, VALU},
    {"v_min_f64", lanes<minimum>, VALU},
    {"v_max_f64", lanes<maximum>, VALU},
    {"v_fract_f64", lanes<fract>, VALU},
    {"v_trunc_f64", lanes<truncate>, VALU},
    {"v_ceil_f64", lanes<ceiling>, VALU},
    {"v_rndne_f64", lanes<nearest>, VALU},
    {"v_floor_f64", lanes<floor>, VALU},
    {"v_rcp_f64", lanes<rcp>, Trans},
    {"v_rsq_f64", lanes<rsq>, Trans},
    {"v_sqrt_f64", lanes<sqrt>, Trans},
    {"v_ldexp_f64", lanes<ldexp>, VALU},
    {"v_frexp_exp_i32_f64", lanes<frexpExponent>, VALU},
    {"v_frexp_mant_f64", lanes<frexpMantissa>, VALU},
    {"v_div_scale_f64", lanes<divScale>, VALU},
    {"v_div_fmas_f64", lanes<divFmas>, VALU},
    {"v_trig_preop_f64", lanes<trigPreop>, VALU},
    {"v_div_fixup_f64", lanes<divFixup>, VALU},
};

} // namespace

const InstructionList float64List = {entries,
                                     sizeof(entries) / sizeof(entries[0])};

} // namespace rowmill::emulator::ROWMILL_SIMD
