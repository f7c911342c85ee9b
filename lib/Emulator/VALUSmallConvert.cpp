// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// FP8 and BF8 without scales. Their codes are OCP's on gfx950 and FNUZ's on
// gfx942, under the same mnemonics: the latter's entries end in ".fnuz".

#include "VALU.h"
#include "VALUTables.h"

namespace rowmill::emulator::ROWMILL_SIMD {
namespace {

using U = uint32_t;

template <typename F>
float toF32(U a) {
  return asFloat(decode<F>(a & 0xff));
}
template <typename F>
uint64_t pairToF32(U a) {
  return decode<F>(a & 0xff) | uint64_t(decode<F>((a >> 8) & 0xff)) << 32;
}

/// Two codes into the chosen half of the destination.
template <typename F>
U pack(const Mode &m, float a, float b, Old<U> old, Uniform shift) {
  U codes = encodeNearest<F>(asBits(a), m.fp16Overflow) |
            encodeNearest<F>(asBits(b), m.fp16Overflow) << 8;
  return (old.value & ~(0xffffu << shift.value)) | codes << shift.value;
}
void takeHalf(Instruction &i) {
  i.imm[3] = i.src[0].mods & mod::OpSelHi ? 16 : 0;
}

/// One stochastically rounded code into the chosen byte.
template <typename F>
U stochastic(const Mode &m, float a, U random, Old<U> old, Uniform shift) {
  U code = encodeStochastic<F>(asBits(a), random, m.fp16Overflow);
  return (old.value & ~(0xffu << shift.value)) | code << shift.value;
}
/// op_sel[3:2]: the lower bit stands with the third source, absent or not.
void takeByte(Instruction &i) {
  i.imm[3] = (i.src[2].mods & mod::OpSel ? 8 : 0) +
             (i.src[0].mods & mod::OpSelHi ? 16 : 0);
}

constexpr InstructionClass C = InstructionClass::Conversion;

const InstructionEntry entries[] = {
    {"v_cvt_f32_fp8", lanes<toF32<F8E4M3FN>>, C},
    {"v_cvt_f32_bf8", lanes<toF32<F8E5M2>>, C},
    {"v_cvt_pk_f32_fp8", lanes<pairToF32<F8E4M3FN>>, C},
    {"v_cvt_pk_f32_bf8", lanes<pairToF32<F8E5M2>>, C},
    {"v_cvt_pk_fp8_f32", lanesPrepared<pack<F8E4M3FN>, takeHalf>, C},
    {"v_cvt_pk_bf8_f32", lanesPrepared<pack<F8E5M2>, takeHalf>, C},
    {"v_cvt_sr_fp8_f32", lanesPrepared<stochastic<F8E4M3FN>, takeByte>, C},
    {"v_cvt_sr_bf8_f32", lanesPrepared<stochastic<F8E5M2>, takeByte>, C},
    {"v_cvt_f32_fp8.fnuz", lanes<toF32<F8E4M3FNUZ>>, C},
    {"v_cvt_f32_bf8.fnuz", lanes<toF32<F8E5M2FNUZ>>, C},
    {"v_cvt_pk_f32_fp8.fnuz", lanes<pairToF32<F8E4M3FNUZ>>, C},
    {"v_cvt_pk_f32_bf8.fnuz", lanes<pairToF32<F8E5M2FNUZ>>, C},
    {"v_cvt_pk_fp8_f32.fnuz", lanesPrepared<pack<F8E4M3FNUZ>, takeHalf>, C},
    {"v_cvt_pk_bf8_f32.fnuz", lanesPrepared<pack<F8E5M2FNUZ>, takeHalf>, C},
    {"v_cvt_sr_fp8_f32.fnuz", lanesPrepared<stochastic<F8E4M3FNUZ>, takeByte>,
     C},
    {"v_cvt_sr_bf8_f32.fnuz", lanesPrepared<stochastic<F8E5M2FNUZ>, takeByte>,
     C},
};

} // namespace

const InstructionList smallConvertList = {entries,
                                          sizeof(entries) / sizeof(entries[0])};

} // namespace rowmill::emulator::ROWMILL_SIMD
