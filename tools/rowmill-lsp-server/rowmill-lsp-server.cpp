// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// A language server for editors: completion, hover and diagnostics in .mlir
// files.

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"
#include "rowmill/InitAll.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  rowmill::registerAllDialects(registry);
  return failed(mlir::MlirLspServerMain(argc, argv, registry));
}
