// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Folders and canonicalisation patterns. Each keeps every bit of the result.

#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "rowmill/Dialect/Row/IR/Row.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace rowmill::row;

//===----------------------------------------------------------------------===//
// reduce
//===----------------------------------------------------------------------===//

OpFoldResult ReduceOp::fold(FoldAdaptor) {
  // A group of one is its own sum and maximum, but not its own magnitude.
  if (getGroup() == 1 && getKind() != ReduceKind::AbsMax)
    return getInput();
  // The maximum of equal elements is that element.
  auto broadcast = getInput().getDefiningOp<BroadcastOp>();
  if (broadcast && getKind() == ReduceKind::Max &&
      int64_t(getGroup()) == broadcast.getGroup())
    return broadcast.getInput();
  return {};
}

namespace {
/// Reduces in one step what is reduced in two.
///
///   reduce K (reduce K x group G) group H  ->  reduce K x group (G * H)
/// A sum needs G to be a power of two: only then are the first levels of the
/// large tree the trees of the small groups.
struct MergeReduces : OpRewritePattern<ReduceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ReduceOp op,
                                PatternRewriter &rewriter) const override {
    auto inner = op.getInput().getDefiningOp<ReduceOp>();
    if (!inner || inner.getKind() != op.getKind())
      return rewriter.notifyMatchFailure(op, "operand is no such reduction");
    if (op.getKind() == ReduceKind::Add &&
        !llvm::isPowerOf2_64(inner.getGroup()))
      return rewriter.notifyMatchFailure(op, "the order of sums would change");
    rewriter.replaceOpWithNewOp<ReduceOp>(op, op.getType(), op.getKind(),
                                          inner.getInput(),
                                          inner.getGroup() * op.getGroup());
    return success();
  }
};
} // namespace

void ReduceOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                           MLIRContext *context) {
  patterns.add<MergeReduces>(context);
}

//===----------------------------------------------------------------------===//
// broadcast
//===----------------------------------------------------------------------===//

OpFoldResult BroadcastOp::fold(FoldAdaptor) {
  if (getInput().getType() == getType())
    return getInput();
  // Element i of the outer one is element i / (D / G) of the innermost.
  if (auto inner = getInput().getDefiningOp<BroadcastOp>()) {
    getInputMutable().assign(inner.getInput());
    return getResult();
  }
  return {};
}

//===----------------------------------------------------------------------===//
// rmsnorm, hadamard
//===----------------------------------------------------------------------===//

namespace {
/// Makes an epsilon that is a constant an attribute.
///
///   rmsnorm x, w eps (constant c)  ->  rmsnorm x, w eps c
struct FoldConstantEpsilon : OpRewritePattern<RmsNormOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(RmsNormOp op,
                                PatternRewriter &rewriter) const override {
    FloatAttr epsilon;
    Value value = op.getEpsilonValue();
    if (!value || !matchPattern(value, m_Constant(&epsilon)))
      return rewriter.notifyMatchFailure(op, "epsilon is no constant operand");
    if (!epsilon.getValue().isFinite() || epsilon.getValue().isNegative())
      return rewriter.notifyMatchFailure(op, "no legal attribute");
    rewriter.modifyOpInPlace(op, [&] {
      op.getEpsilonValueMutable().clear();
      op.setEpsilonAttr(epsilon);
    });
    return success();
  }
};
} // namespace

void RmsNormOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                            MLIRContext *context) {
  patterns.add<FoldConstantEpsilon>(context);
}

OpFoldResult HadamardOp::fold(FoldAdaptor) {
  // Two rotations are not folded: they round.
  if (getType().getDimSize(0) == 1)
    return getInput();
  return {};
}

//===----------------------------------------------------------------------===//
// guard
//===----------------------------------------------------------------------===//

namespace {
/// Erases a guard that lets every row pass.
///
///   guard (constant 0 or more)  ->
struct EraseTrueGuard : OpRewritePattern<GuardOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(GuardOp op,
                                PatternRewriter &rewriter) const override {
    APInt value;
    if (!matchPattern(op.getValue(), m_ConstantInt(&value)))
      return rewriter.notifyMatchFailure(op, "not a constant");
    if (value.isNegative())
      return rewriter.notifyMatchFailure(op, "lets no row pass");
    rewriter.eraseOp(op);
    return success();
  }
};

/// Erases a guard on a value that an earlier guard has tested.
///
///   guard v; ...; guard v  ->  guard v; ...
struct EraseRepeatedGuard : OpRewritePattern<GuardOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(GuardOp op,
                                PatternRewriter &rewriter) const override {
    auto isEarlierGuard = [&](Operation *user) {
      return isa<GuardOp>(user) && user != op &&
             user->getBlock() == op->getBlock() && user->isBeforeInBlock(op);
    };
    if (llvm::none_of(op.getValue().getUsers(), isEarlierGuard))
      return rewriter.notifyMatchFailure(op, "first guard on this value");
    rewriter.eraseOp(op);
    return success();
  }
};
} // namespace

void GuardOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                          MLIRContext *context) {
  patterns.add<EraseTrueGuard, EraseRepeatedGuard>(context);
}
