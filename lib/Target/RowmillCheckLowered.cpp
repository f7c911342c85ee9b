// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// The pass rowmill-check-lowered: the gate between two levels.

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "rowmill/Target/Passes.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace rowmill {
#define GEN_PASS_DEF_ROWMILLCHECKLOWERED
#include "rowmill/Target/Passes.h.inc"
} // namespace rowmill

namespace {

struct RowmillCheckLowered
    : rowmill::impl::RowmillCheckLoweredBase<RowmillCheckLowered> {
  using RowmillCheckLoweredBase::RowmillCheckLoweredBase;

  void runOnOperation() override {
    Operation *root = getOperation();
    WalkResult left = root->walk([&](Operation *op) {
      StringRef dialect = op->getName().getDialectNamespace();
      if (op == root || llvm::is_contained(allowedDialects, dialect))
        return WalkResult::advance();
      op->emitOpError("is not lowered: only ops of ")
          << llvm::join(allowedDialects, ", ") << " may remain here";
      return WalkResult::interrupt();
    });
    if (left.wasInterrupted())
      signalPassFailure();
  }
};

} // namespace
