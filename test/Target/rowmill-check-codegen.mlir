// RUN: rowmill-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(gpu.module(rowmill-check-codegen))'

// What kernels are made of passes.
gpu.module @clean {
  llvm.func @k(%p: !llvm.ptr<1>, %v: vector<4xf32>) {
    %0 = llvm.intr.sqrt(%v) : (vector<4xf32>) -> vector<4xf32>
    llvm.store %0, %p : vector<4xf32>, !llvm.ptr<1>
    llvm.return
  }
}

// -----

gpu.module @calls {
  llvm.func @malloc(i64) -> !llvm.ptr
  llvm.func @k(%n: i64) {
    // expected-error @below {{'llvm.call' op calls 'malloc', which a code object has no place for}}
    %0 = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
    llvm.return
  }
}

// -----

gpu.module @calls_pointer {
  llvm.func @k(%f: !llvm.ptr) {
    // expected-error @below {{'llvm.call' op calls a pointer, which a code object has no place for}}
    llvm.call %f() : !llvm.ptr, () -> ()
    llvm.return
  }
}

// -----

gpu.module @own_memory {
  llvm.func @k(%n: i64) {
    // expected-error @below {{'llvm.alloca' op needs memory of a lane's own, which kernels do without}}
    %0 = llvm.alloca %n x f32 : (i64) -> !llvm.ptr
    llvm.return
  }
}

// -----

gpu.module @assembly {
  llvm.func @k() {
    // expected-error @below {{'llvm.inline_asm' op cannot be checked before code generation}}
    llvm.inline_asm has_side_effects "s_nop 0", "" : () -> ()
    llvm.return
  }
}

// -----

gpu.module @rounding {
  llvm.func @k(%v: f32) {
    // expected-error @below {{op expects rounding to nearest even, the mode that kernels run in}}
    %0 = llvm.intr.experimental.constrained.fptrunc %v upward ignore : f32 to bf16
    llvm.return
  }
}

// -----

gpu.module @foreign_types {
  llvm.func @k(%v: vector<2xf32>) {
    // expected-error @below {{'llvm.fpext' op needs arithmetic that no AMD GPU has, on 'f128'}}
    %0 = llvm.fpext %v : vector<2xf32> to vector<2xf128>
    llvm.return
  }
}

// -----

gpu.module @foreign_types {
  llvm.func @k(%v: f32) {
    // expected-error @below {{'llvm.fpext' op needs arithmetic that no AMD GPU has, on 'f80'}}
    %0 = llvm.fpext %v : f32 to f80
    llvm.return
  }
}

// -----

gpu.module @foreign_types {
  llvm.func @k(%p: !llvm.ptr<1>) {
    // expected-error @below {{'llvm.load' op needs arithmetic that no AMD GPU has, on 'vector<[4]xf32>'}}
    %0 = llvm.load %p : !llvm.ptr<1> -> vector<[4]xf32>
    llvm.return
  }
}
