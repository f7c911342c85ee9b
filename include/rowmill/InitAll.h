// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Registers everything that the tools for reading and testing IR know.

#ifndef ROWMILL_INITALL_H
#define ROWMILL_INITALL_H

namespace mlir {
class DialectRegistry;
}

namespace rowmill {

/// Registers Rowmill's dialects and all of MLIR's, with their extensions.
void registerAllDialects(mlir::DialectRegistry &registry);

/// Registers Rowmill's passes and pipelines and all of MLIR's passes.
void registerAllPasses();

} // namespace rowmill

#endif // ROWMILL_INITALL_H
