// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Runs passes on IR: the tool for tests and for looking into the compiler.

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "rowmill/InitAll.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  rowmill::registerAllDialects(registry);
  rowmill::registerAllPasses();
  return mlir::asMainReturnCode(mlir::MlirOptMain(
      argc, argv, "Rowmill modular optimizer driver\n", registry));
}
