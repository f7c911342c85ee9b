// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See
// LICENSE. Verifiers of the row dialect's attributes.

#include "rowmill/Dialect/Row/IR/Layout.h"

using namespace mlir;
using namespace rowmill::row;

using EmitError = llvm::function_ref<InFlightDiagnostic()>;

LogicalResult ExtentAttr::verify(EmitError emitError, int64_t arg, int64_t dim,
                                 int64_t size) {
  return success();
}
LogicalResult PartitionAttr::verify(EmitError emitError, int64_t, int64_t,
                                    int64_t) {
  return success();
}
LogicalResult LinearLayoutAttr::verify(EmitError, int64_t slots,
                                       int64_t length) {
  return success();
}
LogicalResult Fp4PreshuffleAttr::verify(EmitError, int64_t slots,
                                        int64_t length) {
  return success();
}
LogicalResult Fp8PreshuffleAttr::verify(EmitError, int64_t slots,
                                        int64_t length) {
  return success();
}
LogicalResult E8m0InterleaveAttr::verify(EmitError, int64_t slots,
                                         int64_t length) {
  return success();
}
LogicalResult QueryScaleAttr::verify(EmitError, int64_t slots, int64_t length) {
  return success();
}
LogicalResult MapLayoutAttr::verify(EmitError, AffineMapAttr, int64_t slots,
                                    int64_t length) {
  return success();
}
