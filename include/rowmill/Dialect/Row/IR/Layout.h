// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// What passes and verifiers ask of page layouts.

#ifndef ROWMILL_DIALECT_ROW_IR_LAYOUT_H
#define ROWMILL_DIALECT_ROW_IR_LAYOUT_H

#include "rowmill/Dialect/Row/IR/Row.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <array>
#include <cstdint>

namespace rowmill::row {

/// A layout map as a short postfix program. A page is enumerated many thousand
/// elements at a time, for which mlir::AffineMap would be far too slow.
class CompiledMap {
public:
  /// Compiles a map that `verifyLayoutMap` accepts.
  explicit CompiledMap(mlir::AffineMap map);

  /// The offset of `element` of the row in `slot`.
  int64_t operator()(int64_t slot, int64_t element) const;

  /// Sets `offsets[e]` to the offset of element `e` of the row in `slot`.
  void evaluateRow(int64_t slot, llvm::MutableArrayRef<int64_t> offsets) const;

private:
  enum class Code : uint8_t {
    Slot,
    Element,
    Constant,
    Add,
    // With a constant on the right:
    Mul,
    Mod,
    FloorDiv,
    CeilDiv,
    And,
    Shift,
  };
  struct Step {
    Code code;
    int64_t value = 0;
  };

  void compile(mlir::AffineExpr expr, unsigned depth);
  void push(Code code, int64_t value = 0) { program.push_back({code, value}); }

  /// Runs the program on `Width` elements from `element` on.
  template <unsigned Width>
  void run(int64_t slot, int64_t element,
           std::array<int64_t, Width> *stack) const;

  llvm::SmallVector<Step, 16> program;
  unsigned stackSize = 0;
};

using EmitError = llvm::function_ref<mlir::InFlightDiagnostic()>;

/// Checks that `map` has two dimensions, one result, no symbols, and divides by
/// positive constants only.
mlir::LogicalResult verifyLayoutMap(EmitError emitError, mlir::AffineMap map);

/// Sets the offsets of the elements of the row in a slot.
using RowEvaluator =
    llvm::function_ref<void(int64_t slot, llvm::MutableArrayRef<int64_t>)>;

/// Proves by enumeration that `evaluate` describes a bijection from
/// [0, slots) x [0, length) onto [0, slots * length). Otherwise reports two
/// pairs that collide, or one whose offset is outside of the page.
mlir::LogicalResult verifyBijection(EmitError emitError, RowEvaluator evaluate,
                                    int64_t slots, int64_t length);

/// The same for the map of any layout.
mlir::LogicalResult verifyBijection(EmitError emitError,
                                    LayoutAttrInterface layout);

/// The largest power of two r such that every aligned run of r elements of a
/// row is contiguous and aligned in the page: for all slots and all multiples e
/// of r, map(slot, e + j) = map(slot, e) + j for j < r, and r divides
/// map(slot, e). It divides the row length.
int64_t getContiguousRun(LayoutAttrInterface layout);

/// Elements that a page has room for, padding included.
int64_t getPageElements(LayoutAttrInterface layout);

} // namespace rowmill::row

#endif // ROWMILL_DIALECT_ROW_IR_LAYOUT_H
