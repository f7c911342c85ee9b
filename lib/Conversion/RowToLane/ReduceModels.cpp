// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Reductions and what is built from them: row.reduce, row.rmsnorm.

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "rowmill/Conversion/RowToLane/Distributor.h"
#include "rowmill/Dialect/Lane/IR/Lane.h"
#include "rowmill/Dialect/Row/IR/Row.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace rowmill;

static Value combine(LaneBuilder &b, Combine kind, Value lhs, Value rhs) {
  bool isFloat = isa<FloatType>(lhs.getType());
  switch (kind) {
  case Combine::Add:
    return isFloat ? arith::AddFOp::create(b, lhs, rhs).getResult()
                   : arith::AddIOp::create(b, lhs, rhs).getResult();
  case Combine::Max:
    return isFloat ? arith::MaximumFOp::create(b, lhs, rhs).getResult()
                   : arith::MaxSIOp::create(b, lhs, rhs).getResult();
  case Combine::MaxBits:
    return arith::MaxUIOp::create(b, lhs, rhs);
  }
  llvm_unreachable("unknown kind");
}

/// What leaves any value of the type as it is.
static Value buildIdentity(LaneBuilder &b, Combine kind, Type type) {
  auto floats = dyn_cast<FloatType>(type);
  if (kind == Combine::Max && floats)
    return arith::ConstantOp::create(
        b, b.getFloatAttr(type, APFloat::getInf(floats.getFloatSemantics(),
                                                /*Negative=*/true)));
  if (kind == Combine::Max)
    return arith::ConstantOp::create(
        b, b.getIntegerAttr(
               type, APInt::getSignedMinValue(type.getIntOrFloatBitWidth())));
  return arith::ConstantOp::create(b, b.getZeroAttr(type));
}

/// Lane exchange of a scalar of 16 or 32 bits.
static Value exchange(LaneBuilder &b, const Distributor &d, Value value,
                      int64_t places) {
  int64_t mask = d.getExchangeMask(places);
  Type type = value.getType();
  unsigned bits = type.getIntOrFloatBitWidth();
  if (bits == 32)
    return lane::ExchangeOp::create(b, value, mask);
  Type integer = b.getIntegerType(bits);
  Value word = arith::BitcastOp::create(b, integer, value);
  word = arith::ExtUIOp::create(b, b.getI32Type(), word);
  word = lane::ExchangeOp::create(b, word, mask);
  word = arith::TruncIOp::create(b, integer, word);
  return arith::BitcastOp::create(b, type, word);
}

/// Unsigned numbers in the order of IEEE's maximum: negative floats, positive
/// ones, NaN.
static Value toOrderedBits(LaneBuilder &b, Value value) {
  Value isNaN =
      arith::CmpFOp::create(b, arith::CmpFPredicate::UNO, value, value);
  Value bits = arith::BitcastOp::create(b, b.getI32Type(), value);
  Value isNegative = arith::CmpIOp::create(b, arith::CmpIPredicate::slt, bits,
                                           i32Constant(b, 0));
  Value mask = arith::SelectOp::create(b, isNegative, i32Constant(b, ~0u),
                                       i32Constant(b, 1u << 31));
  Value ordered = arith::XOrIOp::create(b, bits, mask);
  return arith::SelectOp::create(b, isNaN, i32Constant(b, ~0u), ordered);
}

static Value fromOrderedBits(LaneBuilder &b, Value ordered) {
  Value isPositive = arith::CmpIOp::create(b, arith::CmpIPredicate::slt,
                                           ordered, i32Constant(b, 0));
  Value mask = arith::SelectOp::create(b, isPositive, i32Constant(b, 1u << 31),
                                       i32Constant(b, ~0u));
  Value bits = arith::XOrIOp::create(b, ordered, mask);
  return arith::BitcastOp::create(b, b.getF32Type(), bits);
}

/// IEEE's maximum over lanes of several waves, which only lane.reduce crosses.
static Value reduceMaxOverWaves(LaneBuilder &b, Value value, int64_t cluster) {
  Type type = value.getType();
  if (!type.isF32())
    value = arith::ExtFOp::create(b, b.getF32Type(), value);
  value = lane::ReduceOp::create(b, lane::ReduceKind::maxu,
                                 toOrderedBits(b, value), cluster);
  value = fromOrderedBits(b, value);
  return type.isF32() ? value
                      : arith::TruncFOp::create(b, type, value).getResult();
}

