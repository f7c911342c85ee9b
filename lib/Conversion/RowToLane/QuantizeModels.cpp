// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// How lanes quantise a row and read it back.

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "rowmill/Conversion/RowToLane/Distributor.h"
#include "rowmill/Dialect/Lane/IR/Lane.h"
#include "rowmill/Dialect/Row/IR/Row.h"

using namespace mlir;
using namespace rowmill;

namespace {

/// The numbers of a format that scales depend on.
struct CodeFormat {
  float largest;
  uint32_t inverseBits; ///< f32(1 / largest)
  int64_t largestExponent;
};

} // namespace

static CodeFormat getFormat(Type type) {
  if (isa<Float4E2M1FNType>(type))
    return {6.0f, 0x3e2aaaab, 2};
  if (isa<Float8E4M3FNType>(type))
    return {448.0f, 0x3b124925, 8};
  return {240.0f, 0x3b888889, 7};
}

static Value bitsOf(LaneBuilder &b, Value value) {
  return arith::BitcastOp::create(b, b.getI32Type(), value);
}

static Value floatOf(LaneBuilder &b, Value bits) {
  return arith::BitcastOp::create(b, b.getF32Type(), bits);
}

static Value isEqual(LaneBuilder &b, Value e, uint32_t value) {
  return arith::CmpIOp::create(b, arith::CmpIPredicate::eq, e,
                               i32Constant(b, value));
}

/// Bits of 2^(e - 127): a denormal for e = 0.
static Value buildPowerBits(LaneBuilder &b, Value e) {
  Value bits = arith::ShLIOp::create(b, e, i32Constant(b, 23));
  return arith::SelectOp::create(b, isEqual(b, e, 0), i32Constant(b, 1u << 22),
                                 bits);
}

/// 2^(e - 127); a denormal for e = 0 and NaN for e = 255.
static Value decodeExponents(LaneBuilder &b, Value bytes) {
  SmallVector<Value> scales;
  for (Value byte : unpackVector(b, bytes)) {
    Value e = arith::ExtUIOp::create(b, b.getI32Type(), byte);
    Value bits = arith::SelectOp::create(b, isEqual(b, e, 255),
                                         i32Constant(b, 0x7fc00000),
                                         buildPowerBits(b, e));
    scales.push_back(floatOf(b, bits));
  }
  return packVector(b, scales);
}

/// Bits of max(absmax(group), floor) for every group that this lane touches.
/// As integers NaN is the largest, and so spoils the scale as it should.
static SmallVector<Value> buildAmaxBits(LaneBuilder &b, const Distributor &d,
                                        row::QuantizeOp op, Value x) {
  auto ints = cast<VectorType>(x.getType()).clone(b.getI32Type());
  Value bits = arith::BitcastOp::create(b, ints, x);
  Value mask = arith::ConstantOp::create(
      b, DenseElementsAttr::get(ints, APInt(32, 0x7fffffff)));
  bits = arith::AndIOp::create(b, bits, mask);
  Value largest =
      reduceRow(b, d, Combine::MaxBits, bits, d.getGroup(op.getInput()),
                d.getGroup(op.getScales()));
  SmallVector<Value> groups = unpackVector(b, largest);
  if (FloatAttr floor = op.getFloorAttr())
    for (Value &group : groups)
      group = arith::MaxUIOp::create(
          b, group,
          i32Constant(b, floor.getValue().bitcastToAPInt().getZExtValue()));
  return groups;
}

/// The e8m0 exponent of a group, by the rounding that the op asks for.
static Value buildExponent(LaneBuilder &b, row::ScaleRounding rounding,
                           const CodeFormat &format, Value amaxBits) {
  if (rounding == row::ScaleRounding::Up) {
    // Adding all mantissa bits carries into the exponent unless they are zero.
    Value w =
        arith::MulFOp::create(b, floatOf(b, amaxBits),
                              floatOf(b, i32Constant(b, format.inverseBits)));
    Value up = arith::AddIOp::create(b, bitsOf(b, w), i32Constant(b, 0x7fffff));
    Value e = arith::ShRUIOp::create(b, up, i32Constant(b, 23));
    return arith::MinUIOp::create(b, e, i32Constant(b, 255));
  }
  Value field = arith::ShRUIOp::create(b, amaxBits, i32Constant(b, 23));
  Value e =
      arith::SubIOp::create(b, field, i32Constant(b, format.largestExponent));
  e = arith::MaxSIOp::create(b, e, i32Constant(b, 0));
  return arith::SelectOp::create(b, isEqual(b, field, 255), i32Constant(b, 255),
                                 e);
}

