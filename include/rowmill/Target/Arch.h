// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// What the archs can do: the one table that passes ask.

#ifndef ROWMILL_TARGET_ARCH_H
#define ROWMILL_TARGET_ARCH_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace rowmill {

/// How f32 becomes FP4: not at all, two values an instruction into one byte
/// (v_cvt_scalef32_pk_fp4_f32), or eight into a word
/// (v_cvt_scalef32_pk8_fp4_f32).
enum class Fp4Convert { None, Pk2, Pk8 };

/// How a pool is best shared for up to `maxRows` rows (0: any number).
struct PoolTuning {
  int64_t maxRows;
  int64_t waves;     ///< that share a pool
  int64_t slice;     ///< elements of a row for a workgroup; 0: all of them
  int64_t tailWaves; ///< of a workgroup of the launch after a sliced pool
};

/// The capabilities of an arch. Passes ask for these and never for a name; a
/// new arch is one more row of the table in Arch.cpp.
struct Arch {
  llvm::StringRef name;
  unsigned waveSize; ///< lanes of a wave
  unsigned ldsBytes; ///< of a workgroup
  bool fp8Ocp;       ///< fp8 is f8E4M3FN; else f8E4M3FNUZ
  Fp4Convert fp4Convert;
  bool hasPermlaneSwap; ///< v_permlane16_swap_b32, v_permlane32_swap_b32
  bool hasDppRowXmask;  ///< DPP row_xmask: any exchange within 16 lanes
  bool hasPermlaneX16;  ///< v_permlanex16_b32
  llvm::ArrayRef<PoolTuning> shortPools; ///< in ascending order of rows
  llvm::ArrayRef<PoolTuning> longPools;  ///< of many sources
};

/// All archs, oldest first.
llvm::ArrayRef<Arch> getArchs();

/// The arch of that name; null if there is none.
const Arch *lookupArch(llvm::StringRef name);

/// "gfx942, gfx950, ..." for messages.
std::string knownArchNames();

} // namespace rowmill

#endif // ROWMILL_TARGET_ARCH_H
