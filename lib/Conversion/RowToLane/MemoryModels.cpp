// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// How lanes load and store rows: row.load, row.store, row.gather,
// row.scatter.

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
    type =
        VectorType::get({lane.getNumElements() / count}, lane.getElementType());
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
static Value loadRow(LaneBuilder &b, const Distributor &d,
                     const RowMemory &memory, VectorType row) {
  LaneRuns runs(d, row);
  SmallVector<Value> parts;
  for (int64_t i = 0; i < runs.count; ++i) {
    Value first = runs.getFirst(b, i);
    if (runs.mayPassEnd(i))
      first = arith::MinUIOp::create(b, first,
                                     indexConstant(b, runs.length - runs.run));
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
  Value rank = arith::RemUIOp::create(b, d.lane, indexConstant(b, holders));
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

/// Which elements of a row are stored.
struct StoredPart {
  int64_t begin, end;
};

/// Whether element `first` is one of those that are stored; null where it is in
/// every lane.
static Value buildIsStored(LaneBuilder &b, const LaneRuns &runs, int64_t run,
                           StoredPart part, Value first) {
  Value isStored;
  if (part.begin > 0)
    isStored = arith::CmpIOp::create(b, arith::CmpIPredicate::uge, first,
                                     indexConstant(b, part.begin));
  if (part.end == runs.length && !runs.mayPassEnd(run))
    return isStored;
  Value isBelow = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, first,
                                        indexConstant(b, part.end));
  return isStored ? arith::AndIOp::create(b, isStored, isBelow).getResult()
                  : isBelow;
}

/// A lane's codes in words that hold no more than `bits` each.
static Value narrowWords(LaneBuilder &b, Value codes, int64_t bits) {
  auto type = cast<VectorType>(codes.getType());
  int64_t width = type.getElementTypeBitWidth();
  if (width <= bits)
    return codes;
  auto narrow = VectorType::get({type.getNumElements() * width / bits},
                                b.getIntegerType(bits));
  return vector::BitCastOp::create(b, narrow, codes);
}

static void storeRow(LaneBuilder &b, const Distributor &d,
                     const RowMemory &memory, VectorType row, Value part,
                     StoredPart stored) {
  LaneRuns runs(d, row);
  // Neighbours of which all are stored or none is.
  int64_t ends = runs.run | stored.begin | stored.end;
  int64_t granule = stored.end - stored.begin == runs.length
                        ? runs.run
                        : std::min(runs.run, ends & -ends);
  if (isPackedType(row.getElementType()))
    part = narrowWords(b, part, granule * row.getElementTypeBitWidth());
  int64_t registers = cast<VectorType>(part.getType()).getNumElements() *
                      granule / (runs.run * runs.count);
  buildIf(b, buildIsFirstHolder(b, d, runs.group), [&](LaneBuilder &b) {
    for (int64_t i = 0, reg = 0; i < runs.count; ++i) {
      Value start = runs.getFirst(b, i);
      for (int64_t at = 0; at < runs.run; at += granule, reg += registers) {
        Value first = start;
        if (at > 0)
          first = arith::AddIOp::create(b, start, indexConstant(b, at));
        buildIf(b, buildIsStored(b, runs, i, stored, first),
                [&](LaneBuilder &b) {
                  memory.store(b, sliceVector(b, part, reg, registers), first,
                               granule);
                });
      }
    }
  });
}

/// Rows of the last sixteen slots write zeros into the padding slots that
/// follow them at distances of sixteen.
static void zeroPadding(LaneBuilder &b, const Distributor &d,
                        row::ScatterOp op) {
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
      Value slot =
          arith::AddIOp::create(b, op.getSlot(), indexConstant(b, distance));
      RowMemory memory = RowMemory::paged(b, op.getTarget(), op.getPage(), slot,
                                          op.getLayout(), row.getElementType());
      storeRow(b, d, memory, row, zeros, {0, row.getDimSize(0)});
    }
  });
}

//===----------------------------------------------------------------------===//
// Where each op's row lies
//===----------------------------------------------------------------------===//

static RowMemory getMemory(LaneBuilder &, row::LoadOp op) {
  return RowMemory::dense(op.getSource(), op.getIndices(), op.getStart(),
                          op.getOffset(), op.getType().getElementType());
}

static RowMemory getMemory(LaneBuilder &, row::StoreOp op) {
  // Element `begin` of the row goes to `at`.
  int64_t offset = int64_t(op.getOffset()) - op.getBegin();
  return RowMemory::dense(op.getTarget(), op.getIndices(), op.getStart(),
                          offset, op.getValue().getType().getElementType());
}

static RowMemory getMemory(LaneBuilder &b, row::GatherOp op) {
  return RowMemory::paged(b, op.getSource(), op.getPage(), op.getSlot(),
                          op.getLayout(), op.getType().getElementType());
}

static RowMemory getMemory(LaneBuilder &b, row::ScatterOp op) {
  return RowMemory::paged(b, op.getTarget(), op.getPage(), op.getSlot(),
                          op.getLayout(),
                          op.getValue().getType().getElementType());
}

static StoredPart getStoredPart(row::StoreOp op) {
  return {op.getBegin(), op.getEnd()};
}

static StoredPart getStoredPart(row::ScatterOp op) {
  return {0, op.getValue().getType().getDimSize(0)};
}

Value rowmill::loadSlice(LaneBuilder &b, row::LoadOp load, Value first,
                         int64_t count) {
  auto type = VectorType::get({count}, load.getType().getElementType());
  return getMemory(b, load).load(b, first, count, type);
}

namespace {

/// row.load and row.gather.
template <typename OpTy>
struct ReadModel : DistributeOpInterface::ExternalModel<ReadModel<OpTy>, OpTy> {
  LogicalResult distribute(Operation *op, Distributor &d) const {
    auto read = cast<OpTy>(op);
    LaneBuilder b(op->getLoc(), op);
    d.set(read, loadRow(b, d, getMemory(b, read), read.getType()));
    return success();
  }
};

/// row.store and row.scatter.
template <typename OpTy>
struct WriteModel
    : DistributeOpInterface::ExternalModel<WriteModel<OpTy>, OpTy> {
  LogicalResult distribute(Operation *op, Distributor &d) const {
    auto write = cast<OpTy>(op);
    LaneBuilder b(op->getLoc(), op);
    storeRow(b, d, getMemory(b, write), write.getValue().getType(),
             d.get(write.getValue()), getStoredPart(write));
    if constexpr (std::is_same_v<OpTy, row::ScatterOp>)
      zeroPadding(b, d, write);
    return success();
  }
};

} // namespace

void rowmill::registerMemoryModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, row::RowDialect *) {
    row::LoadOp::attachInterface<ReadModel<row::LoadOp>>(*context);
    row::GatherOp::attachInterface<ReadModel<row::GatherOp>>(*context);
    row::StoreOp::attachInterface<WriteModel<row::StoreOp>>(*context);
    row::ScatterOp::attachInterface<WriteModel<row::ScatterOp>>(*context);
  });
}
