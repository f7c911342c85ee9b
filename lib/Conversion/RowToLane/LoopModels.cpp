// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Loops and branches that carry rows, and what waves leave for each other.

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "rowmill/Conversion/RowToLane/Distributor.h"
#include "rowmill/Dialect/Lane/IR/Lane.h"

using namespace mlir;
using namespace rowmill;

/// This lane's part of each value.
static SmallVector<Value> getParts(const Distributor &d, ValueRange values) {
  return llvm::map_to_vector(values, [&](Value value) { return d.get(value); });
}

/// Moves what `from` holds into the empty block `to`, spreads it there, and
/// ends the block with the parts of what `from` yielded.
static LogicalResult moveBody(Distributor &d, Block *from, Block *to) {
  auto yield = cast<scf::YieldOp>(from->getTerminator());
  SmallVector<Value> results(yield.getOperands());
  Location loc = yield.getLoc();
  yield.erase();
  to->getOperations().splice(to->end(), from->getOperations());
  if (failed(d.distributeBlock(to)))
    return failure();
  LaneBuilder b(loc, to, to->end());
  scf::YieldOp::create(b, getParts(d, results));
  return success();
}

/// Makes `to` the parts of the rows among `from`; other values are used by ops
/// that are not rebuilt, and so are replaced.
static void setParts(Distributor &d, ValueRange from, ValueRange to) {
  for (auto [old, fresh] : llvm::zip_equal(from, to)) {
    if (isa<VectorType>(old.getType()))
      d.set(old, fresh);
    else
      old.replaceAllUsesWith(fresh);
  }
}

namespace {

struct ForModel : DistributeOpInterface::ExternalModel<ForModel, scf::ForOp> {
  LogicalResult distribute(Operation *op, Distributor &d) const {
    auto loop = cast<scf::ForOp>(op);
    LaneBuilder b(op->getLoc(), op);
    auto part =
        scf::ForOp::create(b, loop.getLowerBound(), loop.getUpperBound(),
                           loop.getStep(), getParts(d, loop.getInitArgs()));
    // Without values to carry the builder has ended the block already.
    if (!part.getBody()->empty())
      part.getBody()->back().erase();
    loop.getInductionVar().replaceAllUsesWith(part.getInductionVar());
    setParts(d, loop.getRegionIterArgs(), part.getRegionIterArgs());
    if (failed(moveBody(d, loop.getBody(), part.getBody())))
      return failure();
    setParts(d, loop.getResults(), part.getResults());
    return success();
  }
};

struct IfModel : DistributeOpInterface::ExternalModel<IfModel, scf::IfOp> {
  LogicalResult distribute(Operation *op, Distributor &d) const {
    auto branch = cast<scf::IfOp>(op);
    LaneBuilder b(op->getLoc(), op);
    SmallVector<Type> types;
    for (Type type : branch.getResultTypes()) {
      auto row = dyn_cast<VectorType>(type);
      types.push_back(row ? d.spread.getLaneType(row) : type);
    }
    auto part = scf::IfOp::create(b, types, branch.getCondition(),
                                  /*withElseRegion=*/true);
    if (failed(moveBody(d, branch.thenBlock(), part.thenBlock())) ||
        failed(moveBody(d, branch.elseBlock(), part.elseBlock())))
      return failure();
    setParts(d, branch.getResults(), part.getResults());
    return success();
  }
};

/// The registers of a lane, whichever elements they hold.
struct StoreSharedModel
    : DistributeOpInterface::ExternalModel<StoreSharedModel,
                                           lane::StoreSharedOp> {
  LogicalResult distribute(Operation *op, Distributor &d) const {
    auto store = cast<lane::StoreSharedOp>(op);
    LaneBuilder b(op->getLoc(), op);
    lane::StoreSharedOp::create(b, d.get(store.getValue()), store.getBuffer(),
                                store.getPage());
    return success();
  }
};

struct LoadSharedModel
    : DistributeOpInterface::ExternalModel<LoadSharedModel,
                                           lane::LoadSharedOp> {
  LogicalResult distribute(Operation *op, Distributor &d) const {
    auto load = cast<lane::LoadSharedOp>(op);
    LaneBuilder b(op->getLoc(), op);
    d.set(load, lane::LoadSharedOp::create(
                    b, d.spread.getLaneType(load.getValue().getType()),
                    load.getBuffer(), load.getPage()));
    return success();
  }
};

} // namespace

void rowmill::registerLoopModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, scf::SCFDialect *) {
    scf::ForOp::attachInterface<ForModel>(*context);
    scf::IfOp::attachInterface<IfModel>(*context);
  });
  registry.addExtension(+[](MLIRContext *context, lane::LaneDialect *) {
    lane::StoreSharedOp::attachInterface<StoreSharedModel>(*context);
    lane::LoadSharedOp::attachInterface<LoadSharedModel>(*context);
  });
}
