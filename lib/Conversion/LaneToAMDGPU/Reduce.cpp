// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Reductions over a cluster of lanes: a butterfly in the wave, LDS beyond
// it.

#include "rowmill/Conversion/LaneToAMDGPU/LaneToAMDGPU.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "rowmill/Dialect/Lane/IR/Lane.h"
#include "rowmill/Target/Arch.h"

using namespace mlir;
using namespace rowmill;

static Value combine(OpBuilder &builder, Location loc, lane::ReduceKind kind,
                     Value a, Value b) {
  switch (kind) {
  case lane::ReduceKind::add:
    return arith::AddFOp::create(builder, loc, a, b);
  case lane::ReduceKind::max:
    return arith::MaxNumFOp::create(builder, loc, a, b);
  case lane::ReduceKind::maxu:
    return arith::MaxUIOp::create(builder, loc, a, b);
  }
  llvm_unreachable("unknown reduce kind");
}

/// The mask that serves step `step` of a butterfly. After the steps 1 and 2 all
/// lanes of a quad agree, so mirroring eight lanes (one fused DPP operand)
/// brings the same value as the exchange by four, which no single DPP does.
static unsigned getReduceMask(unsigned step, const Arch &arch) {
  return step == 4 && !arch.hasDppRowXmask ? 7 : step;
}

static Value reduceInWave(OpBuilder &builder, Location loc,
                          lane::ReduceKind kind, Value value, unsigned cluster,
                          const Arch &arch) {
  for (unsigned step = 1; step < cluster; step *= 2) {
    Value partner =
        buildExchange(builder, loc, value, getReduceMask(step, arch), arch);
    value = combine(builder, loc, kind, partner, value);
  }
  return value;
}

/// The waves of a cluster write their results to LDS, meet at a barrier, and
/// each lane combines all of them as a balanced tree over ascending wave bits,
/// the order in which a butterfly would have done it.
static Value reduceOverWaves(OpBuilder &builder, Location loc,
                             gpu::GPUFuncOp func, lane::ReduceKind kind,
                             Value value, unsigned waves, unsigned waveSize) {
  ArrayRef<int32_t> block = *func.getKnownBlockSize();
  int64_t groupWaves = block[0] / waveSize;
  auto space = gpu::AddressSpaceAttr::get(
      builder.getContext(), gpu::GPUDialect::getWorkgroupAddressSpace());
  auto type = MemRefType::get({groupWaves}, value.getType(),
                              MemRefLayoutAttrInterface(), space);
  // Each reduction has words of its own, so no second barrier is needed to
  // protect them from the next one.
  Value partials = func.addWorkgroupAttribution(type, loc);
  auto constant = [&](int64_t v) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, v);
  };
  Value thread = gpu::ThreadIdOp::create(builder, loc, gpu::Dimension::x);
  Value wave = arith::DivUIOp::create(builder, loc, thread, constant(waveSize));
  Value lane = arith::RemUIOp::create(builder, loc, thread, constant(waveSize));
  Value isFirst = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                        lane, constant(0));
  scf::IfOp::create(builder, loc, isFirst, [&](OpBuilder &b, Location l) {
    memref::StoreOp::create(b, l, value, partials, wave);
    scf::YieldOp::create(b, l);
  });
  gpu::BarrierOp::create(builder, loc);
  Value first = arith::MulIOp::create(
      builder, loc, arith::DivUIOp::create(builder, loc, wave, constant(waves)),
      constant(waves));
  SmallVector<Value> results;
  for (unsigned i = 0; i < waves; ++i) {
    Value index = arith::AddIOp::create(builder, loc, first, constant(i));
    results.push_back(
        memref::LoadOp::create(builder, loc, partials, ValueRange{index}));
  }
  while (results.size() > 1) {
    for (unsigned i = 0; i < results.size() / 2; ++i)
      results[i] =
          combine(builder, loc, kind, results[2 * i], results[2 * i + 1]);
    results.resize(results.size() / 2);
  }
  return results.front();
}

namespace {

/// lane.reduce kind %v cluster n
///   ->  log2(n) exchanges, each combined with its own value.
struct LowerReduce : ArchPattern<lane::ReduceOp> {
  using ArchPattern::ArchPattern;

  LogicalResult matchAndRewrite(lane::ReduceOp op,
                                PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    unsigned cluster = op.getCluster();
    unsigned inWave = std::min(cluster, arch.waveSize);
    Value result =
        reduceInWave(rewriter, loc, op.getKind(), op.getValue(), inWave, arch);
    if (cluster > inWave) {
      auto func = op->getParentOfType<gpu::GPUFuncOp>();
      if (!func || !func.getKnownBlockSize())
        return rewriter.notifyMatchFailure(
            op,
            "a cluster beyond the wave needs a gpu.func of known block size");
      result = reduceOverWaves(rewriter, loc, func, op.getKind(), result,
                               cluster / inWave, arch.waveSize);
    }
    rewriter.replaceOp(op, result);
    return success();
  }
};

} // namespace

void rowmill::populateLaneReducePatterns(RewritePatternSet &patterns,
                                         const Arch &arch) {
  patterns.add<LowerReduce>(patterns.getContext(), arch);
}
