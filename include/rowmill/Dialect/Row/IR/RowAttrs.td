// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Enumerations and plain attributes of the row dialect.

#ifndef ROWMILL_DIALECT_ROW_IR_ROWATTRS_TD
#define ROWMILL_DIALECT_ROW_IR_ROWATTRS_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "rowmill/Dialect/Row/IR/RowDialect.td"

class Row_Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::rowmill::row";
  let genSpecializedAttr = 0;
}

def Row_ReduceKind : Row_Enum<"ReduceKind", "what a reduction computes", [
  I32EnumAttrCase<"Add", 0, "add">,
  I32EnumAttrCase<"Max", 1, "max">,
  I32EnumAttrCase<"AbsMax", 2, "absmax">
]>;
def Row_ReduceKindAttr : EnumAttr<Row_Dialect, Row_ReduceKind, "reduce_kind">;

def Row_RopeStyle : Row_Enum<"RopeStyle", "which elements form a pair", [
  I32EnumAttrCase<"Interleaved", 0, "interleaved">,
  I32EnumAttrCase<"HalfSplit", 1, "half_split">
]>;
def Row_RopeStyleAttr : EnumAttr<Row_Dialect, Row_RopeStyle, "rope_style">;

def Row_ScaleRounding : Row_Enum<"ScaleRounding", "rounding of a block scale", [
  I32EnumAttrCase<"Up", 0, "up">,
  I32EnumAttrCase<"Down", 1, "down">,
  I32EnumAttrCase<"None", 2, "none">
]>;
def Row_ScaleRoundingAttr
    : EnumAttr<Row_Dialect, Row_ScaleRounding, "scale_rounding">;

class Row_Attr<string name, string attrMnemonic, list<Trait> traits = []>
    : AttrDef<Row_Dialect, name, traits> {
  let mnemonic = attrMnemonic;
  let genVerifyDecl = 1;
}

def Row_ExtentAttr : Row_Attr<"Extent", "extent"> {
  let summary = "where one extent of a kernel's rows comes from";
  let description = [{
    One of three: a dimension of a memref argument, a scalar argument, or a
    constant.

    ```mlir
    #row.extent<arg = 0, dim = 1>   // dimension 1 of argument 0
    #row.extent<arg = 3>            // the value of the scalar argument 3
    #row.extent<size = 16>          // sixteen
    ```
  }];
  let parameters = (ins
    DefaultValuedParameter<"int64_t", "-1", "index of the argument">:$arg,
    DefaultValuedParameter<"int64_t", "-1", "dimension of the argument">:$dim,
    DefaultValuedParameter<"int64_t", "-1", "the constant extent">:$size
  );
  let assemblyFormat = "`<` struct(params) `>`";
  let extraClassDeclaration = [{
    bool isConstant() const { return getSize() >= 0; }
    bool isDimension() const { return getArg() >= 0 && getDim() >= 0; }
    bool isScalar() const { return getArg() >= 0 && getDim() < 0; }

    static ExtentAttr getDimension(::mlir::MLIRContext *context, int64_t arg,
                                   int64_t dim) {
      return get(context, arg, dim, -1);
    }
    static ExtentAttr getScalar(::mlir::MLIRContext *context, int64_t arg) {
      return get(context, arg, -1, -1);
    }
    static ExtentAttr getConstant(::mlir::MLIRContext *context, int64_t size) {
      return get(context, -1, -1, size);
    }
  }];
}

def Row_PartitionAttr : Row_Attr<"Partition", "partition"> {
  let summary = "how rows are split over lanes and waves";
  let description = [{
    A request to the passes that distribute rows; a field that is absent or 0 is
    chosen by them.

    - `lanes_per_row`: lanes of a wave that hold one row between them, a power of
      two.
    - `waves_per_row`: waves that share one row: in a kernel with a
      `row.softmax_pool` its sources, else the elements of the row.
    - `waves_per_group`: waves of a workgroup, a multiple of `waves_per_row`.
    - `workgroups_per_row`: workgroups that hold one row's elements between them.
      With 2 or more, a kernel that pools is cut after its pool into two, and
      the first is spread like this; the second, with what crosses a row, reads
      the pooled rows from a scratch buffer.

    ```mlir
    #row.partition<lanes_per_row = 8, waves_per_group = 4>
    ```
  }];
  let parameters = (ins
    DefaultValuedParameter<"int64_t", "0", "lanes that hold one row">:$lanes_per_row,
    DefaultValuedParameter<"int64_t", "0", "waves that hold one row">:$waves_per_row,
    DefaultValuedParameter<"int64_t", "0", "waves of a workgroup">:$waves_per_group,
    DefaultValuedParameter<"int64_t", "0", "workgroups that hold one row">:$workgroups_per_row
  );
  let assemblyFormat = "`<` struct(params) `>`";
}

#endif // ROWMILL_DIALECT_ROW_IR_ROWATTRS_TD
