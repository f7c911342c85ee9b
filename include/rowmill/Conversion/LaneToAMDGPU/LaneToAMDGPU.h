// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Patterns that turn lane ops into the instructions of an arch.

#ifndef ROWMILL_CONVERSION_LANETOAMDGPU_LANETOAMDGPU_H
#define ROWMILL_CONVERSION_LANETOAMDGPU_LANETOAMDGPU_H

#include "mlir/IR/PatternMatch.h"

namespace rowmill {
struct Arch;

/// A pattern that chooses by what an arch can do.
template <typename OpTy>
struct ArchPattern : mlir::OpRewritePattern<OpTy> {
  ArchPattern(mlir::MLIRContext *context, const Arch &arch)
      : mlir::OpRewritePattern<OpTy>(context), arch(arch) {}

  const Arch &arch;
};

/// `lane.exchange` and `lane.shuffle` within a wave.
void populateLaneExchangePatterns(mlir::RewritePatternSet &patterns,
                                  const Arch &arch);

/// `lane.reduce`, within a wave by exchanges and beyond it through LDS.
void populateLaneReducePatterns(mlir::RewritePatternSet &patterns,
                                const Arch &arch);

/// `lane.store_shared` and `lane.load_shared`, by accesses of 16 bytes.
void populateLaneSharedPatterns(mlir::RewritePatternSet &patterns,
                                const Arch &arch);

/// `lane.pack` and `lane.unpack`, native where the arch can, else by integers.
void populateLanePackPatterns(mlir::RewritePatternSet &patterns,
                              const Arch &arch);

/// The value of the lane `lane xor mask`, for a 32-bit scalar and a mask below
/// the wave size, by the cheapest instruction that the arch has.
mlir::Value buildExchange(mlir::OpBuilder &builder, mlir::Location loc,
                          mlir::Value word, unsigned mask, const Arch &arch);

} // namespace rowmill

#endif // ROWMILL_CONVERSION_LANETOAMDGPU_LANETOAMDGPU_H
