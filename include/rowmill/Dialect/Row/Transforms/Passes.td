// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// The passes on row kernels.

#ifndef ROWMILL_DIALECT_ROW_TRANSFORMS_PASSES_TD
#define ROWMILL_DIALECT_ROW_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def RowTile : Pass<"row-tile", "::mlir::ModuleOp"> {
  let summary = "choose a partition and lay the rows of a kernel over a grid";
  let description = [{
    Replaces every `row.kernel` by a `gpu.func` of the same name in one
    `gpu.module` for `target`. Workgroup `b` handles the rows
    `[b * rows_per_group, (b + 1) * rows_per_group)` of the kernel's extents,
    the last extent fastest; rows past the end and rows that a `row.guard`
    refuses are skipped by branches around all that follows. Row ops and values
    stay as they are.

    The function carries `rowmill.kernel`, a dictionary of what a launcher must
    know: argument names and access, extents, rows per group, partition, and
    which dimensions the row indices run over (`indexed`, an entry an argument),
    so that a launcher can refuse arrays that are too short.

    The partition comes from the options here, else from the kernel's
    `partition` attribute, else from a cost model. One that is not legal for the
    target or the kernel is an error that says what would be.
  }];
  let options = [
    Option<"target", "target", "std::string", "\"\"",
           "Arch to compile for, such as gfx950">,
    Option<"lanesPerRow", "lanes-per-row", "int64_t", "0",
           "Lanes of a wave that hold one row; a power of two, 0 to choose">,
    Option<"wavesPerRow", "waves-per-row", "int64_t", "0",
           "Waves that hold one row; a power of two, 0 to choose">,
    Option<"wavesPerGroup", "waves-per-group", "int64_t", "0",
           "Waves of a workgroup; a power of two, 0 to choose">,
    Option<"explain", "explain", "bool", "false",
           "Remark on the partition that was chosen and why">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect",
    "::mlir::memref::MemRefDialect", "::mlir::ROCDL::ROCDLDialect",
    "::mlir::scf::SCFDialect"
  ];
}

def RowPrintLayouts : Pass<"row-print-layouts"> {
  let summary = "remark on the page layout of every scatter and gather";
  let description = [{
    For each `row.scatter` and `row.gather` a remark with the map
    (slot, element) -> offset, the longest run of elements that is contiguous and
    aligned in the page (what bounds the width of a store), and the size of a
    page. The IR is not changed.
  }];
}

#endif // ROWMILL_DIALECT_ROW_TRANSFORMS_PASSES_TD
