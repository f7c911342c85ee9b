// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Where the elements of a row lie in memory, densely or in a page.

#ifndef ROWMILL_CONVERSION_ROWTOLANE_ROWMEMORY_H
#define ROWMILL_CONVERSION_ROWTOLANE_ROWMEMORY_H

#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "rowmill/Dialect/Row/IR/Layout.h"

namespace rowmill {

/// One row in memory, from which a lane loads and to which it stores runs of
/// elements by accesses of at most 16 bytes. Small floats are bits in words, as
/// Spread::getLaneType says.
class RowMemory {
public:
  using LaneBuilder = mlir::ImplicitLocOpBuilder;

  /// A row that lies contiguously from element `start + offset` of a memref's
  /// last dimension on; `start` may be null.
  static RowMemory dense(mlir::Value memref, mlir::ValueRange indices,
                         mlir::Value start, int64_t offset, mlir::Type element);

  /// The row of `slot` in page `page` of a memref; builds the page's view.
  static RowMemory paged(LaneBuilder &b, mlir::Value memref, mlir::Value page,
                         mlir::Value slot, row::LayoutAttrInterface layout,
                         mlir::Type element);

  /// Loads `count` elements from `first` on, a multiple of `count` in a page.
  mlir::Value load(LaneBuilder &b, mlir::Value first, int64_t count,
                   mlir::VectorType type) const;

  /// Stores the `count` elements of `value` from `first` on.
  void store(LaneBuilder &b, mlir::Value value, mlir::Value first,
             int64_t count) const;

private:
  explicit RowMemory(mlir::Value memref, mlir::Type element);

  /// Elements of one access within `count` neighbours.
  int64_t getAccess(int64_t count) const;
  /// Indices of element `first` in the memref.
  llvm::SmallVector<mlir::Value> locate(LaneBuilder &b,
                                        mlir::Value first) const;

  mlir::Value memref;
  mlir::Type element;
  int64_t bits;  ///< of an element
  bool isPacked; ///< the memref's elements are bytes of codes
  llvm::SmallVector<mlir::Value> indices;
  mlir::Value start; ///< index or null
  int64_t offset = 0;
  row::LayoutAttrInterface layout; ///< null for a dense row
  int64_t run = 0;                 ///< contiguous elements of the layout
  mlir::Value slot;                ///< i32
};

/// The value of an affine map of non-negative dimensions, in the integer type
/// of `dims`, which must be wide enough for every intermediate value.
mlir::Value buildUnsignedMap(mlir::ImplicitLocOpBuilder &b, mlir::AffineMap map,
                             mlir::ValueRange dims);

} // namespace rowmill

#endif // ROWMILL_CONVERSION_ROWTOLANE_ROWMEMORY_H
