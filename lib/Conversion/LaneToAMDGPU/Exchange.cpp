// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Lane exchanges: DPP where it can, then permlane, then the LDS crossbar.

#include "rowmill/Conversion/LaneToAMDGPU/LaneToAMDGPU.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "rowmill/Dialect/Lane/IR/Lane.h"
#include "rowmill/Target/Arch.h"

using namespace mlir;
using namespace rowmill;

namespace {

/// Encodings of the DPP control field (CDNA ISA, "DPP_CTRL").
enum DppControl : unsigned {
  quadPerm = 0x000,
  rowShl = 0x100,
  rowShr = 0x110,
  rowRor = 0x120,
  rowMirror = 0x140,
  rowHalfMirror = 0x141,
  rowXmask = 0x160,
};

constexpr unsigned allRows = 0xf;
constexpr unsigned allBanks = 0xf;

/// Lanes of a DPP row, of a DPP bank's quad, and of half a wave64.
constexpr unsigned rowLanes = 16;
constexpr unsigned halfWave = 32;

} // namespace

static Value constantI32(OpBuilder &builder, Location loc, int64_t value) {
  return arith::ConstantOp::create(builder, loc,
                                   builder.getI32IntegerAttr(value));
}

static Value dpp(OpBuilder &builder, Location loc, Value old, Value word,
                 unsigned control, unsigned banks = allBanks) {
  bool boundControl = banks == allBanks;
  return ROCDL::DPPUpdateOp::create(
      builder, loc, word.getType(), old, word,
      builder.getI32IntegerAttr(control), builder.getI32IntegerAttr(allRows),
      builder.getI32IntegerAttr(banks), builder.getBoolAttr(boundControl));
}

/// The one DPP control that exchanges by `mask`, if there is one.
static std::optional<unsigned> getDppControl(unsigned mask, const Arch &arch) {
  if (mask < 4) {
    unsigned control = quadPerm;
    for (unsigned lane = 0; lane < 4; ++lane)
      control |= (lane ^ mask) << (2 * lane);
    return control;
  }
  if (mask >= rowLanes)
    return std::nullopt;
  if (arch.hasDppRowXmask)
    return rowXmask + mask;
  // Within a row of sixteen lanes these happen to be exchanges.
  if (mask == 7)
    return rowHalfMirror;
  if (mask == 8)
    return rowRor + 8;
  if (mask == 15)
    return rowMirror;
  return std::nullopt;
}

/// Exchange by four: lanes of even quads read four lanes up, those of odd quads
/// four lanes down, each shift writing only the banks that it serves.
static Value exchangeQuads(OpBuilder &builder, Location loc, Value word) {
  Value poison = LLVM::PoisonOp::create(builder, loc, word.getType());
  Value even = dpp(builder, loc, poison, word, rowShl + 4, /*banks=*/0x5);
  return dpp(builder, loc, even, word, rowShr + 4, /*banks=*/0xa);
}

static Value isLaneBitSet(OpBuilder &builder, Location loc, unsigned bit) {
  Value thread = gpu::ThreadIdOp::create(builder, loc, gpu::Dimension::x);
  Value lane =
      arith::IndexCastOp::create(builder, loc, builder.getI32Type(), thread);
  Value masked =
      arith::AndIOp::create(builder, loc, lane, constantI32(builder, loc, bit));
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, masked,
                               constantI32(builder, loc, 0));
}

/// Swapping a register's odd rows with the even rows of its own copy leaves
/// every even row in both rows of the first result and every odd row in both
/// rows of the second; a lane wants the one that is not its own.
template <typename SwapOp>
static Value exchangeBySwap(OpBuilder &builder, Location loc, Value word,
                            unsigned mask) {
  Type i32 = builder.getI32Type();
  auto pair =
      LLVM::LLVMStructType::getLiteral(builder.getContext(), {i32, i32});
  Value swapped =
      SwapOp::create(builder, loc, pair, word, word, builder.getBoolAttr(false),
                     builder.getBoolAttr(false));
  Value even = LLVM::ExtractValueOp::create(builder, loc, swapped, 0);
  Value odd = LLVM::ExtractValueOp::create(builder, loc, swapped, 1);
  Value isOdd = isLaneBitSet(builder, loc, mask);
  return arith::SelectOp::create(builder, loc, isOdd, even, odd);
}

/// Any value of the wave, addressed by four times the index of its lane.
static Value bpermute(OpBuilder &builder, Location loc, Value word,
                      Value sourceLane) {
  Value address = arith::ShLIOp::create(builder, loc, sourceLane,
                                        constantI32(builder, loc, 2));
  return ROCDL::DsBpermuteOp::create(builder, loc, builder.getI32Type(),
                                     address, word);
}

static Value getThreadI32(OpBuilder &builder, Location loc) {
  Value thread = gpu::ThreadIdOp::create(builder, loc, gpu::Dimension::x);
  return arith::IndexCastOp::create(builder, loc, builder.getI32Type(), thread);
}

