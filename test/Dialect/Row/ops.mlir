// RUN: rowmill-opt %s --verify-roundtrip | FileCheck %s
// RUN: rowmill-opt %s --mlir-print-op-generic | rowmill-opt | FileCheck %s

!x      = memref<?x16x128xbf16>
!table  = memref<?x32xbf16>
!codes  = memref<?x16x64xi8>
!scales = memref<?x16x4xi8>

// Names of arguments and indices are kept; all three kinds of extents.
// CHECK-LABEL: row.kernel @extents(
// CHECK-SAME:    %in: memref<?x16x128xbf16>, %count: i64)
// CHECK-SAME:    rows(%token in %in[0], %head in %in[1], %n in %count, %k in 16) {
row.kernel @extents(%in: !x, %count: i64)
    rows(%token in %in[0], %head in %in[1], %n in %count, %k in 16) {
}

// A kernel may ask for a partition; fields that are absent stay absent.
// CHECK-LABEL: row.kernel @partition(
// CHECK-SAME:    attributes {partition = #row.partition<lanes_per_row = 8, waves_per_group = 4>} {
row.kernel @partition(%x: !x) rows(%i in %x[0])
    attributes {partition = #row.partition<lanes_per_row = 8, waves_per_group = 4>} {
}

// A body that is a whole pipeline; the names of arguments are used in it.
// CHECK-LABEL: row.kernel @flow(
row.kernel @flow(%x: !x, %cos: !table, %positions: memref<?xi64>, %out: !codes, %scale: !scales)
    rows(%token in %x[0], %head in %x[1]) {
  // CHECK: %[[P:.+]] = memref.load %positions[%token]
  %p = memref.load %positions[%token] : memref<?xi64>
  // CHECK: row.guard %[[P]] : i64
  row.guard %p : i64
  %pi = arith.index_cast %p : i64 to index
  // CHECK: %[[V:.+]] = row.load %x[%token, %head] : memref<?x16x128xbf16> -> vector<128xbf16>
  %v = row.load %x[%token, %head] : !x -> vector<128xbf16>
  // CHECK: row.load %x[%token, %head] at 64 : memref<?x16x128xbf16> -> vector<64xbf16>
  %tail = row.load %x[%token, %head] at 64 : !x -> vector<64xbf16>
  %c = row.load %cos[%pi] : !table -> vector<32xbf16>
  // CHECK: row.rope interleaved %[[V]], %{{.+}}, %{{.+}} at 64 : vector<128xbf16>, vector<32xbf16>
  %r = row.rope interleaved %v, %c, %c at 64 : vector<128xbf16>, vector<32xbf16>
  %f = arith.extf %r : vector<128xbf16> to vector<128xf32>
  // CHECK: %[[H:.+]] = row.hadamard %{{.+}} : vector<128xf32>
  %h = row.hadamard %f : vector<128xf32>
  // CHECK: %[[Q:.+]], %[[E:.+]] = row.quantize %[[H]] group 32 floor 7.0529661E-38 : vector<128xf32> -> vector<128xf4E2M1FN>, vector<4xf8E8M0FNU>
  %q, %e = row.quantize %h group 32 floor 0x01C00000
      : vector<128xf32> -> vector<128xf4E2M1FN>, vector<4xf8E8M0FNU>
  // CHECK: row.store %[[Q]], %out[%token, %head] : vector<128xf4E2M1FN>, memref<?x16x64xi8>
  row.store %q, %out[%token, %head] : vector<128xf4E2M1FN>, !codes
  // CHECK: row.store %[[E]], %scale[%token, %head] : vector<4xf8E8M0FNU>, memref<?x16x4xi8>
  row.store %e, %scale[%token, %head] : vector<4xf8E8M0FNU>, !scales
}

