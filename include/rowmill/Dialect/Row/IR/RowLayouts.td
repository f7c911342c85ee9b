// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Page layouts: attributes behind one interface, an affine map each.

#ifndef ROWMILL_DIALECT_ROW_IR_ROWLAYOUTS_TD
#define ROWMILL_DIALECT_ROW_IR_ROWLAYOUTS_TD

include "rowmill/Dialect/Row/IR/RowAttrs.td"
include "rowmill/Dialect/Row/IR/RowInterfaces.td"

/// Offsets below are in stored elements; `s` is the slot, `e` the element.
class Row_LayoutAttr<string name, string attrMnemonic>
    : Row_Attr<name, attrMnemonic, [
        DeclareAttrInterfaceMethods<RowLayoutAttrInterface>]> {
  let assemblyFormat = "`<` struct(params) `>`";
}

def Row_LinearLayoutAttr : Row_LayoutAttr<"LinearLayout", "linear"> {
  let summary = "rows one after the other";
  let description = [{
    `offset = s * length + e`.

    ```mlir
    #row.linear<slots = 64, length = 128>
    ```
  }];
  let parameters = (ins "int64_t":$slots, "int64_t":$length);
}

def Row_Fp4PreshuffleAttr
    : Row_LayoutAttr<"Fp4Preshuffle", "fp4_preshuffle"> {
  let summary = "FP4 data page [length / 128, 4, slots, 16 bytes]";
  let description = [{
    Runs of 32 elements (16 bytes of FP4, one scale group) of all slots lie
    together: `offset = (e / 32) * slots * 32 + s * 32 + e % 32`, in nibbles.
    `length` is a multiple of 128.

    ```mlir
    #row.fp4_preshuffle<slots = 64, length = 128>  // slot 37, element 77: the high nibble of byte 2646
    ```
  }];
  let parameters = (ins "int64_t":$slots, "int64_t":$length);
}

def Row_E8m0InterleaveAttr
    : Row_LayoutAttr<"E8m0Interleave", "e8m0_interleave"> {
  let summary = "scale page [groups / 4, 4, slots], slots interleaved by 16";
  let description = [{
    `offset = e * slots + (s % 16) * (slots / 16) + s / 16`: the slots of a group
    are the transposition of a matrix of `slots / 16` rows of 16. `slots` is a
    multiple of 16, `groups` of 4.

    ```mlir
    #row.e8m0_interleave<slots = 64, groups = 4>   // slot 37, group 2: byte 150
    ```
  }];
  let parameters = (ins "int64_t":$slots, "int64_t":$groups);
}

def Row_Fp8PreshuffleAttr
    : Row_LayoutAttr<"Fp8Preshuffle", "fp8_preshuffle"> {
  let summary = "byte page of 16 x 16 tiles";
  let description = [{
    `offset = (s / 16) * 16 * length + (e / 16) * 256 + (s % 16) * 16 + e % 16`.
    `slots` and `length` are multiples of 16.

    ```mlir
    #row.fp8_preshuffle<slots = 64, length = 128>  // slot 37, element 77: byte 5213
    ```
  }];
  let parameters = (ins "int64_t":$slots, "int64_t":$length);
}

def Row_QueryScaleAttr : Row_LayoutAttr<"QueryScale", "query_scale"> {
  let summary = "scales of a token's heads [groups, 16, tiles of 16 heads]";
  let description = [{
    A page is one token, a slot one of its heads. With `t` tiles of 16 heads,
    rounded up to a multiple of four:
    `offset = (e * 16 + s % 16) * t + s / 16`. The slots from `heads` to `16 * t`
    are padding: a scatter to slot `s` of the last tile also writes zeros to the
    padding slots `s + 16`, `s + 32`, and so on. `heads` is a multiple of 16,
    `groups` of 4.

    ```mlir
    #row.query_scale<heads = 64, groups = 4>       // page 2, head 37, group 3: byte 726
    ```
  }];
  let parameters = (ins "int64_t":$heads, "int64_t":$groups);
}

def Row_MapLayoutAttr : Row_LayoutAttr<"MapLayout", "layout"> {
  let summary = "a layout given by its map";
  let description = [{
    The map has two dimensions, slot and element, no symbols, and one result. It
    is refused unless it is a bijection onto `[0, slots * length)`.

    ```mlir
    #row.layout<affine_map<(s, e) -> (e * 64 + s)>, slots = 64, length = 4>
    ```
  }];
  let parameters = (ins "::mlir::AffineMapAttr":$content, "int64_t":$slots, "int64_t":$length);
  let assemblyFormat = "`<` $content `,` struct($slots, $length) `>`";
}

#endif // ROWMILL_DIALECT_ROW_IR_ROWLAYOUTS_TD
