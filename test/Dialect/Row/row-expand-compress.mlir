// RUN: rowmill-opt %s --split-input-file --row-expand-compress --canonicalize --cse | FileCheck %s

!input = memref<?x128xbf16, strided<[?, 1]>>
!state = memref<?x?x128xf32, strided<[?, ?, 1]>>

// The plan row, the guard, then a loop over the ring and one over the input. What
// lies before the sequence is left out of both; the ring wraps at most once.
// CHECK-LABEL: row.kernel @plain(
// CHECK-SAME:    attributes {rowmill.minimum = [{arg = "kv_state", dim = 1 : i64, size = 4 : i64}]}
row.kernel @plain(%kv: !input, %score: !input, %kv_state: !state, %score_state: !state, %slots: memref<?xi32>,
    %ape: memref<4x128xf32>, %plan: memref<?x4xi32>, %out: memref<?x128xf32>) rows(%row in %plan[0]) {
  // CHECK-DAG: %[[C0:.+]] = arith.constant 0 : index
  // CHECK-DAG: %[[C3:.+]] = arith.constant 3 : index
  // CHECK-DAG: %[[C4:.+]] = arith.constant 4 : index
  // CHECK: %[[P:.+]] = memref.load %plan[%row, %{{.+}}]
  // CHECK: row.guard %[[P]] : i32
  // CHECK: %[[POSITION:.+]] = arith.index_cast %[[P]]
  // CHECK: %[[INPUT:.+]] = arith.subi %{{.+}}, %[[C3]]
  // CHECK: %[[SIZE:.+]] = memref.dim %kv_state
  // CHECK: arith.remui %{{.+}} : i32
  // CHECK: %[[MISSING:.+]] = arith.subi %[[C3]], %[[POSITION]]
  // CHECK: %[[FIRST:.+]] = arith.maxsi %[[MISSING]], %[[C0]]
  // CHECK: %[[LATER:.+]] = arith.maxsi %[[FIRST]], %[[WINDOW:.+]] : index
  // CHECK: %[[C:.+]] = row.softmax_pool sources 4 (%[[K:.+]] = %[[FIRST]] to %[[WINDOW]]) {
  // CHECK:   %[[RING:.+]] = arith.select
  // CHECK:   %[[Z:.+]] = row.load %score_state[%[[SLOT:.+]], %[[RING]]]
  // CHECK:   %[[X:.+]] = row.load %kv_state[%[[SLOT]], %[[RING]]]
  // CHECK:   row.yield %[[Z]], %[[X]]
  // CHECK: } (%[[J:.+]] = %[[LATER]] to %[[C4]]) {
  // CHECK:   %[[ROW:.+]] = arith.addi %[[INPUT]], %[[J]]
  // CHECK:   %[[BIAS:.+]] = row.load %ape[%[[J]]]
  // CHECK:   row.load %score[%[[ROW]]]
  // CHECK:   arith.addf %{{.+}}, %[[BIAS]]
  // CHECK:   row.load %kv[%[[ROW]]]
  // CHECK: }
  // CHECK: %[[INDEX:.+]] = arith.divui %[[POSITION]], %[[C4]]
  // CHECK: row.store %[[C]], %out[%[[INDEX]]]
  %c, %batch, %index = row.compress %kv, %score state %kv_state, %score_state[%slots] ape %ape plan %plan[%row] ratio 4
      : !input, !state, memref<?xi32>, memref<4x128xf32>, memref<?x4xi32> -> vector<128xf32>
  row.store %c, %out[%index] : vector<128xf32>, memref<?x128xf32>
}

// -----

!input = memref<?x256xbf16, strided<[?, 1]>>
!state = memref<?x?x256xf32, strided<[?, ?, 1]>>

// With overlap, the second half of the columns from the present block's first
// token on, and the bias of each block from its first row on.
// CHECK-LABEL: row.kernel @overlap(
row.kernel @overlap(%kv: !input, %score: !input, %kv_state: !state, %score_state: !state, %slots: memref<?xi32>,
    %ape: memref<4x256xf32>, %plan: memref<?x4xi32>, %out: memref<?x128xf32>) rows(%row in %plan[0]) {
  // CHECK-DAG: %[[C4:.+]] = arith.constant 4 : index
  // CHECK-DAG: %[[C0:.+]] = arith.constant 0 : index
  // CHECK-DAG: %[[D:.+]] = arith.constant 128 : index
  // CHECK: row.softmax_pool sources 8
  // CHECK: } (%[[J:.+]] = %{{.+}} to %{{.+}}) {
  // CHECK:   %[[PREVIOUS:.+]] = arith.subi %[[J]], %[[C4]]
  // CHECK:   %[[PRESENT:.+]] = arith.cmpi uge, %[[J]], %[[C4]]
  // CHECK:   %[[BIAS:.+]] = arith.select %[[PRESENT]], %[[PREVIOUS]], %[[J]]
  // CHECK:   %[[AT:.+]] = arith.select %[[PRESENT]], %[[D]], %[[C0]]
  // CHECK:   row.load %ape[%[[BIAS]]] at %[[AT]]
  // CHECK:   row.load %score[%{{.+}}] at %[[AT]]
  %c, %batch, %index = row.compress %kv, %score state %kv_state, %score_state[%slots] ape %ape plan %plan[%row] ratio 4 overlap true
      : !input, !state, memref<?xi32>, memref<4x256xf32>, memref<?x4xi32> -> vector<128xf32>
  row.store %c, %out[%index] : vector<128xf32>, memref<?x128xf32>
}
