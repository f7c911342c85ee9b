// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Verifiers of the ops that touch memory: load, store, scatter, gather.

#include "mlir/IR/Matchers.h"
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
/// dimension of `memref`.
static LogicalResult verifyAccess(Operation *op, VectorType row,
                                  MemRefType memref, ValueRange indices,
                                  int64_t offset) {
  int64_t rank = memref.getRank();
  if (rank == 0)
    return op->emitOpError("expects a memref of rank 1 or more, but got ")
           << memref;
  if (int64_t(indices.size()) != rank - 1)
    return op->emitOpError("expects an index for each dimension but the last "
                           "of ")
           << memref << ", but got " << indices.size();

  SmallVector<int64_t> strides;
  int64_t start;
  if (failed(memref.getStridesAndOffset(strides, start)) || strides.back() != 1)
    return op->emitOpError("expects a memref whose innermost stride is 1, but "
                           "got ")
           << memref;
  if (failed(verifyStorage(op, row, memref)))
    return failure();

  int64_t packing = getPackingFactor(row.getElementType());
  int64_t length = row.getDimSize(0);
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

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

LogicalResult LoadOp::verify() {
  return verifyAccess(*this, getResult().getType(), getSource().getType(),
                      getIndices(), getOffset());
}

LogicalResult StoreOp::verify() {
  return verifyAccess(*this, getValue().getType(), getTarget().getType(),
                      getIndices(), getOffset());
}

LogicalResult ScatterOp::verify() {
  return verifyPaged(*this, getValue().getType(), getTarget().getType(),
                     getPage(), getSlot(), getLayout());
}

LogicalResult GatherOp::verify() {
  return verifyPaged(*this, getResult().getType(), getSource().getType(),
                     getPage(), getSlot(), getLayout());
}
