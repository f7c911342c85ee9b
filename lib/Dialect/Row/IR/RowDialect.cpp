// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Registers the row dialect's ops and attributes.

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "rowmill/Dialect/Row/IR/Row.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace rowmill::row;

#include "rowmill/Dialect/Row/IR/RowDialect.cpp.inc"

#include "rowmill/Dialect/Row/IR/RowEnums.cpp.inc"

#include "rowmill/Dialect/Row/IR/RowInterfaces.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "rowmill/Dialect/Row/IR/RowAttrs.cpp.inc"

void RowDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "rowmill/Dialect/Row/IR/RowAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "rowmill/Dialect/Row/IR/RowOps.cpp.inc"
      >();
}
