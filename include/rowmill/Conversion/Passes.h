// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Declarations of the conversion passes.

#ifndef ROWMILL_CONVERSION_PASSES_H
#define ROWMILL_CONVERSION_PASSES_H

#include "mlir/Pass/Pass.h"

namespace rowmill {
#define GEN_PASS_DECL
#include "rowmill/Conversion/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "rowmill/Conversion/Passes.h.inc"
} // namespace rowmill

#endif // ROWMILL_CONVERSION_PASSES_H
