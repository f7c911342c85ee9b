// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Fast evaluation of layout maps, the proof of bijection, contiguous runs.

#include "rowmill/Dialect/Row/IR/Layout.h"
#include "mlir/IR/AffineExpr.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace rowmill::row;

//===----------------------------------------------------------------------===//
// CompiledMap
//===----------------------------------------------------------------------===//

/// Elements that are evaluated together: enough for the compiler to vectorise.
static constexpr unsigned columnWidth = 64;

CompiledMap::CompiledMap(AffineMap map) { compile(map.getResult(0), 1); }

void CompiledMap::compile(AffineExpr expr, unsigned depth) {
  stackSize = std::max(stackSize, depth);
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return push(dim.getPosition() == 0 ? Code::Slot : Code::Element);
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return push(Code::Constant, constant.getValue());

  auto binary = cast<AffineBinaryOpExpr>(expr);
  compile(binary.getLHS(), depth);
  if (expr.getKind() == AffineExprKind::Add) {
    compile(binary.getRHS(), depth + 1);
    return push(Code::Add);
  }

  int64_t value = cast<AffineConstantExpr>(binary.getRHS()).getValue();
  bool isPowerOf2 = value > 0 && llvm::isPowerOf2_64(value);
  switch (expr.getKind()) {
  case AffineExprKind::Mul:
    return push(Code::Mul, value);
  case AffineExprKind::Mod:
    return isPowerOf2 ? push(Code::And, value - 1) : push(Code::Mod, value);
  case AffineExprKind::FloorDiv:
    return isPowerOf2 ? push(Code::Shift, llvm::Log2_64(value))
                      : push(Code::FloorDiv, value);
  case AffineExprKind::CeilDiv:
    return push(Code::CeilDiv, value);
  default:
    llvm_unreachable("not an operation on affine expressions");
  }
}

template <unsigned Width>
void CompiledMap::run(int64_t slot, int64_t element,
                      std::array<int64_t, Width> *stack) const {
  // Sums and products wrap: a map of a user may overflow, and then is refused
  // because its offsets do not fit the page.
  auto add = [](int64_t a, int64_t b) { return int64_t(uint64_t(a) + b); };
  auto mul = [](int64_t a, int64_t b) { return int64_t(uint64_t(a) * b); };
  std::array<int64_t, Width> *next = stack;
  auto pushAll = [&](auto value) {
    for (unsigned i = 0; i < Width; ++i)
      (*next)[i] = value(i);
    ++next;
  };
  auto applyToTop = [&](auto function) {
    for (int64_t &value : next[-1])
      value = function(value);
  };

  for (const Step &step : program) {
    int64_t operand = step.value;
    switch (step.code) {
    case Code::Slot:
      pushAll([&](unsigned) { return slot; });
      break;
    case Code::Element:
      pushAll([&](unsigned i) { return element + i; });
      break;
    case Code::Constant:
      pushAll([&](unsigned) { return operand; });
      break;
    case Code::Add:
      --next;
      for (unsigned i = 0; i < Width; ++i)
        next[-1][i] = add(next[-1][i], next[0][i]);
      break;
    case Code::Mul:
      applyToTop([&](int64_t value) { return mul(value, operand); });
      break;
    case Code::Mod:
      applyToTop([&](int64_t value) { return llvm::mod(value, operand); });
      break;
    case Code::FloorDiv:
      applyToTop([&](int64_t value) {
        return llvm::divideFloorSigned(value, operand);
      });
      break;
    case Code::CeilDiv:
      applyToTop([&](int64_t value) {
        return llvm::divideCeilSigned(value, operand);
      });
      break;
    case Code::And:
      applyToTop([&](int64_t value) { return value & operand; });
      break;
    case Code::Shift:
      applyToTop([&](int64_t value) { return value >> operand; });
      break;
    }
  }
}

int64_t CompiledMap::operator()(int64_t slot, int64_t element) const {
  SmallVector<std::array<int64_t, 1>, 8> stack(stackSize);
  run<1>(slot, element, stack.data());
  return stack[0][0];
}

void CompiledMap::evaluateRow(int64_t slot,
                              MutableArrayRef<int64_t> offsets) const {
  SmallVector<std::array<int64_t, columnWidth>, 4> stack(stackSize);
  for (size_t start = 0; start < offsets.size(); start += columnWidth) {
    run<columnWidth>(slot, start, stack.data());
    size_t count = std::min<size_t>(columnWidth, offsets.size() - start);
    std::copy_n(stack[0].begin(), count, offsets.begin() + start);
  }
}

