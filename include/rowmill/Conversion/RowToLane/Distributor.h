// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// The state of spreading one kernel's rows over lanes.

#ifndef ROWMILL_CONVERSION_ROWTOLANE_DISTRIBUTOR_H
#define ROWMILL_CONVERSION_ROWTOLANE_DISTRIBUTOR_H

#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/OpDefinition.h"
#include "rowmill/Conversion/RowToLane/Spread.h"

namespace rowmill {
class Distributor;
namespace row {
class LoadOp;
}
} // namespace rowmill
#include "rowmill/Conversion/RowToLane/DistributeInterface.h.inc"

namespace rowmill {

/// What the models of DistributeOpInterface build with. Lane values are created
/// before the op that is being distributed; the op itself is erased later.
class Distributor {
public:
  /// `lane` is the place of this lane among those of its row. If `mirrored`,
  /// odd quads hold their places in reverse (see getExchangeMask).
  Distributor(const Spread &spread, mlir::Value lane, bool mirrored)
      : spread(spread), lane(lane), mirrored(mirrored) {}

  const Spread spread;
  const mlir::Value lane;

  /// Spreads every op of the block, and of blocks nested in it. Errors have
  /// been reported at the op that caused them. The ops that were replaced stay
  /// until `eraseReplaced`.
  llvm::LogicalResult distributeBlock(mlir::Block *block);

  /// Erases what all calls of `distributeBlock` have replaced.
  void eraseReplaced();

  /// This lane's part of a row, or the value itself if it is no row.
  mlir::Value get(mlir::Value value) const {
    return mapping.lookupOrDefault(value);
  }
  void set(mlir::Value row, mlir::Value part) { mapping.map(row, part); }

  /// Does an element-wise op on the lane's parts; what a model falls back to.
  llvm::LogicalResult distributeElementwise(mlir::Operation *op);

  /// Positions per element of `row`, whose lane type is known to exist.
  int64_t getGroup(mlir::Value row) const;

  /// The mask for lane.exchange that brings the value of the place
  /// `lane xor places`. Places are lanes but in a kernel with a rotation: there
  /// place p is lane p with its two low bits flipped where bit 2 is set, since
  /// the exchange by four, the only one in sixteen lanes that no single DPP
  /// operand does, then mirrors eight lanes, which one does.
  int64_t getExchangeMask(int64_t places) const {
    return mirrored && (places & 4) ? places ^ 3 : places;
  }
  /// The lane of a place, both counted from the row's first.
  mlir::Value getLaneOfPlace(mlir::ImplicitLocOpBuilder &b,
                             mlir::Value place) const;

  //===------------------------------------------------------------------===//
  // Lane arithmetic
  //===------------------------------------------------------------------===//

  /// `chunk * chunkLength + lane * contiguous`, divided by the group: the
  /// first element of this lane's run in a chunk.
  mlir::Value getStart(mlir::ImplicitLocOpBuilder &b, int64_t chunk,
                       int64_t group = 1) const;

  /// The elements [first, first + count) of `row` for a `first` that differs
  /// between lanes, by repeating what made the row: a load, a constant or an
  /// element-wise op. Built where the row was built, so that loads stay early;
  /// null if it cannot be.
  mlir::Value getSlice(
      mlir::Value row,
      llvm::function_ref<mlir::Value(mlir::ImplicitLocOpBuilder &)> getFirst,
      int64_t count);

private:
  llvm::LogicalResult distribute(mlir::Operation *op);
  llvm::LogicalResult checkRowTypes(mlir::Operation *op);

  const bool mirrored;
  mlir::IRMapping mapping;
  llvm::SmallVector<mlir::Operation *> done;
};

/// Attaches the models of the row dialect and of upstream ops on rows.
void registerDistributeModels(mlir::DialectRegistry &registry);
void registerMemoryModels(mlir::DialectRegistry &registry);
void registerLoopModels(mlir::DialectRegistry &registry);
void registerValueModels(mlir::DialectRegistry &registry);
void registerReduceModels(mlir::DialectRegistry &registry);
void registerHadamardModel(mlir::DialectRegistry &registry);
void registerRopeModel(mlir::DialectRegistry &registry);
void registerQuantizeModels(mlir::DialectRegistry &registry);

//===----------------------------------------------------------------------===//
// Building blocks shared by the models
//===----------------------------------------------------------------------===//

using LaneBuilder = mlir::ImplicitLocOpBuilder;

/// Flips the two low bits of an integer where bit 2 is set; its own inverse.
mlir::Value mirrorQuads(LaneBuilder &b, mlir::Value index);

mlir::Value indexConstant(LaneBuilder &b, int64_t value);
mlir::Value i32Constant(LaneBuilder &b, uint32_t bits);
mlir::Value f32Constant(LaneBuilder &b, float value);

/// A vector's elements as scalars, and back.
llvm::SmallVector<mlir::Value> unpackVector(LaneBuilder &b, mlir::Value vector);
mlir::Value packVector(LaneBuilder &b, llvm::ArrayRef<mlir::Value> elements);

/// Converts a float vector to another float element type of any width.
mlir::Value convertFloat(LaneBuilder &b, mlir::Value vector,
                         mlir::Type element);

/// The registers [first, first + count) of a lane's vector.
mlir::Value sliceVector(LaneBuilder &b, mlir::Value vector, int64_t first,
                        int64_t count);

/// The slices one after the other; all have the same element type.
mlir::Value concatVectors(LaneBuilder &b, llvm::ArrayRef<mlir::Value> parts);

/// The elements [first, first + count) of what `load` loads.
mlir::Value loadSlice(LaneBuilder &b, row::LoadOp load, mlir::Value first,
                      int64_t count);

/// A value of one element a group of `fromGroup` positions as one of an element
/// for every `toGroup` positions: registers are repeated, no lane is crossed.
mlir::Value buildBroadcast(LaneBuilder &b, const Distributor &d,
                           mlir::Value part, int64_t fromGroup,
                           int64_t toGroup);

enum class Combine { Add, Max, MaxBits };

/// Reduces a row of `fromGroup` positions an element to `toGroup` positions
/// an element, in the order that row.reduce defines. MaxBits wants i32.
mlir::Value reduceRow(LaneBuilder &b, const Distributor &d, Combine kind,
                      mlir::Value part, int64_t fromGroup, int64_t toGroup);

} // namespace rowmill

#endif // ROWMILL_CONVERSION_ROWTOLANE_DISTRIBUTOR_H
