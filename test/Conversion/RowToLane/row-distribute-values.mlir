// RUN: rowmill-opt %s --split-input-file --pass-pipeline='builtin.module(row-tile{target=gfx950},gpu.module(row-distribute,canonicalize,cse))' | FileCheck %s

// Sixteen elements a lane: four butterflies in the lane, three between lanes,
// each exchange next to its sum. Odd quads hold their places in reverse, so that
// the exchange of places by four is one of lanes by seven, which DPP can do.
// CHECK-LABEL: gpu.func @hadamard(
//       CHECK:   %[[LANE:.+]] = arith.remui
//       CHECK:   arith.xori %[[LANE]], %{{.+}} : index
//       CHECK:   %[[P:.+]] = lane.exchange %{{.+}} xor 1 : f32
//  CHECK-NEXT:   arith.addf %[[P]], %{{.+}} : f32
// CHECK-COUNT-15: lane.exchange %{{.+}} xor 1 : f32
// CHECK-COUNT-16: lane.exchange %{{.+}} xor 2 : f32
// CHECK-COUNT-16: lane.exchange %{{.+}} xor 7 : f32
//   CHECK-NOT:   lane.exchange
//       CHECK:   vector.store
row.kernel @hadamard(%x: memref<?x128xf32>) rows(%r in %x[0]) {
  %v = row.load %x[%r] : memref<?x128xf32> -> vector<128xf32>
  %h = row.hadamard %v : vector<128xf32>
  row.store %h, %x[%r] : vector<128xf32>, memref<?x128xf32>
}

// -----

// In chunks the longest strides are between registers again.
// CHECK-LABEL: gpu.func @hadamard_chunks(
//   CHECK-NOT:   arith.xori
// CHECK-COUNT-64: lane.exchange %{{.+}} xor 1 : f32
//   CHECK-NOT:   lane.exchange
//       CHECK:   vector.store
row.kernel @hadamard_chunks(%x: memref<?x128xf32>) rows(%r in %x[0])
    attributes {partition = #row.partition<lanes_per_row = 2>} {
  %v = row.load %x[%r] : memref<?x128xf32> -> vector<128xf32>
  %h = row.hadamard %v : vector<128xf32>
  row.store %h, %x[%r] : vector<128xf32>, memref<?x128xf32>
}

// -----

// The sum of a row is the same tree for every partition: neighbours in the lane,
// neighbouring lanes, then chunks.
// CHECK-LABEL: gpu.func @rmsnorm(
//       CHECK:   arith.mulf %{{.+}}, %{{.+}} : vector<16xf32>
// CHECK-COUNT-15: arith.addf {{.+}} : f32
//       CHECK:   lane.reduce add %{{.+}} cluster 8 : f32
//       CHECK:   math.rsqrt
row.kernel @rmsnorm(%x: memref<?x128xbf16>, %w: memref<128xbf16>, %eps: f32) rows(%r in %x[0]) {
  %v = row.load %x[%r] : memref<?x128xbf16> -> vector<128xbf16>
  %g = row.load %w[] : memref<128xbf16> -> vector<128xbf16>
  %n = row.rmsnorm %v, %g eps %eps : vector<128xbf16>, vector<128xbf16>
  row.store %n, %x[%r] : vector<128xbf16>, memref<?x128xbf16>
}

// -----

// Lanes past the end of a row of 96 add nothing.
// CHECK-LABEL: gpu.func @sum_past_end(
//   CHECK-DAG:   %[[ZERO:.+]] = arith.constant 0.000000e+00 : f32
//       CHECK:   vector.load
//       CHECK:   %[[INSIDE:.+]] = arith.cmpi ult
// CHECK-COUNT-16: arith.select %[[INSIDE]], %{{.+}}, %[[ZERO]] : f32
//       CHECK:   lane.reduce add %{{.+}} cluster 8 : f32
row.kernel @sum_past_end(%x: memref<?x96xf32>, %y: memref<?x1xf32>) rows(%r in %x[0]) {
  %v = row.load %x[%r] : memref<?x96xf32> -> vector<96xf32>
  %s = row.reduce add %v group 96 : vector<96xf32> -> vector<1xf32>
  row.store %s, %y[%r] : vector<1xf32>, memref<?x1xf32>
}

// -----

