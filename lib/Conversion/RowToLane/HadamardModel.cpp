// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// How lanes do a Walsh-Hadamard rotation.

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "rowmill/Conversion/RowToLane/Distributor.h"
#include "rowmill/Dialect/Lane/IR/Lane.h"
#include "rowmill/Dialect/Row/IR/Row.h"
#include <cmath>

using namespace mlir;
using namespace rowmill;

/// A butterfly between neighbouring registers, on scalars: as vectors the two
/// sides would have to be gathered by moves.
static Value crossNeighbours(LaneBuilder &b, Value values) {
  SmallVector<Value> v = unpackVector(b, values);
  for (size_t i = 0; i < v.size(); i += 2) {
    Value sum = arith::AddFOp::create(b, v[i], v[i + 1]);
    Value difference = arith::SubFOp::create(b, v[i], v[i + 1]);
    v[i] = sum;
    v[i + 1] = difference;
  }
  return packVector(b, v);
}

/// A butterfly between registers `stride` apart, stride at least 2, on vectors
/// of register pairs, which packed f32 instructions take two at a time.
static Value crossRegisters(LaneBuilder &b, Value values, int64_t stride) {
  auto type = cast<VectorType>(values.getType());
  int64_t count = type.getNumElements();
  SmallVector<int64_t> low, high, back(count);
  for (int64_t i = 0; i < count; ++i) {
    bool isHigh = i & stride;
    SmallVector<int64_t> &side = isHigh ? high : low;
    // Sums are the first operand of the last shuffle, differences the second.
    back[i] = side.size() + (isHigh ? count / 2 : 0);
    side.push_back(i);
  }
  Value x = vector::ShuffleOp::create(b, values, values, low);
  Value y = vector::ShuffleOp::create(b, values, values, high);
  Value sums = arith::AddFOp::create(b, x, y);
  Value differences = arith::SubFOp::create(b, x, y);
  return vector::ShuffleOp::create(b, sums, differences, back);
}

/// A butterfly between lanes: `partner + own` in the lower lane of a pair,
/// `partner - own` in the upper. The product with +-1 is exact and packs two
/// registers; the sum takes its exchanged operand through DPP, which only the
/// scalar instruction can.
static Value crossLanes(LaneBuilder &b, const Distributor &d, Value values,
                        int64_t mask) {
  Value bit = arith::AndIOp::create(b, d.lane, indexConstant(b, mask));
  Value isLow = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, bit,
                                      indexConstant(b, 0));
  Value sign = arith::SelectOp::create(b, isLow, f32Constant(b, 1.0f),
                                       f32Constant(b, -1.0f));
  Value signs = vector::BroadcastOp::create(b, values.getType(), sign);
  Value own = arith::MulFOp::create(b, values, signs);
  // Each exchange stands next to its sum: the code generator gives up looking
  // for the sum after twenty instructions.
  SmallVector<Value> results;
  for (auto [value, mine] :
       llvm::zip_equal(unpackVector(b, values), unpackVector(b, own))) {
    Value partner = lane::ExchangeOp::create(b, value, d.getExchangeMask(mask));
    results.push_back(arith::AddFOp::create(b, partner, mine));
  }
  return packVector(b, results);
}

namespace {

struct HadamardModel
    : DistributeOpInterface::ExternalModel<HadamardModel, row::HadamardOp> {
  LogicalResult distribute(Operation *op, Distributor &d) const {
    auto hadamard = cast<row::HadamardOp>(op);
    const Spread &spread = d.spread;
    int64_t length = hadamard.getType().getDimSize(0);
    if (length != spread.rowLength() || !spread.isExact())
      return op->emitOpError("expects a row that fills its ")
             << spread.lanes() << " lanes of "
             << spread.contiguous() * spread.chunks()
             << " elements, but got a row of " << length;
    LaneBuilder b(op->getLoc(), op);
    Value v = convertFloat(b, d.get(hadamard.getInput()), b.getF32Type());
    for (int64_t h = 1; h < length; h *= 2) {
      if (h >= spread.chunkLength())
        v = crossRegisters(b, v,
                           h / spread.chunkLength() * spread.contiguous());
      else if (h >= spread.contiguous())
        v = crossLanes(b, d, v, h / spread.contiguous());
      else
        v = h == 1 ? crossNeighbours(b, v) : crossRegisters(b, v, h);
    }
    float factor = static_cast<float>(1.0 / std::sqrt(double(length)));
    auto type = cast<VectorType>(v.getType());
    Value factors = arith::ConstantOp::create(
        b, DenseElementsAttr::get(type, APFloat(factor)));
    v = arith::MulFOp::create(b, v, factors);
    d.set(hadamard, convertFloat(b, v, hadamard.getType().getElementType()));
    return success();
  }
};

} // namespace

void rowmill::registerHadamardModel(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, row::RowDialect *) {
    row::HadamardOp::attachInterface<HadamardModel>(*context);
  });
}
