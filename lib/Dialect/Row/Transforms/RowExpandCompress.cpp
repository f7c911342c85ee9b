// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// row-expand-compress: a compressor's window as one pool over two loops.

#include "KernelDescription.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "rowmill/Dialect/Row/IR/Row.h"
#include "rowmill/Dialect/Row/Transforms/Passes.h"

using namespace mlir;
using namespace rowmill;
using namespace rowmill::row;

namespace rowmill::row {
#define GEN_PASS_DEF_ROWEXPANDCOMPRESS
#include "rowmill/Dialect/Row/Transforms/Passes.h.inc"
} // namespace rowmill::row

using RowBuilder = ImplicitLocOpBuilder;

namespace {

/// Expands one row.compress. Numbers on the way to an address are `index`.
class CompressExpansion {
public:
  explicit CompressExpansion(CompressOp op)
      : op(op), b(op.getLoc(), op), row(op.getPooled().getType()),
        sources(op.getSources()), ratio(op.getRatio()) {}

  void run() {
    Value position = readPlan(2);
    Value ragged = readPlan(0), batch = readPlan(1), window = readPlan(3);
    GuardOp::create(b, position);
    position = toIndex(b, position);
    batch = toIndex(b, batch);
    window = arith::MinSIOp::create(
        b, arith::MaxSIOp::create(b, toIndex(b, window), constant(b, 0)),
        constant(b, sources));
    // Negative where the input has fewer tokens than the window.
    firstInput =
        arith::SubIOp::create(b, toIndex(b, ragged), constant(b, sources - 1));
    prepareRing(position, batch);

    // The sources before the sequence's first token are left out.
    Value first = arith::SubIOp::create(b, constant(b, sources - 1), position);
    first = arith::MaxSIOp::create(b, first, constant(b, 0));
    Value firstOfInput = arith::MaxSIOp::create(b, first, window);
    Value end = constant(b, sources);
    auto pool = SoftmaxPoolOp::create(
        b, row, ValueRange{first, firstOfInput}, ValueRange{window, end},
        b.getI64IntegerAttr(sources), /*bodiesCount=*/2);
    buildBody(pool.getBodies()[0], &CompressExpansion::readState);
    buildBody(pool.getBodies()[1], &CompressExpansion::readInput);
    Value index = arith::DivUIOp::create(b, position, constant(b, ratio));
    op.replaceAllUsesWith(ValueRange{pool.getResult(), batch, index});
    op.erase();
  }

private:
  struct Source {
    Value score, value;
  };

  static Value constant(RowBuilder &b, int64_t value) {
    return arith::ConstantIndexOp::create(b, value);
  }
  static Value toIndex(RowBuilder &b, Value value) {
    return arith::IndexCastOp::create(b, b.getIndexType(), value);
  }

  Value readPlan(int64_t column) {
    return memref::LoadOp::create(b, op.getPlan(),
                                  ValueRange{op.getRow(), constant(b, column)});
  }

  /// The ring row of source 0, which is `firstPosition` modulo the ring. The
  /// other sources follow with at most one wrap, since a ring holds a window.
  void prepareRing(Value position, Value batch) {
    slot = toIndex(
        b, memref::LoadOp::create(b, op.getStateSlots(), ValueRange{batch}));
    ringSize = memref::DimOp::create(b, op.getKvState(), constant(b, 1));
    // Positions and rings have 31 bits, and 64-bit division is slow.
    auto narrow = [&](Value value) -> Value {
      return arith::IndexCastUIOp::create(b, b.getI32Type(), value);
    };
    Value last = arith::RemUIOp::create(b, narrow(position), narrow(ringSize));
    last = arith::IndexCastUIOp::create(b, b.getIndexType(), last);
    // In [1, 2 * ringSize): the window is no longer than the ring.
    Value first = arith::SubIOp::create(
        b, arith::AddIOp::create(b, last, ringSize), constant(b, sources - 1));
    firstRing = wrap(b, first);
  }

