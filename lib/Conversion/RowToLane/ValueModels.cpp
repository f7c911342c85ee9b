// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// How lanes make and take apart row values: constants, broadcasts, extracts.

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "rowmill/Conversion/RowToLane/Distributor.h"
#include "rowmill/Dialect/Row/IR/Row.h"

using namespace mlir;
using namespace rowmill;

namespace {

struct ConstantModel
    : DistributeOpInterface::ExternalModel<ConstantModel, arith::ConstantOp> {
  LogicalResult distribute(Operation *op, Distributor &d) const {
    SplatElementsAttr splat;
    auto type = cast<VectorType>(op->getResult(0).getType());
    if (!matchPattern(op, m_Constant(&splat)) ||
        isPackedType(type.getElementType()))
      return op->emitOpError("expects a splat of numbers for a row constant");
    LaneBuilder b(op->getLoc(), op);
    VectorType lane = d.spread.getLaneType(type);
    d.set(op->getResult(0),
          arith::ConstantOp::create(b, splat.resizeSplat(lane)));
    return success();
  }
};

/// A scalar fills the row, and so every lane's part of it.
struct ScalarBroadcastModel
    : DistributeOpInterface::ExternalModel<ScalarBroadcastModel,
                                           vector::BroadcastOp> {
  LogicalResult distribute(Operation *op, Distributor &d) const {
    auto broadcast = cast<vector::BroadcastOp>(op);
    if (isa<VectorType>(broadcast.getSourceType()))
      return op->emitOpError("expects a scalar; use row.broadcast for rows");
    LaneBuilder b(op->getLoc(), op);
    d.set(broadcast,
          vector::BroadcastOp::create(
              b, d.spread.getLaneType(broadcast.getResultVectorType()),
              broadcast.getSource()));
    return success();
  }
};

/// Every lane holds the only element of a whole-row result.
struct ExtractModel
    : DistributeOpInterface::ExternalModel<ExtractModel, vector::ExtractOp> {
  LogicalResult distribute(Operation *op, Distributor &d) const {
    auto extract = cast<vector::ExtractOp>(op);
    if (extract.getSourceVectorType().getNumElements() != 1 ||
        isPackedType(extract.getSourceVectorType().getElementType()))
      return op->emitOpError("expects a row of one element, since other "
                             "elements are not held by every lane");
    LaneBuilder b(op->getLoc(), op);
    Value element = vector::ExtractOp::create(b, d.get(extract.getSource()), 0);
    extract.replaceAllUsesWith(element);
    return success();
  }
};

struct BroadcastModel
    : DistributeOpInterface::ExternalModel<BroadcastModel, row::BroadcastOp> {
  LogicalResult distribute(Operation *op, Distributor &d) const {
    auto broadcast = cast<row::BroadcastOp>(op);
    LaneBuilder b(op->getLoc(), op);
    d.set(broadcast, buildBroadcast(b, d, d.get(broadcast.getInput()),
                                    d.getGroup(broadcast.getInput()),
                                    d.getGroup(broadcast.getResult())));
    return success();
  }
};

} // namespace

Value rowmill::buildBroadcast(LaneBuilder &b, const Distributor &d, Value part,
                              int64_t fromGroup, int64_t toGroup) {
  const Spread &spread = d.spread;
  SmallVector<Value> source = unpackVector(b, part);
  SmallVector<Value> result(spread.getCount(toGroup));
  for (int64_t chunk = 0; chunk < spread.chunks(); ++chunk)
    for (int64_t i = 0; i < spread.contiguous(); ++i)
      result[spread.getRegister(toGroup, chunk, i)] =
          source[spread.getRegister(fromGroup, chunk, i)];
  return packVector(b, result);
}

void rowmill::registerValueModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, arith::ArithDialect *) {
    arith::ConstantOp::attachInterface<ConstantModel>(*context);
  });
  registry.addExtension(+[](MLIRContext *context, vector::VectorDialect *) {
    vector::BroadcastOp::attachInterface<ScalarBroadcastModel>(*context);
    vector::ExtractOp::attachInterface<ExtractModel>(*context);
  });
  registry.addExtension(+[](MLIRContext *context, row::RowDialect *) {
    row::BroadcastOp::attachInterface<BroadcastModel>(*context);
  });
}
