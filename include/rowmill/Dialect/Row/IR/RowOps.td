// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Kernels, guards, loads and stores; includes the ops on values.

#ifndef ROWMILL_DIALECT_ROW_IR_ROWOPS_TD
#define ROWMILL_DIALECT_ROW_IR_ROWOPS_TD

include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "rowmill/Dialect/Row/IR/RowAttrs.td"
include "rowmill/Dialect/Row/IR/RowLayouts.td"
include "rowmill/Dialect/Row/IR/RowTypes.td"
include "rowmill/Dialect/Row/IR/RowMathOps.td"
include "rowmill/Dialect/Row/IR/RowPoolOps.td"
include "rowmill/Dialect/Row/IR/RowQuantOps.td"

def Row_KernelOp : Row_Op<"kernel", [
    IsolatedFromAbove, NoTerminator, SingleBlock, Symbol,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmBlockArgumentNames"]>]> {
  let summary = "a kernel that is run once for every row";
  let description = [{
    Syntax:

    ```
    operation ::= `row.kernel` symbol-name `(` (ssa-id `:` type),* `)`
                  `rows` `(` (ssa-id `in` extent),+ `)`
                  (`attributes` attribute-dict)? region
    extent    ::= ssa-id `[` integer `]` | ssa-id | integer
    ```

    The body is executed once for each element of the iteration space that
    `rows(...)` spans, in any order, possibly at the same time. Its block has the
    arguments of the kernel, then one `index` for each extent. An extent is

    - `%i in %m[dim]`: dimension `dim` of the memref argument `%m`,
    - `%i in %n`: the scalar argument `%n` (`i32`, `i64` or `index`),
    - `%i in 16`: a constant.

    An extent of zero or less makes no rows. The last extent varies fastest
    between neighbouring rows. Two rows must not write the same byte, and no row
    reads a byte that another one writes.

    The names that the text gives to arguments and indices are part of the kernel
    (`arg_names`, `row_names`): callers pass arguments by name. No two memref
    arguments may overlap when one of them is written.

    `attributes {partition = #row.partition<...>}` before the body asks for a
    particular split of the rows over lanes and waves.

    Constraints:

    - An argument is a memref or a scalar (`i32`, `i64`, `f32`, `index`).
    - A memref has rank 1 or more, elements of `i8`, `i16`, `i32`, `i64`, `f16`,
      `bf16` or `f32`, strides of which the innermost is 1, no offset, and the
      default memory space. Sizes and other strides may be dynamic.
    - There is one row extent or more; an extent names a dimension that exists or
      an integer.
    - The kernel's name consists of letters, digits and `_`. The names of
      arguments and rows are identifiers, and no two are the same.
    - A kernel stands in a module, and uses no value from outside.

    Example:

    ```mlir
    !x = memref<?x16x128xbf16>
    row.kernel @scale(%x: !x, %factor: f32, %out: !x)
        rows(%token in %x[0], %head in %x[1]) {
      %v = row.load %x[%token, %head] : !x -> vector<128xbf16>
      %f = arith.extf %v : vector<128xbf16> to vector<128xf32>
      %s = vector.broadcast %factor : f32 to vector<128xf32>
      %m = arith.mulf %f, %s : vector<128xf32>
      %t = arith.truncf %m : vector<128xf32> to vector<128xbf16>
      row.store %t, %out[%token, %head] : vector<128xbf16>, !x
    }
    ```
  }];
  let arguments = (ins
    SymbolNameAttr:$sym_name,
    StrArrayAttr:$arg_names,
    StrArrayAttr:$row_names,
    TypedArrayAttrBase<Row_ExtentAttr, "array of row extents">:$extents,
    OptionalAttr<Row_PartitionAttr>:$partition
  );
  let regions = (region SizedRegion<1>:$bodyRegion);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The arguments that a caller passes.
    ::llvm::ArrayRef<::mlir::BlockArgument> getKernelArguments() {
      return getBody()->getArguments().take_front(getArgNames().size());
    }
    /// One index for each extent.
    ::llvm::ArrayRef<::mlir::BlockArgument> getRowIndices() {
      return getBody()->getArguments().drop_front(getArgNames().size());
    }
    /// The name of argument `index`.
    ::llvm::StringRef getArgName(unsigned index) {
      return ::llvm::cast<::mlir::StringAttr>(getArgNames()[index]).getValue();
    }
    /// The extents, typed.
    auto getExtentAttrs() { return getExtents().getAsRange<ExtentAttr>(); }
  }];
}

