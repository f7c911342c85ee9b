// RUN: rowmill-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(gpu.module(rowmill-check-lowered{allowed-dialects=gpu,arith}))'

gpu.module @clean {
  gpu.func @k() {
    %c0 = arith.constant 0 : index
    gpu.return
  }
}

// -----

gpu.module @left {
  gpu.func @k(%v: f32) {
    // expected-error @below {{'math.exp' op is not lowered: only ops of gpu, arith may remain here}}
    %0 = math.exp %v : f32
    gpu.return
  }
}
