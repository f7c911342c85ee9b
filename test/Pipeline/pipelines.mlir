// The named pipelines are the order that the compiler uses, and nothing of the
// levels above is left behind each.
// RUN: rowmill-opt %s --rowmill-tile-and-distribute='target=gfx950 lanes-per-row=16' | FileCheck %s --check-prefix=LANES
// RUN: rowmill-opt %s --rowmill-tile-and-distribute=target=gfx950 --rowmill-to-rocdl | FileCheck %s --check-prefix=ROCDL

// LANES-LABEL: gpu.func @scale(
//  LANES-SAME:   lanes_per_row = 16 : i64
//   LANES-NOT:   row.
//       LANES:   vector.load {{.+}}, vector<8xbf16>
//       LANES:   gpu.return

// ROCDL-LABEL: llvm.func @scale(
//   ROCDL-NOT: {{(row|lane|arith|vector|memref|scf|cf)\.[a-z]+ }}
//   ROCDL-NOT: unrealized_conversion_cast
//       ROCDL:   llvm.return
row.kernel @scale(%x: memref<?x128xbf16>, %factor: f32) rows(%r in %x[0]) {
  %v = row.load %x[%r] : memref<?x128xbf16> -> vector<128xbf16>
  %f = arith.extf %v : vector<128xbf16> to vector<128xf32>
  %s = vector.broadcast %factor : f32 to vector<128xf32>
  %m = arith.mulf %f, %s : vector<128xf32>
  %t = arith.truncf %m : vector<128xf32> to vector<128xbf16>
  row.store %t, %x[%r] : vector<128xbf16>, memref<?x128xbf16>
}