def Row_GuardOp : Row_Op<"guard", [HasParent<"KernelOp">]> {
  let summary = "skip a row unless a number is not negative";
  let description = [{
    The rest of the kernel's body runs only for rows where the operand is zero or
    more: a row that is skipped touches no memory after the guard.

    Constraints:

    - The operand is an `i32`, `i64` or `index`, read as a signed number.
    - A guard stands directly in the body of a kernel.

    Example:

    ```mlir
    %slot = memref.load %slots[%token] : memref<?xi64>
    row.guard %slot : i64
    ```
  }];
  let arguments = (ins AnyTypeOf<[I32, I64, Index]>:$value);
  let assemblyFormat = "$value attr-dict `:` type($value)";
  let hasCanonicalizer = 1;
}

def Row_LoadOp : Row_Op<"load", [AttrSizedOperandSegments]> {
  let summary = "load a row or a part of one";
  let description = [{
    Reads the elements `[at, at + D)` of the last dimension of a memref; the
    other dimensions are given by indices. `at` is a number or an index value;
    without it the elements start at 0.

    Elements of `f4E2M1FN` are read from `i8` memrefs, two a byte, the element of
    even index in the low nibble; `f8E4M3FN`, `f8E4M3FNUZ` and `f8E8M0FNU` from
    `i8` memrefs, one a byte. Any other element type is the memref's own. `at`
    counts elements of the vector, not of the memref. All indices must be in
    range, and `[at, at + D)` within the last dimension.

    Constraints:

    - The memref has rank 1 or more and an innermost stride of 1; there is an
      index for each dimension but the last.
    - `at` is 0 or more; `at` and D are even for `f4E2M1FN`.
    - What is known while compiling is in range: `at + D` for a static last
      dimension, indices that are constants.

    Example:

    ```mlir
    %v = row.load %x[%token, %head] : memref<?x16x128xbf16> -> vector<128xbf16>
    %t = row.load %x[%token, %head] at 64 : memref<?x16x128xbf16> -> vector<64xbf16>
    %w = row.load %weight[] : memref<128xf32> -> vector<128xf32>
    %h = row.load %halves[%token] at %column : memref<?x256xf32> -> vector<128xf32>
    ```
  }];
  let arguments = (ins
    Arg<Row_Memref, "memref that is read", [MemRead]>:$source,
    Variadic<Index>:$indices,
    Optional<Index>:$start,
    DefaultValuedAttr<I64Attr, "0">:$offset
  );
  let results = (outs Row_StorableRow:$result);
  let assemblyFormat = [{
    $source `[` $indices `]` (`at` custom<Offset>($start, $offset)^)? attr-dict
    `:` type($source) `->` type($result)
  }];
  let builders = [
    OpBuilder<(ins "::mlir::VectorType":$result, "::mlir::Value":$source,
                   "::mlir::ValueRange":$indices,
                   CArg<"::mlir::Value", "{}">:$start)>
  ];
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
}

