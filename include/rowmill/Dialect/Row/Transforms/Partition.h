// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// How the rows of a kernel are split over lanes and waves.

#ifndef ROWMILL_DIALECT_ROW_TRANSFORMS_PARTITION_H
#define ROWMILL_DIALECT_ROW_TRANSFORMS_PARTITION_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/Support/LLVM.h"
#include <cstdint>
#include <string>

namespace mlir::gpu {
class GPUFuncOp;
}

namespace rowmill {
struct Arch;
}

namespace rowmill::row {
class KernelOp;
class SoftmaxPoolOp;

/// What a user asks for; 0 leaves a number to the cost model.
struct PartitionRequest {
  int64_t lanesPerRow = 0;
  int64_t wavesPerRow = 0;
  int64_t wavesPerGroup = 0;
  int64_t workgroupsPerRow = 0;
};

/// A legal split. Element `chunk * lanes() * contiguous + lane * contiguous +
/// i` of a row is number `chunk * contiguous + i` of its lane.
struct Partition {
  int64_t rowLength = 0;
  int64_t lanesPerRow = 0; ///< lanes of one wave
  int64_t wavesPerRow = 1;
  int64_t wavesPerGroup = 1;
  int64_t workgroupsPerRow = 1; ///< each with a slice of the elements
  /// The waves of a row share the sources of its pool, and each holds all of
  /// its elements; else they share the elements.
  bool splitsPool = false;
  int64_t contiguous = 0; ///< neighbouring elements in a lane
  int64_t chunks = 1;
  int64_t waveSize = 0;

  /// Lanes of one workgroup that hold a row's elements between them.
  int64_t lanesInGroup() const {
    return splitsPool ? lanesPerRow : lanesPerRow * wavesPerRow;
  }
  /// Lanes that hold a row's elements between them.
  int64_t lanes() const { return lanesInGroup() * workgroupsPerRow; }
  /// Waves that share the sources of a pool.
  int64_t poolWaves() const { return splitsPool ? wavesPerRow : 1; }
  int64_t elementsPerLane() const { return contiguous * chunks; }
  int64_t rowsPerWave() const { return waveSize / lanesPerRow; }
  int64_t threads() const { return wavesPerGroup * waveSize; }
  int64_t rowsPerGroup() const {
    return threads() / (lanesPerRow * wavesPerRow);
  }
  /// LDS of a workgroup in which waves meet to merge what they pooled.
  int64_t getPoolBytes() const;
  /// Whether lanes hold the row's elements and nothing else.
  bool isExact() const { return lanes() * elementsPerLane() == rowLength; }

  /// The partition that row-tile wrote to `func`, or an error there.
  static mlir::FailureOr<Partition> get(mlir::gpu::GPUFuncOp func);

  mlir::DictionaryAttr toAttr(mlir::MLIRContext *context) const;
  static mlir::FailureOr<Partition> fromAttr(mlir::DictionaryAttr attr);
};

/// The most f32 elements of a row that one lane may hold: half of the 256
/// registers that instructions address directly are left to temporaries.
constexpr int64_t maxElementsPerLane = 128;

/// `request`, its open numbers filled from the kernel's own partition.
PartitionRequest mergeRequest(KernelOp kernel, PartitionRequest request);

/// The largest power of two up to `most` that divides the pool's sources.
int64_t getPoolWaves(SoftmaxPoolOp pool, int64_t most);

/// Chooses what `request` leaves open and checks the rest against the kernel
/// and the arch; errors are reported at the kernel. `reason` receives a
/// sentence that explains the choice.
mlir::FailureOr<Partition> choosePartition(KernelOp kernel, const Arch &arch,
                                           PartitionRequest request,
                                           std::string &reason);

} // namespace rowmill::row

#endif // ROWMILL_DIALECT_ROW_TRANSFORMS_PARTITION_H
