// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Turns a function of one lane into the handler of a vector instruction.
//
// A lane function says by its types what an operand is: a `float` parameter is
// an f32 source with neg/abs, a `HalfValue` an f16 one, `Old<float>` the former
// destination, `LaneMask` a condition such as VCC. `lanes<Fn>` is then the
// factory of its table entry. The usual forms run in one loop over all lanes
// that blends with EXEC; DPP, SDWA, op_sel, clamp, omod and unusual MODE
// settings take the path of VALUGeneral.cpp around the same loop.
#ifndef ROWMILL_LIB_EMULATOR_VALU_H
#define ROWMILL_LIB_EMULATOR_VALU_H

#include "Simd.h"
#include "VALUOperands.h"
#include "rowmill/Emulator/InstructionList.h"
#include "rowmill/Emulator/Numerics.h"
#include "rowmill/Emulator/Wave.h"

// A loop that calls libm for each lane stays scalar, and that is no news.
#pragma clang diagnostic ignored "-Wpass-failed"

namespace rowmill::emulator::ROWMILL_SIMD {

//===-- The loop ----------------------------------------------------------===//

/// Everything that the loop over lanes reads and writes.
struct Call {
  const uint32_t *src[4][2];
  uint32_t keep[4], flip[4]; // sign modifiers, on the last dword
  const uint32_t *old[2];
  uint32_t *out[2];
  uint32_t *carry; // 0 or ~0 in each lane
  const uint32_t *mask;
  uint32_t uniform;
  Mode mode;
};

/// A parameter of a lane function in its place among the sources.
template <typename P, unsigned Index>
struct Fetch {
  using Traits = OperandTraits<P>;
  static constexpr unsigned consumed = Traits::old ? 0 : 1;
  static constexpr Kind kind = Traits::old ? Kind::None : Traits::kind;
  static ROWMILL_INLINE P get(const Call &c, unsigned l) {
    constexpr bool wide = Traits::dwords == 2;
    if constexpr (Traits::old)
      return Traits::from(c.old[0][l], wide ? c.old[1][l] : 0);
    else {
      uint32_t lo = c.src[Index][0][l];
      uint32_t hi = wide ? c.src[Index][1][l] : 0;
      constexpr Kind k = Traits::kind;
      if constexpr (k == Kind::F64)
        hi = (hi & c.keep[Index]) ^ c.flip[Index];
      if constexpr (k == Kind::F32 || k == Kind::M32 || k == Kind::F16)
        lo = (lo & c.keep[Index]) ^ c.flip[Index];
      return Traits::from(lo, hi);
    }
  }
};
template <unsigned Index>
struct Fetch<LaneId, Index> {
  static constexpr unsigned consumed = 0;
  static constexpr Kind kind = Kind::None;
  static ROWMILL_INLINE LaneId get(const Call &, unsigned l) { return {l}; }
};
template <unsigned Index>
struct Fetch<Uniform, Index> {
  static constexpr unsigned consumed = 0;
  static constexpr Kind kind = Kind::None;
  static ROWMILL_INLINE Uniform get(const Call &c, unsigned) {
    return {c.uniform};
  }
};
template <unsigned Index>
struct Fetch<const Mode &, Index> {
  static constexpr unsigned consumed = 0;
  static constexpr Kind kind = Kind::None;
  static ROWMILL_INLINE const Mode &get(const Call &c, unsigned) {
    return c.mode;
  }
};

/// What happens to the upper half of the register of a 16-bit result: most
/// instructions clear it, the newer VOP3 ones leave it.
enum class Upper : uint8_t { Clear, Keep };

/// A lane function as the general path sees it.
struct LaneOp {
  void (*core)(const Call &);
  void (*coreWide)(const Call &); // HalfValue results not yet rounded
  Kind result;
  Upper upper;
  bool carry;
  uint8_t numSources;
  Kind source[4];
  Kind old;
};

/// Executes `op` with everything that an encoding can ask for.
void runGeneral(Wave &w, const Instruction &i, const LaneOp &op);
/// Whether `i` needs runGeneral even in the usual MODE.
bool needsGeneral(const Instruction &i, const LaneOp &op);
/// Whether the form of `i` has a meaning: existing DPP controls, no clamp on an
/// integer result that does not saturate.
bool supportedForm(const Instruction &i, const LaneOp &op);
/// Fills a row from a scalar lane mask.
void spreadLaneMask(const Wave &w, const Source &s, Row &out);
/// Writes a row of bits to sdst, or for a comparison to dst, and to EXEC as
/// well when imm[3] says v_cmpx.
void writeLaneCarry(Wave &w, const Instruction &i, const Row &carry,
                    bool comparison);

template <auto Fn, Upper U, typename Sig>
struct LaneFunction;

template <typename R>
struct ResultTraits : OperandTraits<R> {
  static constexpr bool carry = false;
  static ROWMILL_INLINE void put(R r, uint32_t &lo, uint32_t &hi, uint32_t &) {
    OperandTraits<R>::to(r, lo, hi);
  }
};
template <typename T>
struct ResultTraits<WithCarry<T>> : OperandTraits<T> {
  static constexpr bool carry = true;
  static ROWMILL_INLINE void put(WithCarry<T> r, uint32_t &lo, uint32_t &hi,
                                 uint32_t &carry) {
    OperandTraits<T>::to(r.value, lo, hi);
    carry = r.carry ? ~0u : 0;
  }
};

/// A comparison: one bit a lane, no vector destination.
template <>
struct ResultTraits<bool> : OperandBase<Kind::None, 0> {
  static constexpr bool carry = true;
  static ROWMILL_INLINE void put(bool r, uint32_t &, uint32_t &,
                                 uint32_t &carry) {
    carry = r ? ~0u : 0;
  }
};

template <auto Fn, Upper U, typename R, typename... P>
struct LaneFunction<Fn, U, R (*)(P...)> {
  using Result = ResultTraits<R>;
  static constexpr bool isHalf = Result::kind == Kind::F16;

