// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Reads the arch of a gpu.module.

#include "rowmill/Target/ModuleArch.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"

using namespace mlir;
using namespace rowmill;

FailureOr<const Arch *> rowmill::getArchOf(Operation *op) {
  auto module = dyn_cast<gpu::GPUModuleOp>(op);
  if (!module)
    module = op->getParentOfType<gpu::GPUModuleOp>();
  ROCDL::ROCDLTargetAttr target;
  if (module && module.getTargets() && module.getTargets()->size() == 1)
    target = dyn_cast<ROCDL::ROCDLTargetAttr>((*module.getTargets())[0]);
  if (!target)
    return op->emitOpError("expects a gpu.module with one #rocdl.target");
  if (const Arch *arch = lookupArch(target.getChip()))
    return arch;
  return op->emitOpError("expects a chip among ")
         << knownArchNames() << ", but got '" << target.getChip() << "'";
}
