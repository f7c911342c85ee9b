// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// The interface of page layouts.

#ifndef ROWMILL_DIALECT_ROW_IR_ROWINTERFACES_TD
#define ROWMILL_DIALECT_ROW_IR_ROWINTERFACES_TD

include "mlir/IR/OpBase.td"

def RowLayoutAttrInterface : AttrInterface<"LayoutAttrInterface"> {
  let cppNamespace = "::rowmill::row";
  let description = [{
    Where the elements of the rows of one page lie. The content of a layout is
    an affine map `(slot, element) -> offset`, the offset counted in stored
    elements from the start of the page (for `f4E2M1FN`: in nibbles). Loading,
    storing, verifying and vectorising all ask this map.
  }];
  let methods = [
    InterfaceMethod<"The map (slot, element) -> element offset in the page.",
                    "::mlir::AffineMap", "getMap">,
    InterfaceMethod<"Rows that a page holds for its users.",
                    "int64_t", "getSlots">,
    InterfaceMethod<[{
      Rows that a page has room for. Rows from `getSlots()` on are padding: they
      have an offset like any other row, but no user.
    }], "int64_t", "getPaddedSlots">,
    InterfaceMethod<"Elements of one row.", "int64_t", "getLength">
  ];
}

#endif // ROWMILL_DIALECT_ROW_IR_ROWINTERFACES_TD
