// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// How lanes load and store rows: row.load, row.store, row.gather, row.scatter.

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "rowmill/Conversion/RowToLane/Distributor.h"
#include "rowmill/Conversion/RowToLane/RowMemory.h"
#include "rowmill/Dialect/Row/IR/Row.h"

using namespace mlir;
using namespace rowmill;

namespace {

/// The runs of a row's elements that a lane holds, one a chunk.
struct LaneRuns {
  LaneRuns(const Distributor &d, VectorType row)
      : d(d), length(row.getDimSize(0)), group(d.spread.getGroup(length)),
        run(d.spread.getRun(group)), count(d.spread.getChunks(group)) {
    VectorType lane = d.spread.getLaneType(row);
    type = VectorType::get({lane.getNumElements() / count},
                           lane.getElementType());
  }

  /// The chunk in which run number `i` lies.
  int64_t getChunk(int64_t i) const {
    int64_t chunk = d.spread.chunkLength();
    return group > chunk ? i * group / chunk : i;
  }
  Value getFirst(LaneBuilder &b, int64_t i) const {
    return d.getStart(b, getChunk(i), group);
  }
  /// Whether some lanes' runs lie past the row's end.
  bool mayPassEnd(int64_t i) const {
    return group != d.spread.rowLength() &&
           (getChunk(i) + 1) * d.spread.chunkLength() > d.spread.rowLength();
  }

  const Distributor &d;
  int64_t length, group, run, count;
  VectorType type; ///< of one run
};

} // namespace

/// Lanes past the row's end read its last run instead, which is always there;
/// what they hold is never used.
static Value loadRow(LaneBuilder &b, const Distributor &d, const RowMemory &memory,
                     VectorType row) {
  LaneRuns runs(d, row);
  SmallVector<Value> parts;
  for (int64_t i = 0; i < runs.count; ++i) {
    Value first = runs.getFirst(b, i);
    if (runs.mayPassEnd(i))
      first = arith::MinUIOp::create(
          b, first, indexConstant(b, runs.length - runs.run));
    parts.push_back(memory.load(b, first, runs.run, runs.type));
  }
  return concatVectors(b, parts);
}

/// Of the lanes that hold the same elements the first one stores; null where
/// each lane holds its own.
static Value buildIsFirstHolder(LaneBuilder &b, const Distributor &d,
                                int64_t group) {
  const Spread &spread = d.spread;
  if (group <= spread.contiguous())
    return group == spread.rowLength() && spread.lanes() > 1
               ? arith::CmpIOp::create(b, arith::CmpIPredicate::eq, d.lane,
                                       indexConstant(b, 0))
                     .getResult()
               : Value();
  int64_t holders = group == spread.rowLength() || group > spread.chunkLength()
                        ? spread.lanes()
                        : group / spread.contiguous();
  if (holders == 1)
    return {};
  Value rank =
      arith::RemUIOp::create(b, d.lane, indexConstant(b, holders));
  return arith::CmpIOp::create(b, arith::CmpIPredicate::eq, rank,
                               indexConstant(b, 0));
}

/// Builds `body` under the condition, or plainly if there is none.
static void buildIf(LaneBuilder &b, Value condition,
                    llvm::function_ref<void(LaneBuilder &)> body) {
  if (!condition)
    return body(b);
  auto branch = scf::IfOp::create(b, condition, /*withElseRegion=*/false);
  LaneBuilder inner(b.getLoc(), branch.thenBlock()->getTerminator());
  body(inner);
}

static void storeRow(LaneBuilder &b, const Distributor &d, const RowMemory &memory,
                     VectorType row, Value part) {
  LaneRuns runs(d, row);
  int64_t registers = runs.type.getNumElements();
  buildIf(b, buildIsFirstHolder(b, d, runs.group), [&](LaneBuilder &b) {
    for (int64_t i = 0; i < runs.count; ++i) {
      Value first = runs.getFirst(b, i);
      Value inside;
      if (runs.mayPassEnd(i))
        inside = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, first,
                                       indexConstant(b, runs.length));
      buildIf(b, inside, [&](LaneBuilder &b) {
        memory.store(b, sliceVector(b, part, i * registers, registers), first,
                     runs.run);
      });
    }
  });
}

