// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Verifiers of the ops that touch memory: load, store, scatter, gather.

#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "rowmill/Dialect/Row/IR/Layout.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace rowmill::row;

Type rowmill::row::getStorageType(Type element) {
  if (isa<FloatType>(element) && element.getIntOrFloatBitWidth() <= 8)
    return IntegerType::get(element.getContext(), 8);
  return element;
}

int64_t rowmill::row::getPackingFactor(Type element) {
  return isa<Float4E2M1FNType>(element) ? 2 : 1;
}

//===----------------------------------------------------------------------===//
// Checks that several ops share
//===----------------------------------------------------------------------===//

/// Checks that `memref` holds elements of `row`.
static LogicalResult verifyStorage(Operation *op, VectorType row,
                                   MemRefType memref) {
  Type storage = getStorageType(row.getElementType());
  if (memref.getElementType() == storage)
    return success();
  return op->emitOpError("expects a memref of ")
         << storage << " for elements of " << row.getElementType()
         << ", but got " << memref;
}

/// Checks an index that is known to be `constant` against a dimension or a
/// number of slots.
static LogicalResult verifyInRange(Operation *op, StringRef what, Value index,
                                   int64_t size) {
  APInt value;
  if (!matchPattern(index, m_ConstantInt(&value)))
    return success();
  int64_t constant = value.getSExtValue();
  if (constant >= 0 && (ShapedType::isDynamic(size) || constant < size))
    return success();
  InFlightDiagnostic diag = op->emitOpError("expects a ") << what;
  if (ShapedType::isDynamic(size))
    return diag << " of 0 or more, but got " << constant;
  return diag << " in [0, " << size << "), but got " << constant;
}

/// Checks an access to the elements [offset, offset + length) of the last
/// dimension of `memref`, or from `start` on, which is not known.
static LogicalResult verifyAccess(Operation *op, VectorType row, int64_t length,
                                  MemRefType memref, ValueRange indices,
                                  Value start, int64_t offset) {
  int64_t rank = memref.getRank();
  if (rank == 0)
    return op->emitOpError("expects a memref of rank 1 or more, but got ")
           << memref;
  if (int64_t(indices.size()) != rank - 1)
    return op->emitOpError("expects an index for each dimension but the last "
                           "of ")
           << memref << ", but got " << indices.size();

  SmallVector<int64_t> strides;
  int64_t base;
  if (failed(memref.getStridesAndOffset(strides, base)) || strides.back() != 1)
    return op->emitOpError("expects a memref whose innermost stride is 1, but "
                           "got ")
           << memref;
  if (failed(verifyStorage(op, row, memref)))
    return failure();

  int64_t packing = getPackingFactor(row.getElementType());
  if (start && offset != 0)
    return op->emitOpError("expects one 'at', but got a value and ") << offset;
  if (offset < 0)
    return op->emitOpError("expects 'at' to be 0 or more, but got ") << offset;
  if (offset % packing != 0 || length % packing != 0)
    return op->emitOpError("expects whole bytes of ")
           << row.getElementType() << ", but got " << length << " elements at "
           << offset;
  int64_t lastDim = memref.getShape().back();
  // Counted in whole elements of the memref, and subtracted: no sum overflows.
  if (!ShapedType::isDynamic(lastDim) &&
      offset / packing > lastDim - length / packing)
    return op->emitOpError("expects ")
           << length << " elements at " << offset
           << " to lie within the last dimension of " << memref;

  for (auto [dim, index] : llvm::enumerate(indices))
    if (failed(verifyInRange(op, "row index", index, memref.getDimSize(dim))))
      return failure();
  return success();
}

