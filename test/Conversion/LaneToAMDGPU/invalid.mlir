// RUN: rowmill-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(gpu.module(convert-lane-to-amdgpu))'

gpu.module @kernels [#rocdl.target<chip = "gfx950">] {
  gpu.func @foreign_fp8(%v: vector<4xf32>) -> vector<1xi32> {
    // expected-error @below {{'lane.pack' op expects the fp8 format of gfx950, f8E4M3FN, but got 'f8E4M3FNUZ'}}
    %0 = lane.pack %v to f8E4M3FNUZ : vector<4xf32> -> vector<1xi32>
    gpu.return %0 : vector<1xi32>
  }
}

// -----

gpu.module @kernels [#rocdl.target<chip = "gfx942">] {
  gpu.func @foreign_fp8(%w: vector<1xi32>) -> vector<4xf32> {
    // expected-error @below {{'lane.unpack' op expects the fp8 format of gfx942, f8E4M3FNUZ, but got 'f8E4M3FN'}}
    %0 = lane.unpack %w from f8E4M3FN : vector<1xi32> -> vector<4xf32>
    gpu.return %0 : vector<4xf32>
  }
}

// -----

// The same exchange is legal where a wave has 64 lanes.
gpu.module @kernels [#rocdl.target<chip = "gfx1250">] {
  gpu.func @beyond_wave(%v: f32) -> f32 {
    // expected-error @below {{'lane.exchange' op crosses the 32 lanes of a wave of gfx1250}}
    %0 = lane.exchange %v xor 32 : f32
    gpu.return %0 : f32
  }
}

// -----

gpu.module @kernels [#rocdl.target<chip = "gfx950">] {
  gpu.func @beyond_wave(%v: f32, %s: i32) -> f32 {
    // expected-error @below {{'lane.shuffle' op crosses the 64 lanes of a wave of gfx950}}
    %0 = lane.shuffle %v from %s cluster 128 : f32
    gpu.return %0 : f32
  }
}
