// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// The row dialect: its ops, attributes and enumerations.

#ifndef ROWMILL_DIALECT_ROW_IR_ROW_H
#define ROWMILL_DIALECT_ROW_IR_ROW_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/AffineMap.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "rowmill/Dialect/Row/IR/RowDialect.h.inc"

#include "rowmill/Dialect/Row/IR/RowEnums.h.inc"

#include "rowmill/Dialect/Row/IR/RowInterfaces.h.inc"

#define GET_ATTRDEF_CLASSES
#include "rowmill/Dialect/Row/IR/RowAttrs.h.inc"

#define GET_OP_CLASSES
#include "rowmill/Dialect/Row/IR/RowOps.h.inc"

namespace rowmill::row {

/// The element type of memrefs that hold `element`: `i8` for floats of one byte
/// or less, otherwise `element` itself.
mlir::Type getStorageType(mlir::Type element);

/// Elements that share one element of the memref: 2 for `f4E2M1FN`, else 1.
int64_t getPackingFactor(mlir::Type element);

} // namespace rowmill::row

#endif // ROWMILL_DIALECT_ROW_IR_ROW_H
