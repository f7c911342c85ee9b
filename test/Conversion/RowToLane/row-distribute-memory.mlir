// RUN: rowmill-opt %s --split-input-file --pass-pipeline='builtin.module(row-tile{target=gfx950},gpu.module(row-distribute,canonicalize,cse))' | FileCheck %s

// Sixteen bf16 elements a lane: two loads and two stores of 16 bytes.
// CHECK-LABEL: gpu.func @dense(
//       CHECK:   %[[THREAD:.+]] = gpu.thread_id x
//       CHECK:   %[[LANE:.+]] = arith.remui %[[THREAD]], %{{.+}} : index
//       CHECK:   %[[FIRST:.+]] = arith.muli %[[LANE]], %{{.+}} : index
//       CHECK:   vector.load %{{.+}}[%{{.+}}, %[[FIRST]]] : {{.+}}, vector<8xbf16>
//       CHECK:   vector.load {{.+}}, vector<8xbf16>
//   CHECK-NOT:   vector.load
// CHECK-COUNT-2: vector.store {{.+}}, vector<8xbf16>
//   CHECK-NOT:   vector.store
row.kernel @dense(%x: memref<?x128xbf16>, %y: memref<?x128xbf16>) rows(%r in %x[0]) {
  %v = row.load %x[%r] : memref<?x128xbf16> -> vector<128xbf16>
  row.store %v, %y[%r] : vector<128xbf16>, memref<?x128xbf16>
}

// -----

// Lanes 28 to 31 of a row of 448 lie past its end: they read its last sixteen
// elements and store nothing.
// CHECK-LABEL: gpu.func @past_end(
//   CHECK-DAG:   %[[LAST:.+]] = arith.constant 432 : index
//   CHECK-DAG:   %[[LENGTH:.+]] = arith.constant 448 : index
//       CHECK:   %[[START:.+]] = arith.minui %[[FIRST:.+]], %[[LAST]] : index
//       CHECK:   vector.load %{{.+}}[%{{.+}}, %[[START]]]
//       CHECK:   %[[INSIDE:.+]] = arith.cmpi ult, %[[FIRST]], %[[LENGTH]] : index
//       CHECK:   scf.if %[[INSIDE]] {
// CHECK-COUNT-2:   vector.store
row.kernel @past_end(%x: memref<?x448xbf16>, %y: memref<?x448xbf16>) rows(%r in %x[0]) {
  %v = row.load %x[%r] : memref<?x448xbf16> -> vector<448xbf16>
  row.store %v, %y[%r] : vector<448xbf16>, memref<?x448xbf16>
}

// -----

