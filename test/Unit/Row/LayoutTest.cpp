// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Page layouts: worked examples, bijection, contiguous runs, compiled maps.

#include "rowmill/Dialect/Row/IR/Layout.h"
#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace rowmill::row;

namespace {

class LayoutTest : public ::testing::Test {
protected:
  LayoutTest() { context.loadDialect<RowDialect>(); }

  /// Byte of an element in memory whose pages follow each other; `packing`
  /// elements share a byte.
  static int64_t getByte(LayoutAttrInterface layout, int64_t page, int64_t slot,
                         int64_t element, int64_t packing = 1) {
    int64_t offset = page * getPageElements(layout) +
                     CompiledMap(layout.getMap())(slot, element);
    return offset / packing;
  }

  static bool isBijection(LayoutAttrInterface layout) {
    Location loc = UnknownLoc::get(layout.getContext());
    return succeeded(verifyBijection([&] { return emitError(loc); }, layout));
  }

  MLIRContext context;
};

TEST_F(LayoutTest, Linear) {
  auto layout = LinearLayoutAttr::get(&context, 64, 128);
  EXPECT_EQ(getByte(layout, 3, 37, 77), 3 * 64 * 128 + 37 * 128 + 77);
}

TEST_F(LayoutTest, Fp4PreshuffleOfDim128) {
  auto layout = Fp4PreshuffleAttr::get(&context, 64, 128);
  EXPECT_EQ(getByte(layout, 3, 37, 77, 2), 14934);
  // Element 77 is odd: the high nibble.
  EXPECT_EQ(CompiledMap(layout.getMap())(37, 77) % 2, 1);
}

TEST_F(LayoutTest, Fp4PreshuffleOfDim512) {
  auto layout = Fp4PreshuffleAttr::get(&context, 64, 512);
  EXPECT_EQ(getByte(layout, 2, 5, 300, 2), 42070);
}

TEST_F(LayoutTest, E8m0Interleave) {
  EXPECT_EQ(getByte(E8m0InterleaveAttr::get(&context, 64, 4), 3, 37, 2), 918);
  EXPECT_EQ(getByte(E8m0InterleaveAttr::get(&context, 64, 16), 2, 5, 9), 2644);
}

// The factor is slots / 16: 4 for 64 slots, and none at all for 16.
TEST_F(LayoutTest, E8m0InterleaveFactor) {
  CompiledMap of64(E8m0InterleaveAttr::get(&context, 64, 4).getMap());
  EXPECT_EQ(of64(1, 0), 4);
  EXPECT_EQ(of64(16, 0), 1);
  EXPECT_EQ(of64(37, 0), 22);
  EXPECT_EQ(of64(63, 0), 63);
  CompiledMap of16(E8m0InterleaveAttr::get(&context, 16, 4).getMap());
  for (int64_t slot = 0; slot < 16; ++slot)
    EXPECT_EQ(of16(slot, 3), 48 + slot);
  CompiledMap of128(E8m0InterleaveAttr::get(&context, 128, 4).getMap());
  EXPECT_EQ(of128(1, 0), 8);
  EXPECT_EQ(of128(127, 3), 3 * 128 + 127);
}

TEST_F(LayoutTest, Fp8Preshuffle) {
  auto layout = Fp8PreshuffleAttr::get(&context, 64, 128);
  EXPECT_EQ(getByte(layout, 0, 37, 77), 5213);
}

TEST_F(LayoutTest, QueryScale) {
  EXPECT_EQ(getByte(QueryScaleAttr::get(&context, 64, 4), 2, 37, 3), 726);
  EXPECT_EQ(getByte(QueryScaleAttr::get(&context, 16, 4), 2, 7, 3), 732);
}

// One tile of heads is padded to four, six to eight.
TEST_F(LayoutTest, QueryScalePadding) {
  auto one = QueryScaleAttr::get(&context, 16, 4);
  EXPECT_EQ(one.getSlots(), 16);
  EXPECT_EQ(one.getPaddedSlots(), 64);
  EXPECT_EQ(getPageElements(one), 256);
  EXPECT_EQ(QueryScaleAttr::get(&context, 64, 4).getPaddedSlots(), 64);
  EXPECT_EQ(QueryScaleAttr::get(&context, 96, 4).getPaddedSlots(), 128);
}

TEST_F(LayoutTest, NamedLayoutsAreBijections) {
  for (int64_t slots : {16, 32, 64, 128, 256})
    for (int64_t length : {128, 256, 512, 1024}) {
      EXPECT_TRUE(isBijection(LinearLayoutAttr::get(&context, slots, length)));
      EXPECT_TRUE(isBijection(Fp4PreshuffleAttr::get(&context, slots, length)));
      EXPECT_TRUE(isBijection(Fp8PreshuffleAttr::get(&context, slots, length)));
      int64_t groups = length / 32;
      EXPECT_TRUE(
          isBijection(E8m0InterleaveAttr::get(&context, slots, groups)));
      EXPECT_TRUE(isBijection(QueryScaleAttr::get(&context, slots, groups)));
    }
}

TEST_F(LayoutTest, CollisionNamesBothPairs) {
  std::string message;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    message = diagnostic.str();
    return success();
  });
  AffineExpr s, e;
  bindDims(&context, s, e);
  // The factor 4 fits 64 slots, not 128.
  auto map = AffineMap::get(2, 0, e * 128 + s % 16 * 4 + s.floorDiv(16));
  EXPECT_TRUE(failed(MapLayoutAttr::verifyInvariants(
      [&] { return emitError(UnknownLoc::get(&context)); },
      AffineMapAttr::get(map), 128, 4)));
  EXPECT_EQ(message, "layout maps slot 1 element 0 and slot 64 element 0 both "
                     "to offset 4");
}

