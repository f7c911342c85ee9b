// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Scalar operands of 32 or 64 bits, read and written by their type.

#ifndef ROWMILL_LIB_EMULATOR_SCALAROPERANDS_H
#define ROWMILL_LIB_EMULATOR_SCALAROPERANDS_H

#include "rowmill/Emulator/Wave.h"

namespace rowmill::emulator::scalar {

using u32 = uint32_t;
using u64 = uint64_t;
using i32 = int32_t;
using i64 = int64_t;

template <typename T>
T read(const Wave &w, const Source &src) {
  if constexpr (sizeof(T) == 8)
    return T(w.scalar64(src));
  else
    return T(w.scalar32(src));
}
template <typename T>
void write(Wave &w, const Dest &dst, T value) {
  if constexpr (sizeof(T) == 8)
    w.setSgpr64(dst.reg, u64(value));
  else
    w.setSgpr32(dst.reg, u32(value));
}

} // namespace rowmill::emulator::scalar

#endif // ROWMILL_LIB_EMULATOR_SCALAROPERANDS_H
