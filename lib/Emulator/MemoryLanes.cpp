// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Lane loops of memory instructions; built once for each vector width.

#include "MemoryLanes.h"
#include "Simd.h"

namespace rowmill::emulator::ROWMILL_SIMD {
namespace {

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

void addresses(const uint32_t *low, const uint32_t *high, uint64_t base,
               LaneAddresses &out) {
  if (!high) {
    for (unsigned l = 0; l < kLanes; ++l)
      out.lane[l] = base + low[l];
    return;
  }
  for (unsigned l = 0; l < kLanes; ++l)
    out.lane[l] = base + (low[l] | uint64_t(high[l]) << 32);
}

template <bool Full>
ROWMILL_INLINE LaneSpan spanOf(const LaneAddresses &a, const Row &exec) {
  uint64_t low = ~uint64_t(0), high = 0, bits = 0;
  for (unsigned l = 0; l < kLanes; ++l) {
    uint64_t active =
        Full ? ~uint64_t(0) : uint64_t(int64_t(int32_t(exec.lane[l])));
    uint64_t least = a.lane[l] | ~active, most = a.lane[l] & active;
    low = least < low ? least : low;
    high = most > high ? most : high;
    bits |= most;
  }
  return {low, high, bits};
}
LaneSpan span(const LaneAddresses &a, const Row &exec, bool full) {
  return full ? spanOf<true>(a, exec) : spanOf<false>(a, exec);
}

ROWMILL_INLINE bool isContiguous(const LanePointers &p, unsigned bytes) {
  uint64_t first = reinterpret_cast<uint64_t>(p.lane[0]), different = 0;
  for (unsigned l = 0; l < kLanes; ++l)
    different |= reinterpret_cast<uint64_t>(p.lane[l]) ^ (first + l * bytes);
  return different == 0;
}

void pointers(const LaneAddresses &a, uint64_t bias, unsigned bytes,
              const Row &exec, bool full, uint8_t *idle, LanePointers &p) {
  if (full) {
    for (unsigned l = 0; l < kLanes; ++l)
      p.lane[l] = reinterpret_cast<uint8_t *>(a.lane[l] + bias);
    p.contiguous = isContiguous(p, bytes);
    return;
  }
  for (unsigned l = 0; l < kLanes; ++l)
    p.lane[l] =
        exec.lane[l] ? reinterpret_cast<uint8_t *>(a.lane[l] + bias) : idle;
  p.contiguous = false;
}

bool lds(const uint32_t *address, uint32_t offset, uint64_t limit,
         uint32_t misaligned, unsigned bytes, const Row &exec, bool full,
         uint8_t *base, uint8_t *idle, LanePointers &p) {
  // The offset has 16 bits and LDS fewer than 20: larger addresses are bad.
  uint32_t wrong = 0;
  uint32_t most = uint32_t(limit < 0x80000000u ? limit : 0x80000000u);
  for (unsigned l = 0; l < kLanes; ++l) {
    uint32_t at = address[l] + offset;
    uint32_t bad = uint32_t(address[l] >= 0x80000000u) | uint32_t(at >= most) |
                   (at & misaligned);
    wrong |= bad & exec.lane[l];
  }
  if (wrong)
    return false;
  for (unsigned l = 0; l < kLanes; ++l)
    p.lane[l] = exec.lane[l] ? base + uint64_t(address[l] + offset) : idle;
  p.contiguous = full && isContiguous(p, bytes);
  return true;
}

//===----------------------------------------------------------------------===//
// Loads
//===----------------------------------------------------------------------===//

template <typename T>
ROWMILL_INLINE T get(const uint8_t *from) {
  T value;
  __builtin_memcpy(&value, from, sizeof(T));
  return value;
}

template <Fill F>
ROWMILL_INLINE uint32_t fill(const uint8_t *from, uint32_t old) {
  constexpr bool byte = F == Fill::U8 || F == Fill::I8 || F == Fill::D16U8 ||
                        F == Fill::D16I8 || F == Fill::D16U8Hi ||
                        F == Fill::D16I8Hi;
  constexpr bool sign =
      F == Fill::I8 || F == Fill::I16 || F == Fill::D16I8 || F == Fill::D16I8Hi;
  uint32_t value;
  if constexpr (byte)
    value = sign ? uint32_t(int32_t(int8_t(*from))) : *from;
  else
    value = sign ? uint32_t(int32_t(get<int16_t>(from))) : get<uint16_t>(from);
  if constexpr (F == Fill::D16U8 || F == Fill::D16I8 || F == Fill::D16)
    return (old & 0xffff0000) | (value & 0xffff);
  if constexpr (F == Fill::D16U8Hi || F == Fill::D16I8Hi || F == Fill::D16Hi)
    return (old & 0xffff) | value << 16;
  return value;
}

template <Fill F>
void loadSmall(uint32_t (*to)[kLanes], const LanePointers &p, const Row &exec,
               bool full) {
  constexpr unsigned bytes =
      F == Fill::U16 || F == Fill::I16 || F == Fill::D16 || F == Fill::D16Hi
          ? 2
          : 1;
  uint32_t *row = to[0];
  if (p.contiguous) {
    const uint8_t *from = p.lane[0];
    for (unsigned l = 0; l < kLanes; ++l)
      row[l] = fill<F>(from + l * bytes, row[l]);
    return;
  }
  Row values;
  for (unsigned l = 0; l < kLanes; ++l)
    values.lane[l] = fill<F>(p.lane[l], row[l]);
  for (unsigned l = 0; l < kLanes; ++l)
    row[l] = (values.lane[l] & exec.lane[l]) | (row[l] & ~exec.lane[l]);
}

using Quad = uint32_t __attribute__((ext_vector_type(4), aligned(4)));

/// Four lanes' quads to four rows' quads, and back.
ROWMILL_INLINE void transpose(Quad &a, Quad &b, Quad &c, Quad &d) {
  Quad ab0 = __builtin_shufflevector(a, b, 0, 4, 1, 5);
  Quad ab1 = __builtin_shufflevector(a, b, 2, 6, 3, 7);
  Quad cd0 = __builtin_shufflevector(c, d, 0, 4, 1, 5);
  Quad cd1 = __builtin_shufflevector(c, d, 2, 6, 3, 7);
  a = __builtin_shufflevector(ab0, cd0, 0, 1, 4, 5);
  b = __builtin_shufflevector(ab0, cd0, 2, 3, 6, 7);
  c = __builtin_shufflevector(ab1, cd1, 0, 1, 4, 5);
  d = __builtin_shufflevector(ab1, cd1, 2, 3, 6, 7);
}

template <unsigned Dwords>
ROWMILL_INLINE void gather(uint32_t (*to)[kLanes], const LanePointers &p) {
  if constexpr (Dwords == 4) {
    for (unsigned l = 0; l < kLanes; l += 4) {
      Quad q[4];
      for (unsigned k = 0; k < 4; ++k)
        q[k] = get<Quad>(p.lane[l + k]);
      transpose(q[0], q[1], q[2], q[3]);
      for (unsigned r = 0; r < 4; ++r)
        __builtin_memcpy(&to[r][l], &q[r], 16);
    }
    return;
  }
  for (unsigned l = 0; l < kLanes; ++l)
    for (unsigned r = 0; r < Dwords; ++r)
      to[r][l] = get<uint32_t>(p.lane[l] + 4 * r);
}

template <unsigned Dwords>
void loadDwords(uint32_t (*to)[kLanes], const LanePointers &p, const Row &exec,
                bool full) {
  if (p.contiguous && Dwords < 4) {
    const uint8_t *from = p.lane[0];
    for (unsigned l = 0; l < kLanes; ++l)
      for (unsigned r = 0; r < Dwords; ++r)
        to[r][l] = get<uint32_t>(from + 4 * (l * Dwords + r));
    return;
  }
  if (full)
    return gather<Dwords>(to, p);
  alignas(64) uint32_t values[Dwords][kLanes];
  gather<Dwords>(values, p);
  for (unsigned r = 0; r < Dwords; ++r)
    for (unsigned l = 0; l < kLanes; ++l)
      to[r][l] = (values[r][l] & exec.lane[l]) | (to[r][l] & ~exec.lane[l]);
}

//===----------------------------------------------------------------------===//
// Stores: lanes that write the same place do so in ascending order
//===----------------------------------------------------------------------===//

template <typename T, unsigned Shift>
void storeSmall(const uint32_t (*from)[kLanes], const LanePointers &p) {
  if (p.contiguous) {
    T values[kLanes];
    for (unsigned l = 0; l < kLanes; ++l)
      values[l] = T(from[0][l] >> Shift);
    __builtin_memcpy(p.lane[0], values, sizeof(values));
    return;
  }
  for (unsigned l = 0; l < kLanes; ++l) {
    T value = T(from[0][l] >> Shift);
    __builtin_memcpy(p.lane[l], &value, sizeof(T));
  }
}

template <unsigned Dwords>
void storeDwords(const uint32_t (*from)[kLanes], const LanePointers &p) {
  if (Dwords == 1 && p.contiguous) {
    __builtin_memcpy(p.lane[0], from[0], 4 * kLanes);
    return;
  }
  if constexpr (Dwords == 4) {
    for (unsigned l = 0; l < kLanes; l += 4) {
      Quad q[4];
      for (unsigned r = 0; r < 4; ++r)
        __builtin_memcpy(&q[r], &from[r][l], 16);
      transpose(q[0], q[1], q[2], q[3]);
      for (unsigned k = 0; k < 4; ++k)
        __builtin_memcpy(p.lane[l + k], &q[k], 16);
    }
    return;
  }
  for (unsigned l = 0; l < kLanes; ++l)
    for (unsigned r = 0; r < Dwords; ++r)
      __builtin_memcpy(p.lane[l] + 4 * r, &from[r][l], 4);
}

const MemoryLanes kLanesOf = {
    addresses,
    span,
    pointers,
    lds,
    {loadSmall<Fill::U8>, loadSmall<Fill::I8>, loadSmall<Fill::U16>,
     loadSmall<Fill::I16>, loadSmall<Fill::D16U8>, loadSmall<Fill::D16I8>,
     loadSmall<Fill::D16>, loadSmall<Fill::D16U8Hi>, loadSmall<Fill::D16I8Hi>,
     loadSmall<Fill::D16Hi>, loadDwords<1>, loadDwords<2>, loadDwords<3>,
     loadDwords<4>},
    {storeSmall<uint8_t, 0>, storeSmall<uint8_t, 16>},
    {storeSmall<uint16_t, 0>, storeSmall<uint16_t, 16>},
    {storeDwords<1>, storeDwords<2>, storeDwords<3>, storeDwords<4>},
};

} // namespace

const MemoryLanes &memoryLanes() { return kLanesOf; }

} // namespace rowmill::emulator::ROWMILL_SIMD