def Row_StoreOp : Row_Op<"store", [AttrSizedOperandSegments]> {
  let summary = "store a row or a part of one";
  let description = [{
    Writes the elements `[at, at + D)` of the last dimension of a memref, in the
    representation that `row.load` reads, and with its constraints. Nothing but
    these elements is touched.

    With `[first to last]` only the elements `[first, last)` of the row are
    written, to `[at, at + last - first)`.

    Constraints:

    - `0 <= first < last <= D`, both even for `f4E2M1FN`.

    Example:

    ```mlir
    row.store %q, %out[%token] : vector<128xf4E2M1FN>, memref<?x64xi8>
    row.store %r[448 to 512], %tail[%page, %slot] : vector<512xbf16>, memref<?x64x64xbf16>
    ```
  }];
  let arguments = (ins
    Row_StorableRow:$value,
    OptionalAttr<I64Attr>:$first,
    OptionalAttr<I64Attr>:$last,
    Arg<Row_Memref, "memref that is written", [MemWrite]>:$target,
    Variadic<Index>:$indices,
    Optional<Index>:$start,
    DefaultValuedAttr<I64Attr, "0">:$offset
  );
  let assemblyFormat = [{
    $value (`[` $first^ `to` $last `]`)? `,`
    $target `[` $indices `]` (`at` custom<Offset>($start, $offset)^)? attr-dict
    `:` type($value) `,` type($target)
  }];
  let builders = [
    OpBuilder<(ins "::mlir::Value":$value, "::mlir::Value":$target,
                   "::mlir::ValueRange":$indices)>
  ];
  let extraClassDeclaration = [{
    /// The elements of the row that are written.
    int64_t getBegin() { return getFirst().value_or(0); }
    int64_t getEnd() {
      return getLast().value_or(getValue().getType().getDimSize(0));
    }
  }];
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
}

def Row_ScatterOp : Row_Op<"scatter"> {
  let summary = "store a row into a slot of a page";
  let description = [{
    Writes element `e` of the vector at offset `map(slot, e)` of page `page`,
    `map` being the content of the layout, in the representation of `row.load`.
    `page` and `slot` must be in range: guard a row that may have none. Pages may
    lie more than 4 GiB apart.

    A layout that pads its slots in tiles of 16 (`#row.query_scale`) has the slots
    of its last tile write zeros into the padding: slot `s` with
    `s >= slots - 16` also clears the slots `s + 16`, `s + 32`, ... of the page.

    Constraints:

    - The first dimension of the memref counts pages and may have any stride; the
      others are static, contiguous, and together hold exactly one page:
      `paddedSlots * length` elements, two a byte for `f4E2M1FN`.
    - The vector has the length of the layout's rows.
    - For `f4E2M1FN` the layout keeps elements `2i` and `2i + 1` of a row in one
      byte: two rows must not share one.
    - A page or slot that is a constant is in range.

    Example:

    ```mlir
    row.scatter %q, %cache[%page, %slot] layout(#row.fp4_preshuffle<slots = 64, length = 128>)
        : vector<128xf4E2M1FN>, memref<?x1x4x64x16xi8>
    ```
  }];
  let arguments = (ins
    Row_StorableRow:$value,
    Arg<Row_Memref, "pages that are written", [MemWrite]>:$target,
    Index:$page,
    Index:$slot,
    RowLayoutAttrInterface:$layout
  );
  let assemblyFormat = [{
    $value `,` $target `[` $page `,` $slot `]` `layout` `(` $layout `)`
    attr-dict `:` type($value) `,` type($target)
  }];
  let hasVerifier = 1;
}

def Row_GatherOp : Row_Op<"gather"> {
  let summary = "load a row from a slot of a page";
  let description = [{
    Reads what `row.scatter` with the same layout has written; the constraints
    are the same.

    Example:

    ```mlir
    %q = row.gather %cache[%page, %slot] layout(#row.linear<slots = 16, length = 128>)
        : memref<?x16x64xi8> -> vector<128xf4E2M1FN>
    ```
  }];
  let arguments = (ins
    Arg<Row_Memref, "pages that are read", [MemRead]>:$source,
    Index:$page,
    Index:$slot,
    RowLayoutAttrInterface:$layout
  );
  let results = (outs Row_StorableRow:$result);
  let assemblyFormat = [{
    $source `[` $page `,` $slot `]` `layout` `(` $layout `)`
    attr-dict `:` type($source) `->` type($result)
  }];
  let hasVerifier = 1;
}

#endif // ROWMILL_DIALECT_ROW_IR_ROWOPS_TD
