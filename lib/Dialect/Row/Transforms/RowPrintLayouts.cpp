// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// row-print-layouts: remarks on the page layouts that a kernel uses.

#include "rowmill/Dialect/Row/IR/Layout.h"
#include "rowmill/Dialect/Row/Transforms/Passes.h"

namespace rowmill::row {
#define GEN_PASS_DEF_ROWPRINTLAYOUTS
#include "rowmill/Dialect/Row/Transforms/Passes.h.inc"
} // namespace rowmill::row

using namespace mlir;
using namespace rowmill::row;

/// Remarks on `op`, which moves `row` to or from a page.
static void printLayout(Operation *op, LayoutAttrInterface layout,
                        VectorType row) {
  Type element = row.getElementType();
  int64_t bytes = getPageElements(layout) *
                  getStorageType(element).getIntOrFloatBitWidth() / 8 /
                  getPackingFactor(element);
  InFlightDiagnostic remark = op->emitRemark("offset ");
  remark << AffineMapAttr::get(layout.getMap()) << ", runs of "
         << getContiguousRun(layout) << " elements, pages of " << bytes
         << " bytes for " << layout.getSlots() << " rows of " << row;
  if (layout.getPaddedSlots() != layout.getSlots())
    remark << ", padded to " << layout.getPaddedSlots();
}

namespace {
struct PrintLayouts : rowmill::row::impl::RowPrintLayoutsBase<PrintLayouts> {
  void runOnOperation() override {
    getOperation()->walk([](Operation *op) {
      if (auto scatter = dyn_cast<ScatterOp>(op))
        printLayout(op, scatter.getLayout(), scatter.getValue().getType());
      else if (auto gather = dyn_cast<GatherOp>(op))
        printLayout(op, gather.getLayout(), gather.getType());
    });
    markAllAnalysesPreserved();
  }
};
} // namespace
