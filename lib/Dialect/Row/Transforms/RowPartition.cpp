// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// row-partition: from pools to loops, shared by the waves of a row.

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "rowmill/Dialect/Lane/IR/Lane.h"
#include "rowmill/Dialect/Row/IR/Row.h"
#include "rowmill/Dialect/Row/Transforms/Partition.h"
#include "rowmill/Dialect/Row/Transforms/Passes.h"
#include <cfloat>

using namespace mlir;
using namespace rowmill;
using namespace rowmill::row;

namespace rowmill::row {
#define GEN_PASS_DEF_ROWPARTITION
#include "rowmill/Dialect/Row/Transforms/Passes.h.inc"
} // namespace rowmill::row

using RowBuilder = ImplicitLocOpBuilder;

static Value indexConstant(RowBuilder &b, int64_t value) {
  return arith::ConstantIndexOp::create(b, value);
}

static Value splat(RowBuilder &b, VectorType type, float value) {
  return arith::ConstantOp::create(
      b, DenseElementsAttr::get(type, APFloat(value)));
}

//===----------------------------------------------------------------------===//
// The arithmetic of an online softmax
//===----------------------------------------------------------------------===//

namespace {

/// What is known of a pool after some of its sources: the largest score, and
/// the sums of values and of weights relative to it.
struct PoolState {
  Value max, value, weight;

  SmallVector<Value> pack() const { return {max, value, weight}; }
  static PoolState unpack(ValueRange values) {
    return {values[0], values[1], values[2]};
  }

  /// The largest score starts as a finite number, so that no difference of
  /// scores is NaN unless a score is.
  static PoolState start(RowBuilder &b, VectorType type) {
    return {splat(b, type, -FLT_MAX), splat(b, type, 0), splat(b, type, 0)};
  }
};

} // namespace

static Value exponential(RowBuilder &b, Value x) {
  auto type = cast<VectorType>(x.getType());
  Value scaled =
      arith::MulFOp::create(b, x, splat(b, type, 1.4426950408889634f));
  // Without denormals: what is so much less than the largest adds nothing.
  return math::Exp2Op::create(b, scaled, arith::FastMathFlags::afn);
}

/// Takes in sums that are relative to the score `z`.
static PoolState merge(RowBuilder &b, const PoolState &state, Value z,
                       Value value, Value weight) {
  Value isMore =
      arith::CmpFOp::create(b, arith::CmpFPredicate::OGT, z, state.max);
  Value distance =
      math::AbsFOp::create(b, arith::SubFOp::create(b, z, state.max));
  Value less = exponential(b, arith::NegFOp::create(b, distance));
  Value one = splat(b, cast<VectorType>(z.getType()), 1);
  Value oldScale = arith::SelectOp::create(b, isMore, less, one);
  Value newScale = arith::SelectOp::create(b, isMore, one, less);
  auto add = [&](Value sum, Value term) -> Value {
    return math::FmaOp::create(b, sum, oldScale, term);
  };
  return {arith::SelectOp::create(b, isMore, z, state.max),
          add(state.value, arith::MulFOp::create(b, newScale, value)),
          add(state.weight,
              weight ? arith::MulFOp::create(b, newScale, weight).getResult()
                     : newScale)};
}

/// Takes in one source. The value of a masked one may be anything.
static PoolState takeIn(RowBuilder &b, const PoolState &state, Value score,
                        Value value) {
  auto type = cast<VectorType>(score.getType());
  Value isMasked = arith::CmpFOp::create(
      b, arith::CmpFPredicate::OEQ, score,
      splat(b, type, -std::numeric_limits<float>::infinity()));
  value = arith::SelectOp::create(b, isMasked, splat(b, type, 0), value);
  return merge(b, state, score, value, /*weight=*/Value());
}

