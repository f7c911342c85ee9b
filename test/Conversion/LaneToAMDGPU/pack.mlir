// RUN: rowmill-opt %s --split-input-file --pass-pipeline='builtin.module(gpu.module(convert-lane-to-amdgpu,canonicalize,cse))' | FileCheck %s

// Two values a byte, four bytes a word; the scale operand is the exponent field.
// CHECK-LABEL: gpu.func @fp4_pairs(
gpu.module @kernels [#rocdl.target<chip = "gfx950">] {
  gpu.func @fp4_pairs(%v: vector<16xf32>, %e: i32) -> vector<2xi32> {
    // CHECK: %[[BITS:.+]] = arith.shli %{{.+}}, %{{.+}} : i32
    // CHECK: %[[SCALE:.+]] = arith.bitcast %[[BITS]] : i32 to f32
    // CHECK-COUNT-8: rocdl.cvt.scalef32.pk.fp4.f32 {{.+}}, %[[SCALE]]
    // CHECK-NOT: rocdl.cvt
    // CHECK: gpu.return
    %0 = lane.pack %v exponent %e to f4E2M1FN : vector<16xf32> -> vector<2xi32>
    gpu.return %0 : vector<2xi32>
  }
}

// -----

// CHECK-LABEL: gpu.func @fp4_eights(
gpu.module @kernels [#rocdl.target<chip = "gfx1250">] {
  gpu.func @fp4_eights(%v: vector<16xf32>, %e: i32) -> vector<2xi32> {
    // CHECK-COUNT-2: rocdl.cvt.scalef32.pk8.fp4.f32
    // CHECK-NOT: rocdl.cvt
    // CHECK: gpu.return
    %0 = lane.pack %v exponent %e to f4E2M1FN : vector<16xf32> -> vector<2xi32>
    gpu.return %0 : vector<2xi32>
  }
}

// -----

// By integers where nothing is native. The constants: 6.0 limits the magnitude,
// 0xc11fffff re-biases and rounds, 2^22 makes the adder round below one.
// CHECK-LABEL: gpu.func @fp4_integers(
gpu.module @kernels [#rocdl.target<chip = "gfx942">] {
  gpu.func @fp4_integers(%v: vector<8xf32>, %e: i32) -> vector<1xi32> {
    // CHECK-DAG: arith.constant dense<1086324736> : vector<8xi32>
    // CHECK-DAG: arith.constant dense<-1054867457> : vector<8xi32>
    // CHECK-DAG: arith.constant dense<0x4A800000> : vector<8xf32>
    // CHECK-NOT: rocdl.cvt
    // CHECK: gpu.return
    %0 = lane.pack %v exponent %e to f4E2M1FN : vector<8xf32> -> vector<1xi32>
    gpu.return %0 : vector<1xi32>
  }
}

// -----

// A lane with two codes has a byte, one with four a half word.
// CHECK-LABEL: gpu.func @narrow(
gpu.module @kernels [#rocdl.target<chip = "gfx950">] {
  gpu.func @narrow(%two: vector<2xf32>, %four: vector<4xf32>, %e: i32) -> (vector<1xi8>, vector<1xi16>) {
    // CHECK: rocdl.cvt.scalef32.pk.fp4.f32
    // CHECK: arith.trunci %{{.+}} : i32 to i8
    %0 = lane.pack %two exponent %e to f4E2M1FN : vector<2xf32> -> vector<1xi8>
    // CHECK-COUNT-2: rocdl.cvt.scalef32.pk.fp4.f32
    // CHECK: arith.trunci %{{.+}} : i32 to i16
    %1 = lane.pack %four exponent %e to f4E2M1FN : vector<4xf32> -> vector<1xi16>
    gpu.return %0, %1 : vector<1xi8>, vector<1xi16>
  }
}

// -----

// CHECK-LABEL: gpu.func @fp8(
gpu.module @kernels [#rocdl.target<chip = "gfx942">] {
  gpu.func @fp8(%v: vector<4xf32>, %w: vector<1xi32>) -> (vector<1xi32>, vector<4xf32>) {
    // CHECK: rocdl.cvt.pk.fp8.f32 {{.+}}[false]
    // CHECK: rocdl.cvt.pk.fp8.f32 {{.+}}[true]
    %0 = lane.pack %v to f8E4M3FNUZ : vector<4xf32> -> vector<1xi32>
    // CHECK: rocdl.cvt.pk.f32.fp8 {{.+}}[false]
    // CHECK: rocdl.cvt.pk.f32.fp8 {{.+}}[true]
    %1 = lane.unpack %w from f8E4M3FNUZ : vector<1xi32> -> vector<4xf32>
    gpu.return %0, %1 : vector<1xi32>, vector<4xf32>
  }
}