  /// A number below twice the ring's size, modulo that size.
  Value wrap(RowBuilder &b, Value place) {
    Value isPast =
        arith::CmpIOp::create(b, arith::CmpIPredicate::uge, place, ringSize);
    Value wrapped = arith::SubIOp::create(b, place, ringSize);
    return arith::SelectOp::create(b, isPast, wrapped, place);
  }

  void buildBody(Region &region,
                 Source (CompressExpansion::*read)(RowBuilder &, Value)) {
    Block &block = region.emplaceBlock();
    Value k = block.addArgument(b.getIndexType(), op.getLoc());
    RowBuilder inner(op.getLoc(), &block, block.end());
    Source source = (this->*read)(inner, k);
    YieldOp::create(inner, source.score, source.value);
  }

  /// Whether source `k` of an overlapping window belongs to the present block,
  /// not to the one before.
  Value isPresent(RowBuilder &b, Value k) {
    return arith::CmpIOp::create(b, arith::CmpIPredicate::uge, k,
                                 constant(b, ratio));
  }
  /// The first column of source `k`: the second half is for the present block.
  Value getColumn(RowBuilder &b, Value k) {
    return arith::SelectOp::create(
        b, isPresent(b, k), constant(b, row.getDimSize(0)), constant(b, 0));
  }

  Value load(RowBuilder &b, Value memref, ValueRange indices, Value k) {
    auto type = cast<MemRefType>(memref.getType());
    auto part = row.clone(type.getElementType());
    Value loaded = LoadOp::create(b, part, memref, indices,
                                  op.getOverlap() ? getColumn(b, k) : Value());
    if (part == row)
      return loaded;
    return arith::ExtFOp::create(b, row, loaded);
  }

  Source readState(RowBuilder &b, Value k) {
    Value ring = wrap(b, arith::AddIOp::create(b, firstRing, k));
    return {load(b, op.getScoreState(), {slot, ring}, k),
            load(b, op.getKvState(), {slot, ring}, k)};
  }

  Source readInput(RowBuilder &b, Value k) {
    Value input = arith::AddIOp::create(b, firstInput, k);
    Value biasRow = k;
    if (op.getOverlap()) {
      Value previous = arith::SubIOp::create(b, k, constant(b, ratio));
      biasRow = arith::SelectOp::create(b, isPresent(b, k), previous, k);
    }
    Value bias = load(b, op.getApe(), biasRow, k);
    Value score = load(b, op.getScore(), input, k);
    return {arith::AddFOp::create(b, score, bias),
            load(b, op.getKv(), input, k)};
  }

  CompressOp op;
  RowBuilder b;
  VectorType row;
  int64_t sources, ratio;
  Value firstInput, firstRing, ringSize, slot;
};

struct RowExpandCompress
    : rowmill::row::impl::RowExpandCompressBase<RowExpandCompress> {
  void runOnOperation() override {
    SmallVector<CompressOp> ops;
    getOperation().walk([&](CompressOp op) { ops.push_back(op); });
    for (CompressOp op : ops) {
      addMinimum(op);
      CompressExpansion(op).run();
    }
  }

  /// A launcher must refuse a ring that is shorter than a window.
  static void addMinimum(CompressOp op) {
    auto kernel = cast<KernelOp>(op->getParentOp());
    auto state = llvm::find(kernel.getKernelArguments(), op.getKvState());
    auto type = cast<MemRefType>(op.getKvState().getType());
    if (state == kernel.getKernelArguments().end() || !type.isDynamicDim(1))
      return;
    Builder b(op.getContext());
    SmallVector<Attribute> entries;
    if (auto known = kernel->getAttrOfType<ArrayAttr>(minimumAttrName))
      llvm::append_range(entries, known);
    StringRef name =
        kernel.getArgName(state - kernel.getKernelArguments().begin());
    entries.push_back(b.getDictionaryAttr(
        {b.getNamedAttr("arg", b.getStringAttr(name)),
         b.getNamedAttr("dim", b.getI64IntegerAttr(1)),
         b.getNamedAttr("size", b.getI64IntegerAttr(op.getSources()))}));
    kernel->setAttr(minimumAttrName, b.getArrayAttr(entries));
  }
};

} // namespace
