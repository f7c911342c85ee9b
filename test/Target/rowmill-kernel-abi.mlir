// RUN: rowmill-opt %s --split-input-file --pass-pipeline='builtin.module(gpu.module(rowmill-kernel-abi))' | FileCheck %s

// A memref is a pointer, its dynamic sizes, then its dynamic strides; scalars lie
// at their natural alignment. What is read only says so.

#global = #gpu.address_space<global>
gpu.module @kernels [#rocdl.target<chip = "gfx950">] {
  // CHECK-LABEL: gpu.func @arguments(
  //  CHECK-SAME:   %[[X:[^:]+]]: !llvm.ptr<1> {llvm.align = 16 : i64, llvm.noalias, llvm.nonnull, llvm.noundef, llvm.readonly}
  //  CHECK-SAME:   %[[SIZE:[^:]+]]: i64
  //  CHECK-SAME:   %[[N:[^:]+]]: i32
  //  CHECK-SAME:   %[[Y:[^:]+]]: !llvm.ptr<1> {llvm.align = 16 : i64, llvm.noalias, llvm.nonnull, llvm.noundef, llvm.writeonly}
  //  CHECK-SAME:   %[[ROWS:[^:]+]]: i64, %[[STRIDE:[^:]+]]: i64
  //  CHECK-SAME:   %[[EPS:[^:]+]]: f32
  //  CHECK-SAME:   %[[W:[^:]+]]: !llvm.ptr<1> {llvm.align = 16 : i64, llvm.noalias, llvm.nonnull, llvm.noundef})
  //  CHECK-SAME:   {access = "read", align = 16 : i64, dynamic = [{offset = 8 : i64, size = 0 : i64}], element = bf16, indexed = [{dim = 0 : i64, extent = 0 : i64}], kind = "memref", name = "x", offset = 0 : i64, shape = [unit, 16, 128], strides = [2048, 128, 1]}
  //  CHECK-SAME:   {element = i32, kind = "scalar", name = "n", offset = 16 : i64}
  //  CHECK-SAME:   {access = "write", align = 16 : i64, dynamic = [{offset = 32 : i64, size = 0 : i64}, {offset = 40 : i64, stride = 0 : i64}], element = i8, kind = "memref", name = "y", offset = 24 : i64, shape = [unit, 64], strides = [unit, 1]}
  //  CHECK-SAME:   {element = f32, kind = "scalar", name = "eps", offset = 48 : i64}
  //  CHECK-SAME:   name = "w", offset = 56 : i64
  //  CHECK-SAME:   kernarg_size = 64 : i64
  gpu.func @arguments(%x: memref<?x16x128xbf16, #global>, %n: i32, %y: memref<?x64xi8, strided<[?, 1]>, #global>,
      %eps: f32, %w: memref<f32, #global>) kernel
      attributes {rowmill.kernel = {access = ["read", "value", "write", "value", "readwrite"], arg_names = ["x", "n", "y", "eps", "w"], indexed = [[{dim = 0, extent = 0}], [], [], [], []]}} {
    // Inside, each memref is put together again.
    // CHECK: llvm.insertvalue %[[X]], %{{.+}}[0]
    // CHECK: llvm.insertvalue %[[SIZE]], %{{.+}}[3, 0]
    // CHECK: %[[MX:.+]] = builtin.unrealized_conversion_cast %{{.+}} to memref<?x16x128xbf16, #gpu.address_space<global>>
    // CHECK: llvm.insertvalue %[[STRIDE]], %{{.+}}[4, 0]
    // CHECK: memref.load %[[MX]]
    %c0 = arith.constant 0 : index
    %v = memref.load %x[%c0, %c0, %c0] : memref<?x16x128xbf16, #global>
    gpu.return
  }
}

// -----

// What no launcher calls stays as it is.
gpu.module @kernels [#rocdl.target<chip = "gfx950">] {
  // CHECK-LABEL: gpu.func @helper(%{{.+}}: memref<4xf32>)
  gpu.func @helper(%x: memref<4xf32>) { gpu.return }
}
