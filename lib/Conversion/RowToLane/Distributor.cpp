// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Walks a kernel and has every op on rows done by the lanes that hold them.

#include "rowmill/Conversion/RowToLane/Distributor.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "rowmill/Dialect/Row/IR/Row.h"

using namespace mlir;
using namespace rowmill;

#include "rowmill/Conversion/RowToLane/DistributeInterface.cpp.inc"

//===----------------------------------------------------------------------===//
// Building blocks
//===----------------------------------------------------------------------===//

Value rowmill::indexConstant(LaneBuilder &b, int64_t value) {
  return arith::ConstantIndexOp::create(b, value);
}

Value rowmill::i32Constant(LaneBuilder &b, uint32_t bits) {
  return arith::ConstantOp::create(b, b.getI32IntegerAttr(int32_t(bits)));
}

Value rowmill::f32Constant(LaneBuilder &b, float value) {
  return arith::ConstantOp::create(b, b.getF32FloatAttr(value));
}

Value rowmill::mirrorQuads(LaneBuilder &b, Value index) {
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(b,
                                     b.getIntegerAttr(index.getType(), value));
  };
  Value bit = arith::AndIOp::create(b, index, constant(4));
  Value isOdd =
      arith::CmpIOp::create(b, arith::CmpIPredicate::ne, bit, constant(0));
  Value mask = arith::SelectOp::create(b, isOdd, constant(3), constant(0));
  return arith::XOrIOp::create(b, index, mask);
}

SmallVector<Value> rowmill::unpackVector(LaneBuilder &b, Value vector) {
  SmallVector<Value> elements;
  int64_t count = cast<VectorType>(vector.getType()).getNumElements();
  for (int64_t i = 0; i < count; ++i)
    elements.push_back(vector::ExtractOp::create(b, vector, i));
  return elements;
}

Value rowmill::packVector(LaneBuilder &b, ArrayRef<Value> elements) {
  auto type =
      VectorType::get({int64_t(elements.size())}, elements.front().getType());
  return vector::FromElementsOp::create(b, type, elements);
}

Value rowmill::convertFloat(LaneBuilder &b, Value vector, Type element) {
  auto type = cast<VectorType>(vector.getType());
  if (type.getElementType() == element)
    return vector;
  Type to = type.clone(element);
  unsigned from = type.getElementTypeBitWidth();
  if (from < element.getIntOrFloatBitWidth())
    return arith::ExtFOp::create(b, to, vector);
  if (from > element.getIntOrFloatBitWidth())
    return arith::TruncFOp::create(b, to, vector);
  // f16 and bf16 meet in f32, which holds both exactly.
  Value wide = arith::ExtFOp::create(b, type.clone(b.getF32Type()), vector);
  return arith::TruncFOp::create(b, to, wide);
}

Value rowmill::sliceVector(LaneBuilder &b, Value vector, int64_t first,
                           int64_t count) {
  auto type = cast<VectorType>(vector.getType());
  if (count == type.getNumElements())
    return vector;
  return vector::ExtractStridedSliceOp::create(b, vector, {first}, {count},
                                               {1});
}

Value rowmill::concatVectors(LaneBuilder &b, ArrayRef<Value> parts) {
  if (parts.size() == 1)
    return parts.front();
  SmallVector<Value> elements;
  for (Value part : parts)
    llvm::append_range(elements, unpackVector(b, part));
  return packVector(b, elements);
}

//===----------------------------------------------------------------------===//
// Distributor
//===----------------------------------------------------------------------===//

static VectorType getRowType(Value value) {
  auto type = dyn_cast<VectorType>(value.getType());
  return type && type.getRank() == 1 ? type : VectorType();
}

int64_t Distributor::getGroup(Value row) const {
  return spread.getGroup(getRowType(row).getDimSize(0));
}

Value Distributor::getStart(LaneBuilder &b, int64_t chunk,
                            int64_t group) const {
  int64_t base = chunk * spread.chunkLength();
  // A group of several chunks, or the whole row, is the same for every lane.
  if (group == spread.rowLength())
    return indexConstant(b, 0);
  if (group > spread.chunkLength())
    return indexConstant(b, base / group);
  Value offset;
  if (group <= spread.contiguous())
    offset = arith::MulIOp::create(
        b, lane, indexConstant(b, spread.contiguous() / group));
  else
    offset = arith::DivUIOp::create(
        b, lane, indexConstant(b, group / spread.contiguous()));
  if (base == 0)
    return offset;
  return arith::AddIOp::create(b, offset, indexConstant(b, base / group));
}

Value Distributor::getLaneOfPlace(LaneBuilder &b, Value place) const {
  return mirrored ? mirrorQuads(b, place) : place;
}

