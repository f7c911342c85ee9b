// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// The pass convert-lane-to-amdgpu.

#include "rowmill/Conversion/LaneToAMDGPU/LaneToAMDGPU.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"
#include "rowmill/Conversion/Passes.h"
#include "rowmill/Dialect/Lane/IR/Lane.h"
#include "rowmill/Target/Arch.h"
#include "rowmill/Target/ModuleArch.h"

using namespace mlir;
using namespace rowmill;

namespace rowmill {
#define GEN_PASS_DEF_CONVERTLANETOAMDGPU
#include "rowmill/Conversion/Passes.h.inc"
} // namespace rowmill

/// Says why `op` could not be lowered for `arch`.
static void reportLeftOver(Operation *op, const Arch &arch) {
  Type format;
  if (auto pack = dyn_cast<lane::PackOp>(op))
    format = pack.getFormat();
  else if (auto unpack = dyn_cast<lane::UnpackOp>(op))
    format = unpack.getFormat();
  if (!format) {
    op->emitOpError("crosses the ")
        << arch.waveSize << " lanes of a wave of " << arch.name;
    return;
  }
  op->emitOpError("expects the fp8 format of ")
      << arch.name << ", " << (arch.fp8Ocp ? "f8E4M3FN" : "f8E4M3FNUZ")
      << ", but got " << format;
}

namespace {

struct ConvertLaneToAMDGPU
    : rowmill::impl::ConvertLaneToAMDGPUBase<ConvertLaneToAMDGPU> {
  void runOnOperation() override {
    FailureOr<const Arch *> arch = getArchOf(getOperation());
    if (failed(arch))
      return signalPassFailure();
    RewritePatternSet patterns(&getContext());
    populateLaneExchangePatterns(patterns, **arch);
    populateLaneReducePatterns(patterns, **arch);
    populateLaneSharedPatterns(patterns, **arch);
    populateLanePackPatterns(patterns, **arch);
    walkAndApplyPatterns(getOperation(), std::move(patterns));

    WalkResult left = getOperation().walk([&](Operation *op) {
      if (!isa<lane::LaneDialect>(op->getDialect()))
        return WalkResult::advance();
      reportLeftOver(op, **arch);
      return WalkResult::interrupt();
    });
    if (left.wasInterrupted())
      signalPassFailure();
  }
};

} // namespace
