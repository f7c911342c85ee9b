// RUN: rowmill-opt %s --pass-pipeline='builtin.module(gpu.module(convert-math-to-intrinsics))' | FileCheck %s

gpu.module @kernels [#rocdl.target<chip = "gfx950">] {
  // The instruction has no vector form.
  // CHECK-LABEL: gpu.func @rsqrt(
  gpu.func @rsqrt(%s: f32, %v: vector<2xf32>) -> (f32, vector<2xf32>) {
    // CHECK: llvm.call_intrinsic "llvm.amdgcn.rsq.f32"(%{{.+}}) : (f32) -> f32
    %0 = math.rsqrt %s : f32
    // CHECK-COUNT-2: llvm.call_intrinsic "llvm.amdgcn.rsq.f32"
    // CHECK: vector.from_elements
    %1 = math.rsqrt %v : vector<2xf32>
    gpu.return %0, %1 : f32, vector<2xf32>
  }

  // CHECK-LABEL: gpu.func @intrinsics(
  gpu.func @intrinsics(%a: f32, %b: f32, %v: vector<4xf32>) {
    // CHECK: llvm.intr.sqrt
    %0 = math.sqrt %a : f32
    // CHECK: llvm.intr.exp(%{{.+}}) : (vector<4xf32>) -> vector<4xf32>
    %1 = math.exp %v : vector<4xf32>
    // CHECK: llvm.intr.exp2
    %2 = math.exp2 %a : f32
    // CHECK: llvm.intr.log(
    %3 = math.log %a : f32
    // CHECK: llvm.intr.log2
    %4 = math.log2 %a : f32
    // CHECK: llvm.intr.log10
    %5 = math.log10 %a : f32
    // CHECK: llvm.intr.fma
    %6 = math.fma %a, %b, %a : f32
    // CHECK: llvm.intr.fabs
    %7 = math.absf %a : f32
    // CHECK: llvm.intr.copysign
    %8 = math.copysign %a, %b : f32
    // CHECK: llvm.intr.floor
    %9 = math.floor %a : f32
    // CHECK: llvm.intr.ceil
    %10 = math.ceil %a : f32
    // CHECK: llvm.intr.trunc
    %11 = math.trunc %a : f32
    // CHECK: llvm.intr.round(
    %12 = math.round %a : f32
    // CHECK: llvm.intr.roundeven
    %13 = math.roundeven %a : f32
    gpu.return
  }

  // CHECK-LABEL: gpu.func @remainder(
  gpu.func @remainder(%a: vector<2xf32>) {
    // CHECK: llvm.frem %{{.+}}, %{{.+}} : vector<2xf32>
    %0 = arith.remf %a, %a : vector<2xf32>
    gpu.return
  }

  // Zero and the smallest number are ordinary operands.
  // CHECK-LABEL: gpu.func @integers(
  gpu.func @integers(%a: vector<2xi32>) {
    // CHECK: "llvm.intr.abs"(%{{.+}}) <{is_int_min_poison = false}>
    %0 = math.absi %a : vector<2xi32>
    // CHECK: "llvm.intr.ctlz"(%{{.+}}) <{is_zero_poison = false}>
    %1 = math.ctlz %a : vector<2xi32>
    // CHECK: "llvm.intr.cttz"(%{{.+}}) <{is_zero_poison = false}>
    %2 = math.cttz %a : vector<2xi32>
    // CHECK: llvm.intr.ctpop
    %3 = math.ctpop %a : vector<2xi32>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @double(
  gpu.func @double(%a: f64) {
    // CHECK: llvm.intr.sqrt(%{{.+}}) : (f64) -> f64
    %0 = math.sqrt %a : f64
    // CHECK: llvm.intr.floor
    %1 = math.floor %a : f64
    gpu.return
  }
}
