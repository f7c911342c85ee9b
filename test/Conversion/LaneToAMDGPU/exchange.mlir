// RUN: rowmill-opt %s --split-input-file --pass-pipeline='builtin.module(gpu.module(convert-lane-to-amdgpu,canonicalize,cse))' | FileCheck %s

// CHECK-LABEL: gpu.func @gfx950(
gpu.module @kernels [#rocdl.target<chip = "gfx950">] {
  gpu.func @gfx950(%v: i32) -> (i32, i32, i32, i32, i32, i32, i32, i32) {
    // Within a quad: quad_perm [1, 0, 3, 2] and [2, 3, 0, 1].
    // CHECK: rocdl.update.dpp %{{.+}}, %[[V:.+]] with 177, 15, 15, true
    %0 = lane.exchange %v xor 1 : i32
    // CHECK: rocdl.update.dpp %{{.+}}, %[[V]] with 78, 15, 15, true
    %1 = lane.exchange %v xor 2 : i32
    // Between quads: row_shl:4 for the even banks, then row_shr:4 for the odd.
    // CHECK: %[[EVEN:.+]] = rocdl.update.dpp %{{.+}}, %[[V]] with 260, 15, 5, false
    // CHECK: rocdl.update.dpp %[[EVEN]], %[[V]] with 276, 15, 10, false
    %2 = lane.exchange %v xor 4 : i32
    // row_half_mirror, row_ror:8, row_mirror.
    // CHECK: rocdl.update.dpp %{{.+}}, %[[V]] with 321, 15, 15, true
    %3 = lane.exchange %v xor 7 : i32
    // CHECK: rocdl.update.dpp %{{.+}}, %[[V]] with 296, 15, 15, true
    %4 = lane.exchange %v xor 8 : i32
    // CHECK: rocdl.update.dpp %{{.+}}, %[[V]] with 320, 15, 15, true
    %5 = lane.exchange %v xor 15 : i32
    // CHECK: rocdl.permlane16.swap %[[V]], %[[V]]
    %6 = lane.exchange %v xor 16 : i32
    // CHECK: rocdl.permlane32.swap %[[V]], %[[V]]
    %7 = lane.exchange %v xor 32 : i32
    gpu.return %0, %1, %2, %3, %4, %5, %6, %7 : i32, i32, i32, i32, i32, i32, i32, i32
  }
}

// -----

// No permlane swap: ds_swizzle in a half wave, ds_bpermute beyond.
// CHECK-LABEL: gpu.func @gfx942(
gpu.module @kernels [#rocdl.target<chip = "gfx942">] {
  gpu.func @gfx942(%v: i32) -> (i32, i32, i32) {
    // CHECK-DAG: %[[XOR5:.+]] = arith.constant 5151 : i32
    // CHECK-DAG: %[[XOR16:.+]] = arith.constant 16415 : i32
    // CHECK: rocdl.ds_swizzle %[[V:.+]], %[[XOR5]]
    %0 = lane.exchange %v xor 5 : i32
    // CHECK: rocdl.ds_swizzle %[[V]], %[[XOR16]]
    %1 = lane.exchange %v xor 16 : i32
    // CHECK: rocdl.ds_bpermute %{{.+}}, %[[V]]
    %2 = lane.exchange %v xor 32 : i32
    gpu.return %0, %1, %2 : i32, i32, i32
  }
}

// -----

// row_xmask takes any mask in a row; permlanex16 crosses the two rows of a wave.
// CHECK-LABEL: gpu.func @gfx1250(
gpu.module @kernels [#rocdl.target<chip = "gfx1250">] {
  gpu.func @gfx1250(%v: i32) -> (i32, i32) {
    // CHECK: rocdl.update.dpp %{{.+}}, %[[V:.+]] with 356, 15, 15, true
    %0 = lane.exchange %v xor 4 : i32
    // CHECK: rocdl.permlanex16 %[[V]], %[[V]]
    %1 = lane.exchange %v xor 16 : i32
    gpu.return %0, %1 : i32, i32
  }
}

// -----

// Every word of a vector is exchanged on its own, floats by their bits.
// CHECK-LABEL: gpu.func @words(
gpu.module @kernels [#rocdl.target<chip = "gfx950">] {
  gpu.func @words(%v: vector<2xf32>, %lane: i32) -> (vector<2xf32>, f32) {
    // CHECK-COUNT-2: rocdl.update.dpp
    %0 = lane.exchange %v xor 1 : vector<2xf32>
    // CHECK: arith.andi %{{.+}}, %{{.+}} : i32
    // CHECK: rocdl.ds_bpermute
    %e = vector.extract %v[0] : f32 from vector<2xf32>
    %1 = lane.shuffle %e from %lane cluster 16 : f32
    gpu.return %0, %1 : vector<2xf32>, f32
  }
}