/// Combines over the lanes of a group; lanes below `holders` hold the same.
static Value reduceLanes(LaneBuilder &b, const Distributor &d, Combine kind,
                         Value value, int64_t holders, int64_t cluster) {
  bool isWord = value.getType().isInteger(32) || value.getType().isF32();
  // The lane op starts at neighbours and has no IEEE maximum.
  if (holders == 1 && isWord && kind != Combine::Max) {
    bool isBits = kind == Combine::MaxBits;
    if (isBits || isa<FloatType>(value.getType()))
      return lane::ReduceOp::create(
          b, isBits ? lane::ReduceKind::maxu : lane::ReduceKind::add, value,
          cluster);
  }
  if (holders == 1 && kind == Combine::Max && isa<FloatType>(value.getType()) &&
      cluster > d.spread.lanesOfWave())
    return reduceMaxOverWaves(b, value, cluster);
  for (int64_t mask = holders; mask < cluster; mask *= 2)
    value = combine(b, kind, exchange(b, d, value, mask), value);
  return value;
}

/// Neighbours first, then neighbours of the results, as often as `times` asks;
/// a list of odd length is padded with the identity.
static void combineNeighbours(LaneBuilder &b, Combine kind,
                              SmallVector<Value> &values, int64_t factor) {
  for (; factor > 1; factor = llvm::divideCeil(factor, 2)) {
    if (values.size() % 2)
      values.push_back(buildIdentity(b, kind, values.front().getType()));
    for (size_t i = 0; i < values.size() / 2; ++i)
      values[i] = combine(b, kind, values[2 * i], values[2 * i + 1]);
    values.resize(values.size() / 2);
  }
}

Value rowmill::reduceRow(LaneBuilder &b, const Distributor &d, Combine kind,
                         Value part, int64_t fromGroup, int64_t toGroup) {
  const Spread &spread = d.spread;
  SmallVector<Value> values = unpackVector(b, part);
  bool isWhole = toGroup == spread.rowLength();

  // Positions past the row's end only meet others in a reduction of it all.
  if (isWhole && !spread.isExact()) {
    int64_t run = spread.getRun(fromGroup);
    for (int64_t chunk = 0; chunk < spread.getChunks(fromGroup); ++chunk) {
      if ((chunk + 1) * spread.chunkLength() <= spread.rowLength())
        continue;
      Value start = d.getStart(b, chunk);
      Value inside =
          arith::CmpIOp::create(b, arith::CmpIPredicate::ult, start,
                                indexConstant(b, spread.rowLength()));
      for (int64_t i = chunk * run; i < (chunk + 1) * run; ++i)
        values[i] = arith::SelectOp::create(
            b, inside, values[i], buildIdentity(b, kind, values[i].getType()));
    }
  }

  int64_t inLane = std::min(toGroup, spread.contiguous());
  if (inLane > fromGroup)
    combineNeighbours(b, kind, values, inLane / fromGroup);

  int64_t chunk = spread.chunkLength();
  int64_t holders = std::max<int64_t>(1, fromGroup / spread.contiguous());
  int64_t cluster = isWhole || toGroup >= chunk ? spread.lanes()
                                                : toGroup / spread.contiguous();
  // A sum's order is fixed, lanes before chunks; for a maximum the chunks go
  // first and leave less to do between lanes.
  bool chunksFirst = kind != Combine::Add;
  auto overLanes = [&] {
    if (cluster > holders)
      for (Value &value : values)
        value = reduceLanes(b, d, kind, value, holders, cluster);
  };
  auto overChunks = [&] {
    int64_t want = isWhole ? 1 : spread.getCount(toGroup);
    int64_t members = values.size() / want;
    if (members == 1)
      return;
    // Group by group: where their number of chunks is odd, pairs would reach
    // into the next group.
    SmallVector<Value> results;
    for (int64_t group = 0; group < want; ++group) {
      SmallVector<Value> list(ArrayRef(values).slice(group * members, members));
      combineNeighbours(b, kind, list, members);
      results.push_back(list.front());
    }
    values = results;
  };
  if (chunksFirst)
    overChunks();
  overLanes();
  if (!chunksFirst)
    overChunks();
  return packVector(b, values);
}

