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
           "Waves that share one row; a power of two, 0 to choose">,
    Option<"wavesPerGroup", "waves-per-group", "int64_t", "0",
           "Waves of a workgroup; a power of two, 0 to choose">,
    Option<"workgroupsPerRow", "workgroups-per-row", "int64_t", "0",
           "Workgroups that share one row; a power of two, 0 for one">,
    Option<"explain", "explain", "bool", "false",
           "Remark on the partition that was chosen and why">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect",
    "::mlir::memref::MemRefDialect", "::mlir::ROCDL::ROCDLDialect",
    "::mlir::scf::SCFDialect"
  ];
}

def RowExpandCompress : Pass<"row-expand-compress", "::mlir::ModuleOp"> {
  let summary = "write row.compress as a pool over two loops";
  let description = [{
    Replaces every `row.compress` by loads of its plan row, a `row.guard` on the
    position, and one `row.softmax_pool`: a loop over the sources in the state
    ring, and one over those in the input. The kernel gets `rowmill.minimum`: the
    ring's size must be at least the number of sources.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect"
  ];
}

def RowVariants : Pass<"row-variants", "::mlir::ModuleOp"> {
  let summary = "make a kernel that pools into variants for few and many rows";
  let description = [{
    With few rows, several waves, or workgroups, should share each of them; with
    many rows that only costs. Which is best depends on the number of rows, which
    is known at the launch, so a kernel with a `row.softmax_pool` becomes several,
    by the arch's table for short or long pools (64 sources or more). A launcher
    takes the first variant whose `max_rows` is not exceeded. Where the
    partition (from the options here, else from the kernel) says how many waves or
    workgroups share a row, there is one variant.

    Where several workgroups share a row and elements of it meet after the pool,
    the kernel is cut after its pool into two, launched one after the other: the
    first stores the pooled rows to `scratch`, an f32 argument that the pass adds
    (`[extents..., D]`), the second loads them. What comes before the pool is done
    by both and must not write.

    Copies carry `rowmill.launch`, which says of which kernel, variant and launch
    they are, and a complete `partition`. A kernel without a pool, or with one
    variant in one launch, is left as it is.
  }];
  let options = [
    Option<"target", "target", "std::string", "\"\"",
           "Arch to compile for, such as gfx950">,
    Option<"lanesPerRow", "lanes-per-row", "int64_t", "0",
           "As for row-tile">,
    Option<"wavesPerRow", "waves-per-row", "int64_t", "0",
           "As for row-tile; 0 makes variants">,
    Option<"wavesPerGroup", "waves-per-group", "int64_t", "0",
           "As for row-tile">,
    Option<"workgroupsPerRow", "workgroups-per-row", "int64_t", "0",
           "As for row-tile; 0 makes variants, more than 1 cuts">,
    Option<"explain", "explain", "bool", "false",
           "Remark on the variants">
  ];
}

def RowPartition : Pass<"row-partition", "::mlir::gpu::GPUModuleOp"> {
  let summary = "expand pools to loops and share them between waves";
  let description = [{
    Replaces every `row.softmax_pool` of a function that row-tile has made by
    loops which carry the largest score, the sum of values and the sum of
    weights, and which fetch the next source while they take in the present one.
    No source beyond the last one is fetched.

    Where the partition has several waves share the pool, source `k` belongs to
    wave `k mod waves`, in whichever loop it is. The waves but the first leave
    what they have in LDS, all meet at a barrier, and the first merges, and does
    the rest of the kernel, whatever it is, and all writes. Reads of the rest that
    do not need the pooled row are begun before the barrier.

    Several waves are refused for a second pool and for a pool in a loop.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect",
    "::mlir::math::MathDialect", "::mlir::scf::SCFDialect",
    "::rowmill::lane::LaneDialect"
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
