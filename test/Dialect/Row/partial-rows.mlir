// RUN: rowmill-opt %s --verify-roundtrip | FileCheck %s
// RUN: rowmill-opt %s --mlir-print-op-generic | rowmill-opt | FileCheck %s
// RUN: rowmill-opt %s --canonicalize | FileCheck %s --check-prefix=FOLD

// Rows that start where an index says, parts of rows, and scale bytes as values.
// CHECK-LABEL: row.kernel @parts(
// FOLD-LABEL:  row.kernel @parts(
row.kernel @parts(%x: memref<?x1024xf32>, %out: memref<?x512xi8>, %sc: memref<?xf32>, %at: index) rows(%r in %x[0]) {
  %c = arith.constant 512 : index
  // CHECK: row.load %x[%r] at %at : memref<?x1024xf32> -> vector<512xf32>
  // FOLD:  row.load %x[%r] at %at : memref<?x1024xf32> -> vector<512xf32>
  %v = row.load %x[%r] at %at : memref<?x1024xf32> -> vector<512xf32>
  // CHECK: row.load %x[%r] at %{{.+}} : memref<?x1024xf32> -> vector<512xf32>
  // FOLD:  row.load %x[%r] at 512 : memref<?x1024xf32> -> vector<512xf32>
  %w = row.load %x[%r] at %c : memref<?x1024xf32> -> vector<512xf32>
  %s = arith.addf %v, %w : vector<512xf32>
  // CHECK: row.quantize %{{.+}} group 64 flush 3.906250e-03 : vector<512xf32>
  %q, %e = row.quantize %s group 64 flush 0.00390625 : vector<512xf32> -> vector<512xf8E4M3FN>, vector<8xf8E8M0FNU>
  // CHECK: row.store %{{.+}}[0 to 448], %out[%r] : vector<512xf8E4M3FN>, memref<?x512xi8>
  row.store %q[0 to 448], %out[%r] : vector<512xf8E4M3FN>, memref<?x512xi8>
  // CHECK: row.broadcast %{{.+}} : vector<8xf8E8M0FNU> -> vector<16xf8E8M0FNU>
  %t = row.broadcast %e : vector<8xf8E8M0FNU> -> vector<16xf8E8M0FNU>
  // CHECK: row.store %{{.+}}[0 to 14], %out[%r] at 448 : vector<16xf8E8M0FNU>, memref<?x512xi8>
  row.store %t[0 to 14], %out[%r] at 448 : vector<16xf8E8M0FNU>, memref<?x512xi8>
  // CHECK: row.store %{{.+}}[448 to 512], %x[%r] at %at : vector<512xf32>, memref<?x1024xf32>
  row.store %s[448 to 512], %x[%r] at %at : vector<512xf32>, memref<?x1024xf32>
  // FOLD: row.store %{{.+}}[448 to 512], %x[%r] at 512 : vector<512xf32>, memref<?x1024xf32>
  row.store %s[448 to 512], %x[%r] at %c : vector<512xf32>, memref<?x1024xf32>
  %f = arith.extf %e : vector<8xf8E8M0FNU> to vector<8xf32>
  row.store %f[0 to 1], %sc[] at %r : vector<8xf32>, memref<?xf32>
}

// An index that no row has room for is left to whoever knows the memref.
// FOLD-LABEL: row.kernel @beyond(
row.kernel @beyond(%x: memref<?x?xf32>) rows(%r in %x[0]) {
  // FOLD-DAG: %[[A:.+]] = arith.constant -1 : index
  // FOLD-DAG: %[[B:.+]] = arith.constant 4294967296 : index
  %a = arith.constant -1 : index
  %b = arith.constant 4294967296 : index
  // FOLD: row.load %x[%r] at %[[A]]
  %v = row.load %x[%r] at %a : memref<?x?xf32> -> vector<64xf32>
  // FOLD: row.store %{{.+}}, %x[%r] at %[[B]]
  row.store %v, %x[%r] at %b : vector<64xf32>, memref<?x?xf32>
}