// Four waves share a row of 4096: the sum crosses 256 lanes.
// CHECK-LABEL: gpu.func @sum_over_waves(
//       CHECK:   lane.reduce add %{{.+}} cluster 256 : f32
row.kernel @sum_over_waves(%x: memref<?x4096xf32>, %y: memref<?x1xf32>) rows(%r in %x[0])
    attributes {partition = #row.partition<waves_per_row = 4>} {
  %v = row.load %x[%r] : memref<?x4096xf32> -> vector<4096xf32>
  %s = row.reduce add %v group 4096 : vector<4096xf32> -> vector<1xf32>
  row.store %s, %y[%r] : vector<1xf32>, memref<?x1xf32>
}

// -----

// All lanes read the tables and rotate, those outside of the rotated half at the
// table's start; they keep what they had.
// CHECK-LABEL: gpu.func @rope(
//       CHECK:   %[[INSIDE:.+]] = arith.cmpi uge, %{{.+}}, %{{.+}} : index
//       CHECK:   arith.select %[[INSIDE]], %{{.+}}, %{{.+}} : index
//       CHECK:   vector.load {{.+}}, vector<8xbf16>
//   CHECK-NOT:   scf.if
// CHECK-COUNT-32: arith.mulf {{.+}} : f32
//   CHECK-NOT:   math.fma
//       CHECK:   arith.select %[[INSIDE]], %{{.+}}, %{{.+}} : vector<16xf32>
row.kernel @rope(%x: memref<?x128xf32>, %cos: memref<?x32xbf16>, %sin: memref<?x32xbf16>) rows(%r in %x[0]) {
  %v = row.load %x[%r] : memref<?x128xf32> -> vector<128xf32>
  %c = row.load %cos[%r] : memref<?x32xbf16> -> vector<32xbf16>
  %s = row.load %sin[%r] : memref<?x32xbf16> -> vector<32xbf16>
  %w = row.rope interleaved %v, %c, %s at 64 : vector<128xf32>, vector<32xbf16>
  row.store %w, %x[%r] : vector<128xf32>, memref<?x128xf32>
}

// -----

// Halves of 32 lie two lanes apart.
// CHECK-LABEL: gpu.func @rope_halves(
//       CHECK:   lane.exchange %{{.+}} xor 2 : vector<16xf32>
//   CHECK-NOT:   lane.shuffle
//       CHECK:   vector.store
row.kernel @rope_halves(%x: memref<?x128xf32>, %cos: memref<?x32xf32>) rows(%r in %x[0]) {
  %v = row.load %x[%r] : memref<?x128xf32> -> vector<128xf32>
  %c = row.load %cos[%r] : memref<?x32xf32> -> vector<32xf32>
  %w = row.rope half_split %v, %c, %c at 64 : vector<128xf32>, vector<32xf32>
  row.store %w, %x[%r] : vector<128xf32>, memref<?x128xf32>
}

// -----

// Halves three lanes apart are no exchange.
// CHECK-LABEL: gpu.func @rope_halves_apart(
//       CHECK:   lane.shuffle %{{.+}} from %{{.+}} cluster 8
row.kernel @rope_halves_apart(%x: memref<?x128xf32>, %cos: memref<?x48xf32>) rows(%r in %x[0]) {
  %v = row.load %x[%r] : memref<?x128xf32> -> vector<128xf32>
  %c = row.load %cos[%r] : memref<?x48xf32> -> vector<48xf32>
  %w = row.rope half_split %v, %c, %c at 16 : vector<128xf32>, vector<48xf32>
  row.store %w, %x[%r] : vector<128xf32>, memref<?x128xf32>
}

// -----

// A group of 32 is two lanes: one step between lanes, one exponent a lane.
// CHECK-LABEL: gpu.func @quantize(
//       CHECK:   lane.reduce maxu %{{.+}} cluster 2 : i32
//       CHECK:   %[[E:.+]] = arith.minui
//       CHECK:   lane.pack %{{.+}} exponent %[[E]] to f4E2M1FN : vector<16xf32> -> vector<2xi32>
row.kernel @quantize(%x: memref<?x128xf32>, %y: memref<?x64xi8>, %s: memref<?x4xi8>) rows(%r in %x[0]) {
  %v = row.load %x[%r] : memref<?x128xf32> -> vector<128xf32>
  %q, %e = row.quantize %v group 32 : vector<128xf32> -> vector<128xf4E2M1FN>, vector<4xf8E8M0FNU>
  row.store %q, %y[%r] : vector<128xf4E2M1FN>, memref<?x64xi8>
  row.store %e, %s[%r] : vector<4xf8E8M0FNU>, memref<?x4xi8>
}