  // Parameters take their places one after the other.
  template <unsigned Index, typename... Done>
  struct Place;
  template <typename...>
  struct List {};
  template <unsigned Index, typename Rest, typename... F>
  struct Assign;
  template <unsigned Index, typename... F>
  struct Assign<Index, List<>, F...> {
    static ROWMILL_INLINE R call(const Call &c, unsigned l) {
      return Fn(F::get(c, l)...);
    }
    static constexpr uint8_t numSources = Index;
    static constexpr LaneOp describe() {
      LaneOp op = {};
      op.numSources = Index;
      unsigned k = 0;
      ((F::consumed ? void(op.source[k++] = F::kind) : void()), ...);
      return op;
    }
  };
  template <unsigned Index, typename First, typename... Rest, typename... F>
  struct Assign<Index, List<First, Rest...>, F...>
      : Assign<Index + Fetch<First, Index>::consumed, List<Rest...>, F...,
               Fetch<First, Index>> {};
  using Parameters = Assign<0, List<P...>>;

  template <typename Q>
  struct OldKind {
    static constexpr Kind value = Kind::None;
  };
  template <typename Q>
  struct OldKind<Old<Q>> {
    static constexpr Kind value = OperandTraits<Q>::kind;
  };

  template <bool Wide>
  static ROWMILL_INLINE void loop(const Call &c) {
    constexpr bool pair = Result::dwords == 2;
#pragma clang loop vectorize(assume_safety)
    for (unsigned l = 0; l < kLanes; ++l) {
      uint32_t lo = 0, hi = 0, carry = 0;
      R r = Parameters::call(c, l);
      if constexpr (Wide)
        lo = asBits(r.value);
      else
        Result::put(r, lo, hi, carry);
      uint32_t m = c.mask[l];
      if constexpr (Result::carry)
        c.carry[l] = carry & m;
      if constexpr (Result::narrow && U == Upper::Keep && !Wide)
        lo |= c.out[0][l] & 0xffff0000;
      if constexpr (Result::dwords != 0)
        c.out[0][l] = (lo & m) | (c.out[0][l] & ~m);
      if constexpr (pair)
        c.out[1][l] = (hi & m) | (c.out[1][l] & ~m);
    }
  }
  template <bool Wide>
  static void core(const Call &c) {
    loop<Wide>(c);
  }

