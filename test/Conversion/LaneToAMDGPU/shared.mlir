// RUN: rowmill-opt %s --split-input-file --pass-pipeline='builtin.module(gpu.module(convert-lane-to-amdgpu,canonicalize,cse))' | FileCheck %s

// Eight elements are two pieces of 16 bytes; those of the 64 lanes of a wave lie
// side by side, so that eight lanes cover the 32 banks.
// CHECK-LABEL: gpu.func @eight(
gpu.module @kernels [#rocdl.target<chip = "gfx950">] {
  // CHECK-DAG: %[[W:.+]] = arith.constant 64 : index
  // CHECK-DAG: %[[PAGE:.+]] = arith.constant 128 : index
  // CHECK-DAG: %[[PIECE:.+]] = arith.constant 4 : index
  gpu.func @eight(%v: vector<8xf32>, %b: memref<1536xf32, #gpu.address_space<workgroup>>, %p: index) {
    // CHECK: %[[LANE:.+]] = arith.remui %{{.+}}, %[[W]]
    // CHECK: %[[START:.+]] = arith.muli %{{.+}}, %[[PAGE]]
    // CHECK: %[[FIRST:.+]] = arith.addi %[[START]], %[[LANE]]
    // CHECK: %[[I0:.+]] = arith.muli %[[FIRST]], %[[PIECE]]
    // CHECK: vector.store %{{.+}}, %{{.+}}[%[[I0]]] : memref<1536xf32, #gpu.address_space<workgroup>>, vector<4xf32>
    // CHECK: %[[SECOND:.+]] = arith.addi %[[FIRST]], %[[W]]
    // CHECK: %[[I1:.+]] = arith.muli %[[SECOND]], %[[PIECE]]
    // CHECK: vector.store %{{.+}}, %{{.+}}[%[[I1]]] : memref<1536xf32, #gpu.address_space<workgroup>>, vector<4xf32>
    lane.store_shared %v, %b[%p] : vector<8xf32>, memref<1536xf32, #gpu.address_space<workgroup>>
    gpu.return
  }
}

// -----

// Six elements are three pieces of 8 bytes, in a wave of 32 lanes.
// CHECK-LABEL: gpu.func @six(
gpu.module @kernels [#rocdl.target<chip = "gfx1250">] {
  // CHECK-DAG: %[[W:.+]] = arith.constant 32 : index
  // CHECK-DAG: %[[PAGE:.+]] = arith.constant 96 : index
  gpu.func @six(%b: memref<192xf32, #gpu.address_space<workgroup>>, %p: index) -> vector<6xf32> {
    // CHECK: arith.remui %{{.+}}, %[[W]]
    // CHECK: arith.muli %{{.+}}, %[[PAGE]]
    // CHECK-COUNT-3: vector.load %{{.+}} : memref<192xf32, #gpu.address_space<workgroup>>, vector<2xf32>
    // CHECK-NOT: vector.load
    // CHECK: gpu.return
    %v = lane.load_shared %b[%p] : memref<192xf32, #gpu.address_space<workgroup>> -> vector<6xf32>
    gpu.return %v : vector<6xf32>
  }
}