//===----------------------------------------------------------------------===//
// Proofs
//===----------------------------------------------------------------------===//

LogicalResult rowmill::row::verifyLayoutMap(EmitError emitError,
                                            AffineMap map) {
  if (map.getNumDims() != 2 || map.getNumSymbols() != 0 ||
      map.getNumResults() != 1 || !map.getResult(0).isPureAffine())
    return emitError() << "expects a layout map (slot, element) -> (offset), "
                          "but got "
                       << AffineMapAttr::get(map);

  int64_t divisor = 1;
  map.getResult(0).walk([&](AffineExpr expr) {
    if (expr.getKind() == AffineExprKind::Mod ||
        expr.getKind() == AffineExprKind::FloorDiv ||
        expr.getKind() == AffineExprKind::CeilDiv) {
      AffineExpr rhs = cast<AffineBinaryOpExpr>(expr).getRHS();
      divisor = std::min(divisor, cast<AffineConstantExpr>(rhs).getValue());
    }
  });
  if (divisor < 1)
    return emitError() << "expects positive divisors in a layout map, but got "
                       << divisor;
  return success();
}

/// The first pair in the order of enumeration that has `offset`.
static std::pair<int64_t, int64_t> findOwner(RowEvaluator evaluate,
                                             int64_t slots, int64_t length,
                                             int64_t offset) {
  SmallVector<int64_t> offsets(length);
  for (int64_t slot = 0; slot < slots; ++slot) {
    evaluate(slot, offsets);
    auto *it = llvm::find(offsets, offset);
    if (it != offsets.end())
      return {slot, it - offsets.begin()};
  }
  llvm_unreachable("no pair has this offset");
}

LogicalResult rowmill::row::verifyBijection(EmitError emitError,
                                            RowEvaluator evaluate,
                                            int64_t slots, int64_t length) {
  // A page has as many offsets as pairs: if no two pairs share an offset, all
  // offsets are taken.
  int64_t pageSize = slots * length;
  llvm::BitVector taken(pageSize);
  SmallVector<int64_t> offsets(length);
  for (int64_t slot = 0; slot < slots; ++slot) {
    evaluate(slot, offsets);
    for (auto [element, offset] : llvm::enumerate(offsets)) {
      if (offset < 0 || offset >= pageSize)
        return emitError() << "layout maps slot " << slot << " element "
                           << element << " to offset " << offset
                           << ", outside of its page of " << pageSize
                           << " elements";
      if (taken.test(offset)) {
        auto [otherSlot, otherElement] =
            findOwner(evaluate, slots, length, offset);
        return emitError() << "layout maps slot " << otherSlot << " element "
                           << otherElement << " and slot " << slot
                           << " element " << element << " both to offset "
                           << offset;
      }
      taken.set(offset);
    }
  }
  return success();
}

LogicalResult rowmill::row::verifyBijection(EmitError emitError,
                                            LayoutAttrInterface layout) {
  CompiledMap map(layout.getMap());
  return verifyBijection(
      emitError,
      [&](int64_t slot, MutableArrayRef<int64_t> offsets) {
        map.evaluateRow(slot, offsets);
      },
      layout.getPaddedSlots(), layout.getLength());
}

//===----------------------------------------------------------------------===//
// Queries
//===----------------------------------------------------------------------===//

/// Whether aligned runs of `run` elements of a row are contiguous and aligned.
static bool hasRun(ArrayRef<int64_t> offsets, int64_t run) {
  for (size_t start = 0; start < offsets.size(); start += run) {
    if (offsets[start] % run != 0)
      return false;
    for (int64_t i = 1; i < run; ++i)
      if (offsets[start + i] != offsets[start] + i)
        return false;
  }
  return true;
}

int64_t rowmill::row::getContiguousRun(LayoutAttrInterface layout) {
  CompiledMap map(layout.getMap());
  SmallVector<int64_t> offsets(layout.getLength());
  // Starts with the largest power of two that divides the row length.
  int64_t run = layout.getLength() & -layout.getLength();
  for (int64_t slot = 0, e = layout.getPaddedSlots(); slot < e && run > 1;
       ++slot) {
    map.evaluateRow(slot, offsets);
    while (!hasRun(offsets, run))
      run /= 2;
  }
  return run;
}

int64_t rowmill::row::getPageElements(LayoutAttrInterface layout) {
  return layout.getPaddedSlots() * layout.getLength();
}