// CHECK-LABEL: func @values(
func.func @values(%x: vector<128xf32>, %w: vector<128xbf16>, %c: vector<16xf32>, %eps: f32) {
  // CHECK: %[[G:.+]] = row.reduce absmax %{{.+}} group 32 : vector<128xf32> -> vector<4xf32>
  %g = row.reduce absmax %x group 32 : vector<128xf32> -> vector<4xf32>
  // CHECK: row.reduce add %{{.+}} group 128 : vector<128xf32> -> vector<1xf32>
  %s = row.reduce add %x group 128 : vector<128xf32> -> vector<1xf32>
  // CHECK: row.reduce max %{{.+}} group 64 : vector<128xbf16> -> vector<2xbf16>
  %m = row.reduce max %w group 64 : vector<128xbf16> -> vector<2xbf16>
  // CHECK: row.broadcast %[[G]] : vector<4xf32> -> vector<128xf32>
  %b = row.broadcast %g : vector<4xf32> -> vector<128xf32>
  // CHECK: row.rmsnorm %{{.+}}, %{{.+}} eps 9.99999997E-7 : vector<128xf32>, vector<128xbf16>
  %n0 = row.rmsnorm %x, %w eps 1.0e-6 : vector<128xf32>, vector<128xbf16>
  // CHECK: row.rmsnorm %{{.+}}, %{{.+}} eps %{{.+}} round_to_weight one_plus_weight : vector<128xf32>, vector<128xbf16>
  %n1 = row.rmsnorm %x, %w eps %eps round_to_weight one_plus_weight
      : vector<128xf32>, vector<128xbf16>
  // CHECK: row.rope half_split %{{.+}}, %{{.+}}, %{{.+}} : vector<128xf32>, vector<16xf32>
  %r = row.rope half_split %x, %c, %c : vector<128xf32>, vector<16xf32>
  return
}

// CHECK-LABEL: func @formats(
func.func @formats(%x: vector<128xf32>) {
  // CHECK: %[[Q:.+]], %[[E:.+]] = row.quantize %{{.+}} group 64 round down : vector<128xf32> -> vector<128xf8E4M3FN>, vector<2xf8E8M0FNU>
  %q0, %e0 = row.quantize %x group 64 round down
      : vector<128xf32> -> vector<128xf8E4M3FN>, vector<2xf8E8M0FNU>
  // The default is not printed.
  // CHECK: row.quantize %{{.+}} group 128 floor 1.000000e-10 : vector<128xf32> -> vector<128xf8E4M3FNUZ>, vector<1xf32>
  %q1, %e1 = row.quantize %x group 128 floor 1.0e-10
      : vector<128xf32> -> vector<128xf8E4M3FNUZ>, vector<1xf32>
  // CHECK: row.dequantize %[[Q]], %[[E]] : vector<128xf8E4M3FN>, vector<2xf8E8M0FNU> -> vector<128xf32>
  %d = row.dequantize %q0, %e0
      : vector<128xf8E4M3FN>, vector<2xf8E8M0FNU> -> vector<128xf32>
  return
}

// CHECK-LABEL: func @pages(
func.func @pages(%q: vector<128xf4E2M1FN>, %cache: memref<?x1x4x64x16xi8>, %page: index, %slot: index) {
  // CHECK: row.scatter %{{.+}}, %{{.+}}[%{{.+}}, %{{.+}}] layout(#row.fp4_preshuffle<slots = 64, length = 128>) : vector<128xf4E2M1FN>, memref<?x1x4x64x16xi8>
  row.scatter %q, %cache[%page, %slot] layout(#row.fp4_preshuffle<slots = 64, length = 128>)
      : vector<128xf4E2M1FN>, memref<?x1x4x64x16xi8>
  // CHECK: row.gather %{{.+}}[%{{.+}}, %{{.+}}] layout(#row.fp4_preshuffle<slots = 64, length = 128>) : memref<?x1x4x64x16xi8> -> vector<128xf4E2M1FN>
  %0 = row.gather %cache[%page, %slot] layout(#row.fp4_preshuffle<slots = 64, length = 128>)
      : memref<?x1x4x64x16xi8> -> vector<128xf4E2M1FN>
  return
}

// A rank-one memref has no leading indices.
// CHECK-LABEL: func @shared_row(
func.func @shared_row(%w: memref<128xf32>) -> vector<128xf32> {
  // CHECK: row.load %{{.+}}[] : memref<128xf32> -> vector<128xf32>
  %0 = row.load %w[] : memref<128xf32> -> vector<128xf32>
  return %0 : vector<128xf32>
}