namespace {

struct ReduceModel
    : DistributeOpInterface::ExternalModel<ReduceModel, row::ReduceOp> {
  LogicalResult distribute(Operation *op, Distributor &d) const {
    auto reduce = cast<row::ReduceOp>(op);
    LaneBuilder b(op->getLoc(), op);
    Value part = d.get(reduce.getInput());
    int64_t from = d.getGroup(reduce.getInput());
    int64_t to = d.getGroup(reduce.getResult());
    switch (reduce.getKind()) {
    case row::ReduceKind::Add:
      part = reduceRow(b, d, Combine::Add, part, from, to);
      break;
    case row::ReduceKind::Max:
      part = reduceRow(b, d, Combine::Max, part, from, to);
      break;
    case row::ReduceKind::AbsMax:
      part = reduceAbs(b, d, part, from, to);
      break;
    }
    d.set(reduce, part);
    return success();
  }

  /// Bits of |x|, reduced as 32-bit integers and read as floats again.
  static Value reduceAbs(LaneBuilder &b, const Distributor &d, Value part,
                         int64_t from, int64_t to) {
    auto type = cast<VectorType>(part.getType());
    unsigned bits = type.getElementTypeBitWidth();
    auto ints = type.clone(b.getIntegerType(bits));
    Value magnitudes = arith::BitcastOp::create(b, ints, part);
    Value mask = arith::ConstantOp::create(
        b, DenseElementsAttr::get(ints, APInt::getSignedMaxValue(bits)));
    magnitudes = arith::AndIOp::create(b, magnitudes, mask);
    if (bits < 32)
      magnitudes =
          arith::ExtUIOp::create(b, type.clone(b.getI32Type()), magnitudes);
    Value largest = reduceRow(b, d, Combine::MaxBits, magnitudes, from, to);
    auto result = cast<VectorType>(largest.getType());
    if (bits < 32)
      largest = arith::TruncIOp::create(b, result.clone(ints.getElementType()),
                                        largest);
    return arith::BitcastOp::create(b, result.clone(type.getElementType()),
                                    largest);
  }
};

struct RmsNormModel
    : DistributeOpInterface::ExternalModel<RmsNormModel, row::RmsNormOp> {
  LogicalResult distribute(Operation *op, Distributor &d) const {
    auto norm = cast<row::RmsNormOp>(op);
    LaneBuilder b(op->getLoc(), op);
    Type f32 = b.getF32Type();
    Value x = convertFloat(b, d.get(norm.getInput()), f32);
    auto type = cast<VectorType>(x.getType());
    Value scale = buildScale(b, d, norm, x);
    Value scales = vector::BroadcastOp::create(b, type, scale);
    Value y = arith::MulFOp::create(b, x, scales);

    Value weight = d.get(norm.getWeight());
    Type weightType = cast<VectorType>(weight.getType()).getElementType();
    weight = convertFloat(b, weight, f32);
    auto roundToWeight = [&](Value v) {
      return norm.getRoundToWeight()
                 ? convertFloat(b, convertFloat(b, v, weightType), f32)
                 : v;
    };
    if (norm.getOnePlusWeight()) {
      Value ones = arith::ConstantOp::create(
          b, DenseElementsAttr::get(type, APFloat(1.0f)));
      weight = roundToWeight(arith::AddFOp::create(b, ones, weight));
    }
    y = roundToWeight(y);
    y = roundToWeight(arith::MulFOp::create(b, y, weight));
    d.set(norm, convertFloat(b, y, norm.getType().getElementType()));
    return success();
  }

  /// rsqrt(sum(x * x) * f32(1 / D) + eps), the same in every lane of the row.
  static Value buildScale(LaneBuilder &b, const Distributor &d,
                          row::RmsNormOp norm, Value x) {
    Value squares = arith::MulFOp::create(b, x, x);
    int64_t length = norm.getType().getDimSize(0);
    Value sum = reduceRow(b, d, Combine::Add, squares,
                          d.getGroup(norm.getInput()), d.spread.rowLength());
    sum = vector::ExtractOp::create(b, sum, 0);
    Value mean = arith::MulFOp::create(
        b, sum, f32Constant(b, static_cast<float>(1.0 / double(length))));
    Value epsilon = norm.getEpsilonValue();
    if (!epsilon)
      epsilon = arith::ConstantOp::create(b, norm.getEpsilonAttr());
    Value biased = arith::AddFOp::create(b, mean, epsilon);
    return math::RsqrtOp::create(b, biased);
  }
};

} // namespace

void rowmill::registerReduceModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, row::RowDialect *) {
    row::ReduceOp::attachInterface<ReduceModel>(*context);
    row::RmsNormOp::attachInterface<RmsNormModel>(*context);
  });
}