/// Checks an access to the row in `slot` of `page`.
static LogicalResult verifyPaged(Operation *op, VectorType row,
                                 MemRefType memref, Value page, Value slot,
                                 LayoutAttrInterface layout) {
  if (failed(verifyStorage(op, row, memref)))
    return failure();
  if (memref.getRank() < 2)
    return op->emitOpError("expects a memref of pages, of rank 2 or more, but "
                           "got ")
           << memref;

  // All dimensions but the first are one page: static and contiguous.
  SmallVector<int64_t> strides;
  int64_t start;
  if (failed(memref.getStridesAndOffset(strides, start)))
    return op->emitOpError("expects a strided memref, but got ") << memref;
  uint64_t pageSize = 1;
  for (int64_t dim = memref.getRank() - 1; dim > 0; --dim) {
    if (memref.isDynamicDim(dim))
      return op->emitOpError("expects pages of static shape, but got ")
             << memref;
    if (uint64_t(strides[dim]) != pageSize)
      return op->emitOpError("expects contiguous pages, but got ") << memref;
    pageSize =
        llvm::SaturatingMultiply<uint64_t>(pageSize, memref.getDimSize(dim));
  }

  if (row.getDimSize(0) != layout.getLength())
    return op->emitOpError("expects rows of the ")
           << layout.getLength() << " elements of the layout, but got " << row;
  uint64_t packing = getPackingFactor(row.getElementType());
  uint64_t needed = getPageElements(layout);
  if (pageSize > needed || pageSize * packing != needed)
    return op->emitOpError("expects pages of ")
           << needed << " elements, " << packing << " a "
           << memref.getElementType() << ", for the layout, but got " << memref;
  if (packing > 1 && getContiguousRun(layout) < int64_t(packing))
    return op->emitOpError("expects a layout that keeps the ")
           << packing << " elements of a byte together, but got " << layout;

  if (failed(verifyInRange(op, "page", page, memref.getDimSize(0))))
    return failure();
  return verifyInRange(op, "slot", slot, layout.getSlots());
}

namespace {

/// Turns an `at` that is a constant into a number, which is checked.
///
///   row.load %x[%i] at %c64  ->  row.load %x[%i] at 64
template <typename OpTy>
struct FoldStart : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpTy op,
                                PatternRewriter &rewriter) const override {
    APInt value;
    if (!op.getStart() || !matchPattern(op.getStart(), m_ConstantInt(&value)))
      return rewriter.notifyMatchFailure(op, "starts at no constant");
    // Out of range stays what it is: wrong, but not for this pattern to say.
    if (value.isNegative() || value.getActiveBits() > 31)
      return rewriter.notifyMatchFailure(op, "starts beyond any row");
    rewriter.modifyOpInPlace(op, [&] {
      op.setOffset(value.getSExtValue());
      op.getStartMutable().clear();
    });
    return success();
  }
};

} // namespace

void LoadOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                         MLIRContext *context) {
  patterns.add<FoldStart<LoadOp>>(context);
}

void StoreOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                          MLIRContext *context) {
  patterns.add<FoldStart<StoreOp>>(context);
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

LogicalResult LoadOp::verify() {
  VectorType row = getResult().getType();
  return verifyAccess(*this, row, row.getDimSize(0), getSource().getType(),
                      getIndices(), getStart(), getOffset());
}

LogicalResult StoreOp::verify() {
  VectorType row = getValue().getType();
  if (getFirst().has_value() != getLast().has_value())
    return emitOpError("expects both ends of a part of a row, or none");
  int64_t begin = getBegin(), end = getEnd();
  if (begin < 0 || begin >= end || end > row.getDimSize(0))
    return emitOpError("expects a part of the elements [0, ")
           << row.getDimSize(0) << "), but got [" << begin << ", " << end
           << ")";
  if (begin % getPackingFactor(row.getElementType()) != 0)
    return emitOpError("expects whole bytes of ")
           << row.getElementType() << ", but got a part from " << begin;
  return verifyAccess(*this, row, end - begin, getTarget().getType(),
                      getIndices(), getStart(), getOffset());
}

LogicalResult ScatterOp::verify() {
  return verifyPaged(*this, getValue().getType(), getTarget().getType(),
                     getPage(), getSlot(), getLayout());
}

LogicalResult GatherOp::verify() {
  return verifyPaged(*this, getResult().getType(), getSource().getType(),
                     getPage(), getSlot(), getLayout());
}
