// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// The key row of a token (head 0): rmsnorm, rotary embedding on the tail, FP4, into its slot of a paged cache.
// A negative slot skips the token. Shuffled pages as here; linear pages with
//   !cache = memref<?x64x64xi8>  #data   = #row.linear<slots=64, length=128>
//   !scale = memref<?x64x4xi8>   #scales = #row.linear<slots=64, length=4>

!x      = memref<?x1x128xbf16>       // tokens x heads x dim
!cache  = memref<?x1x4x64x16xi8>     // pages x dim/128 x 4 x slots x 16
!scale  = memref<?x1x4x64xi8>        // pages x dim/128 x 4 x slots
#slots  = 64 : index                 // of a page
#data   = #row.fp4_preshuffle<slots=64, length=128>
#scales = #row.e8m0_interleave<slots=64, groups=4>
!weight = memref<128xbf16>
!table  = memref<?x32xbf16>          // positions x half of the rotated part
!pos    = memref<?xi64>
!row    = vector<128xbf16>
!f32    = vector<128xf32>
!angle  = vector<32xbf16>
#tail   = 64 : i64                 // where the rotated part starts
#group  = 32 : i64
!fp4    = vector<128xf4E2M1FN>
!e8m0   = vector<4xf8E8M0FNU>

row.kernel @rmsnorm_rope_fp4_kvcache(%x: !x, %weight: !weight, %cos: !table, %sin: !table, %positions: !pos,
    %slot_mapping: !pos, %cache: !cache, %scale: !scale, %eps: f32) rows(%token in %x[0]) {
  %flat = memref.load %slot_mapping[%token] : !pos
  row.guard %flat : i64
  %where = arith.index_cast %flat : i64 to index
  %slots = arith.constant #slots
  %page = arith.divui %where, %slots : index
  %slot = arith.remui %where, %slots : index
  %p = memref.load %positions[%token] : !pos
  %i = arith.index_cast %p : i64 to index
  %head = arith.constant 0 : index
  %v = row.load %x[%token, %head] : !x -> !row
  %f = arith.extf %v : !row to !f32
  %w = row.load %weight[] : !weight -> !row
  %n = row.rmsnorm %f, %w eps %eps : !f32, !row
  %c = row.load %cos[%i] : !table -> !angle
  %s = row.load %sin[%i] : !table -> !angle
  %r = row.rope interleaved %n, %c, %s at #tail : !f32, !angle
  %q, %e = row.quantize %r group #group floor 0x01C00000 : !f32 -> !fp4, !e8m0
  row.scatter %q, %cache[%page, %slot] layout(#data) : !fp4, !cache
  row.scatter %e, %scale[%page, %slot] layout(#scales) : !e8m0, !scale
}
