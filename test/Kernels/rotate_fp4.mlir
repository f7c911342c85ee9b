// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Hadamard rotation, then FP4 in groups with one E8M0 scale each.
// The scales of a token form a page: row-major, or shuffled for the logits kernel with
//   !scale = memref<?x1x4x16x4xi8>   and   #scales = #row.query_scale<heads=16, groups=4>

!x      = memref<?x16x128xbf16>    // tokens x heads x dim
!out    = memref<?x16x64xi8>       // two codes a byte
!scale  = memref<?x16x4xi8>
#scales = #row.linear<slots=16, length=4>
!row    = vector<128xbf16>
!f32    = vector<128xf32>
#group  = 32 : i64
!fp4    = vector<128xf4E2M1FN>
!e8m0   = vector<4xf8E8M0FNU>

row.kernel @rotate_fp4(%x: !x, %out: !out, %scale: !scale) rows(%token in %x[0], %head in %x[1]) {
  %v = row.load %x[%token, %head] : !x -> !row
  %f = arith.extf %v : !row to !f32
  %h = row.hadamard %f : !f32
  %q, %e = row.quantize %h group #group floor 0x01C00000 : !f32 -> !fp4, !e8m0
  row.store %q, %out[%token, %head] : !fp4, !out
  row.scatter %e, %scale[%token, %head] layout(#scales) : !e8m0, !scale
}
