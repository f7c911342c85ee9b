// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// What a launcher must know of a kernel.

#ifndef ROWMILL_LIB_DIALECT_ROW_TRANSFORMS_KERNELDESCRIPTION_H
#define ROWMILL_LIB_DIALECT_ROW_TRANSFORMS_KERNELDESCRIPTION_H

#include "rowmill/Dialect/Row/IR/Row.h"
#include "rowmill/Dialect/Row/Transforms/Partition.h"

namespace rowmill::row {

/// Attribute of a kernel: sizes that some arguments must have at least, as
/// `[{arg = "state", dim = 1, size = 8}]`.
constexpr llvm::StringLiteral minimumAttrName("rowmill.minimum");

/// Attribute of a kernel that is one of several launches or variants of what
/// its author wrote: the entries `kernel`, `variants` and `scratch` of the
/// description.
constexpr llvm::StringLiteral launchAttrName("rowmill.launch");

/// The content of `rowmill.kernel` for `kernel`, laid out by `partition`.
mlir::DictionaryAttr describeKernel(KernelOp kernel,
                                    const Partition &partition);

} // namespace rowmill::row

#endif // ROWMILL_LIB_DIALECT_ROW_TRANSFORMS_KERNELDESCRIPTION_H
