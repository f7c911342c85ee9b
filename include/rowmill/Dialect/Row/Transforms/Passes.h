// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Declarations of the passes on row kernels.

#ifndef ROWMILL_DIALECT_ROW_TRANSFORMS_PASSES_H
#define ROWMILL_DIALECT_ROW_TRANSFORMS_PASSES_H

#include "mlir/Pass/Pass.h"

namespace rowmill::row {
#define GEN_PASS_DECL
#include "rowmill/Dialect/Row/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "rowmill/Dialect/Row/Transforms/Passes.h.inc"
} // namespace rowmill::row

#endif // ROWMILL_DIALECT_ROW_TRANSFORMS_PASSES_H
