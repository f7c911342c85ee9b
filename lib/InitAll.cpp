// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Registers everything that the tools for reading and testing IR know.

#include "rowmill/InitAll.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "rowmill/Conversion/Passes.h"
#include "rowmill/Dialect/Lane/IR/Lane.h"
#include "rowmill/Dialect/Row/IR/Row.h"
#include "rowmill/Dialect/Row/Transforms/Passes.h"
#include "rowmill/Pipeline/Pipelines.h"
#include "rowmill/Target/Passes.h"

void rowmill::registerAllDialects(mlir::DialectRegistry &registry) {
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  registry.insert<lane::LaneDialect, row::RowDialect>();
}

void rowmill::registerAllPasses() {
  mlir::registerAllPasses();
  row::registerRowPasses();
  registerConversionPasses();
  registerTargetPasses();
  registerPipelines();
}
