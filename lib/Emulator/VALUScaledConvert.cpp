// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// gfx950's v_cvt_scalef32_*: a conversion and a scale, of which the hardware
// reads the exponent field. Towards the small format it divides by the scale.

#include "VALU.h"
#include "VALUTables.h"

namespace rowmill::emulator::ROWMILL_SIMD {
namespace {

using U = uint32_t;

// Wide formats, as the conversions name them.
struct Single {
  static ROWMILL_INLINE U widen(U bits) { return bits; }
};
struct HalfFormat {
  static ROWMILL_INLINE U widen(U bits) { return decode<F16>(bits & 0xffff); }
  static ROWMILL_INLINE U narrow(U wide) { return encodeNearest<F16>(wide); }
};
struct Brain {
  static ROWMILL_INLINE U widen(U bits) { return bits << 16; }
  static ROWMILL_INLINE U narrow(U wide) { return encodeNearest<BF16>(wide); }
};

template <typename F>
ROWMILL_INLINE U scaled(const Mode &m, U wide, U scale) {
  return encodeNearest<F>(divideByScale(wide, scale), m.fp16Overflow);
}
template <typename F>
ROWMILL_INLINE U scaledRandom(const Mode &m, U wide, U random, U scale) {
  return encodeStochastic<F>(divideByScale(wide, scale), random,
                             m.fp16Overflow);
}
/// The generator steps between the elements of one instruction.
ROWMILL_INLINE U nextRandom(U v) { return (v << 1) ^ (v >> 31 ? 197u : 0u); }
/// Puts `width` bits into the destination at `shift`.
ROWMILL_INLINE U insert(U old, U codes, U shift, unsigned width) {
  U field = (width == 8 ? 0xffu : 0xffffu) << shift;
  return (old & ~field) | codes << shift;
}

//===-- To a small format -------------------------------------------------===//

// Two f32 to fp4, fp8 or bf8. F::width bits each.
template <typename F>
U packF32(const Mode &m, float a, float b, Bits32 scale, Old<U> old,
          Uniform shift) {
  U codes = scaled<F>(m, asBits(a), scale.bits) |
            scaled<F>(m, asBits(b), scale.bits) << F::width;
  return insert(old.value, codes, shift.value, 2 * F::width);
}
// A register of two 16-bit values.
template <typename F, typename W>
U pack16(const Mode &m, U pair, Bits32 scale, Old<U> old, Uniform shift) {
  U codes = scaled<F>(m, W::widen(pair & 0xffff), scale.bits) |
            scaled<F>(m, W::widen(pair >> 16), scale.bits) << F::width;
  return insert(old.value, codes, shift.value, 2 * F::width);
}
template <typename F>
U stochasticF32(const Mode &m, float a, U random, Bits32 scale, Old<U> old,
                Uniform shift) {
  U code = scaledRandom<F>(m, asBits(a), random, scale.bits);
  return insert(old.value, code, shift.value, 8);
}
template <typename F, typename W>
U stochastic16(const Mode &m, U a, U random, Bits32 scale, Old<U> old,
               Uniform shift) {
  U code = scaledRandom<F>(m, W::widen(a & 0xffff), random, scale.bits);
  return insert(old.value, code, shift.value, 8);
}
ROWMILL_INLINE U stochasticFp4(const Mode &m, U a, U b, U random, U scale,
                               U old, U shift) {
  U codes = scaledRandom<F4E2M1FN>(m, a, random, scale) |
            scaledRandom<F4E2M1FN>(m, b, nextRandom(random), scale) << 4;
  return insert(old, codes, shift, 8);
}
U stochasticFp4F32(const Mode &m, uint64_t pair, U random, Bits32 scale,
                   Old<U> old, Uniform shift) {
  return stochasticFp4(m, U(pair), U(pair >> 32), random, scale.bits, old.value,
                       shift.value);
}
template <typename W>
U stochasticFp4From16(const Mode &m, U pair, U random, Bits32 scale, Old<U> old,
                      Uniform shift) {
  return stochasticFp4(m, W::widen(pair & 0xffff), W::widen(pair >> 16), random,
                       scale.bits, old.value, shift.value);
}

/// Half of the destination: op_sel[3].
void takeHalf(Instruction &i) {
  i.imm[3] = i.src[0].mods & mod::OpSelHi ? 16 : 0;
}
/// Byte of the destination: op_sel[3:2]. The lower bit stands with the third
/// source, absent or not.
void takeByte(Instruction &i) {
  i.imm[3] = (i.src[2].mods & mod::OpSel ? 8 : 0) +
             (i.src[0].mods & mod::OpSelHi ? 16 : 0);
}

//===-- From a small format -----------------------------------------------===//

template <typename F>
ROWMILL_INLINE U unscaled(U code, U scale) {
  return asBits(asFloat(decode<F>(code & (F::signBit | F::magnitudeMask))) *
                asFloat(forwardScale(scale)));
}
template <typename F>
uint64_t unpackF32(U a, Bits32 scale, Uniform shift) {
  U codes = a >> shift.value;
  return unscaled<F>(codes, scale.bits) |
         uint64_t(unscaled<F>(codes >> F::width, scale.bits)) << 32;
}
template <typename F>
float toF32(U a, Bits32 scale, Uniform shift) {
  return asFloat(unscaled<F>(a >> shift.value, scale.bits));
}
template <typename F, typename W>
U unpack16(U a, Bits32 scale, Uniform shift) {
  U codes = a >> shift.value;
  return W::narrow(unscaled<F>(codes, scale.bits)) |
         W::narrow(unscaled<F>(codes >> F::width, scale.bits)) << 16;
}
/// Bits 5 and up of the uniform: the half of the destination.
template <typename F>
U toF16(U a, Bits32 scale, Old<U> old, Uniform shift) {
  U code = a >> (shift.value & 31);
  U half = encodeNearest<F16>(unscaled<F>(code, scale.bits));
  return insert(old.value, half, shift.value >> 5, 16);
}

/// Half of the source: op_sel[0].
void takeSourceHalf(Instruction &i) {
  i.imm[3] = i.src[0].mods & mod::OpSel ? 16 : 0;
}
/// Byte of the source: op_sel[1:0].
void takeSourceByte(Instruction &i) {
  i.imm[3] = (i.src[0].mods & mod::OpSel ? 8 : 0) +
             (i.src[1].mods & mod::OpSel ? 16 : 0);
}
void takeSourceByteAndHalf(Instruction &i) {
  takeSourceByte(i);
  i.imm[3] |= i.src[0].mods & mod::OpSelHi ? 16 << 5 : 0;
}

using Fp4 = F4E2M1FN;
using Fp8 = F8E4M3FN;
using Bf8 = F8E5M2;
using Half16 = HalfFormat;
constexpr InstructionClass C = InstructionClass::Conversion;

const InstructionEntry entries[] = {
    {"v_cvt_scalef32_pk_fp4_f32", lanesPrepared<packF32<Fp4>, takeByte>, C},
    {"v_cvt_scalef32_pk_fp8_f32", lanesPrepared<packF32<Fp8>, takeHalf>, C},
    {"v_cvt_scalef32_pk_bf8_f32", lanesPrepared<packF32<Bf8>, takeHalf>, C},
    {"v_cvt_scalef32_pk_fp4_f16", lanesPrepared<pack16<Fp4, Half16>, takeByte>,
     C},
    {"v_cvt_scalef32_pk_fp4_bf16", lanesPrepared<pack16<Fp4, Brain>, takeByte>,
     C},
    {"v_cvt_scalef32_pk_fp8_f16", lanesPrepared<pack16<Fp8, Half16>, takeHalf>,
     C},
    {"v_cvt_scalef32_pk_fp8_bf16", lanesPrepared<pack16<Fp8, Brain>, takeHalf>,
     C},
    {"v_cvt_scalef32_pk_bf8_f16", lanesPrepared<pack16<Bf8, Half16>, takeHalf>,
     C},
    {"v_cvt_scalef32_pk_bf8_bf16", lanesPrepared<pack16<Bf8, Brain>, takeHalf>,
     C},
    {"v_cvt_scalef32_sr_fp8_f32", lanesPrepared<stochasticF32<Fp8>, takeByte>,
     C},
    {"v_cvt_scalef32_sr_bf8_f32", lanesPrepared<stochasticF32<Bf8>, takeByte>,
     C},
    {"v_cvt_scalef32_sr_fp8_f16",
     lanesPrepared<stochastic16<Fp8, Half16>, takeByte>, C},
    {"v_cvt_scalef32_sr_fp8_bf16",
     lanesPrepared<stochastic16<Fp8, Brain>, takeByte>, C},
    {"v_cvt_scalef32_sr_bf8_f16",
     lanesPrepared<stochastic16<Bf8, Half16>, takeByte>, C},
    {"v_cvt_scalef32_sr_bf8_bf16",
     lanesPrepared<stochastic16<Bf8, Brain>, takeByte>, C},
    {"v_cvt_scalef32_sr_pk_fp4_f32", lanesPrepared<stochasticFp4F32, takeByte>,
     C},
    {"v_cvt_scalef32_sr_pk_fp4_f16",
     lanesPrepared<stochasticFp4From16<Half16>, takeByte>, C},
    {"v_cvt_scalef32_sr_pk_fp4_bf16",
     lanesPrepared<stochasticFp4From16<Brain>, takeByte>, C},
    {"v_cvt_scalef32_pk_f32_fp4", lanesPrepared<unpackF32<Fp4>, takeSourceByte>,
     C},
    {"v_cvt_scalef32_pk_f32_fp8", lanesPrepared<unpackF32<Fp8>, takeSourceHalf>,
     C},
    {"v_cvt_scalef32_pk_f32_bf8", lanesPrepared<unpackF32<Bf8>, takeSourceHalf>,
     C},
    {"v_cvt_scalef32_f32_fp8", lanesPrepared<toF32<Fp8>, takeSourceByte>, C},
    {"v_cvt_scalef32_f32_bf8", lanesPrepared<toF32<Bf8>, takeSourceByte>, C},
    {"v_cvt_scalef32_f16_fp8", lanesPrepared<toF16<Fp8>, takeSourceByteAndHalf>,
     C},
    {"v_cvt_scalef32_f16_bf8", lanesPrepared<toF16<Bf8>, takeSourceByteAndHalf>,
     C},
    {"v_cvt_scalef32_pk_f16_fp4",
     lanesPrepared<unpack16<Fp4, Half16>, takeSourceByte>, C},
    {"v_cvt_scalef32_pk_bf16_fp4",
     lanesPrepared<unpack16<Fp4, Brain>, takeSourceByte>, C},
    {"v_cvt_scalef32_pk_f16_fp8",
     lanesPrepared<unpack16<Fp8, Half16>, takeSourceHalf>, C},
    {"v_cvt_scalef32_pk_f16_bf8",
     lanesPrepared<unpack16<Bf8, Half16>, takeSourceHalf>, C},
    {"v_cvt_scalef32_pk_bf16_fp8",
     lanesPrepared<unpack16<Fp8, Brain>, takeSourceHalf>, C},
    {"v_cvt_scalef32_pk_bf16_bf8",
     lanesPrepared<unpack16<Bf8, Brain>, takeSourceHalf>, C},
};

} // namespace

const InstructionList scaledConvertList = {entries, sizeof(entries) /
                                                        sizeof(entries[0])};

} // namespace rowmill::emulator::ROWMILL_SIMD
