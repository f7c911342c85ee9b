// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See
// LICENSE. What passes and verifiers ask of page layouts.

#ifndef ROWMILL_DIALECT_ROW_IR_LAYOUT_H
#define ROWMILL_DIALECT_ROW_IR_LAYOUT_H

#include "rowmill/Dialect/Row/IR/Row.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>

namespace rowmill::row {

/// An affine map of two dimensions and one result as a short postfix program:
/// enumerating a page through mlir::AffineMap would be far too slow.
class CompiledMap {
public:
  /// Compiles `map`, which has two dimensions, no symbols, and one result.
  explicit CompiledMap(mlir::AffineMap map);

  /// The offset of `element` of the row in `slot`. Division and remainder are
  /// affine ones: rounding down, and never negative for a positive divisor.
  int64_t operator()(int64_t slot, int64_t element) const;

  /// The offsets of elements 0 to `length - 1` of the row in `slot`.
  void evaluateRow(int64_t slot, int64_t length, int64_t *offsets) const;

private:
  enum class Code : uint8_t {
    Slot,
    Element,
    Constant,
    Add,
    Mul,
    Mod,
    FloorDiv,
    CeilDiv
  };
  struct Step {
    Code code;
    int64_t value;
  };
  void compile(mlir::AffineExpr expr, unsigned depth);

  llvm::SmallVector<Step, 16> program;
  unsigned stackSize = 0;
};

/// Proves that `map` is a bijection from [0, slots) x [0, length) onto
/// [0, slots * length); otherwise reports two pairs that collide or a pair
/// whose offset is outside of the page.
mlir::LogicalResult
verifyBijection(llvm::function_ref<mlir::InFlightDiagnostic()> emitError,
                mlir::AffineMap map, int64_t slots, int64_t length);

/// The largest power of two r such that every aligned run of r elements of a
/// row is contiguous and aligned in the page: for all slots and all multiples e
/// of r, map(slot, e + j) = map(slot, e) + j for j < r, and r divides
/// map(slot, e). It divides the row length.
int64_t getContiguousRun(LayoutAttrInterface layout);

/// Elements that a page has room for, padding included.
inline int64_t getPageElements(LayoutAttrInterface layout) {
  return layout.getPaddedSlots() * layout.getLength();
}

} // namespace rowmill::row

#endif // ROWMILL_DIALECT_ROW_IR_LAYOUT_H
