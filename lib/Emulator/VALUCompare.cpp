// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// v_cmp and v_cmpx: one bit a lane into VCC, a scalar pair, EXEC.

#include "VALU.h"
#include "VALUTables.h"

namespace rowmill::emulator::ROWMILL_SIMD {
namespace {

/// An f16 operand compares as the f32 of its value.
template <typename T>
ROWMILL_INLINE T comparable(T v) {
  return v;
}
ROWMILL_INLINE float comparable(HalfValue v) { return v.value; }

template <typename T>
bool never(T, T) {
  return false;
}
template <typename T>
bool always(T, T) {
  return true;
}
template <typename T>
bool lt(T a, T b) {
  return comparable(a) < comparable(b);
}
template <typename T>
bool eq(T a, T b) {
  return comparable(a) == comparable(b);
}
template <typename T>
bool le(T a, T b) {
  return comparable(a) <= comparable(b);
}
template <typename T>
bool gt(T a, T b) {
  return comparable(a) > comparable(b);
}
template <typename T>
bool ge(T a, T b) {
  return comparable(a) >= comparable(b);
}
template <typename T>
bool ne(T a, T b) {
  return comparable(a) != comparable(b);
}
/// Less or greater: false for NaNs, unlike ne.
template <typename T>
bool lg(T a, T b) {
  return comparable(a) < comparable(b) || comparable(a) > comparable(b);
}
template <typename T>
bool ordered(T a, T b) {
  return comparable(a) == comparable(a) && comparable(b) == comparable(b);
}
template <typename T>
bool unordered(T a, T b) {
  return !ordered(a, b);
}
template <typename T>
bool nge(T a, T b) {
  return !ge(a, b);
}
template <typename T>
bool nlg(T a, T b) {
  return !lg(a, b);
}
template <typename T>
bool ngt(T a, T b) {
  return !gt(a, b);
}
template <typename T>
bool nle(T a, T b) {
  return !le(a, b);
}
template <typename T>
bool nlt(T a, T b) {
  return !lt(a, b);
}

/// The bit of the class mask that a value belongs to, given its fields.
ROWMILL_INLINE bool inClass(bool negative, bool topExponent, bool zeroExponent,
                            bool mantissa, bool quietBit, uint32_t mask) {
  uint32_t number = topExponent     ? (negative ? 2 : 9)
                    : !zeroExponent ? (negative ? 3 : 8)
                    : mantissa      ? (negative ? 4 : 7)
                                    : (negative ? 5 : 6);
  uint32_t index = topExponent && mantissa ? (quietBit ? 1 : 0) : number;
  return (mask >> index) & 1;
}
bool class32(Bits32 a, uint32_t mask) {
  uint32_t exponent = a.bits & 0x7f800000;
  return inClass(a.bits >> 31, exponent == 0x7f800000, exponent == 0,
                 a.bits & 0x7fffff, a.bits & 0x400000, mask);
}
bool class16(Half a, uint32_t mask) {
  uint32_t exponent = a.bits & 0x7c00;
  return inClass(a.bits >> 15, exponent == 0x7c00, exponent == 0,
                 a.bits & 0x3ff, a.bits & 0x200, mask);
}
bool class64(double a, uint32_t mask) {
  uint64_t bits = asBits(a), exponent = bits & 0x7ff0000000000000;
  return inClass(bits >> 63, exponent == 0x7ff0000000000000, exponent == 0,
                 bits & 0x000fffffffffffff, bits & 0x0008000000000000, mask);
}

constexpr InstructionClass VALU = InstructionClass::VALU;

const InstructionEntry entries[] = {
    {"v_cmp_f_f16", comparison<never<HalfValue>, false>, VALU},
    {"v_cmp_lt_f16", comparison<lt<HalfValue>, false>, VALU},
    {"v_cmp_eq_f16", comparison<eq<HalfValue>, false>, VALU},
    {"v_cmp_le_f16", comparison<le<HalfValue>, false>, VALU},
    {"v_cmp_gt_f16", comparison<gt<HalfValue>, false>, VALU},
    {"v_cmp_lg_f16", comparison<lg<HalfValue>, false>, VALU},
    {"v_cmp_ge_f16", comparison<ge<HalfValue>, false>, VALU},
    {"v_cmp_o_f16", comparison<ordered<HalfValue>, false>, VALU},
    {"v_cmp_u_f16", comparison<unordered<HalfValue>, false>, VALU},
    {"v_cmp_nge_f16", comparison<nge<HalfValue>, false>, VALU},
    {"v_cmp_nlg_f16", comparison<nlg<HalfValue>, false>, VALU},
    {"v_cmp_ngt_f16", comparison<ngt<HalfValue>, false>, VALU},
    {"v_cmp_nle_f16", comparison<nle<HalfValue>, false>, VALU},
    {"v_cmp_neq_f16", comparison<ne<HalfValue>, false>, VALU},
    {"v_cmp_nlt_f16", comparison<nlt<HalfValue>, false>, VALU},
    {"v_cmp_tru_f16", comparison<always<HalfValue>, false>, VALU},
    {"v_cmp_f_f32", comparison<never<float>, false>, VALU},
    {"v_cmp_lt_f32", comparison<lt<float>, false>, VALU},
    {"v_cmp_eq_f32", comparison<eq<float>, false>, VALU},
    {"v_cmp_le_f32", comparison<le<float>, false>, VALU},
    {"v_cmp_gt_f32", comparison<gt<float>, false>, VALU},
    {"v_cmp_lg_f32", comparison<lg<float>, false>, VALU},
    {"v_cmp_ge_f32", comparison<ge<float>, false>, VALU},
    {"v_cmp_o_f32", comparison<ordered<float>, false>, VALU},
    {"v_cmp_u_f32", comparison<unordered<float>, false>, VALU},
    {"v_cmp_nge_f32", comparison<nge<float>, false>, VALU},
    {"v_cmp_nlg_f32", comparison<nlg<float>, false>, VALU},
    {"v_cmp_ngt_f32", comparison<ngt<float>, false>, VALU},
    {"v_cmp_nle_f32", comparison<nle<float>, false>, VALU},
    {"v_cmp_neq_f32", comparison<ne<float>, false>, VALU},
    {"v_cmp_nlt_f32", comparison<nlt<float>, false>, VALU},
    {"v_cmp_tru_f32", comparison<always<float>, false>, VALU},
    {"v_cmp_f_f64", comparison<never<double>, false>, VALU},
    {"v_cmp_lt_f64", comparison<lt<double>, false>, VALU},
    {"v_cmp_eq_f64", comparison<eq<double>, false>, VALU},
    {"v_cmp_le_f64", comparison<le<double>, false>, VALU},
    {"v_cmp_gt_f64", comparison<gt<double>, false>, VALU},
    {"v_cmp_lg_f64", comparison<lg<double>, false>, VALU},
    {"v_cmp_ge_f64", comparison<ge<double>, false>, VALU},
    {"v_cmp_o_f64", comparison<ordered<double>, false>, VALU},
    {"v_cmp_u_f64", comparison<unordered<double>, false>, VALU},
    {"v_cmp_nge_f64", comparison<nge<double>, false>, VALU},
    {"v_cmp_nlg_f64", comparison<nlg<double>, false>, VALU},
    {"v_cmp_ngt_f64", comparison<ngt<double>, false>, VALU},
    {"v_cmp_nle_f64", comparison<nle<double>, false>, VALU},
    {"v_cmp_neq_f64", comparison<ne<double>, false>, VALU},
    {"v_cmp_nlt_f64", comparison<nlt<double>, false>, VALU},
    {"v_cmp_tru_f64", comparison<always<double>, false>, VALU},
    {"v_cmp_f_i16", comparison<never<int16_t>, false>, VALU},
    {"v_cmp_lt_i16", comparison<lt<int16_t>, false>, VALU},
    {"v_cmp_eq_i16", comparison<eq<int16_t>, false>, VALU},
    {"v_cmp_le_i16", comparison<le<int16_t>, false>, VALU},
    {"v_cmp_gt_i16", comparison<gt<int16_t>, false>, VALU},
    {"v_cmp_ne_i16", comparison<ne<int16_t>, false>, VALU},
    {"v_cmp_ge_i16", comparison<ge<int16_t>, false>, VALU},
    {"v_cmp_t_i16", comparison<always<int16_t>, false>, VALU},
    {"v_cmp_f_u16", comparison<never<uint16_t>, false>, VALU},
    {"v_cmp_lt_u16", comparison<lt<uint16_t>, false>, VALU},
    {"v_cmp_eq_u16", comparison<eq<uint16_t>, false>, VALU},
    {"v_cmp_le_u16", comparison<le<uint16_t>, false>, VALU},
    {"v_cmp_gt_u16", comparison<gt<uint16_t>, false>, VALU},
    {"v_cmp_ne_u16", comparison<ne<uint16_t>, false>, VALU},
    {"v_cmp_ge_u16", comparison<ge<uint16_t>, false>, VALU},
    {"v_cmp_t_u16", comparison<always<uint16_t>, false>, VALU},
    {"v_cmp_f_i32", comparison<never<int32_t>, false>, VALU},
    {"v_cmp_lt_i32", comparison<lt<int32_t>, false>, VALU},
    {"v_cmp_eq_i32", comparison<eq<int32_t>, false>, VALU},
    {"v_cmp_le_i32", comparison<le<int32_t>, false>, VALU},
    {"v_cmp_gt_i32", comparison<gt<int32_t>, false>, VALU},
    {"v_cmp_ne_i32", comparison<ne<int32_t>, false>, VALU},
    {"v_cmp_ge_i32", comparison<ge<int32_t>, false>, VALU},
    {"v_cmp_t_i32", comparison<always<int32_t>, false>, VALU},
    {"v_cmp_f_u32", comparison<never<uint32_t>, false>, VALU},
    {"v_cmp_lt_u32", comparison<lt<uint32_t>, false>, VALU},
    {"v_cmp_eq_u32", comparison<eq<uint32_t>, false>, VALU},
    {"v_cmp_le_u32", comparison<le<uint32_t>, false>, VALU},
    {"v_cmp_gt_u32", comparison<gt<uint32_t>, false>, VALU},
    {"v_cmp_ne_u32", comparison<ne<uint32_t>, false>, VALU},
    {"v_cmp_ge_u32", comparison<ge<uint32_t>, false>, VALU},
    {"v_cmp_t_u32", comparison<always<uint32_t>, false>, VALU},
    {"v_cmp_f_i64", comparison<never<int64_t>, false>, VALU},
    {"v_cmp_lt_i64", comparison<lt<int64_t>, false>, VALU},
    {"v_cmp_eq_i64", comparison<eq<int64_t>, false>, VALU},
    {"v_cmp_le_i64", comparison<le<int64_t>, false>, VALU},
    {"v_cmp_gt_i64", comparison<gt<int64_t>, false>, VALU},
    {"v_cmp_ne_i64", comparison<ne<int64_t>, false>, VALU},
    {"v_cmp_ge_i64", comparison<ge<int64_t>, false>, VALU},
    {"v_cmp_t_i64", comparison<always<int64_t>, false>, VALU},
    {"v_cmp_f_u64", comparison<never<uint64_t>, false>, VALU},
    {"v_cmp_lt_u64", comparison<lt<uint64_t>, false>, VALU},
    {"v_cmp_eq_u64", comparison<eq<uint64_t>, false>, VALU},
    {"v_cmp_le_u64", comparison<le<uint64_t>, false>, VALU},
    {"v_cmp_gt_u64", comparison<gt<uint64_t>, false>, VALU},
    {"v_cmp_ne_u64", comparison<ne<uint64_t>, false>, VALU},
    {"v_cmp_ge_u64", comparison<ge<uint64_t>, false>, VALU},
    {"v_cmp_t_u64", comparison<always<uint64_t>, false>, VALU},
    {"v_cmp_class_f16", comparison<class16, false>, VALU},
    {"v_cmp_class_f32", comparison<class32, false>, VALU},
    {"v_cmp_class_f64", comparison<class64, false>, VALU},
    {"v_cmpx_f_f16", comparison<never<HalfValue>, true>, VALU},
    {"v_cmpx_lt_f16", comparison<lt<HalfValue>, true>, VALU},
    {"v_cmpx_eq_f16", comparison<eq<HalfValue>, true>, VALU},
    {"v_cmpx_le_f16", comparison<le<HalfValue>, true>, VALU},
    {"v_cmpx_gt_f16", comparison<gt<HalfValue>, true>, VALU},
    {"v_cmpx_lg_f16", comparison<lg<HalfValue>, true>, VALU},
    {"v_cmpx_ge_f16", comparison<ge<HalfValue>, true>, VALU},
    {"v_cmpx_o_f16", comparison<ordered<HalfValue>, true>, VALU},
    {"v_cmpx_u_f16", comparison<unordered<HalfValue>, true>, VALU},
    {"v_cmpx_nge_f16", comparison<nge<HalfValue>, true>, VALU},
    {"v_cmpx_nlg_f16", comparison<nlg<HalfValue>, true>, VALU},
    {"v_cmpx_ngt_f16", comparison<ngt<HalfValue>, true>, VALU},
    {"v_cmpx_nle_f16", comparison<nle<HalfValue>, true>, VALU},
    {"v_cmpx_neq_f16", comparison<ne<HalfValue>, true>, VALU},
    {"v_cmpx_nlt_f16", comparison<nlt<HalfValue>, true>, VALU},
    {"v_cmpx_tru_f16", comparison<always<HalfValue>, true>, VALU},
    {"v_cmpx_f_f32", comparison<never<float>, true>, VALU},
    {"v_cmpx_lt_f32", comparison<lt<float>, true>, VALU},
    {"v_cmpx_eq_f32", comparison<eq<float>, true>, VALU},
    {"v_cmpx_le_f32", comparison<le<float>, true>, VALU},
    {"v_cmpx_gt_f32", comparison<gt<float>, true>, VALU},
    {"v_cmpx_lg_f32", comparison<lg<float>, true>, VALU},
    {"v_cmpx_ge_f32", comparison<ge<float>, true>, VALU},
    {"v_cmpx_o_f32", comparison<ordered<float>, true>, VALU},
    {"v_cmpx_u_f32", comparison<unordered<float>, true>, VALU},
    {"v_cmpx_nge_f32", comparison<nge<float>, true>, VALU},
    {"v_cmpx_nlg_f32", comparison<nlg<float>, true>, VALU},
    {"v_cmpx_ngt_f32", comparison<ngt<float>, true>, VALU},
    {"v_cmpx_nle_f32", comparison<nle<float>, true>, VALU},
    {"v_cmpx_neq_f32", comparison<ne<float>, true>, VALU},
    {"v_cmpx_nlt_f32", comparison<nlt<float>, true>, VALU},
    {"v_cmpx_tru_f32", comparison<always<float>, true>, VALU},
    {"v_cmpx_f_f64", comparison<never<double>, true>, VALU},
    {"v_cmpx_lt_f64", comparison<lt<double>, true>, VALU},
    {"v_cmpx_eq_f64", comparison<eq<double>, true>, VALU},
    {"v_cmpx_le_f64", comparison<le<double>, true>, VALU},
    {"v_cmpx_gt_f64", comparison<gt<double>, true>, VALU},
    {"v_cmpx_lg_f64", comparison<lg<double>, true>, VALU},
    {"v_cmpx_ge_f64", comparison<ge<double>, true>, VALU},
    {"v_cmpx_o_f64", comparison<ordered<double>, true>, VALU},
    {"v_cmpx_u_f64", comparison<unordered<double>, true>, VALU},
    {"v_cmpx_nge_f64", comparison<nge<double>, true>, VALU},
    {"v_cmpx_nlg_f64", comparison<nlg<double>, true>, VALU},
    {"v_cmpx_ngt_f64", comparison<ngt<double>, true>, VALU},
    {"v_cmpx_nle_f64", comparison<nle<double>, true>, VALU},
    {"v_cmpx_neq_f64", comparison<ne<double>, true>, VALU},
    {"v_cmpx_nlt_f64", comparison<nlt<double>, true>, VALU},
    {"v_cmpx_tru_f64", comparison<always<double>, true>, VALU},
    {"v_cmpx_f_i16", comparison<never<int16_t>, true>, VALU},
    {"v_cmpx_lt_i16", comparison<lt<int16_t>, true>, VALU},
    {"v_cmpx_eq_i16", comparison<eq<int16_t>, true>, VALU},
    {"v_cmpx_le_i16", comparison<le<int16_t>, true>, VALU},
    {"v_cmpx_gt_i16", comparison<gt<int16_t>, true>, VALU},
    {"v_cmpx_ne_i16", comparison<ne<int16_t>, true>, VALU},
    {"v_cmpx_ge_i16", comparison<ge<int16_t>, true>, VALU},
    {"v_cmpx_t_i16", comparison<always<int16_t>, true>, VALU},
    {"v_cmpx_f_u16", comparison<never<uint16_t>, true>, VALU},
    {"v_cmpx_lt_u16", comparison<lt<uint16_t>, true>, VALU},
    {"v_cmpx_eq_u16", comparison<eq<uint16_t>, true>, VALU},
    {"v_cmpx_le_u16", comparison<le<uint16_t>, true>, VALU},
    {"v_cmpx_gt_u16", comparison<gt<uint16_t>, true>, VALU},
    {"v_cmpx_ne_u16", comparison<ne<uint16_t>, true>, VALU},
    {"v_cmpx_ge_u16", comparison<ge<uint16_t>, true>, VALU},
    {"v_cmpx_t_u16", comparison<always<uint16_t>, true>, VALU},
    {"v_cmpx_f_i32", comparison<never<int32_t>, true>, VALU},
    {"v_cmpx_lt_i32", comparison<lt<int32_t>, true>, VALU},
    {"v_cmpx_eq_i32", comparison<eq<int32_t>, true>, VALU},
    {"v_cmpx_le_i32", comparison<le<int32_t>, true>, VALU},
    {"v_cmpx_gt_i32", comparison<gt<int32_t>, true>, VALU},
    {"v_cmpx_ne_i32", comparison<ne<int32_t>, true>, VALU},
    {"v_cmpx_ge_i32", comparison<ge<int32_t>, true>, VALU},
    {"v_cmpx_t_i32", comparison<always<int32_t>, true>, VALU},
    {"v_cmpx_f_u32", comparison<never<uint32_t>, true>, VALU},
    {"v_cmpx_lt_u32", comparison<lt<uint32_t>, true>, VALU},
    {"v_cmpx_eq_u32", comparison<eq<uint32_t>, true>, VALU},
    {"v_cmpx_le_u32", comparison<le<uint32_t>, true>, VALU},
    {"v_cmpx_gt_u32", comparison<gt<uint32_t>, true>, VALU},
    {"v_cmpx_ne_u32", comparison<ne<uint32_t>, true>, VALU},
    {"v_cmpx_ge_u32", comparison<ge<uint32_t>, true>, VALU},
    {"v_cmpx_t_u32", comparison<always<uint32_t>, true>, VALU},
    {"v_cmpx_f_i64", comparison<never<int64_t>, true>, VALU},
    {"v_cmpx_lt_i64", comparison<lt<int64_t>, true>, VALU},
    {"v_cmpx_eq_i64", comparison<eq<int64_t>, true>, VALU},
    {"v_cmpx_le_i64", comparison<le<int64_t>, true>, VALU},
    {"v_cmpx_gt_i64", comparison<gt<int64_t>, true>, VALU},
    {"v_cmpx_ne_i64", comparison<ne<int64_t>, true>, VALU},
    {"v_cmpx_ge_i64", comparison<ge<int64_t>, true>, VALU},
    {"v_cmpx_t_i64", comparison<always<int64_t>, true>, VALU},
    {"v_cmpx_f_u64", comparison<never<uint64_t>, true>, VALU},
    {"v_cmpx_lt_u64", comparison<lt<uint64_t>, true>, VALU},
    {"v_cmpx_eq_u64", comparison<eq<uint64_t>, true>, VALU},
    {"v_cmpx_le_u64", comparison<le<uint64_t>, true>, VALU},
    {"v_cmpx_gt_u64", comparison<gt<uint64_t>, true>, VALU},
    {"v_cmpx_ne_u64", comparison<ne<uint64_t>, true>, VALU},
    {"v_cmpx_ge_u64", comparison<ge<uint64_t>, true>, VALU},
    {"v_cmpx_t_u64", comparison<always<uint64_t>, true>, VALU},
    {"v_cmpx_class_f16", comparison<class16, true>, VALU},
    {"v_cmpx_class_f32", comparison<class32, true>, VALU},
    {"v_cmpx_class_f64", comparison<class64, true>, VALU},
};

} // namespace

const InstructionList compareList = {entries,
                                     sizeof(entries) / sizeof(entries[0])};

} // namespace rowmill::emulator::ROWMILL_SIMD
