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
