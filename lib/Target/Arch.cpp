// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// The table of archs.

#include "rowmill/Target/Arch.h"

#include "llvm/ADT/StringExtras.h"

using namespace rowmill;

//  name, wave, LDS, OCP fp8, FP4, permlane swap, row_xmask, permlanex16
static const Arch archs[] = {
    {"gfx942", 64, 64 * 1024, false, Fp4Convert::None, false, false, false},
    {"gfx950", 64, 160 * 1024, true, Fp4Convert::Pk2, true, false, false},
    {"gfx1250", 32, 320 * 1024, true, Fp4Convert::Pk8, false, true, true},
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
