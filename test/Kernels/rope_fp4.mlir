// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Rotary embedding on the tail of every head, with and without the Hadamard rotation, then FP4 in groups of 32.
// The scales of a token form a page: row-major, or shuffled for the logits kernel with
//   !scale = memref<?x1x4x16x4xi8>   and   #scales = #row.query_scale<heads=16, groups=4>

!x      = memref<?x16x128xbf16>    // tokens x heads x dim
!out    = memref<?x16x64xi8>       // two codes a byte
!scale  = memref<?x16x4xi8>
#scales = #row.linear<slots=16, length=4>
!table  = memref<?x32xbf16>        // positions x half of the rotated part
!pos    = memref<?xi64>
!row    = vector<128xbf16>
!f32    = vector<128xf32>
!angle  = vector<32xbf16>
#tail   = 64 : i64                 // where the rotated part starts
#group  = 32 : i64
!fp4    = vector<128xf4E2M1FN>
!e8m0   = vector<4xf8E8M0FNU>

row.kernel @rope_rotate_fp4(%x: !x, %cos: !table, %sin: !table, %positions: !pos, %out: !out, %scale: !scale)
    rows(%token in %x[0], %head in %x[1]) {
  %p = memref.load %positions[%token] : !pos
  %i = arith.index_cast %p : i64 to index
  %v = row.load %x[%token, %head] : !x -> !row
  %f = arith.extf %v : !row to !f32
  %c = row.load %cos[%i] : !table -> !angle
  %s = row.load %sin[%i] : !table -> !angle
  %r = row.rope interleaved %f, %c, %s at #tail : !f32, !angle
  %h = row.hadamard %r : !f32
  %q, %e = row.quantize %h group #group floor 0x01C00000 : !f32 -> !fp4, !e8m0
  row.store %q, %out[%token, %head] : !fp4, !out
  row.scatter %e, %scale[%token, %head] layout(#scales) : !e8m0, !scale
}

row.kernel @rope_fp4(%x: !x, %cos: !table, %sin: !table, %positions: !pos, %out: !out, %scale: !scale)
    rows(%token in %x[0], %head in %x[1]) {
  %p = memref.load %positions[%token] : !pos
  %i = arith.index_cast %p : i64 to index
  %v = row.load %x[%token, %head] : !x -> !row
  %f = arith.extf %v : !row to !f32
  %c = row.load %cos[%i] : !table -> !angle
  %s = row.load %sin[%i] : !table -> !angle
  %r = row.rope interleaved %f, %c, %s at #tail : !f32, !angle
  %q, %e = row.quantize %r group #group floor 0x01C00000 : !f32 -> !fp4, !e8m0
  row.store %q, %out[%token, %head] : !fp4, !out
  row.scatter %e, %scale[%token, %head] layout(#scales) : !e8m0, !scale
}
