// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// The page layouts: their formulas and verifiers.

#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/Diagnostics.h"
#include "rowmill/Dialect/Row/IR/Layout.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace rowmill::row;

//===----------------------------------------------------------------------===//
// Formulas
//===----------------------------------------------------------------------===//

// Each is written once and used twice: with AffineExpr it makes the map, with
// Number it is enumerated by the verifier, which has no context to make a map.

namespace {
/// An integer with the operators of AffineExpr that the formulas need.
struct Number {
  int64_t value;
  Number operator+(Number other) const { return {value + other.value}; }
  Number operator*(int64_t factor) const { return {value * factor}; }
  Number operator%(int64_t divisor) const { return {value % divisor}; }
  Number floorDiv(int64_t divisor) const { return {value / divisor}; }
};
} // namespace

template <typename Expr>
static Expr linearOffset(Expr s, Expr e, int64_t length) {
  return s * length + e;
}

template <typename Expr>
static Expr fp4Offset(Expr s, Expr e, int64_t slots) {
  return e.floorDiv(32) * (slots * 32) + s * 32 + e % 32;
}

template <typename Expr>
static Expr e8m0Offset(Expr s, Expr e, int64_t slots) {
  return e * slots + s % 16 * (slots / 16) + s.floorDiv(16);
}

template <typename Expr>
static Expr fp8Offset(Expr s, Expr e, int64_t length) {
  return s.floorDiv(16) * (16 * length) + e.floorDiv(16) * 256 + s % 16 * 16 +
         e % 16;
}

/// `tiles` are those of 16 heads, padding included.
template <typename Expr>
static Expr queryScaleOffset(Expr s, Expr e, int64_t tiles) {
  return (e * 16 + s % 16) * tiles + s.floorDiv(16);
}

/// The map of a formula.
template <typename Formula>
static AffineMap makeMap(MLIRContext *context, Formula formula,
                         int64_t parameter) {
  AffineExpr slot, element;
  bindDims(context, slot, element);
  return AffineMap::get(/*dimCount=*/2, /*symbolCount=*/0,
                        formula(slot, element, parameter));
}

//===----------------------------------------------------------------------===//
// Rules
//===----------------------------------------------------------------------===//

/// Larger pages would take long to enumerate, and none is in use.
static constexpr int64_t maxPageElements = int64_t(1) << 24;

/// Checks that `value` is positive and a multiple of `factor`.
static LogicalResult verifyMultiple(EmitError emitError, StringRef name,
                                    int64_t value, int64_t factor) {
  if (value < 1)
    return emitError() << "expects a positive '" << name << "', but got "
                       << value;
  if (value % factor != 0)
    return emitError() << "expects '" << name << "' to be a multiple of "
                       << factor << ", but got " << value;
  return success();
}

static LogicalResult verifyPageSize(EmitError emitError, int64_t slots,
                                    int64_t length) {
  if (slots > maxPageElements || length > maxPageElements ||
      slots * length > maxPageElements)
    return emitError() << "expects a page of at most " << maxPageElements
                       << " elements, but got " << slots << " rows of "
                       << length;
  return success();
}

