// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Verifiers of the row dialect's plain attributes.

#include "rowmill/Dialect/Row/IR/Layout.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace rowmill::row;

LogicalResult ExtentAttr::verify(EmitError emitError, int64_t arg, int64_t dim,
                                 int64_t size) {
  constexpr int64_t absent = -1;
  if ((arg == absent) == (size == absent) || (size != absent && dim != absent))
    return emitError() << "expects 'arg', 'arg' and 'dim', or 'size' alone";
  if (size != absent && size < 1)
    return emitError() << "expects a positive 'size', but got " << size;
  if (arg < absent)
    return emitError() << "expects an 'arg' of 0 or more, but got " << arg;
  if (dim < absent)
    return emitError() << "expects a 'dim' of 0 or more, but got " << dim;
  return success();
}

LogicalResult PartitionAttr::verify(EmitError emitError, int64_t lanesPerRow,
                                    int64_t wavesPerRow, int64_t wavesPerGroup,
                                    int64_t workgroupsPerRow) {
  // A workgroup has at most 1024 lanes: 32 waves of 32.
  constexpr int64_t maxWaves = 32, maxLanes = 64;
  if (lanesPerRow != 0 && (lanesPerRow < 0 || lanesPerRow > maxLanes ||
                           !llvm::isPowerOf2_64(lanesPerRow)))
    return emitError() << "expects 'lanes_per_row' to be a power of two from 1 "
                          "to "
                       << maxLanes << ", but got " << lanesPerRow;
  auto verifyWaves = [&](StringRef name, int64_t waves) -> LogicalResult {
    if (waves >= 0 && waves <= maxWaves)
      return success();
    return emitError() << "expects '" << name << "' to be from 1 to "
                       << maxWaves << ", but got " << waves;
  };
  if (failed(verifyWaves("waves_per_row", wavesPerRow)) ||
      failed(verifyWaves("waves_per_group", wavesPerGroup)))
    return failure();
  if (wavesPerRow != 0 && wavesPerGroup % wavesPerRow != 0)
    return emitError() << "expects 'waves_per_group' to be a multiple of the "
                       << wavesPerRow << " waves per row, but got "
                       << wavesPerGroup;
  if (workgroupsPerRow != 0 &&
      (workgroupsPerRow < 0 || !llvm::isPowerOf2_64(workgroupsPerRow)))
    return emitError() << "expects 'workgroups_per_row' to be a power of two, "
                          "but got "
                       << workgroupsPerRow;
  return success();
}
