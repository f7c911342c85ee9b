// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// The passes that cross from one level of the IR to the next.

#ifndef ROWMILL_CONVERSION_PASSES_TD
#define ROWMILL_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertLaneToAMDGPU
    : Pass<"convert-lane-to-amdgpu", "::mlir::gpu::GPUModuleOp"> {
  let summary = "choose the instructions for lane ops";
  let description = [{
    Replaces every `lane` op by `rocdl` ops and plain arithmetic, choosing by
    the capabilities of the module's arch (`targets = [#rocdl.target<...>]`):

    | op | order of choice |
    |---|---|
    | `lane.exchange` | one DPP move, two DPP moves, permlane, `ds_swizzle`, `ds_bpermute` |
    | `lane.reduce` | a butterfly of exchanges; beyond a wave through LDS |
    | `lane.pack` | native conversion; for `f4E2M1FN` also integers |
    | `lane.unpack` | native conversion; for `f4E2M1FN` integers |

    All choices give the same bits. An op that the arch cannot do (a foreign
    fp8 format, an exchange beyond the wave) is an error at the op; none is left
    after the pass.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::memref::MemRefDialect",
    "::mlir::ROCDL::ROCDLDialect", "::mlir::scf::SCFDialect",
    "::mlir::vector::VectorDialect"
  ];
}

def ConvertMathToIntrinsics
    : Pass<"convert-math-to-intrinsics", "::mlir::gpu::GPUModuleOp"> {
  let summary = "replace math ops by intrinsics that need no device library";
  let description = [{
    Also for f16 and bf16, which are computed in f32, and f64 where it says so:

    | op (f32) | becomes | error |
    |---|---|---|
    | `math.rsqrt` | `v_rsq_f32` | 1 ulp; denormal operands are flushed |
    | `math.sqrt` | LLVM's expansion | correctly rounded, also f64 |
    | `math.exp2` with `fastmath<afn>` | `v_exp_f32` | 1 ulp; denormal results are flushed |
    | `math.exp`, `math.exp2`, `math.log`, `math.log2`, `math.log10` | LLVM's expansions of the hardware's exp2 and log2 | a few ulp |
    | `math.fma`, `math.absf`, `math.copysign`, `math.floor`, `math.ceil`, `math.trunc`, `math.round`, `math.roundeven` | one instruction or exact expansion | exact, also f64 |
    | `arith.remf` | LLVM's expansion; not for bf16 | exact, also f64 |
    | `math.absi`, `math.ctlz`, `math.cttz`, `math.ctpop` | one instruction or exact expansion | exact, of integers |

    Any other `math` op would need a device library, which a code object has no
    place for, and is an error at the op.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::vector::VectorDialect"
  ];
}

def RowDistribute : Pass<"row-distribute", "::mlir::gpu::GPUModuleOp"> {
  let summary = "spread every row over the lanes that hold it";
  let description = [{
    Requires kernels made by `row-tile`. Every `vector<DxT>` of a row becomes
    the vector of the elements that one lane holds; reductions, rotations and
    group scales become `lane` ops between the lanes of a row; loads and stores
    become accesses of at most 16 bytes, as wide as the layout's map allows.

    A row of length D is spread by its kernel's `partition`: element
    `chunk * lanes * contiguous + lane * contiguous + i` is number
    `chunk * contiguous + i` in its lane. A value of length D / g (scales,
    group sums) is held by every lane that holds elements of its groups.
    Elements past the row's end read an element of the row and are never stored.

    Bits do not depend on the partition. No `row` op is left after the pass; one
    that the partition cannot serve is an error at the op.
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::gpu::GPUDialect", "::mlir::math::MathDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
    "::mlir::vector::VectorDialect", "::rowmill::lane::LaneDialect"
  ];
}

#endif // ROWMILL_CONVERSION_PASSES_TD
