// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Declarations of the passes from gpu functions to ROCDL.

#ifndef ROWMILL_TARGET_PASSES_H
#define ROWMILL_TARGET_PASSES_H

#include "mlir/Pass/Pass.h"

namespace rowmill {
#define GEN_PASS_DECL
#include "rowmill/Target/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "rowmill/Target/Passes.h.inc"
} // namespace rowmill

#endif // ROWMILL_TARGET_PASSES_H
