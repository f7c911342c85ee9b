// RUN: rowmill-opt %s --split-input-file --pass-pipeline='builtin.module(row-tile{target=gfx950},gpu.module(row-distribute,canonicalize,cse))' | FileCheck %s

// Rows that a loop carries become what a lane holds of them; a number that it
// carries beside them stays.
// CHECK-LABEL: gpu.func @loop(
//       CHECK:   %[[L:.+]]:2 = scf.for %{{.+}} = %{{.+}} to %{{.+}} step %{{.+}} iter_args(%[[SUM:.+]] = %{{.+}}, %[[I:.+]] = %{{.+}}) -> (vector<16xf32>, index)
//       CHECK:     %[[V:.+]] = vector.load
//       CHECK:     %[[NEXT:.+]] = arith.addf %[[SUM]]
//       CHECK:     %[[J:.+]] = arith.addi %[[I]]
//       CHECK:     scf.yield %[[NEXT]], %[[J]] : vector<16xf32>, index
//       CHECK:   vector.store
row.kernel @loop(%x: memref<?x128xf32>, %n: index, %out: memref<?x128xf32>) rows(%r in %out[0]) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %start = arith.constant dense<0.0> : vector<128xf32>
  %sum:2 = scf.for %k = %zero to %n step %one iter_args(%s = %start, %i = %r) -> (vector<128xf32>, index) {
    %v = row.load %x[%i] : memref<?x128xf32> -> vector<128xf32>
    %a = arith.addf %s, %v : vector<128xf32>
    %j = arith.addi %i, %n : index
    scf.yield %a, %j : vector<128xf32>, index
  }
  row.store %sum#0, %out[%sum#1] : vector<128xf32>, memref<?x128xf32>
}

// -----

// Both arms of a branch, one in the other; a loop of rows without any carried.
// CHECK-LABEL: gpu.func @branch(
//       CHECK:   scf.for
//       CHECK:     vector.store
//       CHECK:   %[[B:.+]] = scf.if %{{.+}} -> (vector<16xf32>) {
//       CHECK:     %[[I:.+]] = scf.if %{{.+}} -> (vector<16xf32>) {
//       CHECK:     scf.yield %[[I]] : vector<16xf32>
//       CHECK:   } else {
//       CHECK:     scf.yield %{{.+}} : vector<16xf32>
row.kernel @branch(%x: memref<?x128xf32>, %n: index, %out: memref<?x128xf32>) rows(%r in %out[0]) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.for %k = %zero to %n step %one {
    %v = row.load %x[%k] : memref<?x128xf32> -> vector<128xf32>
    row.store %v, %out[%k] : vector<128xf32>, memref<?x128xf32>
  }
  %a = arith.cmpi ult, %r, %n : index
  %b = arith.cmpi ugt, %r, %one : index
  %v = row.load %x[%r] : memref<?x128xf32> -> vector<128xf32>
  %w = scf.if %a -> vector<128xf32> {
    %i = scf.if %b -> vector<128xf32> {
      %d = arith.addf %v, %v : vector<128xf32>
      scf.yield %d : vector<128xf32>
    } else {
      scf.yield %v : vector<128xf32>
    }
    scf.yield %i : vector<128xf32>
  } else {
    %e = arith.mulf %v, %v : vector<128xf32>
    scf.yield %e : vector<128xf32>
  }
  row.store %w, %out[%r] : vector<128xf32>, memref<?x128xf32>
}
