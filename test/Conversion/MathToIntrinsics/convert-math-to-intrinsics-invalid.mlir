// RUN: rowmill-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(gpu.module(convert-math-to-intrinsics))'

gpu.module @kernels [#rocdl.target<chip = "gfx950">] {
  gpu.func @device_library(%a: f32) -> f32 {
    // expected-error @below {{'math.tanh' op has no form without a device library for 'f32'}}
    %0 = math.tanh %a : f32
    gpu.return %0 : f32
  }
}

// -----

gpu.module @kernels [#rocdl.target<chip = "gfx950">] {
  gpu.func @other_width(%a: f64) -> f64 {
    // expected-error @below {{'math.rsqrt' op has no form without a device library for 'f64'}}
    %0 = math.rsqrt %a : f64
    gpu.return %0 : f64
  }
}

// -----

// LLVM expands the exponential for f32, but not for f64.
gpu.module @kernels [#rocdl.target<chip = "gfx950">] {
  gpu.func @other_width(%a: vector<2xf64>) -> vector<2xf64> {
    // expected-error @below {{'math.exp' op has no form without a device library for 'vector<2xf64>'}}
    %0 = math.exp %a : vector<2xf64>
    gpu.return %0 : vector<2xf64>
  }
}

// -----

gpu.module @kernels [#rocdl.target<chip = "gfx950">] {
  gpu.func @remainder(%a: bf16) -> bf16 {
    // expected-error @below {{'arith.remf' op has no form without a device library for 'bf16'}}
    %0 = arith.remf %a, %a : bf16
    gpu.return %0 : bf16
  }
}
