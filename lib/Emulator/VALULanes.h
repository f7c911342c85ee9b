// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Lane masks and lane permutations for the vector handlers, in host vectors.

#ifndef ROWMILL_LIB_EMULATOR_VALULANES_H
#define ROWMILL_LIB_EMULATOR_VALULANES_H

#include "DppPatterns.h"
#include "Simd.h"
#include "rowmill/Emulator/Wave.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace rowmill::emulator::ROWMILL_SIMD {

/// A mask of 64 bits as 0 or ~0 in each lane.
ROWMILL_INLINE void expandMask(uint64_t mask, uint32_t *out) {
#if defined(__AVX512F__)
  for (unsigned v = 0; v < 4; ++v)
    _mm512_store_si512(
        out + 16 * v, _mm512_maskz_set1_epi32(__mmask16(mask >> (16 * v)), -1));
#else
  for (unsigned half = 0; half < 2; ++half) {
    uint32_t bits = uint32_t(mask >> (32 * half));
    for (unsigned l = 0; l < 32; ++l)
      out[32 * half + l] = 0u - ((bits >> l) & 1);
  }
#endif
}

/// The sign bits of 64 lanes as a mask.
ROWMILL_INLINE uint64_t packMask(const uint32_t *lanes) {
  uint64_t mask = 0;
#if defined(__AVX512F__)
  for (unsigned v = 0; v < 4; ++v)
    mask |= uint64_t(_mm512_cmplt_epi32_mask(_mm512_load_si512(lanes + 16 * v),
                                             _mm512_setzero_si512()))
            << (16 * v);
#elif defined(__AVX2__)
  for (unsigned v = 0; v < 8; ++v)
    mask |= uint64_t(uint32_t(_mm256_movemask_ps(_mm256_load_ps(
                reinterpret_cast<const float *>(lanes + 8 * v)))))
            << (8 * v);
#elif defined(__x86_64__)
  for (unsigned v = 0; v < 16; ++v)
    mask |= uint64_t(uint32_t(_mm_movemask_ps(
                _mm_load_ps(reinterpret_cast<const float *>(lanes + 4 * v)))))
            << (4 * v);
#else
  for (unsigned l = 0; l < kLanes; ++l)
    mask |= uint64_t(lanes[l] >> 31) << l;
#endif
  return mask;
}

/// out[l] = in[pattern.index[l]], and zero where the mask `valid` has no bit.
/// `out` is not `in`.
ROWMILL_INLINE void permuteLanes(const DppPattern &pattern, uint64_t valid,
                                 const uint32_t *in, uint32_t *out) {
#if defined(__AVX512F__)
  if (__builtin_expect(pattern.withinRow, 1)) {
    __m512i index = _mm512_cvtepu8_epi32(
        _mm_loadu_si128(reinterpret_cast<const __m128i *>(pattern.index)));
    for (unsigned v = 0; v < 4; ++v)
      _mm512_store_si512(out + 16 * v, _mm512_maskz_permutexvar_epi32(
                                           __mmask16(valid >> (16 * v)), index,
                                           _mm512_load_si512(in + 16 * v)));
    return;
  }
#elif defined(__AVX2__)
  if (__builtin_expect(pattern.withinRow, 1)) {
    alignas(32) uint32_t keep[kLanes];
    expandMask(valid, keep);
    for (unsigned h = 0; h < 2; ++h) {
      __m256i index = _mm256_cvtepu8_epi32(_mm_loadl_epi64(
          reinterpret_cast<const __m128i *>(pattern.index + 8 * h)));
      __m256i upper = _mm256_cmpgt_epi32(index, _mm256_set1_epi32(7));
      for (unsigned row = 0; row < 4; ++row) {
        auto *source = reinterpret_cast<const __m256i *>(in + 16 * row);
        __m256i a =
            _mm256_permutevar8x32_epi32(_mm256_load_si256(source), index);
        __m256i b =
            _mm256_permutevar8x32_epi32(_mm256_load_si256(source + 1), index);
        unsigned at = 16 * row + 8 * h;
        __m256i mask =
            _mm256_load_si256(reinterpret_cast<const __m256i *>(keep + at));
        _mm256_store_si256(
            reinterpret_cast<__m256i *>(out + at),
            _mm256_and_si256(_mm256_blendv_epi8(a, b, upper), mask));
      }
    }
    return;
  }
#endif
  for (unsigned l = 0; l < kLanes; ++l)
    out[l] = in[pattern.index[l]] & (0u - uint32_t((valid >> l) & 1));
}

} // namespace rowmill::emulator::ROWMILL_SIMD

#endif // ROWMILL_LIB_EMULATOR_VALULANES_H
