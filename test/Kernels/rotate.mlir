// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Hadamard rotation of every head of every token, back to the 16-bit type.

!x   = memref<?x16x128xbf16>    // tokens x heads x dim
!out = memref<?x16x128xbf16>
!row = vector<128xbf16>
!f32 = vector<128xf32>

row.kernel @rotate(%x: !x, %out: !out) rows(%token in %x[0], %head in %x[1]) {
  %v = row.load %x[%token, %head] : !x -> !row
  %f = arith.extf %v : !row to !f32
  %h = row.hadamard %f : !f32
  %y = arith.truncf %h : !f32 to !row
  row.store %y, %out[%token, %head] : !row, !out
}
