// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Verifiers of the ops on values: reductions, norm, rope, rotation,
// quantising.

#include "rowmill/Dialect/Row/IR/Row.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace rowmill::row;

static int64_t getLength(Value row) {
  return cast<VectorType>(row.getType()).getDimSize(0);
}

/// Checks that `group` elements are a whole part of a row.
static LogicalResult verifyGroup(Operation *op, int64_t group, int64_t length) {
  if (group < 1)
    return op->emitOpError("expects a positive group size, but got ") << group;
  if (length % group != 0)
    return op->emitOpError("group size ")
           << group << " does not divide the row length " << length;
  return success();
}

/// Checks the length of an operand or result called `name`.
static LogicalResult verifyLength(Operation *op, StringRef name, Value value,
                                  int64_t length) {
  if (getLength(value) == length)
    return success();
  return op->emitOpError("expects '")
         << name << "' to have " << length << " elements, but got "
         << value.getType();
}

/// Checks that a result keeps the element type of the operand.
static LogicalResult verifySameElements(Operation *op) {
  auto input = cast<VectorType>(op->getOperand(0).getType());
  auto result = cast<VectorType>(op->getResult(0).getType());
  if (input.getElementType() == result.getElementType())
    return success();
  return op->emitOpError("expects a result of ")
         << input.getElementType() << " elements, but got " << result;
}

/// Checks that `value` is a finite number of 0 or more.
static LogicalResult verifyNotNegative(Operation *op, StringRef name,
                                       FloatAttr value) {
  if (value.getValue().isFinite() && !value.getValue().isNegative())
    return success();
  return op->emitOpError("expects '")
         << name << "' to be finite and not negative, but got " << value;
}

LogicalResult ReduceOp::verify() {
  int64_t length = ::getLength(getInput());
  int64_t group = getGroup();
  if (failed(verifyGroup(*this, group, length)) ||
      failed(verifyLength(*this, "result", getResult(), length / group)) ||
      failed(verifySameElements(*this)))
    return failure();
  Type element = getInput().getType().getElementType();
  if (getKind() == ReduceKind::AbsMax && !isa<FloatType>(element))
    return emitOpError("expects floating-point elements for 'absmax', but got ")
           << element;
  return success();
}

LogicalResult BroadcastOp::verify() {
  int64_t groups = ::getLength(getInput());
  int64_t length = ::getLength(getResult());
  if (length % groups != 0)
    return emitOpError("expects a result length that is a multiple of ")
           << groups << ", but got " << length;
  return verifySameElements(*this);
}

LogicalResult RmsNormOp::verify() {
  if (failed(
          verifyLength(*this, "weight", getWeight(), ::getLength(getInput()))))
    return failure();
  if (bool(getEpsilonValue()) == bool(getEpsilonAttr()))
    return emitOpError("expects either an operand or an attribute as epsilon");
  if (FloatAttr epsilon = getEpsilonAttr())
    return verifyNotNegative(*this, "epsilon", epsilon);
  return success();
}

LogicalResult RopeOp::verify() {
  int64_t offset = getOffset();
  int64_t length = ::getLength(getInput());
  if (offset < 0 || offset % 2 != 0)
    return emitOpError("expects 'at' to be even and not negative, but got ")
           << offset;
  if (offset > length - getRange())
    return emitOpError("expects ") << getRange() << " elements at " << offset
                                   << " to lie within the row of " << length;
  return success();
}

LogicalResult HadamardOp::verify() {
  int64_t length = ::getLength(getInput());
  if (!llvm::isPowerOf2_64(length))
    return emitOpError("expects a row length that is a power of two, but got ")
           << length;
  return success();
}

LogicalResult QuantizeOp::verify() {
  int64_t length = ::getLength(getInput());
  int64_t group = getGroup();
  if (group != 32 && group != 64 && group != 128 && group != length)
    return emitOpError("expects a group size of 32, 64, 128 or the row length ")
           << length << ", but got " << group;
  if (failed(verifyGroup(*this, group, length)) ||
      failed(verifyLength(*this, "codes", getCodes(), length)) ||
      failed(verifyLength(*this, "scales", getScales(), length / group)))
    return failure();
  Type scale = getScales().getType().getElementType();
  ScaleRounding rounding = getScaleRounding();
  if (isa<Float8E8M0FNUType>(scale) && rounding == ScaleRounding::None)
    return emitOpError("expects 'round' to be up or down for scales of ")
           << scale << ", but got none";
  if (!isa<Float8E8M0FNUType>(scale) && rounding == ScaleRounding::Down)
    return emitOpError("expects 'round' to be up or none for scales of ")
           << scale << ", but got down";
  if (FloatAttr flush = getFlushAttr()) {
    if (isa<Float4E2M1FNType>(getCodes().getType().getElementType()))
      return emitOpError("expects codes of 8 bits for 'flush', but got ")
             << getCodes().getType();
    if (!flush.getValue().isFinite() || flush.getValue().isZero() ||
        flush.getValue().isNegative())
      return emitOpError("expects 'flush' to be finite and positive, but got ")
             << flush;
  }
  if (FloatAttr floor = getFloorAttr())
    return verifyNotNegative(*this, "floor", floor);
  return success();
}

LogicalResult DequantizeOp::verify() {
  int64_t length = ::getLength(getCodes());
  int64_t groups = ::getLength(getScales());
  if (length % groups != 0)
    return emitOpError("expects a number of scales that divides the row "
                       "length ")
           << length << ", but got " << groups;
  return verifyLength(*this, "result", getResult(), length);
}