/// min(max(x, -limit), limit) with NaN kept.
static Value clampKeepingNaN(LaneBuilder &b, Value x, float limit) {
  auto type = cast<VectorType>(x.getType());
  auto splat = [&](float value) -> Value {
    return arith::ConstantOp::create(
        b, DenseElementsAttr::get(type, APFloat(value)));
  };
  Value clamped = arith::MinNumFOp::create(b, x, splat(limit));
  clamped = arith::MaxNumFOp::create(b, clamped, splat(-limit));
  Value isNaN = arith::CmpFOp::create(b, arith::CmpFPredicate::UNO, x, x);
  return arith::SelectOp::create(b, isNaN, x, clamped);
}

/// The power of two that is not below a positive `scale`.
static Value roundUpToPower(LaneBuilder &b, Value scale) {
  Value bits =
      arith::AddIOp::create(b, bitsOf(b, scale), i32Constant(b, 0x7fffff));
  return floatOf(b, arith::AndIOp::create(b, bits, i32Constant(b, 0xff800000)));
}

/// +0 for what `flush` asks for, between its negative and 0.
static Value flushTinyNegatives(LaneBuilder &b, row::QuantizeOp op, Value x) {
  FloatAttr flush = op.getFlushAttr();
  if (!flush)
    return x;
  auto type = cast<VectorType>(x.getType());
  auto isAbove = [&](Value lhs, Value rhs) -> Value {
    return arith::CmpFOp::create(b, arith::CmpFPredicate::OGT, lhs, rhs);
  };
  Value zeros = arith::ConstantOp::create(b, b.getZeroAttr(type));
  Value limits = arith::ConstantOp::create(
      b, DenseElementsAttr::get(type, neg(flush.getValue())));
  Value isTiny =
      arith::AndIOp::create(b, isAbove(zeros, x), isAbove(x, limits));
  return arith::SelectOp::create(b, isTiny, zeros, x);
}

/// Packs the lane's values, each segment of a group by its own exponent (or
/// without one), into the words of `type`.
static Value packSegments(LaneBuilder &b, const Distributor &d, Value x,
                          ArrayRef<Value> exponents, int64_t group, Type format,
                          VectorType type) {
  const Spread &spread = d.spread;
  int64_t segment = std::min(group, spread.contiguous());
  int64_t bits = format.getIntOrFloatBitWidth();
  SmallVector<Value> parts;
  for (int64_t chunk = 0; chunk < spread.chunks(); ++chunk)
    for (int64_t i = 0; i < spread.contiguous(); i += segment) {
      Value values =
          sliceVector(b, x, chunk * spread.contiguous() + i, segment);
      int64_t width =
          std::min<int64_t>(type.getElementTypeBitWidth(), segment * bits);
      auto words =
          VectorType::get({segment * bits / width}, b.getIntegerType(width));
      Value exponent;
      if (!exponents.empty())
        exponent = exponents[spread.getRegister(group, chunk, i)];
      parts.push_back(lane::PackOp::create(b, words, values, exponent,
                                           TypeAttr::get(format)));
    }
  Value all = concatVectors(b, parts);
  return all.getType() == type ? all : vector::BitCastOp::create(b, type, all);
}

