// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// The table of archs.

#include "rowmill/Target/Arch.h"

#include "llvm/ADT/StringExtras.h"

using namespace rowmill;

// Where to stop sharing: the row counts were measured on gfx950 by the authors
// of hand-written compressors; those of wave32 are carried over, not measured.
static constexpr PoolTuning shortPools64[] = {
    {768, 4, 0, 1}, {1280, 2, 0, 1}, {0, 1, 0, 1}};
static constexpr PoolTuning shortPools32[] = {
    {512, 4, 0, 1}, {1024, 2, 0, 1}, {0, 1, 0, 1}};
static constexpr PoolTuning longPools64[] = {
    {32, 8, 64, 4},   {64, 8, 64, 1},  {256, 8, 128, 1}, {384, 8, 256, 1},
    {768, 4, 256, 1}, {1024, 8, 0, 1}, {8192, 4, 0, 1},  {0, 1, 0, 1}};
static constexpr PoolTuning longPools32[] = {
    {64, 8, 32, 1}, {256, 8, 64, 1}, {1024, 4, 256, 1}, {0, 1, 0, 1}};

//  name, wave, LDS, OCP fp8, FP4, permlane swap, row_xmask, permlanex16, pools
static const Arch archs[] = {
    {"gfx942", 64, 64 * 1024, false, Fp4Convert::None, false, false, false,
     shortPools64, longPools64},
    {"gfx950", 64, 160 * 1024, true, Fp4Convert::Pk2, true, false, false,
     shortPools64, longPools64},
    {"gfx1250", 32, 320 * 1024, true, Fp4Convert::Pk8, false, true, true,
     shortPools32, longPools32},
};

llvm::ArrayRef<Arch> rowmill::getArchs() { return archs; }

const Arch *rowmill::lookupArch(llvm::StringRef name) {
  for (const Arch &arch : archs)
    if (arch.name == name)
      return &arch;
  return nullptr;
}

std::string rowmill::knownArchNames() {
  return llvm::join(
      llvm::map_range(archs, [](const Arch &arch) { return arch.name; }), ", ");
}
