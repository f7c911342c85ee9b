// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// The row dialect and the base class of its ops.

#ifndef ROWMILL_DIALECT_ROW_IR_ROWDIALECT_TD
#define ROWMILL_DIALECT_ROW_IR_ROWDIALECT_TD

include "mlir/IR/OpBase.td"

def Row_Dialect : Dialect {
  let name = "row";
  let cppNamespace = "::rowmill::row";
  let summary = "Kernels over the rows of a tensor";
  let description = [{
    A `row.kernel` says what happens to *one* row: it is loaded as a
    `vector<DxT>`, passes through whole-row ops (norm, rope, Hadamard rotation,
    block quantisation) and plain `arith` and `math`, and is stored, possibly
    through a paged layout. Nothing here names a lane, a wave or a chip: how
    rows are split over the machine is decided by later passes.

    The arithmetic of every op is fixed down to the order of roundings, so that
    a reference written from these descriptions agrees bit for bit. Unless an op
    says otherwise, "f32" is IEEE binary32, each operation is rounded once to
    nearest even, products and sums are never contracted into fused
    multiply-adds, and denormals are kept.

    Byte and sub-byte floats live in `i8` memrefs. An `f4E2M1FN` row is packed
    two elements a byte, the element of even index in the low nibble; a code of
    eight bits is one byte.
  }];
  let useDefaultAttributePrinterParser = 1;
}

class Row_Op<string mnemonic, list<Trait> traits = []>
    : Op<Row_Dialect, mnemonic, traits>;

#endif // ROWMILL_DIALECT_ROW_IR_ROWDIALECT_TD