/// The pooled row. The largest score has weight 1, so that a sum below 1 is
/// that of no source at all.
static Value finish(RowBuilder &b, const PoolState &state) {
  auto type = cast<VectorType>(state.weight.getType());
  Value one = splat(b, type, 1);
  Value some =
      arith::CmpFOp::create(b, arith::CmpFPredicate::OLT, state.weight, one);
  Value weight = arith::SelectOp::create(b, some, one, state.weight);
  Value inverse =
      arith::DivFOp::create(b, one, weight, arith::FastMathFlags::afn);
  return arith::MulFOp::create(b, state.value, inverse);
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

namespace {

/// A loop of a pool in two parts: the reads that a source is made of, which run
/// one source ahead, and the rest.
class SplitBody {
public:
  explicit SplitBody(Region &region) : block(region.front()) {
    for (Operation &op : block.without_terminator())
      if (hasEffect<MemoryEffects::Read>(&op))
        addWithOperands(&op);
    for (Operation &op : block.without_terminator())
      if (ahead.contains(&op) && hasEffect<MemoryEffects::Read>(&op))
        llvm::append_range(fetched, op.getResults());
  }

  /// What the reads of source `k` give.
  SmallVector<Value> fetch(RowBuilder &b, Value k) {
    IRMapping mapping;
    mapping.map(block.getArgument(0), k);
    for (Operation &op : block.without_terminator())
      if (ahead.contains(&op))
        b.clone(op, mapping);
    SmallVector<Value> values;
    for (Value value : fetched)
      values.push_back(mapping.lookup(value));
    return values;
  }

  /// The state after source `k`, whose reads gave `values`.
  PoolState compute(RowBuilder &b, Value k, ValueRange values,
                    const PoolState &state) {
    IRMapping mapping;
    mapping.map(block.getArgument(0), k);
    for (auto [from, to] : llvm::zip_equal(fetched, values))
      mapping.map(from, to);
    // Indices that only the reads needed are dead here and are dropped later.
    for (Operation &op : block.without_terminator())
      if (!hasEffect<MemoryEffects::Read>(&op))
        b.clone(op, mapping);
    auto yield = cast<YieldOp>(block.getTerminator());
    return takeIn(b, state, mapping.lookupOrDefault(yield.getScore()),
                  mapping.lookupOrDefault(yield.getValue()));
  }

private:
  void addWithOperands(Operation *op) {
    if (!ahead.insert(op).second)
      return;
    for (Value operand : op->getOperands())
      if (Operation *producer = operand.getDefiningOp();
          producer && producer->getBlock() == &block)
        addWithOperands(producer);
  }

  Block &block;
  llvm::SmallPtrSet<Operation *, 16> ahead;
  SmallVector<Value> fetched;
};

} // namespace

/// Takes in the sources `from`, `from + step`, ... below `to`. Each source is
/// fetched while the one before is taken in, and none beyond the last:
///
///   if (from < to) {
///     next = fetch(from)
///     for (k = from + step; k < to; k += step) {
///       current = next; next = fetch(k)
///       state = takeIn(state, current)
///     }
///     state = takeIn(state, next)
///   }
static PoolState buildLoop(RowBuilder &b, Region &region, Value from, Value to,
                           Value step, const PoolState &state) {
  SplitBody body(region);
  Value some = arith::CmpIOp::create(b, arith::CmpIPredicate::slt, from, to);
  auto branch = scf::IfOp::create(b, ValueRange(state.pack()).getTypes(), some,
                                  /*withElseRegion=*/true);
  {
    RowBuilder otherwise(b.getLoc(), branch.elseBlock(),
                         branch.elseBlock()->end());
    scf::YieldOp::create(otherwise, state.pack());
  }
  RowBuilder inner(b.getLoc(), branch.thenBlock(), branch.thenBlock()->end());
  SmallVector<Value> initial = state.pack();
  initial.push_back(from);
  llvm::append_range(initial, body.fetch(inner, from));
  Value second = arith::AddIOp::create(inner, from, step);
  auto loop = scf::ForOp::create(
      inner, second, to, step, initial,
      [&](OpBuilder &builder, Location loc, Value k, ValueRange carried) {
        RowBuilder b(loc, builder);
        SmallVector<Value> next = {k};
        llvm::append_range(next, body.fetch(b, k));
        PoolState after =
            body.compute(b, carried[3], carried.drop_front(4),
                         PoolState::unpack(carried.take_front(3)));
        SmallVector<Value> results = after.pack();
        llvm::append_range(results, next);
        scf::YieldOp::create(b, results);
      });
  ValueRange last = loop.getResults();
  PoolState after = body.compute(inner, last[3], last.drop_front(4),
                                 PoolState::unpack(last.take_front(3)));
  scf::YieldOp::create(inner, after.pack());
  return PoolState::unpack(branch.getResults());
}

//===----------------------------------------------------------------------===//
// Waves
//===----------------------------------------------------------------------===//

namespace {

/// The waves that share a pool, seen from one of them.
class PoolWaves {
public:
  PoolWaves(RowBuilder &b, gpu::GPUFuncOp func, const Partition &partition)
      : func(func), p(partition), count(p.poolWaves()) {
    if (count == 1)
      return;
    Value thread = gpu::ThreadIdOp::create(b, gpu::Dimension::x);
    waveOfGroup =
        arith::DivUIOp::create(b, thread, indexConstant(b, p.waveSize));
    wave = arith::RemUIOp::create(b, waveOfGroup, indexConstant(b, count));
  }

  bool areSeveral() const { return count > 1; }

  /// This wave's first source of those from `from` on. Source k belongs to wave
  /// k mod count, whichever loop it is in, so that every loop is shared evenly,
  /// and the whole as well.
  Value getFirst(RowBuilder &b, Value from) const {
    if (!areSeveral())
      return from;
    Value ahead = arith::SubIOp::create(b, wave, from);
    ahead = arith::AndIOp::create(b, ahead, indexConstant(b, count - 1));
    return arith::AddIOp::create(b, from, ahead);
  }
  Value getStep(RowBuilder &b) const { return indexConstant(b, count); }

  Value isFirst(RowBuilder &b) const {
    return arith::CmpIOp::create(b, arith::CmpIPredicate::eq, wave,
                                 indexConstant(b, 0));
  }

  /// All waves but the first leave what they have in LDS.
  void leave(RowBuilder &b, const PoolState &state) {
    auto space = gpu::AddressSpaceAttr::get(
        b.getContext(), gpu::GPUDialect::getWorkgroupAddressSpace());
    auto type = MemRefType::get({p.getPoolBytes() / 4}, b.getF32Type(),
                                MemRefLayoutAttrInterface(), space);
    buffer = func.addWorkgroupAttribution(type, b.getLoc());
    Value isOther = arith::CmpIOp::create(b, arith::CmpIPredicate::ne, wave,
                                          indexConstant(b, 0));
    auto branch = scf::IfOp::create(b, isOther, /*withElseRegion=*/false);
    RowBuilder inner(b.getLoc(), branch.thenBlock()->getTerminator());
    Value other = arith::SubIOp::create(inner, wave, indexConstant(inner, 1));
    for (auto [i, row] : llvm::enumerate(state.pack()))
      lane::StoreSharedOp::create(inner, row, buffer, getPage(inner, other, i));
  }

  /// The first wave's own state with those that the others left.
  PoolState collect(RowBuilder &b, PoolState state) {
    Type type = state.max.getType();
    for (int64_t other = 0; other < count - 1; ++other) {
      SmallVector<Value> rows;
      for (int64_t i = 0; i < 3; ++i)
        rows.push_back(lane::LoadSharedOp::create(
            b, type, buffer, getPage(b, indexConstant(b, other), i)));
      state = merge(b, state, rows[0], rows[1], rows[2]);
    }
    return state;
  }

private:
  /// Three pages for each wave but the first, pool by pool.
  Value getPage(RowBuilder &b, Value other, int64_t row) {
    Value page = other;
    if (p.wavesPerGroup > count) {
      Value pool =
          arith::DivUIOp::create(b, waveOfGroup, indexConstant(b, count));
      pool = arith::MulIOp::create(b, pool, indexConstant(b, count - 1));
      page = arith::AddIOp::create(b, pool, page);
    }
    page = arith::MulIOp::create(b, page, indexConstant(b, 3));
    return arith::AddIOp::create(b, page, indexConstant(b, row));
  }

  gpu::GPUFuncOp func;
  const Partition &p;
  int64_t count;
  Value waveOfGroup, wave, buffer;
};

} // namespace

/// Moves everything behind `op` in its block into the branch `into`.
static void moveRest(Operation *op, Block *into) {
  Block *block = op->getBlock();
  into->getOperations().splice(into->begin(), block->getOperations(),
                               std::next(op->getIterator()),
                               std::prev(block->end()));
}

/// Moves up, before `pool`, what follows it but does not need it: reads of
/// weights and tables are then under way while the waves meet. All waves do
/// them, which costs less than waiting for them.
static void moveIndependentReads(SoftmaxPoolOp pool, gpu::GPUFuncOp func) {
  llvm::SmallPtrSet<Value, 4> written;
  func.walk([&](Operation *op) {
    if (auto store = dyn_cast<StoreOp>(op))
      written.insert(store.getTarget());
    else if (auto scatter = dyn_cast<ScatterOp>(op))
      written.insert(scatter.getTarget());
    else if (auto store = dyn_cast<memref::StoreOp>(op))
      written.insert(store.getMemRef());
  });
  auto isIndependent = [&](Operation *op) {
    if (op->getNumRegions() > 0 || hasEffect<MemoryEffects::Write>(op) ||
        !isa<MemoryEffectOpInterface>(op))
      return false;
    return llvm::all_of(op->getOperands(), [&](Value operand) {
      Operation *producer = operand.getDefiningOp();
      return !written.contains(operand) &&
             (!producer || producer->getBlock() != pool->getBlock() ||
              producer->isBeforeInBlock(pool));
    });
  };
  SmallVector<Operation *> rest;
  for (Operation *op = pool->getNextNode(); op->getNextNode();
       op = op->getNextNode())
    rest.push_back(op);
  for (Operation *op : rest)
    if (isIndependent(op))
      op->moveBefore(pool);
}

/// A row that several waves share is written by one of them: writes before the
/// pool, which all of them run through, get a condition.
static void guardWrites(gpu::GPUFuncOp func, scf::IfOp rest,
                        const PoolWaves &waves) {
  SmallVector<Operation *> writes;
  func.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op == rest)
      return WalkResult::skip();
    if (isa<StoreOp, ScatterOp, memref::StoreOp>(op))
      writes.push_back(op);
    return WalkResult::advance();
  });
  for (Operation *write : writes) {
    RowBuilder b(write->getLoc(), write);
    auto branch =
        scf::IfOp::create(b, waves.isFirst(b), /*withElseRegion=*/false);
    write->moveBefore(branch.thenBlock()->getTerminator());
  }
}

