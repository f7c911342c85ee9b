// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// The order of the passes.

#include "rowmill/Pipeline/Pipelines.h"

#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Pass/PassOptions.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"
#include "rowmill/Conversion/Passes.h"
#include "rowmill/Dialect/Row/Transforms/Passes.h"
#include "rowmill/Target/Passes.h"

using namespace mlir;
using namespace rowmill;

static void addGate(OpPassManager &pm, ArrayRef<StringRef> dialects) {
  RowmillCheckLoweredOptions options;
  for (StringRef dialect : dialects)
    options.allowedDialects.push_back(dialect.str());
  pm.addPass(createRowmillCheckLowered(options));
}

void rowmill::buildTilePipeline(OpPassManager &pm, StringRef target,
                                const row::PartitionRequest &partition,
                                bool explain) {
  pm.addPass(row::createRowExpandCompress());
  // Both read the same request.
  auto fill = [&](auto options) {
    options.target = target.str();
    options.lanesPerRow = partition.lanesPerRow;
    options.wavesPerRow = partition.wavesPerRow;
    options.wavesPerGroup = partition.wavesPerGroup;
    options.workgroupsPerRow = partition.workgroupsPerRow;
    options.explain = explain;
    return options;
  };
  pm.addPass(row::createRowVariants(fill(row::RowVariantsOptions())));
  pm.addPass(row::createRowTile(fill(row::RowTileOptions())));
}

void rowmill::buildDistributePipeline(OpPassManager &pm) {
  OpPassManager &module = pm.nest<gpu::GPUModuleOp>();
  module.addPass(row::createRowPartition());
  // Constants of loops, so that their rows are not made again for each source.
  module.addPass(createCanonicalizerPass());
  module.addPass(createRowDistribute());
  // Elements that one op packs into a vector the next one takes apart again.
  module.addPass(createCanonicalizerPass());
  module.addPass(createCSEPass());
  addGate(module, {"arith", "gpu", "lane", "math", "memref", "scf", "vector"});
}

void rowmill::buildROCDLPipeline(OpPassManager &pm) {
  OpPassManager &module = pm.nest<gpu::GPUModuleOp>();
  module.addPass(createConvertLaneToAMDGPU());
  module.addPass(createConvertMathToIntrinsics());
  // The same element-wise work on vectors again, after exchanges and packing.
  module.addPass(createCanonicalizerPass());
  module.addPass(createCSEPass());
  addGate(module, {"arith", "gpu", "llvm", "memref", "rocdl", "scf", "vector"});
  module.addPass(createRowmillKernelABI());
  module.addPass(createRowmillLowerToROCDL());
  module.addPass(createReconcileUnrealizedCastsPass());
  addGate(module, {"llvm", "rocdl"});
  module.addPass(createRowmillCheckCodegen());
}

namespace {

struct TileOptions : PassPipelineOptions<TileOptions> {
  Option<std::string> target{*this, "target",
                             llvm::cl::desc("Arch, such as gfx950")};
  Option<int64_t> lanesPerRow{*this, "lanes-per-row", llvm::cl::init(0),
                              llvm::cl::desc("Lanes that hold a row")};
  Option<int64_t> wavesPerRow{*this, "waves-per-row", llvm::cl::init(0),
                              llvm::cl::desc("Waves that hold a row")};
  Option<int64_t> wavesPerGroup{*this, "waves-per-group", llvm::cl::init(0),
                                llvm::cl::desc("Waves of a workgroup")};
  Option<int64_t> workgroupsPerRow{
      *this, "workgroups-per-row", llvm::cl::init(0),
      llvm::cl::desc("Workgroups that share a row")};
};

} // namespace

void rowmill::registerPipelines() {
  PassPipelineRegistration<TileOptions>(
      "rowmill-tile-and-distribute", "From row kernels to what one lane does",
      [](OpPassManager &pm, const TileOptions &options) {
        buildTilePipeline(pm, options.target,
                          {options.lanesPerRow, options.wavesPerRow,
                           options.wavesPerGroup, options.workgroupsPerRow},
                          /*explain=*/false);
        buildDistributePipeline(pm);
      });
  PassPipelineRegistration<>("rowmill-to-rocdl",
                             "From what one lane does to llvm and rocdl",
                             buildROCDLPipeline);
}
