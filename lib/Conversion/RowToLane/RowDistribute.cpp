// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// The pass row-distribute: from whole rows to what one lane does.

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "rowmill/Conversion/Passes.h"
#include "rowmill/Conversion/RowToLane/Distributor.h"
#include "rowmill/Dialect/Lane/IR/Lane.h"
#include "rowmill/Dialect/Row/IR/Row.h"

using namespace mlir;
using namespace rowmill;

namespace rowmill {
#define GEN_PASS_DEF_ROWDISTRIBUTE
#include "rowmill/Conversion/Passes.h.inc"
} // namespace rowmill

void rowmill::registerDistributeModels(DialectRegistry &registry) {
  registerMemoryModels(registry);
  registerLoopModels(registry);
  registerValueModels(registry);
  registerReduceModels(registry);
  registerHadamardModel(registry);
  registerRopeModel(registry);
  registerQuantizeModels(registry);
}

/// The place of this lane among those of its row.
static Value buildLane(gpu::GPUFuncOp func, const row::Partition &p,
                       bool mirrored) {
  LaneBuilder b =
      LaneBuilder::atBlockBegin(func.getLoc(), &func.getBody().front());
  if (p.lanes() == 1)
    return indexConstant(b, 0);
  Value thread = gpu::ThreadIdOp::create(b, gpu::Dimension::x);
  Value lanes = indexConstant(b, p.lanesInGroup());
  Value lane = arith::RemUIOp::create(b, thread, lanes);
  if (p.workgroupsPerRow > 1) {
    Value slice =
        arith::RemUIOp::create(b, gpu::BlockIdOp::create(b, gpu::Dimension::x),
                               indexConstant(b, p.workgroupsPerRow));
    lane =
        arith::AddIOp::create(b, arith::MulIOp::create(b, slice, lanes), lane);
  }
  return mirrored ? mirrorQuads(b, lane) : lane;
}

static LogicalResult distributeFunction(gpu::GPUFuncOp func) {
  FailureOr<row::Partition> partition = row::Partition::get(func);
  if (failed(partition))
    return failure();
  Spread spread(*partition);
  bool mirrored = spread.lanes() >= 8 && func.walk([](row::HadamardOp) {
                                               return WalkResult::interrupt();
                                             })
                                             .wasInterrupted();
  Distributor distributor(spread, buildLane(func, *partition, mirrored),
                          mirrored);
  for (Block &block : func.getBody())
    if (failed(distributor.distributeBlock(&block)))
      return failure();
  distributor.eraseReplaced();
  WalkResult left = func.walk([](Operation *op) {
    if (!isa<row::RowDialect>(op->getDialect()))
      return WalkResult::advance();
    op->emitOpError("is left after the rows were distributed");
    return WalkResult::interrupt();
  });
  return failure(left.wasInterrupted());
}

namespace {

struct RowDistribute : rowmill::impl::RowDistributeBase<RowDistribute> {
  void getDependentDialects(DialectRegistry &registry) const override {
    RowDistributeBase::getDependentDialects(registry);
    registerDistributeModels(registry);
  }

  void runOnOperation() override {
    for (gpu::GPUFuncOp func : getOperation().getOps<gpu::GPUFuncOp>())
      if (func.isKernel() && failed(distributeFunction(func)))
        return signalPassFailure();
  }
};

} // namespace
