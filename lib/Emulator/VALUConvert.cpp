// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Conversions between f32, f16, bf16 and integers of up to 32 bits.

#include "VALU.h"
#include "VALUTables.h"

namespace rowmill::emulator::ROWMILL_SIMD {
namespace {

using U = uint32_t;
using I = int32_t;
using H = HalfValue;

float f32FromI32(I a) { return float(a); }
float f32FromU32(U a) { return float(a); }
I i32FromF32(float a) { return toInt32(a); }
U u32FromF32(float a) { return toUInt32(a); }
I roundPlusInfinity(float a) { return toInt32(__builtin_floorf(a + 0.5f)); }
I roundDown(float a) { return toInt32(__builtin_floorf(a)); }
template <unsigned N>
float f32FromByte(U a) {
  return float((a >> (8 * N)) & 0xff);
}
/// Sixteenths, from a signed nibble.
float f32FromOffset(U a) { return float(I(a << 28) >> 28) * 0.0625f; }

H f16FromF32(float a) { return {a}; }
float f32FromF16(H a) { return a.value; }
H f16FromU16(uint16_t a) { return {float(a)}; }
H f16FromI16(int16_t a) { return {float(a)}; }
uint16_t u16FromF16(H a) {
  I v = toInt32(a.value);
  return uint16_t(v < 0 ? 0 : v > 0xffff ? 0xffff : v);
}
int16_t i16FromF16(H a) {
  I v = toInt32(a.value);
  return int16_t(v < -0x8000 ? -0x8000 : v > 0x7fff ? 0x7fff : v);
}
float f32FromBf16(uint16_t a) { return asFloat(U(a) << 16); }

U pair(U lo, U hi) { return lo | hi << 16; }
U pkF16TowardZero(float a, float b) {
  return pair(encodeRounded<F16>(asBits(a), RoundMode::TowardZero),
              encodeRounded<F16>(asBits(b), RoundMode::TowardZero));
}
U pkF16(float a, float b) {
  return pair(encodeNearest<F16>(asBits(a)), encodeNearest<F16>(asBits(b)));
}
U pkBf16(float a, float b) {
  return pair(encodeNearest<BF16>(asBits(a)), encodeNearest<BF16>(asBits(b)));
}
U pack(Half a, Half b) { return pair(a.bits, b.bits); }

/// A stochastically rounded half of the destination.
template <typename F>
U stochastic16(float a, U random, Old<U> old, Uniform high) {
  U code = encodeStochastic<F>(asBits(a), random);
  U keep = high.value ? 0xffff : 0xffff0000;
  return (old.value & keep) | code << (high.value ? 16 : 0);
}
void takeHigh(Instruction &i) {
  i.imm[3] = i.src[0].mods & mod::OpSelHi ? 1 : 0;
}

U clampU16(U a) { return a > 0xffff ? 0xffff : a; }
U clampI16(I a) {
  return U(a < -0x8000 ? -0x8000 : a > 0x7fff ? 0x7fff : a) & 0xffff;
}
U pkU16(U a, U b) { return pair(clampU16(a), clampU16(b)); }
U pkI16(I a, I b) { return pair(clampI16(a), clampI16(b)); }
/// [-1, 1] to 16 signed, [0, 1] to 16 unsigned bits, to nearest even.
U signedNorm(float a) {
  float limited = a > 1.0f ? 1.0f : a < -1.0f ? -1.0f : a;
  return U(toInt32(__builtin_roundevenf(limited * 32767.0f))) & 0xffff;
}
U unsignedNorm(float a) {
  float limited = a > 1.0f ? 1.0f : a > 0.0f ? a : 0.0f;
  return U(toInt32(__builtin_roundevenf(limited * 65535.0f)));
}
U pkNormI(float a, float b) { return pair(signedNorm(a), signedNorm(b)); }
U pkNormU(float a, float b) { return pair(unsignedNorm(a), unsignedNorm(b)); }
U pkNormIHalf(H a, H b) { return pkNormI(a.value, b.value); }
U pkNormUHalf(H a, H b) { return pkNormU(a.value, b.value); }
uint16_t normIHalf(H a) { return uint16_t(signedNorm(a.value)); }
uint16_t normUHalf(H a) { return uint16_t(unsignedNorm(a.value)); }

U byteFromF32(float a) {
  float rounded = __builtin_roundevenf(a);
  U v = toUInt32(rounded);
  return v > 255 ? 255 : v;
}
U pkU8(float a, U select, U into) {
  U shift = 8 * (select & 3);
  return (into & ~(0xffu << shift)) | byteFromF32(a) << shift;
}
U pkAccumU8(float a, U select, Old<U> into) {
  return pkU8(a, select, into.value);
}
U saturateByte(int16_t v) { return U(v < 0 ? 0 : v > 255 ? 255 : v); }
uint16_t satPkU8(U a) {
  return uint16_t(saturateByte(int16_t(a & 0xffff)) |
                  saturateByte(int16_t(a >> 16)) << 8);
}
U ashrI8(I v, U count) {
  I s = v >> (count & 31);
  return U(s < -128 ? -128 : s > 127 ? 127 : s) & 0xff;
}
U ashrU8(I v, U count) {
  I s = v >> (count & 31);
  return U(s < 0 ? 0 : s > 255 ? 255 : s);
}
uint16_t ashrPkI8(I a, I b, U count) {
  return uint16_t(ashrI8(a, count) | ashrI8(b, count) << 8);
}
uint16_t ashrPkU8(I a, I b, U count) {
  return uint16_t(ashrU8(a, count) | ashrU8(b, count) << 8);
}

constexpr InstructionClass C = InstructionClass::Conversion;

const InstructionEntry entries[] = {
    {"v_cvt_f32_i32", lanes<f32FromI32>, C},
    {"v_cvt_f32_u32", lanes<f32FromU32>, C},
    {"v_cvt_i32_f32", lanes<i32FromF32>, C},
    {"v_cvt_u32_f32", lanes<u32FromF32>, C},
    {"v_cvt_rpi_i32_f32", lanes<roundPlusInfinity>, C},
    {"v_cvt_flr_i32_f32", lanes<roundDown>, C},
    {"v_cvt_f32_ubyte0", lanes<f32FromByte<0>>, C},
    {"v_cvt_f32_ubyte1", lanes<f32FromByte<1>>, C},
    {"v_cvt_f32_ubyte2", lanes<f32FromByte<2>>, C},
    {"v_cvt_f32_ubyte3", lanes<f32FromByte<3>>, C},
    {"v_cvt_off_f32_i4", lanes<f32FromOffset>, C},
    {"v_cvt_f16_f32", lanes<f16FromF32>, C},
    {"v_cvt_f32_f16", lanes<f32FromF16>, C},
    {"v_cvt_f16_u16", lanes<f16FromU16>, C},
    {"v_cvt_f16_i16", lanes<f16FromI16>, C},
    {"v_cvt_u16_f16", lanes<u16FromF16>, C},
    {"v_cvt_i16_f16", lanes<i16FromF16>, C},
    {"v_cvt_f32_bf16", lanes<f32FromBf16>, C},
    {"v_cvt_pkrtz_f16_f32", lanes<pkF16TowardZero>, C},
    {"v_cvt_pk_f16_f32", lanes<pkF16>, C},
    {"v_cvt_pk_bf16_f32", lanes<pkBf16>, C},
    {"v_pack_b32_f16", lanes<pack>, InstructionClass::VALU},
    {"v_cvt_sr_f16_f32", lanesPrepared<stochastic16<F16>, takeHigh>, C},
    {"v_cvt_sr_bf16_f32", lanesPrepared<stochastic16<BF16>, takeHigh>, C},
    {"v_cvt_pk_u16_u32", lanes<pkU16>, C},
    {"v_cvt_pk_i16_i32", lanes<pkI16>, C},
    {"v_cvt_pknorm_i16_f32", lanes<pkNormI>, C},
    {"v_cvt_pknorm_u16_f32", lanes<pkNormU>, C},
    {"v_cvt_pknorm_i16_f16", lanes<pkNormIHalf>, C},
    {"v_cvt_pknorm_u16_f16", lanes<pkNormUHalf>, C},
    {"v_cvt_norm_i16_f16", lanes<normIHalf>, C},
    {"v_cvt_norm_u16_f16", lanes<normUHalf>, C},
    {"v_cvt_pk_u8_f32", lanes<pkU8>, C},
    {"v_cvt_pkaccum_u8_f32", lanes<pkAccumU8>, C},
    {"v_sat_pk_u8_i16", lanes<satPkU8>, C},
    {"v_ashr_pk_i8_i32", lanes<ashrPkI8, Upper::Keep>, C},
    {"v_ashr_pk_u8_i32", lanes<ashrPkU8, Upper::Keep>, C},
};

} // namespace

const InstructionList convertList = {entries,
                                     sizeof(entries) / sizeof(entries[0])};

} // namespace rowmill::emulator::ROWMILL_SIMD