/// Replaces a pool by its loops, and where waves share it, leaves all that
/// follows to the first of them:
///
///   %y = row.softmax_pool ...
///   rest
/// becomes
///   loops over this wave's sources
///   if (wave != 0) leave the state in LDS
///   reads of the rest that do not need %y
///   barrier
///   if (wave == 0) { merge; %y = ...; rest }
static void expandPool(SoftmaxPoolOp pool, gpu::GPUFuncOp func,
                       const Partition &partition) {
  RowBuilder atStart =
      RowBuilder::atBlockBegin(func.getLoc(), &func.getBody().front());
  PoolWaves waves(atStart, func, partition);
  RowBuilder b(pool.getLoc(), pool);
  PoolState state = PoolState::start(b, pool.getType());
  for (auto [from, to, region] : llvm::zip_equal(
           pool.getLowerBounds(), pool.getUpperBounds(), pool.getBodies()))
    state = buildLoop(b, region, waves.getFirst(b, from), to, waves.getStep(b),
                      state);
  if (!waves.areSeveral()) {
    pool.replaceAllUsesWith(finish(b, state));
    pool.erase();
    return;
  }
  waves.leave(b, state);
  moveIndependentReads(pool, func);
  gpu::BarrierOp::create(b);
  auto branch = scf::IfOp::create(b, waves.isFirst(b),
                                  /*withElseRegion=*/false);
  moveRest(pool, branch.thenBlock());
  RowBuilder first =
      RowBuilder::atBlockBegin(pool.getLoc(), branch.thenBlock());
  pool.replaceAllUsesWith(finish(first, waves.collect(first, state)));
  pool.erase();
  guardWrites(func, branch, waves);
}

