// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// VOP3P: two elements an instruction, each source element chosen by op_sel (for
// the low result) and op_sel_hi (for the high one).

#include "VALU.h"
#include "VALUTables.h"

namespace rowmill::emulator::ROWMILL_SIMD {
namespace {

using U = uint32_t;

/// The raw modifiers of source k are bits 4k and up of the uniform, the clamp
/// bit is bit 12.
void describe(Instruction &i) {
  i.imm[3] = i.clamp ? 1 << 12 : 0;
  for (unsigned k = 0; k < i.numSrc && k < 3; ++k) {
    i.imm[3] |= int32_t(i.src[k].mods & 15) << (4 * k);
    i.src[k].mods = 0;
  }
  i.clamp = 0;
}
ROWMILL_INLINE U modifiers(Uniform u, unsigned k) { return u.value >> (4 * k); }
ROWMILL_INLINE U clamps(Uniform u) { return 0u - ((u.value >> 12) & 1); }

//===-- f32 pairs ---------------------------------------------------------===//

// Masks in place of conditions: a loop with six conditions that are the same
// for all lanes would be unrolled into all their combinations.
template <bool High>
ROWMILL_INLINE float element(Pair32 v, U how) {
  U upper = 0u - ((how >> (High ? 3 : 2)) & 1);
  U sign = ((how >> (High ? 1 : 0)) & 1) << 31;
  return asFloat(((v.lo & ~upper) | (v.hi & upper)) ^ sign);
}
ROWMILL_INLINE U finish(const Mode &m, float v, Uniform u) {
  U limit = clamps(u), bits = asBits(v);
  return (bits & ~limit) | (clampF32(bits, m.dx10Clamp) & limit);
}
Pair32 add(const Mode &m, Pair32 a, Pair32 b, Uniform u) {
  U x = modifiers(u, 0), y = modifiers(u, 1);
  return {finish(m, element<false>(a, x) + element<false>(b, y), u),
          finish(m, element<true>(a, x) + element<true>(b, y), u)};
}
Pair32 mul(const Mode &m, Pair32 a, Pair32 b, Uniform u) {
  U x = modifiers(u, 0), y = modifiers(u, 1);
  return {finish(m, element<false>(a, x) * element<false>(b, y), u),
          finish(m, element<true>(a, x) * element<true>(b, y), u)};
}
Pair32 fma(const Mode &m, Pair32 a, Pair32 b, Pair32 c, Uniform u) {
  U x = modifiers(u, 0), y = modifiers(u, 1), z = modifiers(u, 2);
  float lo = __builtin_fmaf(element<false>(a, x), element<false>(b, y),
                            element<false>(c, z));
  float hi = __builtin_fmaf(element<true>(a, x), element<true>(b, y),
                            element<true>(c, z));
  return {finish(m, lo, u), finish(m, hi, u)};
}
/// op_sel alone: its bit of source 0 chooses the low result, that of source 1
/// the high one.
uint64_t move(uint64_t a, uint64_t b, Uniform u) {
  U first = 0u - ((u.value >> 2) & 1), second = 0u - ((u.value >> 6) & 1);
  U lo = (U(a) & ~first) | (U(a >> 32) & first);
  U hi = (U(b) & ~second) | (U(b >> 32) & second);
  return lo | uint64_t(hi) << 32;
}

//===-- f16 pairs ---------------------------------------------------------===//

template <bool High>
ROWMILL_INLINE U half(U v, U how) {
  U shift = ((how >> (High ? 3 : 2)) & 1) << 4;
  U sign = ((how >> (High ? 1 : 0)) & 1) << 15;
  return ((v >> shift) & 0xffff) ^ sign;
}
/// What MODE does around an f16 operation; nothing in the usual mode.
template <bool Slow>
ROWMILL_INLINE float input(const Mode &m, U code) {
  if constexpr (Slow)
    if (!(m.denorm16_64 & 1) && !(code & 0x7c00))
      code &= 0x8000;
  return asFloat(decode<F16>(code));
}
template <bool Slow>
ROWMILL_INLINE U output(const Mode &m, float value, Uniform u) {
  U code;
  if constexpr (Slow) {
    code = encodeRounded<F16>(asBits(value), RoundMode(m.round16_64),
                              m.fp16Overflow);
    if (!(m.denorm16_64 & 2) && !(code & 0x7c00))
      code &= 0x8000;
  } else {
    code = encodeNearest<F16>(asBits(value));
  }
  U limit = clamps(u);
  U limited = encodeNearest<F16>(clampF32(decode<F16>(code), m.dx10Clamp));
  return (code & ~limit) | (limited & limit);
}

struct AddHalf {
  static ROWMILL_INLINE float run(float a, float b, float) {
    return addOdd(a, b);
  }
};
struct MulHalf {
  static ROWMILL_INLINE float run(float a, float b, float) { return a * b; }
};
struct FmaHalf {
  static ROWMILL_INLINE float run(float a, float b, float c) {
    return addOdd(a * b, c);
  }
};
// Minima and maxima are exact, so their NaNs are all that needs care: they
// arrive quiet, and a signalling one should have won in IEEE mode.
template <bool Max>
struct MinMaxHalf {
  static ROWMILL_INLINE float run(float a, float b, float) {
    return asFloat(minMax32<Max>(asBits(a), asBits(b), false));
  }
};
template <bool Max>
ROWMILL_INLINE U propagating(U a, U b) {
  U r = minMax32<Max>(a, b, false);
  r = isNaN32(b) ? b : r;
  return isNaN32(a) ? a : r;
}
template <bool Max>
struct Propagating3 {
  static ROWMILL_INLINE float run(float a, float b, float c) {
    return asFloat(
        propagating<Max>(propagating<Max>(asBits(a), asBits(b)), asBits(c)));
  }
};

template <typename Op, bool Slow>
U halves2(const Mode &m, U a, U b, Uniform u) {
  U x = modifiers(u, 0), y = modifiers(u, 1);
  U lo = output<Slow>(m,
                      Op::run(input<Slow>(m, half<false>(a, x)),
                              input<Slow>(m, half<false>(b, y)), 0.0f),
                      u);
  U hi = output<Slow>(m,
                      Op::run(input<Slow>(m, half<true>(a, x)),
                              input<Slow>(m, half<true>(b, y)), 0.0f),
                      u);
  return lo | hi << 16;
}
template <typename Op, bool Slow>
U halves3(const Mode &m, U a, U b, U c, Uniform u) {
  U x = modifiers(u, 0), y = modifiers(u, 1), z = modifiers(u, 2);
  U lo = output<Slow>(m,
                      Op::run(input<Slow>(m, half<false>(a, x)),
                              input<Slow>(m, half<false>(b, y)),
                              input<Slow>(m, half<false>(c, z))),
                      u);
  U hi = output<Slow>(m,
                      Op::run(input<Slow>(m, half<true>(a, x)),
                              input<Slow>(m, half<true>(b, y)),
                              input<Slow>(m, half<true>(c, z))),
                      u);
  return lo | hi << 16;
}

/// v_pk_fmac_f16, whose elements are always low and high.
template <bool Slow>
U fmacHalves(const Mode &m, U a, U b, Old<U> c) {
  Uniform plain = {(mod::OpSelHi | mod::OpSelHi << 4 | mod::OpSelHi << 8)};
  return halves3<FmaHalf, Slow>(m, a, b, c.value, plain);
}

template <auto Fast, auto Slow>
void runHalves(Wave &w, const Instruction &i) {
  if (__builtin_expect(w.hostLikeMode & !w.mode.fp16Overflow, 1))
    LaneFunction<Fast, Upper::Clear, decltype(Fast)>::fast(w, i);
  else
    LaneFunction<Slow, Upper::Clear, decltype(Slow)>::fast(w, i);
}
template <auto Fast, auto Slow>
Handler halves(Instruction &i) {
  describe(i);
  return runHalves<Fast, Slow>;
}

//===-- 16-bit integer pairs ----------------------------------------------===//

template <bool High>
ROWMILL_INLINE U element16(U v, U how) {
  return (v >> (((how >> (High ? 3 : 2)) & 1) << 4)) & 0xffff;
}
ROWMILL_INLINE int32_t sext(U v) { return int32_t(v << 16) >> 16; }
ROWMILL_INLINE U satU(int64_t v) {
  return v < 0 ? 0 : v > 0xffff ? 0xffff : U(v);
}
ROWMILL_INLINE U satI(int64_t v) {
  return U(v < -0x8000 ? -0x8000 : v > 0x7fff ? 0x7fff : v);
}

// Each says its plain and its saturated result of elements a, b, c.
struct AddU16 {
  static ROWMILL_INLINE U plain(U a, U b, U) { return a + b; }
  static ROWMILL_INLINE U limited(U a, U b, U) { return satU(a + b); }
};
struct SubU16 {
  static ROWMILL_INLINE U plain(U a, U b, U) { return a - b; }
  static ROWMILL_INLINE U limited(U a, U b, U) { return a < b ? 0 : a - b; }
};
struct AddI16 : AddU16 {
  static ROWMILL_INLINE U limited(U a, U b, U) {
    return satI(sext(a) + sext(b));
  }
};
struct SubI16 : SubU16 {
  static ROWMILL_INLINE U limited(U a, U b, U) {
    return satI(sext(a) - sext(b));
  }
};
struct MadU16 {
  static ROWMILL_INLINE U plain(U a, U b, U c) { return a * b + c; }
  static ROWMILL_INLINE U limited(U a, U b, U c) {
    return satU(int64_t(uint64_t(a) * b + c));
  }
};
struct MadI16 : MadU16 {
  static ROWMILL_INLINE U limited(U a, U b, U c) {
    return satI(int64_t(sext(a)) * sext(b) + sext(c));
  }
};
template <U (*Fn)(U, U)>
struct Same {
  static ROWMILL_INLINE U plain(U a, U b, U) { return Fn(a, b); }
  static ROWMILL_INLINE U limited(U a, U b, U) { return Fn(a, b); }
};
U mulLo(U a, U b) { return a * b; }
U shiftLeft(U a, U b) { return b << (a & 15); }
U shiftRight(U a, U b) { return b >> (a & 15); }
U shiftRightSigned(U a, U b) { return U(sext(b) >> (a & 15)); }
U minU(U a, U b) { return a < b ? a : b; }
U maxU(U a, U b) { return a > b ? a : b; }
U minI(U a, U b) { return sext(a) < sext(b) ? a : b; }
U maxI(U a, U b) { return sext(a) > sext(b) ? a : b; }

template <typename Op>
ROWMILL_INLINE U integer(U a, U b, U c, Uniform u) {
  U limit = clamps(u);
  U r = (Op::plain(a, b, c) & ~limit) | (Op::limited(a, b, c) & limit);
  return r & 0xffff;
}
template <typename Op>
U integers2(U a, U b, Uniform u) {
  U x = modifiers(u, 0), y = modifiers(u, 1);
  return integer<Op>(element16<false>(a, x), element16<false>(b, y), 0, u) |
         integer<Op>(element16<true>(a, x), element16<true>(b, y), 0, u) << 16;
}
template <typename Op>
U integers3(U a, U b, U c, Uniform u) {
  U x = modifiers(u, 0), y = modifiers(u, 1), z = modifiers(u, 2);
  U lo = integer<Op>(element16<false>(a, x), element16<false>(b, y),
                     element16<false>(c, z), u);
  U hi = integer<Op>(element16<true>(a, x), element16<true>(b, y),
                     element16<true>(c, z), u);
  return lo | hi << 16;
}

constexpr InstructionClass VALU = InstructionClass::VALU;

template <typename Op>
constexpr HandlerFactory two = halves<halves2<Op, false>, halves2<Op, true>>;
template <typename Op>
constexpr HandlerFactory three = halves<halves3<Op, false>, halves3<Op, true>>;
template <typename Op>
constexpr HandlerFactory int2 = lanesPrepared<integers2<Op>, describe>;
template <typename Op>
constexpr HandlerFactory int3 = lanesPrepared<integers3<Op>, describe>;

const InstructionEntry entries[] = {
    {"v_pk_add_f32", lanesPrepared<add, describe>, VALU},
    {"v_pk_mul_f32", lanesPrepared<mul, describe>, VALU},
    {"v_pk_fma_f32", lanesPrepared<fma, describe>, VALU},
    {"v_pk_mov_b32", lanesPrepared<move, describe>, VALU},
    {"v_pk_add_f16", two<AddHalf>, VALU},
    {"v_pk_mul_f16", two<MulHalf>, VALU},
    {"v_pk_fma_f16", three<FmaHalf>, VALU},
    {"v_pk_fmac_f16", halves<fmacHalves<false>, fmacHalves<true>>, VALU},
    {"v_pk_min_f16", two<MinMaxHalf<false>>, VALU},
    {"v_pk_max_f16", two<MinMaxHalf<true>>, VALU},
    {"v_pk_minimum3_f16", three<Propagating3<false>>, VALU},
    {"v_pk_maximum3_f16", three<Propagating3<true>>, VALU},
    {"v_pk_add_u16", int2<AddU16>, VALU},
    {"v_pk_sub_u16", int2<SubU16>, VALU},
    {"v_pk_add_i16", int2<AddI16>, VALU},
    {"v_pk_sub_i16", int2<SubI16>, VALU},
    {"v_pk_mad_u16", int3<MadU16>, VALU},
    {"v_pk_mad_i16", int3<MadI16>, VALU},
    {"v_pk_mul_lo_u16", int2<Same<mulLo>>, VALU},
    {"v_pk_lshlrev_b16", int2<Same<shiftLeft>>, VALU},
    {"v_pk_lshrrev_b16", int2<Same<shiftRight>>, VALU},
    {"v_pk_ashrrev_i16", int2<Same<shiftRightSigned>>, VALU},
    {"v_pk_min_u16", int2<Same<minU>>, VALU},
    {"v_pk_max_u16", int2<Same<maxU>>, VALU},
    {"v_pk_min_i16", int2<Same<minI>>, VALU},
    {"v_pk_max_i16", int2<Same<maxI>>, VALU},
};

} // namespace

const InstructionList packedList = {entries,
                                    sizeof(entries) / sizeof(entries[0])};

} // namespace rowmill::emulator::ROWMILL_SIMD
