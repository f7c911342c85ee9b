// RUN: rowmill-opt %s --split-input-file --row-variants='target=gfx950' | FileCheck %s
// RUN: rowmill-opt %s --split-input-file --row-variants='target=gfx950 waves-per-row=2' | FileCheck %s --check-prefix=ASKED

!rows = memref<?x8x128xf32>

// Few sources: fewer waves for more rows. No scratch, since no variant is cut.
// CHECK-LABEL: row.kernel @short__waves4(
//  CHECK-SAME:   %out: memref<?x128xf32>) rows(
//  CHECK-SAME:   partition = #row.partition<waves_per_row = 4, workgroups_per_row = 1>
//  CHECK-SAME:   rowmill.launch = {kernel = "short", variants = [{launch = 0 : i64, max_rows = 768 : i64, variant = 0 : i64}]}
// CHECK-LABEL: row.kernel @short__waves2(
//  CHECK-SAME:   variants = [{launch = 0 : i64, max_rows = 1280 : i64, variant = 1 : i64}]
// CHECK-LABEL: row.kernel @short__waves1(
//  CHECK-SAME:   variants = [{launch = 0 : i64, variant = 2 : i64}]
//   CHECK-NOT: row.kernel @short(
// ASKED-LABEL: row.kernel @short(
//   ASKED-NOT: rowmill.launch
row.kernel @short(%x: !rows, %n: index, %out: memref<?x128xf32>) rows(%r in %out[0]) {
  %from = arith.constant 0 : index
  %c = row.softmax_pool sources 8 (%k = %from to %n) {
    %v = row.load %x[%r, %k] : !rows -> vector<128xf32>
    row.yield %v, %v : vector<128xf32>
  } -> vector<128xf32>
  row.store %c, %out[%r] : vector<128xf32>, memref<?x128xf32>
}

// -----

// Waves share two sources at most: two of the three variants are the same.
// CHECK-LABEL: row.kernel @two__waves2(
//  CHECK-SAME:   variants = [{launch = 0 : i64, max_rows = 1280 : i64, variant = 0 : i64}]
// CHECK-LABEL: row.kernel @two__waves1(
//  CHECK-SAME:   variants = [{launch = 0 : i64, variant = 1 : i64}]
row.kernel @two(%x: memref<?x128xf32>, %n: index, %out: memref<?x128xf32>) rows(%r in %out[0]) {
  %from = arith.constant 0 : index
  %c = row.softmax_pool sources 2 (%k = %from to %n) {
    %v = row.load %x[%k] : memref<?x128xf32> -> vector<128xf32>
    row.yield %v, %v : vector<128xf32>
  } -> vector<128xf32>
  row.store %c, %out[%r] : vector<128xf32>, memref<?x128xf32>
}

// -----

!x = memref<?x512xf32>

// Many sources and a norm: cut after the pool for up to 768 rows. Both halves
// keep the guard and what they need; `scratch` is taken, so another name is.
// CHECK-LABEL: row.kernel @long__pool_waves8_groups8(
//  CHECK-SAME:   %scratch: memref<?x512xf32>, %scratch_: memref<?x3x512xf32>) rows(%r in %at[0], %h in 3)
//  CHECK-SAME:   partition = #row.partition<waves_per_row = 8, workgroups_per_row = 8>
//  CHECK-SAME:   rowmill.launch = {kernel = "long", scratch = 4 : i64, variants = [{launch = 0 : i64, max_rows = 32 : i64, variant = 0 : i64}, {launch = 0 : i64, max_rows = 64 : i64, variant = 1 : i64}]}
//       CHECK:   row.guard
//   CHECK-NOT:   row.load %w
//       CHECK:   %[[C:.+]] = row.softmax_pool
//       CHECK:   row.store %[[C]], %scratch_[%r, %h]
//  CHECK-NEXT: }
// CHECK-LABEL: row.kernel @long__tail_waves4(
//  CHECK-SAME:   partition = #row.partition<waves_per_row = 1, waves_per_group = 4, workgroups_per_row = 1>
//  CHECK-SAME:   variants = [{launch = 1 : i64, max_rows = 32 : i64, variant = 0 : i64}]
//       CHECK:   row.guard
//       CHECK:   row.load %w
//   CHECK-NOT:   row.softmax_pool
//       CHECK:   %[[L:.+]] = row.load %scratch_[%r, %h]
//       CHECK:   row.rmsnorm %[[L]]
// CHECK-LABEL: row.kernel @long__tail_waves1(
// CHECK-LABEL: row.kernel @long__pool_waves8_groups4(
// CHECK-LABEL: row.kernel @long__pool_waves8_groups2(
// CHECK-LABEL: row.kernel @long__pool_waves4_groups2(
//  CHECK-SAME:   variants = [{launch = 0 : i64, max_rows = 768 : i64, variant = 4 : i64}]
// CHECK-LABEL: row.kernel @long__waves8(
//  CHECK-SAME:   rowmill.launch = {kernel = "long", scratch = 4 : i64, variants = [{launch = 0 : i64, max_rows = 1024 : i64, variant = 5 : i64}]}
//       CHECK:   row.softmax_pool
//       CHECK:   row.rmsnorm
// CHECK-LABEL: row.kernel @long__waves4(
// CHECK-LABEL: row.kernel @long__waves1(
//  CHECK-SAME:   variants = [{launch = 0 : i64, variant = 7 : i64}]
row.kernel @long(%x: !x, %w: memref<512xf32>, %at: memref<?xi32>, %scratch: !x) rows(%r in %at[0], %h in 3) {
  %p = memref.load %at[%r] : memref<?xi32>
  row.guard %p : i32
  %weight = row.load %w[] : memref<512xf32> -> vector<512xf32>
  %from = arith.constant 0 : index
  %to = arith.constant 128 : index
  %c = row.softmax_pool sources 128 (%k = %from to %to) {
    %v = row.load %x[%k] : !x -> vector<512xf32>
    row.yield %v, %v : vector<512xf32>
  } -> vector<512xf32>
  %n = row.rmsnorm %c, %weight eps 1.0e-06 : vector<512xf32>, vector<512xf32>
  row.store %n, %scratch[%r] : vector<512xf32>, !x
}

// -----

!x = memref<?x512xf32>

// Nothing crosses the row: workgroups share it without a cut.
// CHECK-LABEL: row.kernel @pool_only__waves8_groups8(
//  CHECK-SAME:   partition = #row.partition<waves_per_row = 8, workgroups_per_row = 8>
//   CHECK-NOT:   scratch
// CHECK-LABEL: row.kernel @pool_only__waves8_groups4(
row.kernel @pool_only(%x: !x, %out: !x) rows(%r in %out[0]) {
  %from = arith.constant 0 : index
  %to = arith.constant 128 : index
  %c = row.softmax_pool sources 128 (%k = %from to %to) {
    %v = row.load %x[%k] : !x -> vector<512xf32>
    row.yield %v, %v : vector<512xf32>
  } -> vector<512xf32>
  row.store %c, %out[%r] : vector<512xf32>, !x
}

// -----

// No pool, no variants.
// CHECK-LABEL: row.kernel @no_pool(
//   CHECK-NOT: rowmill.launch
row.kernel @no_pool(%x: memref<?x128xf32>) rows(%r in %x[0]) {
  %v = row.load %x[%r] : memref<?x128xf32> -> vector<128xf32>
  row.store %v, %x[%r] : vector<128xf32>, memref<?x128xf32>
}
