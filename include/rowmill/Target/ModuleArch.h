// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// The arch that a gpu.module is compiled for.

#ifndef ROWMILL_TARGET_MODULEARCH_H
#define ROWMILL_TARGET_MODULEARCH_H

#include "mlir/IR/Operation.h"
#include "rowmill/Target/Arch.h"

namespace rowmill {

/// The arch named by the `#rocdl.target` of the gpu.module that is, or holds,
/// `op`. Reports an error at `op` if there is none or it is unknown.
mlir::FailureOr<const Arch *> getArchOf(mlir::Operation *op);

} // namespace rowmill

#endif // ROWMILL_TARGET_MODULEARCH_H
