// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// The pass rowmill-check-codegen: what would end the process is an error.

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "rowmill/Target/Passes.h"

using namespace mlir;

namespace rowmill {
#define GEN_PASS_DEF_ROWMILLCHECKCODEGEN
#include "rowmill/Target/Passes.h.inc"
} // namespace rowmill

/// The scalar type inside vectors and arrays that no AMD GPU computes with;
/// null if there is none.
static Type findForeignType(Type type) {
  if (auto vector = dyn_cast<VectorType>(type))
    return vector.isScalable() ? type
                               : findForeignType(vector.getElementType());
  if (auto array = dyn_cast<LLVM::LLVMArrayType>(type))
    return findForeignType(array.getElementType());
  bool isForeign = type.isF80() || type.isF128() || isa<FloatTF32Type>(type) ||
                   isa<LLVM::LLVMPPCFP128Type>(type);
  return isForeign ? type : Type();
}

static LogicalResult checkTypes(Operation *op) {
  for (Type type : op->getResultTypes())
    if (Type foreign = findForeignType(type))
      return op->emitOpError("needs arithmetic that no AMD GPU has, on ")
             << foreign;
  return success();
}

static LogicalResult check(Operation *op) {
  if (auto call = dyn_cast<LLVM::CallOp>(op)) {
    InFlightDiagnostic diag = call.emitOpError("calls ");
    if (call.getCallee())
      diag << "'" << *call.getCallee() << "', which";
    else
      diag << "a pointer, which";
    return diag << " a code object has no place for";
  }
  if (isa<LLVM::AllocaOp>(op))
    return op->emitOpError("needs memory of a lane's own, which kernels do "
                           "without");
  if (isa<LLVM::InlineAsmOp>(op))
    return op->emitOpError("cannot be checked before code generation");
  if (op->getName().getStringRef().contains(".constrained."))
    return op->emitOpError("expects rounding to nearest even, the mode that "
                           "kernels run in");
  return checkTypes(op);
}

namespace {

struct RowmillCheckCodegen
    : rowmill::impl::RowmillCheckCodegenBase<RowmillCheckCodegen> {
  void runOnOperation() override {
    WalkResult result = getOperation().walk(
        [](Operation *op) { return WalkResult(check(op)); });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};

} // namespace
