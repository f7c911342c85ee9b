// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// The types by which a lane function says what its operands are.

#ifndef ROWMILL_LIB_EMULATOR_VALUOPERANDS_H
#define ROWMILL_LIB_EMULATOR_VALUOPERANDS_H

#include "Simd.h"
#include "rowmill/Emulator/Numerics.h"

namespace rowmill::emulator::ROWMILL_SIMD {

/// 32 bits that take neg/abs but no arithmetic, so denormals stay.
struct Bits32 {
  uint32_t bits;
};
/// An f16 code.
struct Half {
  uint16_t bits;
};
/// An f16 source widened to f32; as a result, an f32 that is exact or rounded
/// to odd, and so can be rounded to f16 in any mode.
struct HalfValue {
  float value;
};
/// Two f32 codes in a pair of registers.
struct Pair32 {
  uint32_t lo, hi;
};
/// 0 or ~0, from a scalar lane mask.
struct LaneMask {
  uint32_t bits;
};
/// The number of the lane.
struct LaneId {
  uint32_t index;
};
/// Instruction::imm[3], which the factory may set as it likes.
struct Uniform {
  uint32_t value;
};
/// The former destination.
template <typename T>
struct Old {
  T value;
};
/// A result with a carry, for sdst.
template <typename T>
struct WithCarry {
  T value;
  bool carry;
};

/// What the general path has to know of an operand.
enum class Kind : uint8_t {
  None,
  B32,
  M32,
  F32,
  B16,
  F16,
  B64,
  F64,
  F32x2,
  Mask
};
constexpr bool isPair(Kind k) {
  return k == Kind::B64 || k == Kind::F64 || k == Kind::F32x2;
}

template <typename T>
struct OperandTraits;
template <Kind K, unsigned Dwords>
struct OperandBase {
  static constexpr Kind kind = K;
  static constexpr unsigned dwords = Dwords;
  static constexpr bool narrow = K == Kind::B16 || K == Kind::F16;
  static constexpr bool old = false;
};
template <>
struct OperandTraits<uint32_t> : OperandBase<Kind::B32, 1> {
  static ROWMILL_INLINE uint32_t from(uint32_t lo, uint32_t) { return lo; }
  static ROWMILL_INLINE void to(uint32_t v, uint32_t &lo, uint32_t &) {
    lo = v;
  }
};
template <>
struct OperandTraits<int32_t> : OperandBase<Kind::B32, 1> {
  static ROWMILL_INLINE int32_t from(uint32_t lo, uint32_t) {
    return int32_t(lo);
  }
  static ROWMILL_INLINE void to(int32_t v, uint32_t &lo, uint32_t &) {
    lo = uint32_t(v);
  }
};
template <>
struct OperandTraits<Bits32> : OperandBase<Kind::M32, 1> {
  static ROWMILL_INLINE Bits32 from(uint32_t lo, uint32_t) { return {lo}; }
  static ROWMILL_INLINE void to(Bits32 v, uint32_t &lo, uint32_t &) {
    lo = v.bits;
  }
};
template <>
struct OperandTraits<float> : OperandBase<Kind::F32, 1> {
  static ROWMILL_INLINE float from(uint32_t lo, uint32_t) {
    return asFloat(lo);
  }
  static ROWMILL_INLINE void to(float v, uint32_t &lo, uint32_t &) {
    lo = asBits(v);
  }
};
template <>
struct OperandTraits<uint16_t> : OperandBase<Kind::B16, 1> {
  static ROWMILL_INLINE uint16_t from(uint32_t lo, uint32_t) {
    return uint16_t(lo);
  }
  static ROWMILL_INLINE void to(uint16_t v, uint32_t &lo, uint32_t &) {
    lo = v;
  }
};
template <>
struct OperandTraits<int16_t> : OperandBase<Kind::B16, 1> {
  static ROWMILL_INLINE int16_t from(uint32_t lo, uint32_t) {
    return int16_t(uint16_t(lo));
  }
  static ROWMILL_INLINE void to(int16_t v, uint32_t &lo, uint32_t &) {
    lo = uint16_t(v);
  }
};
template <>
struct OperandTraits<Half> : OperandBase<Kind::F16, 1> {
  static ROWMILL_INLINE Half from(uint32_t lo, uint32_t) {
    return {uint16_t(lo)};
  }
  static ROWMILL_INLINE void to(Half v, uint32_t &lo, uint32_t &) {
    lo = v.bits;
  }
};
template <>
struct OperandTraits<HalfValue> : OperandBase<Kind::F16, 1> {
  static ROWMILL_INLINE HalfValue from(uint32_t lo, uint32_t) {
    return {asFloat(decode<F16>(lo & 0xffff))};
  }
  static ROWMILL_INLINE void to(HalfValue v, uint32_t &lo, uint32_t &) {
    lo = encodeNearest<F16>(asBits(v.value));
  }
};
template <>
struct OperandTraits<uint64_t> : OperandBase<Kind::B64, 2> {
  static ROWMILL_INLINE uint64_t from(uint32_t lo, uint32_t hi) {
    return lo | uint64_t(hi) << 32;
  }
  static ROWMILL_INLINE void to(uint64_t v, uint32_t &lo, uint32_t &hi) {
    lo = uint32_t(v);
    hi = uint32_t(v >> 32);
  }
};
template <>
struct OperandTraits<int64_t> : OperandBase<Kind::B64, 2> {
  static ROWMILL_INLINE int64_t from(uint32_t lo, uint32_t hi) {
    return int64_t(lo | uint64_t(hi) << 32);
  }
  static ROWMILL_INLINE void to(int64_t v, uint32_t &lo, uint32_t &hi) {
    lo = uint32_t(uint64_t(v));
    hi = uint32_t(uint64_t(v) >> 32);
  }
};
template <>
struct OperandTraits<double> : OperandBase<Kind::F64, 2> {
  static ROWMILL_INLINE double from(uint32_t lo, uint32_t hi) {
    return asDouble(lo | uint64_t(hi) << 32);
  }
  static ROWMILL_INLINE void to(double v, uint32_t &lo, uint32_t &hi) {
    lo = uint32_t(asBits(v));
    hi = uint32_t(asBits(v) >> 32);
  }
};
template <>
struct OperandTraits<Pair32> : OperandBase<Kind::F32x2, 2> {
  static ROWMILL_INLINE Pair32 from(uint32_t lo, uint32_t hi) {
    return {lo, hi};
  }
  static ROWMILL_INLINE void to(Pair32 v, uint32_t &lo, uint32_t &hi) {
    lo = v.lo;
    hi = v.hi;
  }
};
template <>
struct OperandTraits<LaneMask> : OperandBase<Kind::Mask, 1> {
  static ROWMILL_INLINE LaneMask from(uint32_t lo, uint32_t) { return {lo}; }
};
template <typename T>
struct OperandTraits<Old<T>> : OperandTraits<T> {
  static constexpr bool old = true;
  static ROWMILL_INLINE Old<T> from(uint32_t lo, uint32_t hi) {
    return {OperandTraits<T>::from(lo, hi)};
  }
};

} // namespace rowmill::emulator::ROWMILL_SIMD

#endif // ROWMILL_LIB_EMULATOR_VALUOPERANDS_H
