// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See
// LICENSE. The maps of the page layouts.

#include "mlir/IR/AffineExpr.h"
#include "rowmill/Dialect/Row/IR/Row.h"

using namespace mlir;
using namespace rowmill::row;

/// The map (s, e) -> build(s, e).
static AffineMap
makeMap(MLIRContext *context,
        llvm::function_ref<AffineExpr(AffineExpr, AffineExpr)> build) {
  AffineExpr slot, element;
  bindDims(context, slot, element);
  return AffineMap::get(/*dimCount=*/2, /*symbolCount=*/0,
                        build(slot, element));
}

AffineMap LinearLayoutAttr::getMap() const {
  return makeMap(getContext(), [&](AffineExpr s, AffineExpr e) {
    return s * getLength() + e;
  });
}
int64_t LinearLayoutAttr::getPaddedSlots() const { return getSlots(); }

AffineMap Fp4PreshuffleAttr::getMap() const {
  return makeMap(getContext(), [&](AffineExpr s, AffineExpr e) {
    return e.floorDiv(32) * (getSlots() * 32) + s * 32 + e % 32;
  });
}
int64_t Fp4PreshuffleAttr::getPaddedSlots() const { return getSlots(); }

AffineMap E8m0InterleaveAttr::getMap() const {
  return makeMap(getContext(), [&](AffineExpr s, AffineExpr e) {
    return e * getSlots() + s % 16 * (getSlots() / 16) + s.floorDiv(16);
  });
}
int64_t E8m0InterleaveAttr::getPaddedSlots() const { return getSlots(); }
int64_t E8m0InterleaveAttr::getLength() const { return getGroups(); }

AffineMap Fp8PreshuffleAttr::getMap() const {
  return makeMap(getContext(), [&](AffineExpr s, AffineExpr e) {
    return s.floorDiv(16) * (16 * getLength()) + e.floorDiv(16) * 256 +
           s % 16 * 16 + e % 16;
  });
}
int64_t Fp8PreshuffleAttr::getPaddedSlots() const { return getSlots(); }

/// Tiles of 16 heads, in whole dwords of scale bytes.
static int64_t getHeadTiles(int64_t heads) {
  return llvm::alignTo(llvm::divideCeil(heads, 16), 4);
}

AffineMap QueryScaleAttr::getMap() const {
  return makeMap(getContext(), [&](AffineExpr s, AffineExpr e) {
    return (e * 16 + s % 16) * getHeadTiles(getHeads()) + s.floorDiv(16);
  });
}
int64_t QueryScaleAttr::getSlots() const { return getHeads(); }
int64_t QueryScaleAttr::getPaddedSlots() const {
  return 16 * getHeadTiles(getHeads());
}
int64_t QueryScaleAttr::getLength() const { return getGroups(); }

AffineMap MapLayoutAttr::getMap() const { return getContent().getValue(); }
int64_t MapLayoutAttr::getPaddedSlots() const { return getSlots(); }
