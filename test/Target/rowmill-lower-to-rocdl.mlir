// RUN: rowmill-opt %s --pass-pipeline='builtin.module(gpu.module(rowmill-kernel-abi,rowmill-lower-to-rocdl,reconcile-unrealized-casts,canonicalize))' | FileCheck %s

// Addresses are 64-bit sums and products; a memref of global memory is a pointer
// of address space 1, one of the workgroup's a global of address space 3.

// CHECK: llvm.mlir.global internal @{{.+}}() {addr_space = 3 : i32
// CHECK-LABEL: llvm.func @copy(
//  CHECK-SAME:   rocdl.kernel
//  CHECK-SAME:   rocdl.reqd_work_group_size = array<i32: 64, 1, 1>
//       CHECK:   rocdl.workgroup.id.x
//       CHECK:   llvm.mul %{{.+}}, %{{.+}} : i64
//       CHECK:   llvm.load %{{.+}} : !llvm.ptr<1> -> vector<8xbf16>
//       CHECK:   llvm.shufflevector
//       CHECK:   rocdl.barrier
//       CHECK:   llvm.cond_br
//   CHECK-NOT: {{(arith|vector|memref|scf|cf|gpu)\.[a-z]+ }}
//       CHECK:   llvm.return
gpu.module @kernels [#rocdl.target<chip = "gfx950">] {
  gpu.func @copy(%x: memref<?x128xbf16, #gpu.address_space<global>>)
      workgroup(%lds: memref<4xf32, #gpu.address_space<workgroup>>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>, rowmill.kernel = {access = ["readwrite"], arg_names = ["x"]}} {
    %row = gpu.block_id x
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %one = arith.constant 1.0 : f32
    %v = vector.load %x[%row, %c0] : memref<?x128xbf16, #gpu.address_space<global>>, vector<8xbf16>
    %h = vector.extract_strided_slice %v {offsets = [4], sizes = [4], strides = [1]} : vector<8xbf16> to vector<4xbf16>
    memref.store %one, %lds[%c0] : memref<4xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %even = arith.cmpi eq, %row, %c0 : index
    scf.if %even {
      vector.store %h, %x[%row, %c4] : memref<?x128xbf16, #gpu.address_space<global>>, vector<4xbf16>
    }
    gpu.return
  }
}

// The intrinsics that convert-math-to-intrinsics chose stay, whatever upstream
// would call for them.

// CHECK-LABEL: llvm.func @math(
//       CHECK:   llvm.intr.floor
//       CHECK:   llvm.intr.ceil
//       CHECK:   llvm.intr.exp(%{{.+}}) : (vector<2xf32>) -> vector<2xf32>
//       CHECK:   llvm.intr.exp2
//       CHECK:   llvm.intr.log2
//       CHECK:   llvm.frem
//   CHECK-NOT:   llvm.call
gpu.module @math [#rocdl.target<chip = "gfx950">] {
  gpu.func @math(%v: vector<2xf32>) -> vector<2xf32> {
    %0 = llvm.intr.floor(%v) : (vector<2xf32>) -> vector<2xf32>
    %1 = llvm.intr.ceil(%0) : (vector<2xf32>) -> vector<2xf32>
    %2 = llvm.intr.exp(%1) : (vector<2xf32>) -> vector<2xf32>
    %3 = llvm.intr.exp2(%2) : (vector<2xf32>) -> vector<2xf32>
    %4 = llvm.intr.log2(%3) : (vector<2xf32>) -> vector<2xf32>
    %5 = llvm.frem %4, %v : vector<2xf32>
    gpu.return %5 : vector<2xf32>
  }
}

// The default rounding is no mode of its own; others become ops that
// rowmill-check-codegen refuses.

// CHECK-LABEL: llvm.func @rounding(
//       CHECK:   llvm.fptrunc %{{.+}} : f32 to bf16
//       CHECK:   llvm.intr.experimental.constrained.fptrunc %{{.+}} upward
gpu.module @rounding [#rocdl.target<chip = "gfx950">] {
  gpu.func @rounding(%v: f32) -> (bf16, bf16) {
    %0 = arith.truncf %v to_nearest_even : f32 to bf16
    %1 = arith.truncf %v upward : f32 to bf16
    gpu.return %0, %1 : bf16, bf16
  }
}
