// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// The lane dialect's registration, verifiers and folders.

#include "rowmill/Dialect/Lane/IR/Lane.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace rowmill::lane;

#include "rowmill/Dialect/Lane/IR/LaneDialect.cpp.inc"
#include "rowmill/Dialect/Lane/IR/LaneEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "rowmill/Dialect/Lane/IR/LaneAttrs.cpp.inc"

#define GET_OP_CLASSES
#include "rowmill/Dialect/Lane/IR/LaneOps.cpp.inc"

/// The most lanes that a workgroup can have on any AMD GPU.
static constexpr int64_t maxLanes = 1024;

void LaneDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "rowmill/Dialect/Lane/IR/LaneAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "rowmill/Dialect/Lane/IR/LaneOps.cpp.inc"
      >();
}

static LogicalResult verifyCluster(Operation *op, int64_t cluster) {
  if (cluster >= 1 && cluster <= maxLanes && llvm::isPowerOf2_64(cluster))
    return success();
  return op->emitOpError("expects a power-of-two 'cluster' between 1 and ")
         << maxLanes << ", but got " << cluster;
}

LogicalResult ExchangeOp::verify() {
  // exchange_c1
  int64_t mask = static_cast<int32_t>(getMask());
  if (mask < 1 || mask >= maxLanes)
    return emitOpError("expects a 'mask' between 1 and ")
           << maxLanes - 1 << ", but got " << mask;
  return success();
}

LogicalResult ShuffleOp::verify() {
  // shuffle_c1
  return verifyCluster(*this, static_cast<int32_t>(getCluster()));
}

LogicalResult ReduceOp::verify() {
  // reduce_c1
  if (failed(verifyCluster(*this, static_cast<int32_t>(getCluster()))))
    return failure();
  // reduce_c2
  bool wantsInteger = getKind() == ReduceKind::maxu;
  if (wantsInteger != getValue().getType().isInteger(32))
    return emitOpError("expects ")
           << (wantsInteger ? "i32" : "f32") << " for kind '"
           << stringifyReduceKind(getKind()) << "', but got "
           << getValue().getType();
  return success();
}

OpFoldResult ReduceOp::fold(FoldAdaptor) {
  // A cluster of one lane has nothing to combine.
  return getCluster() == 1 ? getValue() : OpFoldResult();
}

static LogicalResult verifyPacked(Operation *op, Type format, VectorType floats,
                                  VectorType words) {
  if (!isa<Float4E2M1FNType, Float8E4M3FNType, Float8E4M3FNUZType>(format))
    return op->emitOpError(
               "expects the format f4E2M1FN, f8E4M3FN or f8E4M3FNUZ, but got ")
           << format;
  int64_t codeBits = floats.getNumElements() * format.getIntOrFloatBitWidth();
  int64_t wordBits = words.getNumElements() * words.getElementTypeBitWidth();
  if (codeBits != wordBits)
    return op->emitOpError("expects words of ")
           << codeBits << " bits in all, but got " << wordBits;
  return success();
}

LogicalResult PackOp::verify() {
  // pack_c1, pack_c2
  return verifyPacked(*this, getFormat(), getValue().getType(),
                      getResult().getType());
}

LogicalResult UnpackOp::verify() {
  // unpack_c1, unpack_c2
  return verifyPacked(*this, getFormat(), getResult().getType(),
                      getValue().getType());
}

/// Checks that a buffer lies in LDS.
static LogicalResult verifyBuffer(Operation *op, MemRefType type) {
  auto space = dyn_cast_or_null<gpu::AddressSpaceAttr>(type.getMemorySpace());
  if (type.getRank() == 1 && space &&
      space.getValue() == gpu::GPUDialect::getWorkgroupAddressSpace())
    return success();
  return op->emitOpError("expects a buffer of rank 1 in workgroup memory, but "
                         "got ")
         << type;
}

LogicalResult StoreSharedOp::verify() {
  // store_shared_c1
  return verifyBuffer(*this, getBuffer().getType());
}

LogicalResult LoadSharedOp::verify() {
  // load_shared_c1
  return verifyBuffer(*this, getBuffer().getType());
}
