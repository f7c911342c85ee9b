// RUN: rowmill-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(gpu.module(rowmill-kernel-abi))'

gpu.module @kernels [#rocdl.target<chip = "gfx950">] {
  // expected-error @below {{'gpu.func' op expects 'rowmill.kernel' to name and give the access of its 1 arguments}}
  gpu.func @no_names(%x: i32) kernel attributes {rowmill.kernel = {access = ["value"]}} { gpu.return }
}

// -----

gpu.module @kernels [#rocdl.target<chip = "gfx950">] {
  // expected-error @below {{'gpu.func' op expects strings in 'arg_names' and 'access'}}
  gpu.func @no_strings(%x: i32) kernel attributes {rowmill.kernel = {access = ["value"], arg_names = [1]}} { gpu.return }
}

// -----

gpu.module @kernels [#rocdl.target<chip = "gfx950">] {
  // expected-error @below {{'gpu.func' op expects argument 'x' to be a memref or a scalar, but got 'vector<4xf32>'}}
  gpu.func @vector(%x: vector<4xf32>) kernel attributes {rowmill.kernel = {access = ["value"], arg_names = ["x"]}} { gpu.return }
}

// -----

gpu.module @kernels [#rocdl.target<chip = "gfx950">] {
  // expected-error @below {{'gpu.func' op expects argument 'x' to have strides and no offset, but got 'memref<4xf32, strided<[1], offset: 8>>'}}
  gpu.func @offset(%x: memref<4xf32, strided<[1], offset: 8>>) kernel attributes {rowmill.kernel = {access = ["read"], arg_names = ["x"]}} { gpu.return }
}
