// RUN: rowmill-opt %s --split-input-file --verify-diagnostics

func.func @no_loop() {
  // expected-error @below {{'row.softmax_pool' op expects at least one loop}}
  %0 = "row.softmax_pool"() : () -> vector<128xf32>
  return
}

// -----

func.func @bounds(%x: vector<128xf32>, %n: index) {
  // expected-error @below {{'row.softmax_pool' op expects a lower and an upper bound for each of 1 loops, but got 2}}
  %0 = "row.softmax_pool"(%n, %n, %n, %n) ({
  ^bb0(%k: index):
    row.yield %x, %x : vector<128xf32>
  }) : (index, index, index, index) -> vector<128xf32>
  return
}

// -----

func.func @sources(%x: vector<128xf32>, %n: index) {
  // expected-error @below {{'row.softmax_pool' op expects 'sources' to be 1 or more, but got 0}}
  %0 = row.softmax_pool sources 0 (%k = %n to %n) {
    row.yield %x, %x : vector<128xf32>
  } -> vector<128xf32>
  return
}

// -----

func.func @argument(%x: vector<128xf32>, %n: index) {
  // expected-error @below {{'row.softmax_pool' op expects loops with one argument of type index}}
  %0 = "row.softmax_pool"(%n, %n) ({
  ^bb0(%k: i32):
    row.yield %x, %x : vector<128xf32>
  }) : (index, index) -> vector<128xf32>
  return
}

// -----

func.func @terminator(%x: vector<128xf32>, %n: index) {
  // expected-error @below {{'row.softmax_pool' op expects loops that end in a row.yield}}
  %0 = "row.softmax_pool"(%n, %n) ({
  ^bb0(%k: index):
    llvm.unreachable
  }) : (index, index) -> vector<128xf32>
  return
}

// -----

func.func @yield_type(%x: vector<64xf32>, %n: index) {
  %0 = row.softmax_pool (%k = %n to %n) {
    // expected-error @below {{'row.yield' op expects rows of the pool's type 'vector<128xf32>', but got 'vector<64xf32>'}}
    row.yield %x, %x : vector<64xf32>
  } -> vector<128xf32>
  return
}

// -----

func.func @writes(%x: vector<128xf32>, %m: memref<?x128xf32>, %n: index) {
  %0 = row.softmax_pool (%k = %n to %n) {
    // expected-error @below {{'row.store' op writes memory in the body of a pool, which may only read}}
    row.store %x, %m[%k] : vector<128xf32>, memref<?x128xf32>
    row.yield %x, %x : vector<128xf32>
  } -> vector<128xf32>
  return
}

// -----

!input = memref<?x256xf32>
!state = memref<?x?x256xf32>
!plan  = memref<?x4xi32>
row.kernel @ratio(%x: !input, %s: !state, %slots: memref<?xi32>, %ape: memref<4x256xf32>, %plan: !plan) rows(%r in %plan[0]) {
  // expected-error @below {{'row.compress' op expects 'ratio' to be 1 or more, but got 0}}
  %c, %b, %i = row.compress %x, %x state %s, %s[%slots] ape %ape plan %plan[%r] ratio 0
      : !input, !state, memref<?xi32>, memref<4x256xf32>, !plan -> vector<256xf32>
}

// -----

!input = memref<?x128xf32>
!state = memref<?x?x256xf32>
!plan  = memref<?x4xi32>
row.kernel @columns(%x: !input, %s: !state, %slots: memref<?xi32>, %ape: memref<4x256xf32>, %plan: !plan) rows(%r in %plan[0]) {
  // expected-error @below {{'row.compress' op expects 'kv' to be a memref of rank 2 with elements of bf16, f16 or f32 and last sizes 256, but got 'memref<?x128xf32>'}}
  %c, %b, %i = row.compress %x, %x state %s, %s[%slots] ape %ape plan %plan[%r] ratio 4 overlap true
      : !input, !state, memref<?xi32>, memref<4x256xf32>, !plan -> vector<128xf32>
}

// -----

!input = memref<?x256xf32>
!state = memref<?x?x256xbf16>
!plan  = memref<?x4xi32>
row.kernel @state(%x: !input, %s: !state, %slots: memref<?xi32>, %ape: memref<4x256xf32>, %plan: !plan) rows(%r in %plan[0]) {
  // expected-error @below {{expects 'kv_state' to be a memref of rank 3 with elements of f32 and last sizes 256, but got 'memref<?x?x256xbf16>'}}
  %c, %b, %i = row.compress %x, %x state %s, %s[%slots] ape %ape plan %plan[%r] ratio 4 overlap true
      : !input, !state, memref<?xi32>, memref<4x256xf32>, !plan -> vector<128xf32>
}

// -----

!input = memref<?x256xf32>
!state = memref<?x?x256xf32>
!plan  = memref<?x4xi32>
row.kernel @slots(%x: !input, %s: !state, %slots: memref<?xi64>, %ape: memref<4x256xf32>, %plan: !plan) rows(%r in %plan[0]) {
  // expected-error @below {{expects 'state_slots' to be a memref of rank 1 with elements of i32, but got 'memref<?xi64>'}}
  %c, %b, %i = row.compress %x, %x state %s, %s[%slots] ape %ape plan %plan[%r] ratio 4 overlap true
      : !input, !state, memref<?xi64>, memref<4x256xf32>, !plan -> vector<128xf32>
}

// -----

!input = memref<?x256xf32>
!state = memref<?x?x256xf32>
!plan  = memref<?x4xi32>
row.kernel @ape(%x: !input, %s: !state, %slots: memref<?xi32>, %ape: memref<8x256xf32>, %plan: !plan) rows(%r in %plan[0]) {
  // expected-error @below {{expects 'ape' to be a memref of rank 2 with elements of f32 and last sizes 4 x 256, but got 'memref<8x256xf32>'}}
  %c, %b, %i = row.compress %x, %x state %s, %s[%slots] ape %ape plan %plan[%r] ratio 4 overlap true
      : !input, !state, memref<?xi32>, memref<8x256xf32>, !plan -> vector<128xf32>
}

// -----

!input = memref<?x256xf32>
!state = memref<?x?x256xf32>
!plan  = memref<?x3xi32>
row.kernel @plan(%x: !input, %s: !state, %slots: memref<?xi32>, %ape: memref<4x256xf32>, %plan: !plan) rows(%r in %plan[0]) {
  // expected-error @below {{expects 'plan' to be a memref of rank 2 with elements of i32 and last sizes 4, but got 'memref<?x3xi32>'}}
  %c, %b, %i = row.compress %x, %x state %s, %s[%slots] ape %ape plan %plan[%r] ratio 4 overlap true
      : !input, !state, memref<?xi32>, memref<4x256xf32>, !plan -> vector<128xf32>
}

// -----

!input = memref<?x256xf32>
!state = memref<?x4x256xf32>
!plan  = memref<?x4xi32>
row.kernel @ring(%x: !input, %s: !state, %slots: memref<?xi32>, %ape: memref<4x256xf32>, %plan: !plan) rows(%r in %plan[0]) {
  // expected-error @below {{'row.compress' op expects a state ring of 8 rows or more, but got 4}}
  %c, %b, %i = row.compress %x, %x state %s, %s[%slots] ape %ape plan %plan[%r] ratio 4 overlap true
      : !input, !state, memref<?xi32>, memref<4x256xf32>, !plan -> vector<128xf32>
}
