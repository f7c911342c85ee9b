// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// gfx950's scaled conversions of 32 values a lane from and to six-bit floats,
// in runs of registers: 192 bits of codes against 16 or 32 dwords of values.

#include "VALU.h"
#include "VALUTables.h"

namespace rowmill::emulator::ROWMILL_SIMD {
namespace {

using U = uint32_t;

constexpr unsigned kValues = 32, kCodeDwords = 6;

// How the wide values lie in registers.
struct Single {
  static constexpr unsigned dwords = 32;
  static U load(const U *regs, unsigned k) { return regs[k]; }
  static void store(U *regs, unsigned k, U wide) { regs[k] = wide; }
};
template <typename F>
struct Packed16 {
  static constexpr unsigned dwords = 16;
  static U load(const U *regs, unsigned k) {
    return decode<F>((regs[k / 2] >> (16 * (k & 1))) & 0xffff);
  }
  static void store(U *regs, unsigned k, U wide) {
    U code = encodeNearest<F>(wide);
    regs[k / 2] = k & 1 ? regs[k / 2] | code << 16 : code;
  }
};

void storeCode(U *codes, unsigned k, U code) {
  unsigned bit = 6 * k;
  uint64_t field = uint64_t(code) << (bit & 31);
  codes[bit / 32] |= U(field);
  if (field >> 32)
    codes[bit / 32 + 1] |= U(field >> 32);
}
U loadCode(const U *codes, unsigned k) {
  unsigned bit = 6 * k;
  uint64_t pair = codes[bit / 32];
  if (bit / 32 + 1 < kCodeDwords)
    pair |= uint64_t(codes[bit / 32 + 1]) << 32;
  return U(pair >> (bit & 31)) & 63;
}

void gather(const Wave &w, unsigned reg, unsigned dwords, unsigned lane,
            U *out) {
  for (unsigned r = 0; r < dwords; ++r)
    out[r] = w.vgpr[reg + r][lane];
}
void scatter(Wave &w, unsigned reg, unsigned dwords, unsigned lane,
             const U *in) {
  for (unsigned r = 0; r < dwords; ++r)
    w.vgpr[reg + r][lane] = in[r];
}

template <typename F>
U packOne(U wide, U scale, const U *seed) {
  U scaled = divideByScale(wide, scale);
  return seed ? encodeStochastic<F>(scaled, *seed) : encodeNearest<F>(scaled);
}
U nextRandom(U v) { return (v << 1) ^ (v >> 31 ? 197u : 0u); }

/// Sources: values, (seed,) scale.
template <typename F, typename W, bool Stochastic>
void pack(Wave &w, const Instruction &i) {
  const U *scale = w.lanesOf(i.src[Stochastic ? 2 : 1], w.scratch[0]);
  const U *seeds = Stochastic ? w.lanesOf(i.src[1], w.scratch[1]) : nullptr;
  for (unsigned l = 0; l < kLanes; ++l) {
    if (!w.execRow.lane[l])
      continue;
    U values[W::dwords], codes[kCodeDwords] = {};
    gather(w, i.src[0].reg, W::dwords, l, values);
    U seed = Stochastic ? seeds[l] : 0;
    for (unsigned k = 0; k < kValues; ++k) {
      storeCode(codes, k,
                packOne<F>(W::load(values, k), scale[l],
                           Stochastic ? &seed : nullptr));
      seed = nextRandom(seed);
    }
    scatter(w, i.dst.reg, kCodeDwords, l, codes);
  }
}
/// Two runs of 16 values, which alternate in the result.
template <typename F>
void packTwo(Wave &w, const Instruction &i) {
  const U *scale = w.lanesOf(i.src[2], w.scratch[0]);
  for (unsigned l = 0; l < kLanes; ++l) {
    if (!w.execRow.lane[l])
      continue;
    U even[16], odd[16], codes[kCodeDwords] = {};
    gather(w, i.src[0].reg, 16, l, even);
    gather(w, i.src[1].reg, 16, l, odd);
    for (unsigned k = 0; k < kValues; ++k)
      storeCode(
          codes, k,
          packOne<F>(k & 1 ? odd[k / 2] : even[k / 2], scale[l], nullptr));
    scatter(w, i.dst.reg, kCodeDwords, l, codes);
  }
}
template <typename F, typename W>
void unpack(Wave &w, const Instruction &i) {
  const U *scale = w.lanesOf(i.src[1], w.scratch[0]);
  for (unsigned l = 0; l < kLanes; ++l) {
    if (!w.execRow.lane[l])
      continue;
    U codes[kCodeDwords], values[W::dwords];
    gather(w, i.src[0].reg, kCodeDwords, l, codes);
    for (unsigned k = 0; k < kValues; ++k) {
      float value = asFloat(decode<F>(loadCode(codes, k)));
      W::store(values, k, asBits(value * asFloat(forwardScale(scale[l]))));
    }
    scatter(w, i.dst.reg, W::dwords, l, values);
  }
}

using Fp6 = F6E2M3FN;
using Bf6 = F6E3M2FN;
using Half16 = Packed16<F16>;
using Brain = Packed16<BF16>;
constexpr InstructionClass C = InstructionClass::Conversion;

const InstructionEntry entries[] = {
    {"v_cvt_scalef32_2xpk16_fp6_f32", only<packTwo<Fp6>>, C},
    {"v_cvt_scalef32_2xpk16_bf6_f32", only<packTwo<Bf6>>, C},
    {"v_cvt_scalef32_pk32_fp6_f16", only<pack<Fp6, Half16, false>>, C},
    {"v_cvt_scalef32_pk32_fp6_bf16", only<pack<Fp6, Brain, false>>, C},
    {"v_cvt_scalef32_pk32_bf6_f16", only<pack<Bf6, Half16, false>>, C},
    {"v_cvt_scalef32_pk32_bf6_bf16", only<pack<Bf6, Brain, false>>, C},
    {"v_cvt_scalef32_sr_pk32_fp6_f32", only<pack<Fp6, Single, true>>, C},
    {"v_cvt_scalef32_sr_pk32_bf6_f32", only<pack<Bf6, Single, true>>, C},
    {"v_cvt_scalef32_sr_pk32_fp6_f16", only<pack<Fp6, Half16, true>>, C},
    {"v_cvt_scalef32_sr_pk32_fp6_bf16", only<pack<Fp6, Brain, true>>, C},
    {"v_cvt_scalef32_sr_pk32_bf6_f16", only<pack<Bf6, Half16, true>>, C},
    {"v_cvt_scalef32_sr_pk32_bf6_bf16", only<pack<Bf6, Brain, true>>, C},
    {"v_cvt_scalef32_pk32_f32_fp6", only<unpack<Fp6, Single>>, C},
    {"v_cvt_scalef32_pk32_f32_bf6", only<unpack<Bf6, Single>>, C},
    {"v_cvt_scalef32_pk32_f16_fp6", only<unpack<Fp6, Half16>>, C},
    {"v_cvt_scalef32_pk32_f16_bf6", only<unpack<Bf6, Half16>>, C},
    {"v_cvt_scalef32_pk32_bf16_fp6", only<unpack<Fp6, Brain>>, C},
    {"v_cvt_scalef32_pk32_bf16_bf6", only<unpack<Bf6, Brain>>, C},
};

} // namespace

const InstructionList sixBitList = {entries,
                                    sizeof(entries) / sizeof(entries[0])};

} // namespace rowmill::emulator::ROWMILL_SIMD
