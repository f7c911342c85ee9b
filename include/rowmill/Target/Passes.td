// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// The passes from gpu functions to ROCDL.

#ifndef ROWMILL_TARGET_PASSES_TD
#define ROWMILL_TARGET_PASSES_TD

include "mlir/Pass/PassBase.td"

def RowmillKernelABI
    : Pass<"rowmill-kernel-abi", "::mlir::gpu::GPUModuleOp"> {
  let summary = "give kernels the arguments that a launcher passes";
  let description = [{
    Rewrites the signature of every kernel that carries `rowmill.kernel`: a
    memref becomes one global pointer, its dynamic sizes and then its dynamic
    strides (64 bits each, ascending dimension); a scalar stays. Every argument
    lies at its natural alignment in the kernarg segment.

    The pointer is `noalias`, `nonnull` and aligned to 16 bytes, and `readonly`
    or `writeonly` as the kernel's `access` says. Inside the function the memref
    is put together again.

    Adds `args` and `kernarg_size` to `rowmill.kernel`: what a launcher needs to
    fill the segment. docs/KernelABI.md describes both.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def RowmillLowerToROCDL
    : Pass<"rowmill-lower-to-rocdl", "::mlir::gpu::GPUModuleOp"> {
  let summary = "lower gpu functions to the llvm and rocdl dialects";
  let description = [{
    Converts the `arith`, `cf`, `gpu`, `memref`, `scf` and `vector` ops of a
    gpu.module for its arch, with 64-bit indices, and fails at the first op that
    is left. Requires kernels without memref arguments (`rowmill-kernel-abi`)
    and without `math` (`convert-math-to-intrinsics`).
  }];
  let dependentDialects = [
    "::mlir::cf::ControlFlowDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::ROCDL::ROCDLDialect", "::mlir::vector::VectorDialect"
  ];
}

def RowmillCheckLowered
    : Pass<"rowmill-check-lowered", "::mlir::gpu::GPUModuleOp"> {
  let summary = "fail at the first op of a dialect that is not allowed";
  let description = [{
    The gate between two levels of the IR: an op of a dialect that is not among
    `allowed-dialects` is an error at its location. Changes nothing.
  }];
  let options = [
    ListOption<"allowedDialects", "allowed-dialects", "std::string",
               "Dialects whose ops may remain">
  ];
}

def RowmillCheckCodegen
    : Pass<"rowmill-check-codegen", "::mlir::gpu::GPUModuleOp"> {
  let summary = "fail at the first op that LLVM cannot generate code for";
  let description = [{
    The gate before LLVM, which ends the process where it has no instruction for
    something. An error at the op are calls (a code object holds no library), a
    lane's own memory, rounding other than to nearest even, and types that no
    AMD GPU computes with. Requires `llvm` and `rocdl` only
    (`rowmill-check-lowered`). Changes nothing.
  }];
}

#endif // ROWMILL_TARGET_PASSES_TD