namespace {

struct QuantizeModel
    : DistributeOpInterface::ExternalModel<QuantizeModel, row::QuantizeOp> {
  LogicalResult distribute(Operation *op, Distributor &d) const {
    auto quantize = cast<row::QuantizeOp>(op);
    if (d.getGroup(quantize.getInput()) != 1)
      return op->emitOpError("expects the kernel's longest row, of length ")
             << d.spread.rowLength() << ", but got "
             << quantize.getInput().getType();
    LaneBuilder b(op->getLoc(), op);
    Value x = d.get(quantize.getInput());
    SmallVector<Value> amax = buildAmaxBits(b, d, quantize, x);
    if (isa<Float8E8M0FNUType>(quantize.getScales().getType().getElementType()))
      quantizeByExponent(b, d, quantize, x, amax);
    else
      quantizeByFloat(b, d, quantize, x, amax);
    return success();
  }

  static void quantizeByExponent(LaneBuilder &b, Distributor &d,
                                 row::QuantizeOp op, Value x,
                                 ArrayRef<Value> amax) {
    Type code = op.getCodes().getType().getElementType();
    CodeFormat format = getFormat(code);
    SmallVector<Value> exponents, bytes;
    for (Value bits : amax) {
      exponents.push_back(
          buildExponent(b, op.getScaleRounding(), format, bits));
      bytes.push_back(
          arith::TruncIOp::create(b, b.getI8Type(), exponents.back()));
    }
    int64_t group = d.getGroup(op.getScales());
    // FP4's conversion saturates by itself; FP8's makes NaN of infinities, and
    // of what a scale that is rounded down leaves above the largest code.
    if (!isa<Float4E2M1FNType>(code)) {
      x = clampKeepingNaN(b, multiplyByPowers(b, d, x, exponents, group),
                          format.largest);
      x = flushTinyNegatives(b, op, x);
      exponents.clear();
    }
    VectorType type = d.spread.getLaneType(op.getCodes().getType());
    d.set(op.getCodes(), packSegments(b, d, x, exponents, group, code, type));
    d.set(op.getScales(), packVector(b, bytes));
  }

  /// x * 2^(127 - e), group by group.
  static Value multiplyByPowers(LaneBuilder &b, const Distributor &d, Value x,
                                ArrayRef<Value> exponents, int64_t group) {
    SmallVector<Value> powers;
    for (Value e : exponents) {
      Value bits =
          buildPowerBits(b, arith::SubIOp::create(b, i32Constant(b, 254), e));
      powers.push_back(
          floatOf(b, arith::SelectOp::create(b, isEqual(b, e, 255),
                                             i32Constant(b, 1u << 21), bits)));
    }
    Value factors = buildBroadcast(b, d, packVector(b, powers), group, 1);
    return arith::MulFOp::create(b, x, factors);
  }

  static void quantizeByFloat(LaneBuilder &b, Distributor &d,
                              row::QuantizeOp op, Value x,
                              ArrayRef<Value> amax) {
    Type code = op.getCodes().getType().getElementType();
    CodeFormat format = getFormat(code);
    SmallVector<Value> scales, inverses;
    for (Value bits : amax) {
      Value scale = arith::MulFOp::create(
          b, floatOf(b, bits), floatOf(b, i32Constant(b, format.inverseBits)));
      if (op.getScaleRounding() == row::ScaleRounding::Up)
        scale = roundUpToPower(b, scale);
      scales.push_back(scale);
      inverses.push_back(arith::DivFOp::create(b, f32Constant(b, 1.0f), scale));
    }
    int64_t group = d.getGroup(op.getScales());
    Value factors = buildBroadcast(b, d, packVector(b, inverses), group, 1);
    Value scaled = arith::MulFOp::create(b, x, factors);
    scaled = clampKeepingNaN(b, scaled, format.largest);
    scaled = flushTinyNegatives(b, op, scaled);
    VectorType type = d.spread.getLaneType(op.getCodes().getType());
    d.set(op.getCodes(), packSegments(b, d, scaled, {}, group, code, type));
    d.set(op.getScales(), packVector(b, scales));
  }
};

struct DequantizeModel
    : DistributeOpInterface::ExternalModel<DequantizeModel, row::DequantizeOp> {
  LogicalResult distribute(Operation *op, Distributor &d) const {
    auto dequantize = cast<row::DequantizeOp>(op);
    LaneBuilder b(op->getLoc(), op);
    VectorType row = dequantize.getType();
    Value codes = lane::UnpackOp::create(
        b, d.spread.getLaneType(row), d.get(dequantize.getCodes()),
        TypeAttr::get(dequantize.getCodes().getType().getElementType()));
    Value scales = d.get(dequantize.getScales());
    if (isa<Float8E8M0FNUType>(
            dequantize.getScales().getType().getElementType()))
      scales = decodeExponents(b, scales);
    Value factors =
        buildBroadcast(b, d, scales, d.getGroup(dequantize.getScales()),
                       d.getGroup(dequantize.getCodes()));
    d.set(dequantize, arith::MulFOp::create(b, codes, factors));
    return success();
  }
};

/// arith.extf of scale bytes; of anything else, element by element.
struct ExtFModel
    : DistributeOpInterface::ExternalModel<ExtFModel, arith::ExtFOp> {
  LogicalResult distribute(Operation *op, Distributor &d) const {
    auto extend = cast<arith::ExtFOp>(op);
    auto from = dyn_cast<VectorType>(extend.getIn().getType());
    auto to = dyn_cast<VectorType>(extend.getType());
    if (!from || !isa<Float8E8M0FNUType>(from.getElementType()) ||
        !to.getElementType().isF32())
      return d.distributeElementwise(op);
    LaneBuilder b(op->getLoc(), op);
    d.set(extend, decodeExponents(b, d.get(extend.getIn())));
    return success();
  }
};

} // namespace

void rowmill::registerQuantizeModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, arith::ArithDialect *) {
    arith::ExtFOp::attachInterface<ExtFModel>(*context);
  });
  registry.addExtension(+[](MLIRContext *context, row::RowDialect *) {
    row::QuantizeOp::attachInterface<QuantizeModel>(*context);
    row::DequantizeOp::attachInterface<DequantizeModel>(*context);
  });
}