static Value exchangeI32(OpBuilder &builder, Location loc, Value word,
                         unsigned mask, const Arch &arch) {
  if (std::optional<unsigned> control = getDppControl(mask, arch)) {
    Value poison = LLVM::PoisonOp::create(builder, loc, word.getType());
    return dpp(builder, loc, poison, word, *control);
  }
  if (mask == 4)
    return exchangeQuads(builder, loc, word);
  if (mask == rowLanes && arch.hasPermlaneSwap)
    return exchangeBySwap<ROCDL::Permlane16SwapOp>(builder, loc, word, mask);
  if (mask == halfWave && arch.hasPermlaneSwap)
    return exchangeBySwap<ROCDL::Permlane32SwapOp>(builder, loc, word, mask);
  if (mask == rowLanes && arch.hasPermlaneX16) {
    // Each nibble names the lane of the other row to read: one's own position.
    Value low = constantI32(builder, loc, 0x76543210);
    Value high = constantI32(builder, loc, int32_t(0xfedcba98));
    return ROCDL::PermlaneX16Op::create(
        builder, loc, word.getType(), word, word, low, high,
        builder.getBoolAttr(true), builder.getBoolAttr(false));
  }
  if (mask < halfWave) {
    // ds_swizzle in bit mode: lane' = ((lane & 31) | 0) ^ mask.
    Value pattern = constantI32(builder, loc, (mask << 10) | 0x1f);
    return ROCDL::DsSwizzleOp::create(builder, loc, word.getType(), word,
                                      pattern);
  }
  Value source = arith::XOrIOp::create(builder, loc, getThreadI32(builder, loc),
                                       constantI32(builder, loc, mask));
  return bpermute(builder, loc, word, source);
}

/// Applies `convert` to every 32-bit element of `value`, seen as an i32.
static Value mapWords(OpBuilder &builder, Location loc, Value value,
                      llvm::function_ref<Value(Value)> convert) {
  Type i32 = builder.getI32Type();
  auto mapScalar = [&](Value word) -> Value {
    Type type = word.getType();
    if (type == i32)
      return convert(word);
    Value bits = arith::BitcastOp::create(builder, loc, i32, word);
    return arith::BitcastOp::create(builder, loc, type, convert(bits));
  };
  auto type = dyn_cast<VectorType>(value.getType());
  if (!type)
    return mapScalar(value);
  SmallVector<Value> words;
  for (int64_t i = 0; i < type.getNumElements(); ++i)
    words.push_back(
        mapScalar(vector::ExtractOp::create(builder, loc, value, i)));
  return vector::FromElementsOp::create(builder, loc, type, words);
}

Value rowmill::buildExchange(OpBuilder &builder, Location loc, Value word,
                             unsigned mask, const Arch &arch) {
  return mapWords(builder, loc, word, [&](Value bits) {
    return exchangeI32(builder, loc, bits, mask, arch);
  });
}

namespace {

/// lane.exchange %v xor m  ->  one DPP move, swap or swizzle for every word.
struct LowerExchange : ArchPattern<lane::ExchangeOp> {
  using ArchPattern::ArchPattern;

  LogicalResult matchAndRewrite(lane::ExchangeOp op,
                                PatternRewriter &rewriter) const override {
    if (op.getMask() >= arch.waveSize)
      return rewriter.notifyMatchFailure(op, "the exchange crosses waves");
    rewriter.replaceOp(op, buildExchange(rewriter, op.getLoc(), op.getValue(),
                                         op.getMask(), arch));
    return success();
  }
};

/// lane.shuffle %v from %s cluster n
///   ->  ds_bpermute from (thread & ~(n - 1)) + %s for every word.
struct LowerShuffle : ArchPattern<lane::ShuffleOp> {
  using ArchPattern::ArchPattern;

  LogicalResult matchAndRewrite(lane::ShuffleOp op,
                                PatternRewriter &rewriter) const override {
    if (op.getCluster() > arch.waveSize)
      return rewriter.notifyMatchFailure(op, "the shuffle crosses waves");
    Location loc = op.getLoc();
    int64_t mask = -int64_t(op.getCluster());
    Value first =
        arith::AndIOp::create(rewriter, loc, getThreadI32(rewriter, loc),
                              constantI32(rewriter, loc, mask));
    Value source = arith::AddIOp::create(rewriter, loc, first, op.getSource());
    rewriter.replaceOp(op, mapWords(rewriter, loc, op.getValue(), [&](Value w) {
                         return bpermute(rewriter, loc, w, source);
                       }));
    return success();
  }
};

} // namespace

void rowmill::populateLaneExchangePatterns(RewritePatternSet &patterns,
                                           const Arch &arch) {
  patterns.add<LowerExchange, LowerShuffle>(patterns.getContext(), arch);
}
