// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Accesses to the elements of a row, as wide as its place in memory allows.

#include "rowmill/Conversion/RowToLane/RowMemory.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/AffineExprVisitor.h"
#include "rowmill/Conversion/RowToLane/Distributor.h"

using namespace mlir;
using namespace rowmill;

/// The widest access that a lane can make.
static constexpr int64_t accessBits = 128;

//===----------------------------------------------------------------------===//
// Affine maps
//===----------------------------------------------------------------------===//

namespace {

/// Expands an affine expression with unsigned division and remainder. The
/// upstream expansion must allow for negative dimensions, for which every
/// division costs a comparison and two selections.
struct UnsignedExpander : AffineExprVisitor<UnsignedExpander, Value> {
  UnsignedExpander(LaneBuilder &b, ValueRange dims) : b(b), dims(dims) {}

  template <typename OpTy>
  Value build(AffineBinaryOpExpr expr) {
    Value lhs = visit(expr.getLHS());
    return OpTy::create(b, lhs, visit(expr.getRHS()));
  }
  Value visitAddExpr(AffineBinaryOpExpr e) { return build<arith::AddIOp>(e); }
  Value visitMulExpr(AffineBinaryOpExpr e) { return build<arith::MulIOp>(e); }
  Value visitModExpr(AffineBinaryOpExpr e) { return build<arith::RemUIOp>(e); }
  Value visitFloorDivExpr(AffineBinaryOpExpr e) {
    return build<arith::DivUIOp>(e);
  }
  Value visitCeilDivExpr(AffineBinaryOpExpr e) {
    return build<arith::CeilDivUIOp>(e);
  }
  Value visitConstantExpr(AffineConstantExpr e) {
    auto type = cast<IntegerType>(dims.front().getType());
    return arith::ConstantOp::create(b, IntegerAttr::get(type, e.getValue()));
  }
  Value visitDimExpr(AffineDimExpr e) { return dims[e.getPosition()]; }
  Value visitSymbolExpr(AffineSymbolExpr) {
    llvm_unreachable("layouts have no symbols");
  }

  LaneBuilder &b;
  ValueRange dims;
};

} // namespace

Value rowmill::buildUnsignedMap(LaneBuilder &b, AffineMap map,
                                ValueRange dims) {
  return UnsignedExpander(b, dims).visit(map.getResult(0));
}

//===----------------------------------------------------------------------===//
// RowMemory
//===----------------------------------------------------------------------===//

RowMemory::RowMemory(Value memref, Type element)
    : memref(memref), element(element), bits(element.getIntOrFloatBitWidth()),
      isPacked(isPackedType(element)) {}

RowMemory RowMemory::dense(Value memref, ValueRange indices, Value start,
                           int64_t offset, Type element) {
  RowMemory row(memref, element);
  row.indices.assign(indices.begin(), indices.end());
  row.start = start;
  row.offset = offset;
  return row;
}

/// A page as one dimension: `memref[page]` with all other dimensions, which are
/// contiguous, flattened. The page's base is a 64-bit product.
static Value buildPageView(LaneBuilder &b, Value memref, Value page) {
  auto type = cast<MemRefType>(memref.getType());
  int64_t length = 1;
  for (int64_t size : type.getShape().drop_front())
    length *= size;
  auto metadata = memref::ExtractStridedMetadataOp::create(b, memref);
  Value base = arith::MulIOp::create(b, page, metadata.getStrides().front());
  base = arith::AddIOp::create(b, base, metadata.getOffset());
  auto layout =
      StridedLayoutAttr::get(b.getContext(), ShapedType::kDynamic, {1});
  auto flat = MemRefType::get({length}, type.getElementType(), layout,
                              type.getMemorySpace());
  return memref::ReinterpretCastOp::create(
      b, flat, metadata.getBaseBuffer(), OpFoldResult(base),
      ArrayRef<OpFoldResult>{b.getIndexAttr(length)},
      ArrayRef<OpFoldResult>{b.getIndexAttr(1)});
}

