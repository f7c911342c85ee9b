// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// The pass rowmill-lower-to-rocdl: upstream's conversions in one step.

#include "mlir/Conversion/AMDGPUToROCDL/AMDGPUToROCDL.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/GPUToROCDL/GPUToROCDLPass.h"
#include "mlir/Conversion/LLVMCommon/LoweringOptions.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"
#include "mlir/Dialect/AMDGPU/Utils/Chipset.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/Dialect/Vector/Transforms/VectorRewritePatterns.h"
#include "mlir/Transforms/DialectConversion.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "rowmill/Target/ModuleArch.h"
#include "rowmill/Target/Passes.h"

using namespace mlir;
using namespace rowmill;

namespace rowmill {
#define GEN_PASS_DEF_ROWMILLLOWERTOROCDL
#include "rowmill/Target/Passes.h.inc"
} // namespace rowmill

/// Brings vectors into the forms that the conversion to LLVM knows.
static LogicalResult simplifyVectors(Operation *op) {
  RewritePatternSet patterns(op->getContext());
  vector::populateVectorInsertExtractStridedSliceTransforms(patterns);
  vector::populateVectorBitCastLoweringPatterns(patterns);
  arith::populateCeilFloorDivExpandOpsPatterns(patterns);
  return applyPatternsGreedily(op, std::move(patterns));
}

/// Removes the rounding mode where it is the one that kernels run in: upstream
/// makes an op of any mode a constrained intrinsic, which has no instruction.
static void dropDefaultRounding(Operation *root) {
  root->walk([](arith::ArithRoundingModeInterface op) {
    arith::RoundingModeAttr mode = op.getRoundingModeAttr();
    if (mode && mode.getValue() == arith::RoundingMode::to_nearest_even)
      op->removeAttr(op.getRoundingModeAttrName());
  });
}

static LogicalResult lowerControlFlow(Operation *op) {
  RewritePatternSet patterns(op->getContext());
  populateSCFToControlFlowConversionPatterns(patterns);
  ConversionTarget target(*op->getContext());
  target.addIllegalDialect<scf::SCFDialect>();
  target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
  return applyPartialConversion(op, target, std::move(patterns));
}

static LogicalResult convertToROCDL(gpu::GPUModuleOp module, const Arch &arch) {
  MLIRContext *context = module.getContext();
  FailureOr<amdgpu::Chipset> chipset = amdgpu::Chipset::parse(arch.name);
  if (failed(chipset))
    return module.emitOpError("expects a chip that MLIR knows, but got '")
           << arch.name << "'";
  LowerToLLVMOptions options(context);
  options.overrideIndexBitwidth(64);
  LLVMTypeConverter converter(context, options);
  amdgpu::populateCommonGPUTypeAndAttributeConversions(converter);

  RewritePatternSet patterns(context);
  arith::populateArithToLLVMConversionPatterns(converter, patterns);
  cf::populateControlFlowToLLVMConversionPatterns(converter, patterns);
  populateFinalizeMemRefToLLVMConversionPatterns(converter, patterns);
  populateVectorToLLVMConversionPatterns(converter, patterns);
  populateGpuToROCDLConversionPatterns(converter, patterns,
                                       gpu::amd::Runtime::HIP, *chipset);
  ConversionTarget target(*context);
  configureGpuToROCDLConversionLegality(target);
  target.addIllegalDialect<arith::ArithDialect, cf::ControlFlowDialect,
                           gpu::GPUDialect, memref::MemRefDialect,
                           vector::VectorDialect>();
  target.addLegalOp<gpu::GPUModuleOp, UnrealizedConversionCastOp>();
  // Upstream would rather have calls of a device library; those that are here
  // were chosen by convert-math-to-intrinsics.
  target.addLegalOp<LLVM::Exp2Op, LLVM::ExpOp, LLVM::FCeilOp, LLVM::FFloorOp,
                    LLVM::FRemOp, LLVM::Log10Op, LLVM::Log2Op, LLVM::LogOp>();
  return applyPartialConversion(module, target, std::move(patterns));
}

/// The shape of the workgroup tells the code generator how many registers a
/// wave may use.
static void finishKernel(LLVM::LLVMFuncOp func) {
  for (StringRef name : {"gpu.kernel", "gpu.known_block_size"})
    func->removeAttr(name);
}

namespace {

struct RowmillLowerToROCDL
    : rowmill::impl::RowmillLowerToROCDLBase<RowmillLowerToROCDL> {
  void runOnOperation() override {
    gpu::GPUModuleOp module = getOperation();
    FailureOr<const Arch *> arch = getArchOf(module);
    dropDefaultRounding(module);
    if (failed(arch) || failed(simplifyVectors(module)) ||
        failed(lowerControlFlow(module)) ||
        failed(convertToROCDL(module, **arch)))
      return signalPassFailure();
    for (auto func : module.getOps<LLVM::LLVMFuncOp>())
      finishKernel(func);
  }
};

} // namespace
