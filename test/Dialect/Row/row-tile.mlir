// RUN: rowmill-opt %s --split-input-file --row-tile=target=gfx950 | FileCheck %s

// Rows of 128 in eight lanes: eight rows a wave. The row index, the test for the
// end, and one index an extent, the last extent fastest.

// CHECK-LABEL: gpu.module @kernels [#rocdl.target<O = 3, chip = "gfx950">]
//       CHECK: gpu.func @copy(%[[X:.+]]: memref<?x16x128xbf16, #gpu.address_space<global>>, %[[Y:.+]]: memref<?x16x128xbf16, #gpu.address_space<global>>) kernel
//  CHECK-SAME:   known_block_size = array<i32: 64, 1, 1>
//  CHECK-SAME:   access = ["read", "write"], arg_names = ["x", "y"]
//  CHECK-SAME:   extents = [{arg = "x", dim = 0 : i64}, {arg = "x", dim = 1 : i64}]
//  CHECK-SAME:   indexed = [
//  CHECK-SAME:     [{dim = 0 : i64, extent = 0 : i64}, {dim = 1 : i64, extent = 1 : i64}],
//  CHECK-SAME:     [{dim = 0 : i64, extent = 0 : i64}, {dim = 1 : i64, extent = 1 : i64}]]
//  CHECK-SAME:   lanes_per_row = 8 : i64
//  CHECK-SAME:   rows_per_group = 8 : i64
//   CHECK-DAG:   %[[HEADS:.+]] = arith.constant 16 : index
//   CHECK-DAG:   %[[TOKENS:.+]] = memref.dim %[[X]]
//       CHECK:   %[[COUNT:.+]] = arith.muli %[[TOKENS]], %{{.+}} : index
//       CHECK:   %[[GROUP:.+]] = gpu.block_id x
//       CHECK:   %[[THREAD:.+]] = gpu.thread_id x
//       CHECK:   %[[INGROUP:.+]] = arith.divui %[[THREAD]], %{{.+}} : index
//       CHECK:   %[[FIRST:.+]] = arith.muli %[[GROUP]], %{{.+}} : index
//       CHECK:   %[[ROW:.+]] = arith.addi %[[FIRST]], %[[INGROUP]] : index
//       CHECK:   %[[ISROW:.+]] = arith.cmpi ult, %[[ROW]], %[[COUNT]] : index
//       CHECK:   scf.if %[[ISROW]] {
//       CHECK:     %[[HEAD:.+]] = arith.remui %[[ROW]], %{{.+}} : index
//       CHECK:     %[[TOKEN:.+]] = arith.divui %[[ROW]], %{{.+}} : index
//       CHECK:     %[[V:.+]] = row.load %[[X]][%[[TOKEN]], %[[HEAD]]]
//       CHECK:     row.store %[[V]], %[[Y]][%[[TOKEN]], %[[HEAD]]]
//       CHECK:   }
//       CHECK:   gpu.return
!x = memref<?x16x128xbf16>
row.kernel @copy(%x: !x, %y: !x) rows(%token in %x[0], %head in %x[1]) {
  %v = row.load %x[%token, %head] : !x -> vector<128xbf16>
  row.store %v, %y[%token, %head] : vector<128xbf16>, !x
}

// -----

// Everything after a guard stands in a branch of its own, guards nest, and what
// was before a guard stays outside.

// Only what is before a guard is for every row: arrays that a guard protects
// may be shorter.

// CHECK-LABEL: gpu.func @guarded(
//  CHECK-SAME:   indexed = {{\[\[}}], [{dim = 0 : i64, extent = 0 : i64}], [], []]
//       CHECK:   %[[SLOT:.+]] = memref.load
//       CHECK:   %[[ZERO:.+]] = arith.constant 0 : i64
//       CHECK:   %[[HASSLOT:.+]] = arith.cmpi sge, %[[SLOT]], %[[ZERO]] : i64
//       CHECK:   scf.if %[[HASSLOT]] {
//       CHECK:     %[[POS:.+]] = memref.load
//       CHECK:     %[[HASPOS:.+]] = arith.cmpi sge, %[[POS]], %{{.+}} : i32
//       CHECK:     scf.if %[[HASPOS]] {
//       CHECK:       row.load
//       CHECK:       row.store
//   CHECK-NOT: row.guard
row.kernel @guarded(%x: memref<?x64xf32>, %slots: memref<?xi64>, %pos: memref<?xi32>, %y: memref<?x64xf32>)
    rows(%r in %x[0]) {
  %slot = memref.load %slots[%r] : memref<?xi64>
  row.guard %slot : i64
  %p = memref.load %pos[%r] : memref<?xi32>
  row.guard %p : i32
  %v = row.load %x[%r] : memref<?x64xf32> -> vector<64xf32>
  row.store %v, %y[%r] : vector<64xf32>, memref<?x64xf32>
}

// -----

// Extents may be scalars and constants; a negative count means no rows. A memref
// that is read and written says so.

// CHECK-LABEL: gpu.func @extents(
//  CHECK-SAME:   access = ["readwrite", "value"]
//  CHECK-SAME:   extents = [{arg = "n"}, {const = 4 : i64}]
//       CHECK:   %[[N:.+]] = arith.index_cast %{{.+}} : i32 to index
//       CHECK:   arith.maxsi %[[N]], %{{.+}} : index
row.kernel @extents(%x: memref<?x4x64xf32>, %n: i32) rows(%i in %n, %j in 4) {
  %v = row.load %x[%i, %j] : memref<?x4x64xf32> -> vector<64xf32>
  row.store %v, %x[%i, %j] : vector<64xf32>, memref<?x4x64xf32>
}

// -----

// A module without kernels stays as it is.
// CHECK-LABEL: module {
// CHECK-NOT: gpu.module
// CHECK: func.func @other
func.func @other() { return }
