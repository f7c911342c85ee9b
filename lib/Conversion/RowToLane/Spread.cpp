// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Arithmetic on the elements that one lane holds.

#include "rowmill/Conversion/RowToLane/Spread.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace rowmill;

int64_t Spread::getGroup(int64_t length) const {
  if (length < 1 || p.rowLength % length)
    return 0;
  int64_t group = p.rowLength / length;
  // The whole row is one group whatever its length; other groups must begin and
  // end where a lane's run or the lanes' chunk does.
  bool isAligned = group == p.rowLength || llvm::isPowerOf2_64(group) ||
                   (group > chunkLength() && group % chunkLength() == 0);
  return isAligned ? group : 0;
}

int64_t Spread::getChunks(int64_t group) const {
  if (group <= chunkLength())
    return group == p.rowLength ? 1 : p.chunks;
  return llvm::divideCeil(p.chunks * chunkLength(), group);
}

int64_t Spread::getRegister(int64_t group, int64_t chunk, int64_t i) const {
  if (group == p.rowLength)
    return 0;
  if (group > chunkLength())
    return chunk * chunkLength() / group;
  return chunk * getRun(group) + (group < p.contiguous ? i / group : 0);
}

bool rowmill::isPackedType(Type elementType) {
  return isa<Float4E2M1FNType, Float8E4M3FNType, Float8E4M3FNUZType,
             Float8E8M0FNUType>(elementType);
}

VectorType Spread::getLaneType(VectorType row) const {
  if (row.getRank() != 1 || row.isScalable())
    return {};
  int64_t group = getGroup(row.getDimSize(0));
  if (group == 0)
    return {};
  Type element = row.getElementType();
  if (!isPackedType(element))
    return VectorType::get({getCount(group)}, element);
  int64_t bits = element.getIntOrFloatBitWidth();
  // A scale is a byte of its own, since its lane computes with it.
  int64_t width = isa<Float8E8M0FNUType>(element)
                      ? 8
                      : std::min<int64_t>(32, getRun(group) * bits);
  if (width < 8)
    return {};
  return VectorType::get({getCount(group) * bits / width},
                         IntegerType::get(row.getContext(), width));
}
