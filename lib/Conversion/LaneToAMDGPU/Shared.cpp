// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// What lanes of several waves leave for each other in LDS.

#include "rowmill/Conversion/LaneToAMDGPU/LaneToAMDGPU.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "rowmill/Dialect/Lane/IR/Lane.h"
#include "rowmill/Target/Arch.h"

using namespace mlir;
using namespace rowmill;

namespace {

/// Where the pieces of one lane's vector lie in a page.
struct Pieces {
  Pieces(ImplicitLocOpBuilder &b, VectorType vector, Value page,
         unsigned waveSize)
      : b(b), waveSize(waveSize) {
    int64_t elements = vector.getNumElements();
    width = std::min<int64_t>(elements & -elements, maxWidth);
    count = elements / width;
    Value thread = gpu::ThreadIdOp::create(b, gpu::Dimension::x);
    Value lane = arith::RemUIOp::create(b, thread, constant(waveSize));
    Value start = arith::MulIOp::create(b, page, constant(count * waveSize));
    first = arith::AddIOp::create(b, start, lane);
  }

  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(b, value);
  }
  Value getIndex(int64_t piece) {
    Value place =
        arith::AddIOp::create(b, first, constant(piece * int64_t(waveSize)));
    return arith::MulIOp::create(b, place, constant(width));
  }
  VectorType getType() { return VectorType::get({width}, b.getF32Type()); }

  static constexpr int64_t maxWidth = 4; ///< 16 bytes, ds_write_b128
  ImplicitLocOpBuilder &b;
  int64_t waveSize, width, count;
  Value first;
};

/// lane.store_shared %v, %buffer[%page]
///   ->  one vector.store of up to 16 bytes a piece.
struct LowerStoreShared : ArchPattern<lane::StoreSharedOp> {
  using ArchPattern::ArchPattern;

  LogicalResult matchAndRewrite(lane::StoreSharedOp op,
                                PatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Pieces pieces(b, op.getValue().getType(), op.getPage(), arch.waveSize);
    for (int64_t i = 0; i < pieces.count; ++i) {
      Value piece = vector::ExtractStridedSliceOp::create(
          b, op.getValue(), {i * pieces.width}, {pieces.width}, {1});
      vector::StoreOp::create(b, piece, op.getBuffer(), pieces.getIndex(i));
    }
    rewriter.eraseOp(op);
    return success();
  }
};

/// lane.load_shared %buffer[%page]
///   ->  one vector.load of up to 16 bytes a piece.
struct LowerLoadShared : ArchPattern<lane::LoadSharedOp> {
  using ArchPattern::ArchPattern;

  LogicalResult matchAndRewrite(lane::LoadSharedOp op,
                                PatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    VectorType type = op.getValue().getType();
    Pieces pieces(b, type, op.getPage(), arch.waveSize);
    SmallVector<Value> elements;
    for (int64_t i = 0; i < pieces.count; ++i) {
      Value piece = vector::LoadOp::create(b, pieces.getType(), op.getBuffer(),
                                           pieces.getIndex(i));
      for (int64_t j = 0; j < pieces.width; ++j)
        elements.push_back(vector::ExtractOp::create(b, piece, j));
    }
    rewriter.replaceOpWithNewOp<vector::FromElementsOp>(op, type, elements);
    return success();
  }
};

} // namespace

void rowmill::populateLaneSharedPatterns(RewritePatternSet &patterns,
                                         const Arch &arch) {
  patterns.add<LowerStoreShared, LowerLoadShared>(patterns.getContext(), arch);
}
