// RUN: rowmill-opt %s --split-input-file --pass-pipeline='builtin.module(row-tile{target=gfx950},gpu.module(row-distribute,canonicalize,cse))' | FileCheck %s

// The lanes whose run lies in the part store it whole: elements from 448 on are
// those of the lanes from 56 on, and go to the start of the tail.
// CHECK-LABEL: gpu.func @tail(
//   CHECK-DAG:   %[[C448:.+]] = arith.constant 448 : index
//   CHECK-DAG:   %[[MINUS:.+]] = arith.constant -448 : index
//       CHECK:   %[[FIRST:.+]] = arith.muli %{{.+}} : index
//       CHECK:   %[[IS:.+]] = arith.cmpi uge, %[[FIRST]], %[[C448]] : index
//  CHECK-NEXT:   scf.if %[[IS]] {
//       CHECK:     %[[AT:.+]] = arith.addi %[[FIRST]], %[[MINUS]] : index
//       CHECK:     vector.store %{{.+}}, %{{.+}}[%{{.+}}, %[[AT]]] : memref<?x64xf32, #gpu.address_space<global>>, vector<4xf32>
row.kernel @tail(%x: memref<?x512xf32>, %out: memref<?x64xf32>) rows(%r in %x[0])
    attributes {partition = #row.partition<lanes_per_row = 64>} {
  %v = row.load %x[%r] : memref<?x512xf32> -> vector<512xf32>
  row.store %v[448 to 512], %out[%r] : vector<512xf32>, memref<?x64xf32>
}

// -----

// A part that ends within a lane's run: pairs, each with its own condition.
// CHECK-LABEL: gpu.func @ragged(
// CHECK-COUNT-4: vector.store %{{.+}} : memref<?x10xi8, #gpu.address_space<global>>, vector<2xi8>
//   CHECK-NOT:   vector.store
row.kernel @ragged(%x: memref<?x64xf32>, %out: memref<?x10xi8>, %s: memref<?xf32>) rows(%r in %x[0])
    attributes {partition = #row.partition<lanes_per_row = 8>} {
  %v = row.load %x[%r] : memref<?x64xf32> -> vector<64xf32>
  %q, %e = row.quantize %v group 64 : vector<64xf32> -> vector<64xf8E4M3FN>, vector<1xf32>
  row.store %q[0 to 10], %out[%r] : vector<64xf8E4M3FN>, memref<?x10xi8>
}

// -----

// A start that differs between rows is added to every lane's place.
// CHECK-LABEL: gpu.func @start(
//       CHECK:   %[[AT:.+]] = arith.addi %{{.+}}, %arg2 : index
//       CHECK:   vector.load %{{.+}}[%{{.+}}, %[[AT]]]
row.kernel @start(%x: memref<?x256xf32>, %out: memref<?x128xf32>, %at: index) rows(%r in %x[0]) {
  %v = row.load %x[%r] at %at : memref<?x256xf32> -> vector<128xf32>
  row.store %v, %out[%r] : vector<128xf32>, memref<?x128xf32>
}

// -----

// A scale byte is shifted into the exponent; the denormal and NaN by selection.
// CHECK-LABEL: gpu.func @scale_value(
//       CHECK:   arith.shli
//       CHECK:   arith.select
//       CHECK:   arith.bitcast %{{.+}} : i32 to f32
row.kernel @scale_value(%x: memref<?x4xi8>, %y: memref<?x128xf32>, %out: memref<?x4xf32>) rows(%r in %x[0]) {
  %v = row.load %y[%r] : memref<?x128xf32> -> vector<128xf32>
  row.store %v, %y[%r] : vector<128xf32>, memref<?x128xf32>
  %e = row.load %x[%r] : memref<?x4xi8> -> vector<4xf8E8M0FNU>
  %f = arith.extf %e : vector<4xf8E8M0FNU> to vector<4xf32>
  row.store %f, %out[%r] : vector<4xf32>, memref<?x4xf32>
}
