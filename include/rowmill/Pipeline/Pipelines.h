// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// The order of the passes, in one place for all tools.

#ifndef ROWMILL_PIPELINE_PIPELINES_H
#define ROWMILL_PIPELINE_PIPELINES_H

#include "mlir/Pass/PassManager.h"
#include "rowmill/Dialect/Row/Transforms/Partition.h"
#include <string>

namespace rowmill {

/// row -> tiled: row kernels become gpu functions over a grid.
void buildTilePipeline(mlir::OpPassManager &pm, llvm::StringRef target,
                       const row::PartitionRequest &partition, bool explain);

/// tiled -> distributed: rows become what one lane holds.
void buildDistributePipeline(mlir::OpPassManager &pm);

/// distributed -> rocdl: lanes become instructions, kernels get their ABI, and
/// nothing but `llvm` and `rocdl` is left.
void buildROCDLPipeline(mlir::OpPassManager &pm);

/// Registers `rowmill-tile-and-distribute` and `rowmill-to-rocdl`, with
/// options, for rowmill-opt.
void registerPipelines();

} // namespace rowmill

#endif // ROWMILL_PIPELINE_PIPELINES_H
