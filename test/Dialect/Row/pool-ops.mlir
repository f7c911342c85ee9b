// RUN: rowmill-opt %s --verify-roundtrip | FileCheck %s
// RUN: rowmill-opt %s --mlir-print-op-generic | rowmill-opt | FileCheck %s

!rows  = memref<?x8x128xf32>
!input = memref<?x256xbf16, strided<[?, 1]>>
!state = memref<?x?x256xf32, strided<[?, ?, 1]>>

// Two loops and one; a discardable attribute stays.
// CHECK-LABEL: row.kernel @pool(
row.kernel @pool(%z: !rows, %x: !rows, %n: index, %out: memref<?x128xf32>) rows(%r in %out[0]) {
  %first = arith.constant 0 : index
  %last = arith.constant 8 : index
  // CHECK: %[[C:.+]] = row.softmax_pool sources 8 {test.note} (%[[K:.+]] = %{{.+}} to %n) {
  // CHECK:   %[[S:.+]] = row.load %z[%r, %[[K]]]
  // CHECK:   row.yield %[[S]], %{{.+}} : vector<128xf32>
  // CHECK: } (%{{.+}} = %n to %{{.+}}) {
  // CHECK: } -> vector<128xf32>
  %c = row.softmax_pool sources 8 {test.note} (%k = %first to %n) {
    %s = row.load %z[%r, %k] : !rows -> vector<128xf32>
    %v = row.load %x[%r, %k] : !rows -> vector<128xf32>
    row.yield %s, %v : vector<128xf32>
  } (%k = %n to %last) {
    %v = row.load %x[%r, %k] : !rows -> vector<128xf32>
    row.yield %v, %v : vector<128xf32>
  } -> vector<128xf32>
  // CHECK: row.softmax_pool (%{{.+}} = %{{.+}} to %{{.+}}) {
  %d = row.softmax_pool (%k = %first to %last) {
    row.yield %c, %c : vector<128xf32>
  } -> vector<128xf32>
  row.store %d, %out[%r] : vector<128xf32>, memref<?x128xf32>
}

// CHECK-LABEL: row.kernel @compress(
row.kernel @compress(%kv: !input, %score: !input, %kv_state: !state, %score_state: !state, %slots: memref<?xi32>,
    %ape: memref<4x256xf32>, %plan: memref<?x4xi32>, %out: memref<?x?x128xf32>) rows(%row in %plan[0]) {
  // CHECK: %[[C:.+]], %[[B:.+]], %[[I:.+]] = row.compress %kv, %score state %kv_state, %score_state[%slots] ape %ape plan %plan[%row] ratio 4 overlap true
  // CHECK-SAME: : memref<?x256xbf16, strided<[?, 1]>>, memref<?x?x256xf32, strided<[?, ?, 1]>>, memref<?xi32>, memref<4x256xf32>, memref<?x4xi32> -> vector<128xf32>
  %c, %batch, %index = row.compress %kv, %score state %kv_state, %score_state[%slots] ape %ape plan %plan[%row] ratio 4 overlap true
      : !input, !state, memref<?xi32>, memref<4x256xf32>, memref<?x4xi32> -> vector<128xf32>
  // CHECK: row.store %[[C]], %out[%[[B]], %[[I]]]
  row.store %c, %out[%batch, %index] : vector<128xf32>, memref<?x?x128xf32>
}