// A page's base is a 64-bit product with the page's own stride; offsets in the
// page are 32-bit. Sixteen codes of FP4 are 8 neighbouring bytes, a scale one
// byte, stored by the first lane of its two.
// CHECK-LABEL: gpu.func @paged(
//   CHECK-DAG:   %[[STRIDE:.+]] = arith.constant 8192 : index
//       CHECK:   %[[BASE:.+]] = arith.muli %{{.+}}, %[[STRIDE]] : index
//       CHECK:   %[[PAGE:.+]] = memref.reinterpret_cast %{{.+}} to offset: [%[[BASE]]], sizes: [4096], strides: [1]
//       CHECK:   arith.divui %{{.+}} : i32
//       CHECK:   vector.store %{{.+}}, %[[PAGE]][%{{.+}}] : {{.+}}, vector<8xi8>
//   CHECK-NOT:   vector.store
//       CHECK:   scf.if
//       CHECK:     vector.store {{.+}}, vector<1xi8>
!cache = memref<?x1x4x64x16xi8, strided<[8192, 4096, 1024, 16, 1]>>
!scale = memref<?x1x4x64xi8>
row.kernel @paged(%x: memref<?x128xf32>, %slots: memref<?xi64>, %cache: !cache, %scale: !scale) rows(%r in %x[0]) {
  %flat = memref.load %slots[%r] : memref<?xi64>
  row.guard %flat : i64
  %where = arith.index_cast %flat : i64 to index
  %c64 = arith.constant 64 : index
  %page = arith.divui %where, %c64 : index
  %slot = arith.remui %where, %c64 : index
  %v = row.load %x[%r] : memref<?x128xf32> -> vector<128xf32>
  %q, %e = row.quantize %v group 32 : vector<128xf32> -> vector<128xf4E2M1FN>, vector<4xf8E8M0FNU>
  row.scatter %q, %cache[%page, %slot] layout(#row.fp4_preshuffle<slots = 64, length = 128>) : vector<128xf4E2M1FN>, !cache
  row.scatter %e, %scale[%page, %slot] layout(#row.e8m0_interleave<slots = 64, groups = 4>) : vector<4xf8E8M0FNU>, !scale
}

// -----

// A layout of the user's own that keeps only four bytes together.
// CHECK-LABEL: gpu.func @own_layout(
// CHECK-COUNT-4: vector.store {{.+}}, vector<4xi8>
//     CHECK-NOT: vector.store
#own = #row.layout<affine_map<(s, e) -> ((e floordiv 4) * 64 + s * 4 + e mod 4)>, slots = 16, length = 128>
row.kernel @own_layout(%x: memref<?x128xi8>, %cache: memref<?x2048xi8>) rows(%r in %x[0]) {
  %c16 = arith.constant 16 : index
  %page = arith.divui %r, %c16 : index
  %slot = arith.remui %r, %c16 : index
  %v = row.load %x[%r] : memref<?x128xi8> -> vector<128xf8E4M3FN>
  row.scatter %v, %cache[%page, %slot] layout(#own) : vector<128xf8E4M3FN>, memref<?x2048xi8>
}

// -----

// The last sixteen heads of a token write the zeros of the padding heads: four
// scales and three times four zeros, each a byte.
// CHECK-LABEL: gpu.func @padding(
// CHECK-COUNT-16: vector.store {{.+}}, vector<1xi8>
//     CHECK-NOT: vector.store
row.kernel @padding(%x: memref<?x16x4xi8>, %scale: memref<?x4x16x4xi8>) rows(%t in %x[0], %h in %x[1]) {
  %e = row.load %x[%t, %h] : memref<?x16x4xi8> -> vector<4xf8E8M0FNU>
  row.scatter %e, %scale[%t, %h] layout(#row.query_scale<heads = 16, groups = 4>) : vector<4xf8E8M0FNU>, memref<?x4x16x4xi8>
}

// -----

// What is gathered is what was scattered.
// CHECK-LABEL: gpu.func @gather(
//       CHECK:   memref.reinterpret_cast
//       CHECK:   vector.load {{.+}}, vector<8xi8>
//       CHECK:   lane.unpack {{.+}} from f4E2M1FN : vector<2xi32> -> vector<16xf32>
row.kernel @gather(%cache: memref<?x16x64xi8>, %scale: memref<?x16x4xi8>, %y: memref<?x128xf32>) rows(%r in %y[0]) {
  %c0 = arith.constant 0 : index
  %q = row.gather %cache[%r, %c0] layout(#row.linear<slots = 16, length = 128>) : memref<?x16x64xi8> -> vector<128xf4E2M1FN>
  %e = row.gather %scale[%r, %c0] layout(#row.linear<slots = 16, length = 4>) : memref<?x16x4xi8> -> vector<4xf8E8M0FNU>
  %v = row.dequantize %q, %e : vector<128xf4E2M1FN>, vector<4xf8E8M0FNU> -> vector<128xf32>
  row.store %v, %y[%r] : vector<128xf32>, memref<?x128xf32>
}

// -----

// Six elements are read as four and two, never past the table's end, and the
// rotation of twelve elements is done in vectors of eight and four.
// CHECK-LABEL: gpu.func @table_of_six(
//       CHECK:   vector.load %{{.+}} : memref<?x6xf32, {{.+}}>, vector<4xf32>
//       CHECK:   vector.load %{{.+}} : memref<?x6xf32, {{.+}}>, vector<2xf32>
//   CHECK-NOT:   vector<6xf32>
//       CHECK:   gpu.return
row.kernel @table_of_six(%x: memref<?x32xf32>, %cos: memref<?x6xf32>) rows(%r in %x[0])
    attributes {partition = #row.partition<lanes_per_row = 1>} {
  %v = row.load %x[%r] : memref<?x32xf32> -> vector<32xf32>
  %c = row.load %cos[%r] : memref<?x6xf32> -> vector<6xf32>
  %w = row.rope interleaved %v, %c, %c at 4 : vector<32xf32>, vector<6xf32>
  row.store %w, %x[%r] : vector<32xf32>, memref<?x32xf32>
}
