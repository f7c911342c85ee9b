// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Long rows, whose sum needs several waves.
!x   = memref<?x7168xbf16>
!row = vector<7168xbf16>
!f32 = vector<7168xf32>

row.kernel @norm(%x: !x, %w: memref<7168xbf16>, %y: !x, %eps: f32) rows(%i in %x[0]) {
  %v = row.load %x[%i] : !x -> !row
  %f = arith.extf %v : !row to !f32
  %g = row.load %w[] : memref<7168xbf16> -> !row
  %n = row.rmsnorm %f, %g eps %eps : !f32, !row
  %t = arith.truncf %n : !f32 to !row
  row.store %t, %y[%i] : !row, !x
}
