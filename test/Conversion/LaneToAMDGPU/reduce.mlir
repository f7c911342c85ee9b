// RUN: rowmill-opt %s --split-input-file --pass-pipeline='builtin.module(gpu.module(convert-lane-to-amdgpu,canonicalize,cse))' | FileCheck %s

// After two steps the lanes of a quad agree, so the exchange by four is a
// mirror of eight lanes: one DPP operand, where the true exchange needs two.
// CHECK-LABEL: gpu.func @in_wave(
gpu.module @kernels [#rocdl.target<chip = "gfx950">] {
  gpu.func @in_wave(%v: f32) -> f32 {
    // CHECK: rocdl.update.dpp %{{.+}} with 177, 15, 15, true
    // CHECK: arith.addf
    // CHECK: rocdl.update.dpp %{{.+}} with 78, 15, 15, true
    // CHECK: arith.addf
    // CHECK: rocdl.update.dpp %{{.+}} with 321, 15, 15, true
    // CHECK: arith.addf
    // CHECK: rocdl.update.dpp %{{.+}} with 296, 15, 15, true
    // CHECK: arith.addf
    // CHECK-NOT: rocdl
    // CHECK: gpu.return
    %0 = lane.reduce add %v cluster 16 : f32
    gpu.return %0 : f32
  }
}

// -----

// Four waves: each one's result goes through LDS, and all lanes add the four as
// a tree.
// CHECK-LABEL: gpu.func @over_waves(
// CHECK-SAME:    workgroup(%[[LDS:.+]] : memref<4xf32, #gpu.address_space<workgroup>>)
gpu.module @kernels [#rocdl.target<chip = "gfx950">] {
  gpu.func @over_waves(%v: f32, %out: memref<f32>) kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    // CHECK: rocdl.permlane32.swap
    // CHECK: scf.if
    // CHECK:   memref.store %{{.+}}, %[[LDS]]
    // CHECK: gpu.barrier
    // CHECK: %[[A:.+]] = memref.load %[[LDS]]
    // CHECK: %[[B:.+]] = memref.load %[[LDS]]
    // CHECK: %[[C:.+]] = memref.load %[[LDS]]
    // CHECK: %[[D:.+]] = memref.load %[[LDS]]
    // CHECK: %[[AB:.+]] = arith.addf %[[A]], %[[B]]
    // CHECK: %[[CD:.+]] = arith.addf %[[C]], %[[D]]
    // CHECK: arith.addf %[[AB]], %[[CD]]
    %0 = lane.reduce add %v cluster 256 : f32
    memref.store %0, %out[] : memref<f32>
    gpu.return
  }
}

// -----

// CHECK-LABEL: gpu.func @max(
gpu.module @kernels [#rocdl.target<chip = "gfx1250">] {
  gpu.func @max(%f: f32, %i: i32) -> (f32, i32) {
    // CHECK-COUNT-2: arith.maxnumf
    %0 = lane.reduce max %f cluster 4 : f32
    // CHECK-COUNT-2: arith.maxui
    %1 = lane.reduce maxu %i cluster 4 : i32
    gpu.return %0, %1 : f32, i32
  }
}
