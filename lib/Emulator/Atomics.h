// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Read-modify-write operations of memory and LDS. Workgroups run on several
// host threads, so they are atomic on the host as well.

#ifndef ROWMILL_LIB_EMULATOR_ATOMICS_H
#define ROWMILL_LIB_EMULATOR_ATOMICS_H

#include "MemoryAccess.h"
#include "rowmill/Emulator/Numerics.h"

#include <cmath>

namespace rowmill::emulator::atomics {

template <typename T>
T add(T old, T value) {
  return old + value;
}
template <typename T>
T sub(T old, T value) {
  return old - value;
}
template <typename T>
T reverseSub(T old, T value) {
  return value - old;
}
template <typename T>
T min(T old, T value) {
  return value < old ? value : old;
}
template <typename T>
T max(T old, T value) {
  return value > old ? value : old;
}
template <typename T>
T bitAnd(T old, T value) {
  return old & value;
}
template <typename T>
T bitOr(T old, T value) {
  return old | value;
}
template <typename T>
T bitXor(T old, T value) {
  return old ^ value;
}
template <typename T>
T swap(T, T value) {
  return value;
}
/// Counts up to `value` and wraps to zero.
template <typename T>
T increment(T old, T value) {
  return old >= value ? 0 : old + 1;
}
/// Counts down to zero and wraps to `value`.
template <typename T>
T decrement(T old, T value) {
  return old == 0 || old > value ? value : old - 1;
}
template <typename T>
T minFloat(T old, T value) {
  return std::fmin(old, value);
}
template <typename T>
T maxFloat(T old, T value) {
  return std::fmax(old, value);
}

/// Two values of a 16-bit format in a dword. Their sum in f32, rounded once
/// more, is the sum rounded once: f32 has more than twice the bits.
template <typename Format>
uint32_t addPair(uint32_t old, uint32_t value) {
  auto half = [&](unsigned shift) {
    float sum = asFloat(decode<Format>(old >> shift & 0xffff)) +
                asFloat(decode<Format>(value >> shift & 0xffff));
    return encodeNearest<Format>(asBits(sum)) << shift;
  };
  return half(0) | half(16);
}

template <unsigned Bytes>
struct Bits;
template <>
struct Bits<4> {
  using type = uint32_t;
};
template <>
struct Bits<8> {
  using type = uint64_t;
};

/// One value of a register pair or a single register.
template <typename T>
T laneValue(const Wave &w, unsigned reg, unsigned lane) {
  typename Bits<sizeof(T)>::type bits = w.vgpr[reg][lane];
  if constexpr (sizeof(T) == 8)
    bits |= uint64_t(w.vgpr[reg + 1][lane]) << 32;
  T value;
  std::memcpy(&value, &bits, sizeof(T));
  return value;
}
template <typename T>
void setLaneValue(Wave &w, unsigned reg, unsigned lane, T value) {
  typename Bits<sizeof(T)>::type bits;
  std::memcpy(&bits, &value, sizeof(T));
  w.vgpr[reg][lane] = uint32_t(bits);
  if constexpr (sizeof(T) == 8)
    w.vgpr[reg + 1][lane] = uint32_t(bits >> 32);
}

/// Replaces *at by F(*at, value) and returns what was there.
template <typename T, T (*F)(T, T)>
T modify(uint8_t *at, T value) {
  using B = typename Bits<sizeof(T)>::type;
  B *p = reinterpret_cast<B *>(at);
  B old = __atomic_load_n(p, __ATOMIC_RELAXED);
  for (;;) {
    T oldValue;
    std::memcpy(&oldValue, &old, sizeof(T));
    T newValue = F(oldValue, value);
    B desired;
    std::memcpy(&desired, &newValue, sizeof(T));
    if (__atomic_compare_exchange_n(p, &old, desired, false, __ATOMIC_SEQ_CST,
                                    __ATOMIC_RELAXED))
      return oldValue;
  }
}

/// All active lanes in ascending order; the old values go to dst if there is
/// one.
template <typename T, T (*F)(T, T)>
void run(Wave &w, const Instruction &i, unsigned data, const LanePointers &p) {
  for (unsigned l = 0; l < kLanes; ++l) {
    if (!w.execRow.lane[l])
      continue;
    T old = modify<T, F>(p.lane[l], laneValue<T>(w, data, l));
    if (i.dst)
      setLaneValue<T>(w, i.dst.reg, l, old);
  }
}

/// Stores `desired` where `expected` is found.
template <typename T>
void runCompareSwap(Wave &w, const Instruction &i, unsigned expected,
                    unsigned desired, const LanePointers &p) {
  for (unsigned l = 0; l < kLanes; ++l) {
    if (!w.execRow.lane[l])
      continue;
    T old = laneValue<T>(w, expected, l);
    __atomic_compare_exchange_n(reinterpret_cast<T *>(p.lane[l]), &old,
                                laneValue<T>(w, desired, l), false,
                                __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    if (i.dst)
      setLaneValue<T>(w, i.dst.reg, l, old);
  }
}

} // namespace rowmill::emulator::atomics

#endif // ROWMILL_LIB_EMULATOR_ATOMICS_H
