// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// The lane dialect: what lanes do together, whatever the arch.

#ifndef ROWMILL_DIALECT_LANE_IR_LANE_H
#define ROWMILL_DIALECT_LANE_IR_LANE_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "rowmill/Dialect/Lane/IR/LaneDialect.h.inc"
#include "rowmill/Dialect/Lane/IR/LaneEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "rowmill/Dialect/Lane/IR/LaneAttrs.h.inc"

#define GET_OP_CLASSES
#include "rowmill/Dialect/Lane/IR/LaneOps.h.inc"

#endif // ROWMILL_DIALECT_LANE_IR_LANE_H
