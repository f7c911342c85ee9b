// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// The pass convert-math-to-intrinsics: math without a device library.

#include "mlir/Conversion/ArithCommon/AttrToLLVMConverter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"
#include "rowmill/Conversion/Passes.h"

using namespace mlir;

namespace rowmill {
#define GEN_PASS_DEF_CONVERTMATHTOINTRINSICS
#include "rowmill/Conversion/Passes.h.inc"
} // namespace rowmill

namespace {

/// math.x %a  ->  llvm.intr.x(%a), for scalars and vectors alike.
template <typename MathOp, typename IntrinsicOp>
struct UseIntrinsic : OpRewritePattern<MathOp> {
  using OpRewritePattern<MathOp>::OpRewritePattern;

  LogicalResult matchAndRewrite(MathOp op,
                                PatternRewriter &rewriter) const override {
    auto intrinsic = rewriter.replaceOpWithNewOp<IntrinsicOp>(
        op, op.getType(), op->getOperands());
    // What the op allows the code generator to do, such as no denormals.
    if constexpr (std::is_base_of_v<
                      arith::ArithFastMathInterface::Trait<MathOp>, MathOp>)
      intrinsic.setFastmathFlags(
          arith::convertArithFastMathFlagsToLLVM(op.getFastmath()));
    return success();
  }
};

/// The same where LLVM expands the intrinsic for f32 and what fits into it, but
/// would call a library for f64.
template <typename MathOp, typename IntrinsicOp>
struct UseExpandedIntrinsic : UseIntrinsic<MathOp, IntrinsicOp> {
  using UseIntrinsic<MathOp, IntrinsicOp>::UseIntrinsic;

  LogicalResult matchAndRewrite(MathOp op,
                                PatternRewriter &rewriter) const override {
    if (getElementTypeOrSelf(op.getType()).getIntOrFloatBitWidth() > 32)
      return rewriter.notifyMatchFailure(op, "only a library has it");
    return UseIntrinsic<MathOp, IntrinsicOp>::matchAndRewrite(op, rewriter);
  }
};

/// math.x %a : i32  ->  llvm.intr.x(%a), defined for all operands.
template <typename MathOp, typename IntrinsicOp>
struct UseIntegerIntrinsic : OpRewritePattern<MathOp> {
  using OpRewritePattern<MathOp>::OpRewritePattern;

  LogicalResult matchAndRewrite(MathOp op,
                                PatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<IntrinsicOp>(op, op.getType(), op.getOperand(),
                                             rewriter.getBoolAttr(false));
    return success();
  }
};

/// arith.remf %a, %b  ->  llvm.frem %a, %b, which LLVM expands, but for bf16.
struct UseFRem : UseIntrinsic<arith::RemFOp, LLVM::FRemOp> {
  using UseIntrinsic::UseIntrinsic;

  LogicalResult matchAndRewrite(arith::RemFOp op,
                                PatternRewriter &rewriter) const override {
    if (getElementTypeOrSelf(op.getType()).isBF16())
      return rewriter.notifyMatchFailure(op, "only a library has it");
    return UseIntrinsic::matchAndRewrite(op, rewriter);
  }
};

/// math.x %a : f32  ->  llvm.call_intrinsic "llvm.amdgcn.x.f32"(%a); a vector
/// is taken apart, since the instruction has no vector form.
template <typename MathOp>
struct UseInstruction : OpRewritePattern<MathOp> {
  UseInstruction(MLIRContext *context, StringRef name, PatternBenefit benefit)
      : OpRewritePattern<MathOp>(context, benefit), name(name) {}

  LogicalResult matchAndRewrite(MathOp op,
                                PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    if (!getElementTypeOrSelf(op.getType()).isF32())
      return rewriter.notifyMatchFailure(op, "only f32 has the instruction");
    if (!mayApproximate(op))
      return rewriter.notifyMatchFailure(op, "must know denormals");
    auto build = [&](Value value) -> Value {
      return LLVM::CallIntrinsicOp::create(rewriter, loc, rewriter.getF32Type(),
                                           rewriter.getStringAttr(name),
                                           ValueRange(value))
          .getResults();
    };
    auto type = dyn_cast<VectorType>(op.getType());
    if (!type) {
      rewriter.replaceOp(op, build(op.getOperand()));
      return success();
    }
    SmallVector<Value> elements;
    for (int64_t i = 0; i < type.getNumElements(); ++i)
      elements.push_back(
          build(vector::ExtractOp::create(rewriter, loc, op.getOperand(), i)));
    rewriter.replaceOpWithNewOp<vector::FromElementsOp>(op, type, elements);
    return success();
  }

  /// Of a reciprocal root nothing else is promised; an exponential is exact for
  /// denormals unless its author says that they do not matter.
  static bool mayApproximate(math::RsqrtOp) { return true; }
  static bool mayApproximate(math::Exp2Op op) {
    return bitEnumContainsAll(op.getFastmath(), arith::FastMathFlags::afn);
  }

  StringRef name;
};

struct ConvertMathToIntrinsics
    : rowmill::impl::ConvertMathToIntrinsicsBase<ConvertMathToIntrinsics> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<UseInstruction<math::RsqrtOp>>(
        &getContext(), "llvm.amdgcn.rsq.f32", /*benefit=*/1);
    patterns.add<UseInstruction<math::Exp2Op>>(
        &getContext(), "llvm.amdgcn.exp2.f32", /*benefit=*/2);
    patterns.add<UseFRem, UseIntrinsic<math::SqrtOp, LLVM::SqrtOp>,
                 UseExpandedIntrinsic<math::ExpOp, LLVM::ExpOp>,
                 UseExpandedIntrinsic<math::Exp2Op, LLVM::Exp2Op>,
                 UseExpandedIntrinsic<math::LogOp, LLVM::LogOp>,
                 UseExpandedIntrinsic<math::Log2Op, LLVM::Log2Op>,
                 UseExpandedIntrinsic<math::Log10Op, LLVM::Log10Op>,
                 UseIntrinsic<math::FmaOp, LLVM::FMAOp>,
                 UseIntrinsic<math::AbsFOp, LLVM::FAbsOp>,
                 UseIntrinsic<math::CopySignOp, LLVM::CopySignOp>,
                 UseIntrinsic<math::FloorOp, LLVM::FFloorOp>,
                 UseIntrinsic<math::CeilOp, LLVM::FCeilOp>,
                 UseIntrinsic<math::TruncOp, LLVM::FTruncOp>,
                 UseIntrinsic<math::RoundOp, LLVM::RoundOp>,
                 UseIntrinsic<math::RoundEvenOp, LLVM::RoundEvenOp>,
                 UseIntegerIntrinsic<math::AbsIOp, LLVM::AbsOp>,
                 UseIntegerIntrinsic<math::CountLeadingZerosOp,
                                     LLVM::CountLeadingZerosOp>,
                 UseIntegerIntrinsic<math::CountTrailingZerosOp,
                                     LLVM::CountTrailingZerosOp>,
                 UseIntrinsic<math::CtPopOp, LLVM::CtPopOp>>(&getContext());
    walkAndApplyPatterns(getOperation(), std::move(patterns));

    WalkResult left = getOperation().walk([](Operation *op) {
      if (!isa<math::MathDialect>(op->getDialect()) && !isa<arith::RemFOp>(op))
        return WalkResult::advance();
      op->emitOpError("has no form without a device library for ")
          << op->getResult(0).getType();
      return WalkResult::interrupt();
    });
    if (left.wasInterrupted())
      signalPassFailure();
  }
};

} // namespace