TEST_F(LayoutTest, ContiguousRun) {
  EXPECT_EQ(getContiguousRun(LinearLayoutAttr::get(&context, 64, 128)), 128);
  // Rows of 96 start at multiples of 32 only.
  EXPECT_EQ(getContiguousRun(LinearLayoutAttr::get(&context, 64, 96)), 32);
  EXPECT_EQ(getContiguousRun(Fp4PreshuffleAttr::get(&context, 64, 512)), 32);
  EXPECT_EQ(getContiguousRun(Fp8PreshuffleAttr::get(&context, 64, 128)), 16);
  EXPECT_EQ(getContiguousRun(E8m0InterleaveAttr::get(&context, 64, 4)), 1);
  EXPECT_EQ(getContiguousRun(QueryScaleAttr::get(&context, 64, 4)), 1);
}

// Contiguous runs of four that start at odd offsets are of no use.
TEST_F(LayoutTest, ContiguousRunIsAligned) {
  AffineExpr s, e;
  bindDims(&context, s, e);
  auto rotated = MapLayoutAttr::get(
      &context, AffineMapAttr::get(AffineMap::get(2, 0, (s * 4 + e + 2) % 16)),
      4, 4);
  EXPECT_TRUE(isBijection(rotated));
  EXPECT_EQ(getContiguousRun(rotated), 2);
}

TEST_F(LayoutTest, CompiledMapAgreesWithAffineMap) {
  AffineExpr s, e;
  bindDims(&context, s, e);
  AffineExpr exprs[] = {
      s * 100 + e,
      (e - s * 3).floorDiv(4) + (e - s * 3) % 4,
      (e - s * 3).floorDiv(7) * 5 + (e - s * 3) % 7,
      (s * 5 - e).ceilDiv(8) - (s * 5 - e).ceilDiv(3),
      getAffineConstantExpr(42, &context),
      s + (e + (s.floorDiv(2) + (e.floorDiv(3) + (s + e) % 5)) * 2) * 3,
  };
  for (AffineExpr expr : exprs) {
    AffineMap map = AffineMap::get(2, 0, expr);
    CompiledMap compiled(map);
    SmallVector<int64_t> row(100);
    for (int64_t slot = 0; slot < 20; ++slot) {
      compiled.evaluateRow(slot, row);
      for (int64_t element = 0; element < 100; ++element) {
        SmallVector<int64_t> expected = map.compose({slot, element});
        ASSERT_EQ(row[element], expected[0]) << slot << ", " << element;
        ASSERT_EQ(compiled(slot, element), expected[0]);
      }
    }
  }
}

} // namespace
