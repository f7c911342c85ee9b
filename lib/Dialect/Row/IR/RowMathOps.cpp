// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See
// LICENSE. Reductions, norm, rope and Hadamard rotation: verifiers and folders.

#include "rowmill/Dialect/Row/IR/Row.h"

using namespace mlir;
using namespace rowmill::row;

LogicalResult ReduceOp::verify() { return success(); }
OpFoldResult ReduceOp::fold(FoldAdaptor) { return {}; }
LogicalResult BroadcastOp::verify() { return success(); }
OpFoldResult BroadcastOp::fold(FoldAdaptor) { return {}; }
LogicalResult RmsNormOp::verify() { return success(); }
LogicalResult RopeOp::verify() { return success(); }
LogicalResult HadamardOp::verify() { return success(); }
OpFoldResult HadamardOp::fold(FoldAdaptor) { return {}; }
LogicalResult QuantizeOp::verify() { return success(); }
LogicalResult DequantizeOp::verify() { return success(); }
