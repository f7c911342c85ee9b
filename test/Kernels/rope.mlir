// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Rotary embedding on the tail of every head, with and without the Hadamard rotation, back to the 16-bit type.

!x     = memref<?x16x128xbf16>    // tokens x heads x dim
!out   = memref<?x16x128xbf16>
!table = memref<?x32xbf16>        // positions x half of the rotated part
!pos   = memref<?xi64>
!row   = vector<128xbf16>
!f32   = vector<128xf32>
!angle = vector<32xbf16>
#tail  = 64 : i64                 // where the rotated part starts

row.kernel @rope_rotate(%x: !x, %cos: !table, %sin: !table, %positions: !pos, %out: !out)
    rows(%token in %x[0], %head in %x[1]) {
  %p = memref.load %positions[%token] : !pos
  %i = arith.index_cast %p : i64 to index
  %v = row.load %x[%token, %head] : !x -> !row
  %f = arith.extf %v : !row to !f32
  %c = row.load %cos[%i] : !table -> !angle
  %s = row.load %sin[%i] : !table -> !angle
  %r = row.rope interleaved %f, %c, %s at #tail : !f32, !angle
  %h = row.hadamard %r : !f32
  %y = arith.truncf %h : !f32 to !row
  row.store %y, %out[%token, %head] : !row, !out
}

row.kernel @rope(%x: !x, %cos: !table, %sin: !table, %positions: !pos, %out: !out)
    rows(%token in %x[0], %head in %x[1]) {
  %p = memref.load %positions[%token] : !pos
  %i = arith.index_cast %p : i64 to index
  %v = row.load %x[%token, %head] : !x -> !row
  %f = arith.extf %v : !row to !f32
  %c = row.load %cos[%i] : !table -> !angle
  %s = row.load %sin[%i] : !table -> !angle
  %r = row.rope interleaved %f, %c, %s at #tail : !f32, !angle
  %y = arith.truncf %r : !f32 to !row
  row.store %y, %out[%token, %head] : !row, !out
}