/// Rows of the last sixteen slots write zeros into the padding slots that
/// follow them at distances of sixteen.
static void zeroPadding(LaneBuilder &b, const Distributor &d, row::ScatterOp op) {
  int64_t slots = op.getLayout().getSlots();
  int64_t padded = op.getLayout().getPaddedSlots();
  if (padded == slots)
    return;
  constexpr int64_t tile = 16;
  VectorType row = op.getValue().getType();
  VectorType lane = d.spread.getLaneType(row);
  Value zeros = arith::ConstantOp::create(b, b.getZeroAttr(lane));
  Value isLast =
      arith::CmpIOp::create(b, arith::CmpIPredicate::uge, op.getSlot(),
                            indexConstant(b, slots - tile));
  buildIf(b, isLast, [&](LaneBuilder &b) {
    for (int64_t distance = tile; distance <= padded - slots;
         distance += tile) {
      Value slot = arith::AddIOp::create(b, op.getSlot(),
                                         indexConstant(b, distance));
      RowMemory memory =
          RowMemory::paged(b, op.getTarget(), op.getPage(), slot,
                           op.getLayout(), row.getElementType());
      storeRow(b, d, memory, row, zeros);
    }
  });
}

Value rowmill::loadSlice(LaneBuilder &b, row::LoadOp load, Value first,
                         int64_t count) {
  Type element = load.getType().getElementType();
  RowMemory memory = RowMemory::dense(load.getSource(), load.getIndices(),
                                      load.getOffset(), element);
  return memory.load(b, first, count, VectorType::get({count}, element));
}

namespace {

struct LoadModel
    : DistributeOpInterface::ExternalModel<LoadModel, row::LoadOp> {
  LogicalResult distribute(Operation *op, Distributor &d) const {
    auto load = cast<row::LoadOp>(op);
    LaneBuilder b(op->getLoc(), op);
    RowMemory memory =
        RowMemory::dense(load.getSource(), load.getIndices(), load.getOffset(),
                         load.getType().getElementType());
    d.set(load, loadRow(b, d, memory, load.getType()));
    return success();
  }
};

struct StoreModel
    : DistributeOpInterface::ExternalModel<StoreModel, row::StoreOp> {
  LogicalResult distribute(Operation *op, Distributor &d) const {
    auto store = cast<row::StoreOp>(op);
    LaneBuilder b(op->getLoc(), op);
    VectorType row = store.getValue().getType();
    RowMemory memory =
        RowMemory::dense(store.getTarget(), store.getIndices(),
                         store.getOffset(), row.getElementType());
    storeRow(b, d, memory, row, d.get(store.getValue()));
    return success();
  }
};

struct GatherModel
    : DistributeOpInterface::ExternalModel<GatherModel, row::GatherOp> {
  LogicalResult distribute(Operation *op, Distributor &d) const {
    auto gather = cast<row::GatherOp>(op);
    LaneBuilder b(op->getLoc(), op);
    Type element = gather.getType().getElementType();
    RowMemory memory =
        RowMemory::paged(b, gather.getSource(), gather.getPage(),
                         gather.getSlot(), gather.getLayout(), element);
    d.set(gather, loadRow(b, d, memory, gather.getType()));
    return success();
  }
};

struct ScatterModel
    : DistributeOpInterface::ExternalModel<ScatterModel, row::ScatterOp> {
  LogicalResult distribute(Operation *op, Distributor &d) const {
    auto scatter = cast<row::ScatterOp>(op);
    LaneBuilder b(op->getLoc(), op);
    VectorType row = scatter.getValue().getType();
    RowMemory memory = RowMemory::paged(b, scatter.getTarget(),
                                        scatter.getPage(), scatter.getSlot(),
                                        scatter.getLayout(),
                                        row.getElementType());
    storeRow(b, d, memory, row, d.get(scatter.getValue()));
    zeroPadding(b, d, scatter);
    return success();
  }
};

} // namespace

void rowmill::registerMemoryModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, row::RowDialect *) {
    row::LoadOp::attachInterface<LoadModel>(*context);
    row::StoreOp::attachInterface<StoreModel>(*context);
    row::GatherOp::attachInterface<GatherModel>(*context);
    row::ScatterOp::attachInterface<ScatterModel>(*context);
  });
}
