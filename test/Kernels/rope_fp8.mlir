// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Rotary embedding on the tail of every head, with and without the Hadamard rotation, then FP8 with an f32 scale a group.
// gfx942 has !fp8 = vector<128xf8E4M3FNUZ> only.

!x     = memref<?x16x128xbf16>    // tokens x heads x dim
!out   = memref<?x16x128xi8>
!scale = memref<?x16x1xf32>
!table = memref<?x32xbf16>        // positions x half of the rotated part
!pos   = memref<?xi64>
!row   = vector<128xbf16>
!f32   = vector<128xf32>
!angle = vector<32xbf16>
#tail  = 64 : i64                 // where the rotated part starts
#group = 128 : i64
!fp8   = vector<128xf8E4M3FN>
!sc    = vector<1xf32>

row.kernel @rope_rotate_fp8(%x: !x, %cos: !table, %sin: !table, %positions: !pos, %out: !out, %scale: !scale)
    rows(%token in %x[0], %head in %x[1]) {
  %p = memref.load %positions[%token] : !pos
  %i = arith.index_cast %p : i64 to index
  %v = row.load %x[%token, %head] : !x -> !row
  %f = arith.extf %v : !row to !f32
  %c = row.load %cos[%i] : !table -> !angle
  %s = row.load %sin[%i] : !table -> !angle
  %r = row.rope interleaved %f, %c, %s at #tail : !f32, !angle
  %h = row.hadamard %r : !f32
  %q, %e = row.quantize %h group #group floor 1.0e-10 : !f32 -> !fp8, !sc
  row.store %q, %out[%token, %head] : !fp8, !out
  row.store %e, %scale[%token, %head] : !sc, !scale
}

row.kernel @rope_fp8(%x: !x, %cos: !table, %sin: !table, %positions: !pos, %out: !out, %scale: !scale)
    rows(%token in %x[0], %head in %x[1]) {
  %p = memref.load %positions[%token] : !pos
  %i = arith.index_cast %p : i64 to index
  %v = row.load %x[%token, %head] : !x -> !row
  %f = arith.extf %v : !row to !f32
  %c = row.load %cos[%i] : !table -> !angle
  %s = row.load %sin[%i] : !table -> !angle
  %r = row.rope interleaved %f, %c, %s at #tail : !f32, !angle
  %q, %e = row.quantize %r group #group floor 1.0e-10 : !f32 -> !fp8, !sc
  row.store %q, %out[%token, %head] : !fp8, !out
  row.store %e, %scale[%token, %head] : !sc, !scale
}