/// Checks the size of a page of `slots` rows and proves the formula.
template <typename Formula>
static LogicalResult verifyPage(EmitError emitError, Formula formula,
                                int64_t parameter, int64_t slots,
                                int64_t length) {
  if (failed(verifyPageSize(emitError, slots, length)))
    return failure();
  auto evaluate = [&](int64_t slot, MutableArrayRef<int64_t> offsets) {
    for (auto [element, offset] : llvm::enumerate(offsets))
      offset = formula(Number{slot}, Number{int64_t(element)}, parameter).value;
  };
  return verifyBijection(emitError, evaluate, slots, length);
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

AffineMap LinearLayoutAttr::getMap() const {
  return makeMap(getContext(), linearOffset<AffineExpr>, getLength());
}
int64_t LinearLayoutAttr::getPaddedSlots() const { return getSlots(); }
LogicalResult LinearLayoutAttr::verify(EmitError emitError, int64_t slots,
                                       int64_t length) {
  if (failed(verifyMultiple(emitError, "slots", slots, 1)) ||
      failed(verifyMultiple(emitError, "length", length, 1)))
    return failure();
  return verifyPage(emitError, linearOffset<Number>, length, slots, length);
}

AffineMap Fp4PreshuffleAttr::getMap() const {
  return makeMap(getContext(), fp4Offset<AffineExpr>, getSlots());
}
int64_t Fp4PreshuffleAttr::getPaddedSlots() const { return getSlots(); }
LogicalResult Fp4PreshuffleAttr::verify(EmitError emitError, int64_t slots,
                                        int64_t length) {
  if (failed(verifyMultiple(emitError, "slots", slots, 1)) ||
      failed(verifyMultiple(emitError, "length", length, 128)))
    return failure();
  return verifyPage(emitError, fp4Offset<Number>, slots, slots, length);
}

AffineMap E8m0InterleaveAttr::getMap() const {
  return makeMap(getContext(), e8m0Offset<AffineExpr>, getSlots());
}
int64_t E8m0InterleaveAttr::getPaddedSlots() const { return getSlots(); }
int64_t E8m0InterleaveAttr::getLength() const { return getGroups(); }
LogicalResult E8m0InterleaveAttr::verify(EmitError emitError, int64_t slots,
                                         int64_t groups) {
  if (failed(verifyMultiple(emitError, "slots", slots, 16)) ||
      failed(verifyMultiple(emitError, "groups", groups, 4)))
    return failure();
  return verifyPage(emitError, e8m0Offset<Number>, slots, slots, groups);
}

AffineMap Fp8PreshuffleAttr::getMap() const {
  return makeMap(getContext(), fp8Offset<AffineExpr>, getLength());
}
int64_t Fp8PreshuffleAttr::getPaddedSlots() const { return getSlots(); }
LogicalResult Fp8PreshuffleAttr::verify(EmitError emitError, int64_t slots,
                                        int64_t length) {
  if (failed(verifyMultiple(emitError, "slots", slots, 16)) ||
      failed(verifyMultiple(emitError, "length", length, 16)))
    return failure();
  return verifyPage(emitError, fp8Offset<Number>, length, slots, length);
}

/// Tiles of 16 heads: the reader takes the scales of four at a time.
static int64_t getHeadTiles(int64_t heads) {
  return llvm::alignTo(llvm::divideCeil(heads, 16), 4);
}

AffineMap QueryScaleAttr::getMap() const {
  return makeMap(getContext(), queryScaleOffset<AffineExpr>,
                 getHeadTiles(getHeads()));
}
int64_t QueryScaleAttr::getSlots() const { return getHeads(); }
int64_t QueryScaleAttr::getPaddedSlots() const {
  return 16 * getHeadTiles(getHeads());
}
int64_t QueryScaleAttr::getLength() const { return getGroups(); }
LogicalResult QueryScaleAttr::verify(EmitError emitError, int64_t heads,
                                     int64_t groups) {
  if (failed(verifyMultiple(emitError, "heads", heads, 16)) ||
      failed(verifyMultiple(emitError, "groups", groups, 4)))
    return failure();
  int64_t tiles = getHeadTiles(heads);
  return verifyPage(emitError, queryScaleOffset<Number>, tiles, 16 * tiles,
                    groups);
}

AffineMap MapLayoutAttr::getMap() const { return getContent().getValue(); }
int64_t MapLayoutAttr::getPaddedSlots() const { return getSlots(); }
LogicalResult MapLayoutAttr::verify(EmitError emitError, AffineMapAttr content,
                                    int64_t slots, int64_t length) {
  if (failed(verifyMultiple(emitError, "slots", slots, 1)) ||
      failed(verifyMultiple(emitError, "length", length, 1)) ||
      failed(verifyPageSize(emitError, slots, length)) ||
      failed(verifyLayoutMap(emitError, content.getValue())))
    return failure();
  CompiledMap map(content.getValue());
  return verifyBijection(
      emitError,
      [&](int64_t slot, MutableArrayRef<int64_t> offsets) {
        map.evaluateRow(slot, offsets);
      },
      slots, length);
}