  static constexpr LaneOp makeOp() {
    LaneOp op = Parameters::describe();
    op.core = core<false>;
    if constexpr (__is_same(R, HalfValue))
      op.coreWide = core<true>;
    op.result = Result::kind;
    op.upper = U;
    op.carry = Result::carry;
    op.old = Kind::None;
    ((OldKind<P>::value != Kind::None ? void(op.old = OldKind<P>::value)
                                      : void()),
     ...);
    return op;
  }
  static constexpr LaneOp op = makeOp();

  static constexpr bool anyFloat =
      op.result == Kind::F32 || op.result == Kind::F64 ||
      op.result == Kind::F16 || op.result == Kind::F32x2 ||
      op.source[0] == Kind::F32 || op.source[0] == Kind::F64 ||
      op.source[0] == Kind::F16;

  static void general(Wave &w, const Instruction &i) { runGeneral(w, i, op); }

  static void fast(Wave &w, const Instruction &i) {
    if constexpr (anyFloat)
      if (__builtin_expect(!w.hostLikeMode | w.mode.fp16Overflow, 0))
        return runGeneral(w, i, op);
    Call c;
    for (unsigned k = 0; k < op.numSources; ++k) {
      const Source &s = i.src[k];
      constexpr uint32_t high = 0x80000000;
      uint32_t sign = op.source[k] == Kind::F16 ? 0x8000 : high;
      c.keep[k] = s.mods & mod::Abs ? ~sign : ~0u;
      c.flip[k] = s.mods & mod::Neg ? sign : 0;
      if (op.source[k] == Kind::Mask) {
        spreadLaneMask(w, s, w.scratch[2 * k]);
        c.src[k][0] = w.scratch[2 * k].lane;
        continue;
      }
      c.src[k][0] = w.lanesOf(s, w.scratch[2 * k]);
      if (isPair(op.source[k]))
        c.src[k][1] = w.lanesOf(s, w.scratch[2 * k + 1], 1);
    }
    if constexpr (Result::dwords != 0) {
      c.out[0] = w.vgpr[i.dst.reg];
      c.out[1] = Result::dwords == 2 ? w.vgpr[i.dst.reg + 1] : nullptr;
      c.old[0] = c.out[0];
      c.old[1] = c.out[1];
    }
    c.mask = w.execRow.lane;
    c.uniform = uint32_t(i.imm[3]);
    c.mode = w.mode;
    Row carry;
    c.carry = carry.lane;
    loop<false>(c);
    if constexpr (Result::carry)
      writeLaneCarry(w, i, carry, Result::dwords == 0);
  }
};

//===-- Factories ---------------------------------------------------------===//

/// The factory of an instruction that `Fn` computes lane by lane.
template <auto Fn, Upper U = Upper::Clear>
Handler lanes(Instruction &i) {
  using Function = LaneFunction<Fn, U, decltype(Fn)>;
  if (!supportedForm(i, Function::op))
    return nullptr;
  return needsGeneral(i, Function::op) ? Function::general : Function::fast;
}

/// Integer instructions whose clamp bit saturates.
template <auto Fn, auto Saturating, Upper U = Upper::Clear>
Handler lanesClamped(Instruction &i) {
  if (!i.clamp)
    return lanes<Fn, U>(i);
  i.clamp = 0;
  return lanes<Saturating, U>(i);
}

/// With `Prepare` run first: it may turn op_sel bits or immediates into the
/// Uniform parameter.
template <auto Fn, void (*Prepare)(Instruction &), Upper U = Upper::Clear>
Handler lanesPrepared(Instruction &i) {
  Prepare(i);
  return lanes<Fn, U>(i);
}

/// v_cmp and v_cmpx of a predicate.
template <auto Fn, bool WritesExec>
Handler comparison(Instruction &i) {
  i.imm[3] = WritesExec;
  i.clamp = 0; // asks for exceptions only
  i.sdst = i.dst;
  return lanes<Fn>(i);
}

/// A handler for the plain forms only.
template <Handler H>
Handler only(Instruction &i) {
  return i.encoding == Encoding::E32 || i.encoding == Encoding::E64 ? H
                                                                    : nullptr;
}

} // namespace rowmill::emulator::ROWMILL_SIMD

#endif // ROWMILL_LIB_EMULATOR_VALU_H