RowMemory RowMemory::paged(LaneBuilder &b, Value memref, Value page, Value slot,
                           row::LayoutAttrInterface layout, Type element) {
  RowMemory row(buildPageView(b, memref, page), element);
  row.layout = layout;
  row.run = row::getContiguousRun(layout);
  row.slot = arith::IndexCastUIOp::create(b, b.getI32Type(), slot);
  return row;
}

int64_t RowMemory::getAccess(int64_t count) const {
  // Accesses of one size make up the whole, so a count of 6 takes pairs.
  int64_t access = std::min(count & -count, accessBits / bits);
  return layout ? std::min(access, run) : access;
}

SmallVector<Value> RowMemory::locate(LaneBuilder &b, Value first) const {
  Value place = first;
  if (layout) {
    // Offsets in a page fit in 31 bits; only the page's base needs 64.
    Value element = arith::IndexCastUIOp::create(b, b.getI32Type(), first);
    place = buildUnsignedMap(b, layout.getMap(), {slot, element});
    if (isPacked && bits < 8)
      place = arith::DivUIOp::create(b, place, i32Constant(b, 8 / bits));
    return {arith::IndexCastUIOp::create(b, b.getIndexType(), place)};
  }
  if (start)
    place = arith::AddIOp::create(b, place, start);
  if (offset)
    place = arith::AddIOp::create(b, place, indexConstant(b, offset));
  if (isPacked && bits < 8)
    place = arith::DivUIOp::create(b, place, indexConstant(b, 8 / bits));
  SmallVector<Value> result(indices);
  result.push_back(place);
  return result;
}

/// The place of access number `i` of `access` elements.
static Value advance(LaneBuilder &b, Value first, int64_t elements) {
  if (elements == 0)
    return first;
  return arith::AddIOp::create(b, first, indexConstant(b, elements));
}

Value RowMemory::load(LaneBuilder &b, Value first, int64_t count,
                      VectorType type) const {
  int64_t access = getAccess(count);
  auto memoryType = cast<MemRefType>(memref.getType()).getElementType();
  int64_t units = isPacked ? access * bits / 8 : access;
  auto accessType = VectorType::get({units}, memoryType);
  SmallVector<Value> parts;
  for (int64_t i = 0; i < count; i += access) {
    Value part = vector::LoadOp::create(b, accessType, memref,
                                        locate(b, advance(b, first, i)));
    if (isPacked) {
      int64_t width =
          std::min<int64_t>(type.getElementTypeBitWidth(), access * bits);
      part = vector::BitCastOp::create(
          b, VectorType::get({access * bits / width}, b.getIntegerType(width)),
          part);
    }
    parts.push_back(part);
  }
  Value all = concatVectors(b, parts);
  return all.getType() == type ? all : vector::BitCastOp::create(b, type, all);
}

void RowMemory::store(LaneBuilder &b, Value value, Value first,
                      int64_t count) const {
  int64_t access = getAccess(count);
  auto type = cast<VectorType>(value.getType());
  int64_t registers = type.getNumElements();
  auto memoryType = cast<MemRefType>(memref.getType()).getElementType();
  // Accesses narrower than a word, as where a layout scatters single bytes.
  int64_t perAccess = access * bits / type.getElementTypeBitWidth();
  if (isPacked && perAccess == 0) {
    int64_t width = access * bits;
    registers = registers * type.getElementTypeBitWidth() / width;
    value = vector::BitCastOp::create(
        b, VectorType::get({registers}, b.getIntegerType(width)), value);
    perAccess = 1;
  }
  for (int64_t i = 0, reg = 0; i < count; i += access, reg += perAccess) {
    Value part = sliceVector(b, value, reg, perAccess);
    if (isPacked)
      part = vector::BitCastOp::create(
          b, VectorType::get({access * bits / 8}, memoryType), part);
    vector::StoreOp::create(b, part, memref, locate(b, advance(b, first, i)));
  }
}
