// RUN: rowmill-opt %s --split-input-file --pass-pipeline='builtin.module(row-tile{target=gfx950},gpu.module(row-partition,canonicalize,cse))' | FileCheck %s

!rows = memref<?x8x128xf32>

// One wave has all sources: no LDS, no barrier. The reads of a source stand one
// turn before it is taken in, and none beyond the last.
// CHECK-LABEL: gpu.func @one_wave(
//   CHECK-NOT:   workgroup(
//   CHECK-DAG:   %[[LOWEST:.+]] = arith.constant dense<-3.40282347E+38> : vector<128xf32>
//   CHECK-DAG:   %[[ZERO:.+]] = arith.constant dense<0.000000e+00> : vector<128xf32>
//   CHECK-DAG:   %[[MASKED:.+]] = arith.constant dense<0xFF800000> : vector<128xf32>
//       CHECK:   %[[SOME:.+]] = arith.cmpi slt, %[[FROM:.+]], %[[TO:.+]] : index
//       CHECK:   %[[STATE:.+]]:2 = scf.if %[[SOME]]
//       CHECK:     %[[Z0:.+]] = row.load %{{.+}}[%[[ROW:.+]], %[[FROM]]]
//       CHECK:     %[[X0:.+]] = row.load %{{.+}}[%[[ROW]], %[[FROM]]]
//       CHECK:     %[[L:.+]]:5 = scf.for %[[K:.+]] = %{{.+}} to %[[TO]] step %{{.+}} iter_args(%[[M:.+]] = %[[LOWEST]], %[[V:.+]] = %[[ZERO]], %[[W:.+]] = %[[ZERO]], %[[Z:.+]] = %[[Z0]], %[[X:.+]] = %[[X0]])
//       CHECK:       %[[ZN:.+]] = row.load %{{.+}}[%[[ROW]], %[[K]]]
//       CHECK:       %[[XN:.+]] = row.load %{{.+}}[%[[ROW]], %[[K]]]
//       CHECK:       %[[IS:.+]] = arith.cmpf oeq, %[[Z]], %[[MASKED]]
//       CHECK:       %[[VALUE:.+]] = arith.select %[[IS]], %[[ZERO]], %[[X]]
//       CHECK:       %[[MORE:.+]] = arith.cmpf ogt, %[[Z]], %[[M]]
//       CHECK:       math.exp2 %{{.+}} fastmath<afn>
//       CHECK:       %[[MN:.+]] = arith.select %[[MORE]], %[[Z]], %[[M]]
//       CHECK:       %[[VN:.+]] = math.fma %[[V]]
//       CHECK:       %[[WN:.+]] = math.fma %[[W]]
//       CHECK:       scf.yield %[[MN]], %[[VN]], %[[WN]], %[[ZN]], %[[XN]]
//       CHECK:     math.exp2
//       CHECK:   } else {
//  CHECK-NEXT:     scf.yield %[[ZERO]], %[[ZERO]]
//       CHECK:   %[[INV:.+]] = arith.divf %{{.+}}, %{{.+}} fastmath<afn>
//       CHECK:   %[[Y:.+]] = arith.mulf %[[STATE]]#0, %[[INV]]
//       CHECK:   row.store %[[Y]]
row.kernel @one_wave(%z: !rows, %x: !rows, %from: index, %to: index, %out: memref<?x128xf32>) rows(%r in %out[0])
    attributes {partition = #row.partition<waves_per_row = 1>} {
  %c = row.softmax_pool (%k = %from to %to) {
    %s = row.load %z[%r, %k] : !rows -> vector<128xf32>
    %v = row.load %x[%r, %k] : !rows -> vector<128xf32>
    row.yield %s, %v : vector<128xf32>
  } -> vector<128xf32>
  row.store %c, %out[%r] : vector<128xf32>, memref<?x128xf32>
}

// -----

!rows = memref<?x8x128xf32>

// Two waves: source k belongs to wave k mod 2. The second leaves its three rows
// in LDS; the first merges, and does the rest, and what was written before.
// CHECK-LABEL: gpu.func @two_waves(
//  CHECK-SAME:   workgroup(%[[LDS:.+]] : memref<1536xf32, #gpu.address_space<workgroup>>)
//       CHECK:   %[[WAVE:.+]] = arith.remui
//       CHECK:   %[[FIRST:.+]] = arith.cmpi eq, %[[WAVE]]
//       CHECK:   scf.if %[[FIRST]] {
//  CHECK-NEXT:     row.store
//       CHECK:   %[[AHEAD:.+]] = arith.subi %[[WAVE]], %[[FROM:.+]] : index
//       CHECK:   %[[AND:.+]] = arith.andi %[[AHEAD]], %{{.+}} : index
//       CHECK:   arith.addi %[[FROM]], %[[AND]]
//       CHECK:   scf.for
//       CHECK:   %[[OTHER:.+]] = arith.cmpi ne, %[[WAVE]]
//       CHECK:   scf.if %[[OTHER]] {
// CHECK-COUNT-3:   lane.store_shared %{{.+}}, %[[LDS]]
//       CHECK:   gpu.barrier
//       CHECK:   scf.if %[[FIRST]] {
// CHECK-COUNT-3:   lane.load_shared %[[LDS]]
//       CHECK:     arith.divf
//       CHECK:     row.rmsnorm
//       CHECK:     row.store
row.kernel @two_waves(%z: !rows, %x: !rows, %from: index, %to: index, %w: memref<128xf32>, %mark: memref<?x128xf32>,
    %out: memref<?x128xf32>) rows(%r in %out[0])
    attributes {partition = #row.partition<waves_per_row = 2>} {
  %weight = row.load %w[] : memref<128xf32> -> vector<128xf32>
  row.store %weight, %mark[%r] : vector<128xf32>, memref<?x128xf32>
  %c = row.softmax_pool sources 8 (%k = %from to %to) {
    %s = row.load %z[%r, %k] : !rows -> vector<128xf32>
    %v = row.load %x[%r, %k] : !rows -> vector<128xf32>
    row.yield %s, %v : vector<128xf32>
  } -> vector<128xf32>
  %n = row.rmsnorm %c, %weight eps 1.0e-06 : vector<128xf32>, vector<128xf32>
  row.store %n, %out[%r] : vector<128xf32>, memref<?x128xf32>
}

// -----

// Two pools of two waves in a workgroup: pages of their own.
// CHECK-LABEL: gpu.func @two_pools(
//  CHECK-SAME:   workgroup(%{{.+}} : memref<3072xf32, #gpu.address_space<workgroup>>)
//       CHECK:   %[[WAVE:.+]] = arith.divui %thread_id_x
//       CHECK:   arith.divui %[[WAVE]]
row.kernel @two_pools(%x: memref<?x128xf32>, %out: memref<?x128xf32>) rows(%r in %out[0])
    attributes {partition = #row.partition<waves_per_row = 2, waves_per_group = 4>} {
  %from = arith.constant 0 : index
  %c = row.softmax_pool (%k = %from to %r) {
    %v = row.load %x[%k] : memref<?x128xf32> -> vector<128xf32>
    row.yield %v, %v : vector<128xf32>
  } -> vector<128xf32>
  row.store %c, %out[%r] : vector<128xf32>, memref<?x128xf32>
}
