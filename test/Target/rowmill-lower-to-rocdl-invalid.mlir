// RUN: rowmill-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(gpu.module(rowmill-lower-to-rocdl))'

// expected-error @below {{'gpu.module' op expects a gpu.module with one #rocdl.target}}
gpu.module @kernels {
  gpu.func @k() { gpu.return }
}

// -----

// expected-error @below {{'gpu.module' op expects a chip among gfx942, gfx950, gfx1250, but got 'gfx1100'}}
gpu.module @kernels [#rocdl.target<chip = "gfx1100">] {
  gpu.func @k() { gpu.return }
}