LogicalResult Distributor::checkRowTypes(Operation *op) {
  for (Value value : op->getResults()) {
    VectorType row = getRowType(value);
    // A row that only feeds rotation tables is read in slices of its own.
    if (!row || spread.getLaneType(row))
      continue;
    if (spread.getGroup(row.getDimSize(0)) == 0)
      return op->emitOpError("expects rows whose length divides ")
             << spread.rowLength() << " into groups of a power of two, but got "
             << row;
    return op->emitOpError("expects whole bytes of ")
           << row.getElementType() << " in each of " << spread.lanes()
           << " lanes, but got " << row;
  }
  return success();
}

/// Whether every use of the op's results ends in the table of a rotation, which
/// asks for slices and not for the lane's part.
static bool feedsOnlyTables(Operation *op) {
  if (op->use_empty() || !isMemoryEffectFree(op))
    if (!isa<row::LoadOp>(op) || op->use_empty())
      return false;
  return llvm::all_of(op->getUses(), [](OpOperand &use) {
    if (auto rope = dyn_cast<row::RopeOp>(use.getOwner()))
      return use.getOperandNumber() > 0;
    return OpTrait::hasElementwiseMappableTraits(use.getOwner()) &&
           feedsOnlyTables(use.getOwner());
  });
}

LogicalResult Distributor::distributeElementwise(Operation *op) {
  LaneBuilder b(op->getLoc(), op);
  SmallVector<Value> operands;
  for (Value operand : op->getOperands())
    operands.push_back(get(operand));
  SmallVector<Type> types;
  for (Value result : op->getResults()) {
    VectorType row = getRowType(result);
    types.push_back(row ? spread.getLaneType(row) : result.getType());
  }
  // Codes are bits in words here; only quantisation knows how to make them.
  for (Value value : llvm::concat<Value>(SmallVector<Value>(op->getOperands()),
                                         SmallVector<Value>(op->getResults())))
    if (VectorType row = getRowType(value);
        row && isPackedType(row.getElementType()))
      return op->emitOpError("expects numbers, but got ")
             << row << "; use row.quantize and row.dequantize";
  Operation *part = b.create(op->getLoc(), op->getName().getIdentifier(),
                             operands, types, op->getAttrs());
  for (auto [row, lane] : llvm::zip_equal(op->getResults(), part->getResults()))
    set(row, lane);
  return success();
}

LogicalResult Distributor::distribute(Operation *op) {
  bool touchesRows = llvm::any_of(op->getOperands(), getRowType) ||
                     llvm::any_of(op->getResults(), getRowType);
  if (!touchesRows) {
    for (Region &region : op->getRegions())
      for (Block &block : region)
        if (failed(distributeBlock(&block)))
          return failure();
    return success();
  }
  done.push_back(op);
  if (feedsOnlyTables(op))
    return success();
  if (failed(checkRowTypes(op)))
    return failure();
  if (auto model = dyn_cast<DistributeOpInterface>(op))
    return model.distribute(*this);
  if (OpTrait::hasElementwiseMappableTraits(op))
    return distributeElementwise(op);
  return op->emitOpError("cannot be spread over the lanes of a row");
}

Value Distributor::getSlice(Value row,
                            llvm::function_ref<Value(LaneBuilder &)> getFirst,
                            int64_t count) {
  Operation *op = row.getDefiningOp();
  if (!op)
    return {};
  LaneBuilder b(op->getLoc(), op);
  if (auto load = dyn_cast<row::LoadOp>(op))
    return loadSlice(b, load, getFirst(b), count);
  auto type = VectorType::get({count}, getRowType(row).getElementType());
  SplatElementsAttr splat;
  if (matchPattern(op, m_Constant(&splat)))
    return arith::ConstantOp::create(b, splat.resizeSplat(type));
  if (!OpTrait::hasElementwiseMappableTraits(op) || op->getNumResults() != 1)
    return {};
  SmallVector<Value> operands;
  for (Value operand : op->getOperands()) {
    if (getRowType(operand))
      operand = getSlice(operand, getFirst, count);
    if (!operand)
      return {};
    operands.push_back(operand);
  }
  return b
      .create(op->getLoc(), op->getName().getIdentifier(), operands, {type},
              op->getAttrs())
      ->getResult(0);
}

LogicalResult Distributor::distributeBlock(Block *block) {
  // What a model builds stands before the op that it replaces and must not be
  // distributed again.
  SmallVector<Operation *> ops;
  for (Operation &op : *block)
    ops.push_back(&op);
  for (Operation *op : ops)
    if (failed(distribute(op)))
      return failure();
  return success();
}

void Distributor::eraseReplaced() {
  // Users come after what they use; erasing backwards leaves none behind.
  while (!done.empty())
    done.pop_back_val()->erase();
}
