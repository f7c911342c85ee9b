// RUN: rowmill-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(gpu.module(row-distribute))'

// Functions that row-tile did not make.
gpu.module @kernels {
  // expected-error @below {{'gpu.func' op expects a partition in 'rowmill.kernel', as row-tile writes it}}
  gpu.func @nothing() kernel { gpu.return }
}

// -----

gpu.module @kernels {
  // expected-error @below {{'gpu.func' op expects a partition in 'rowmill.kernel', as row-tile writes it}}
  gpu.func @incomplete() kernel attributes {rowmill.kernel = {partition = {lanes_per_row = 8 : i64}}} { gpu.return }
}