namespace {

struct RowPartition : rowmill::row::impl::RowPartitionBase<RowPartition> {
  void runOnOperation() override {
    for (gpu::GPUFuncOp func : getOperation().getOps<gpu::GPUFuncOp>())
      if (func.isKernel() && failed(partitionFunction(func)))
        return signalPassFailure();
  }

  static LogicalResult partitionFunction(gpu::GPUFuncOp func) {
    SmallVector<SoftmaxPoolOp> pools;
    func.walk([&](SoftmaxPoolOp pool) { pools.push_back(pool); });
    if (pools.empty())
      return success();
    FailureOr<Partition> partition = Partition::get(func);
    if (failed(partition))
      return failure();
    if (partition->poolWaves() > 1) {
      // What follows the first pool is done by one wave.
      if (pools.size() > 1)
        return pools[1].emitOpError("expects 'waves_per_row' 1 for a kernel "
                                    "with a second pool, but got ")
               << partition->poolWaves();
      if (isa<scf::ForOp, scf::WhileOp>(pools[0]->getParentOp()))
        return pools[0].emitOpError("expects 'waves_per_row' 1 for a pool in "
                                    "a loop, but got ")
               << partition->poolWaves();
    }
    for (SoftmaxPoolOp pool : pools)
      expandPool(pool, func, *partition);
    return success();
  }
};

} // namespace
