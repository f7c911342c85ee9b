// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Names the namespace of the files that are compiled once for each vector
// width.

#ifndef ROWMILL_LIB_EMULATOR_SIMD_H
#define ROWMILL_LIB_EMULATOR_SIMD_H

// CMake compiles each file of ROWMILL_SIMD_SOURCES three times, with this set
// to simd_base, simd_v3 and simd_v4. Everything in such a file must be in that
// namespace or be always_inline; include no header whose inline functions could
// be emitted (no LLVM, no <algorithm>, no <cmath> templates).
#ifndef ROWMILL_SIMD
#define ROWMILL_SIMD simd_base
#endif

#endif // ROWMILL_LIB_EMULATOR_SIMD_H
