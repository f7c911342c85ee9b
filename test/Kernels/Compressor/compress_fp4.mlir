// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// A compressed indexer key: pool, rmsnorm, rotary embedding on the tail, FP4 with an e8m0 scale a group of 32 into a paged
// cache. Shuffled pages as here; linear pages with
//   !cache = memref<?x64x64xi8, strided<[?, 64, 1]>>  #data   = #row.linear<slots=64, length=128>
//   !scale = memref<?x64x4xi8, strided<[?, 4, 1]>>    #scales = #row.linear<slots=64, length=4>
!input  = memref<?x256xbf16, strided<[?, 1]>>      // tokens x columns
!state  = memref<?x?x256xf32, strided<[?, ?, 1]>>  // slots x ring x columns
!slots  = memref<?xi32>
!ape    = memref<4x256xf32>                        // ratio x columns
!plan   = memref<?x4xi32>                           // ragged_id, batch_id, position, window_len
#ratio  = 4 : i64
#overlap = true
!f32    = vector<128xf32>
#ratio_index = 4 : index
#slots_index = 64 : index                            // of a page
!blocks = memref<?x?xi32>                            // sequences x pages of each
!weight = memref<128xf32>
!wrow   = vector<128xf32>
!table  = memref<?x32xbf16>                         // positions x half of the rotated part
!angle  = vector<32xbf16>
#tail   = 64 : i64                                  // where the rotated part starts
!cache  = memref<?x1x4x64x16xi8, strided<[?, 4096, 1024, 16, 1]>>  // pages x dim/128 x 4 x slots x 16
!scale  = memref<?x1x4x64xi8, strided<[?, 256, 64, 1]>>            // pages x dim/128 x 4 x slots
#data   = #row.fp4_preshuffle<slots=64, length=128>
#scales = #row.e8m0_interleave<slots=64, groups=4>
!fp4    = vector<128xf4E2M1FN>
!e8m0   = vector<4xf8E8M0FNU>

row.kernel @compress_fp4(%kv_in: !input, %score_in: !input, %kv_state: !state, %score_state: !state, %state_slots: !slots,
    %ape: !ape, %plan: !plan, %weight: !weight, %cos: !table, %sin: !table,
    %cache: !cache, %scale: !scale, %block_table: !blocks, %eps: f32) rows(%row in %plan[0]) {
  %c, %batch, %index = row.compress %kv_in, %score_in state %kv_state, %score_state[%state_slots] ape %ape plan %plan[%row]
      ratio #ratio overlap #overlap : !input, !state, !slots, !ape, !plan -> !f32
  %w = row.load %weight[] : !weight -> !wrow
  %n = row.rmsnorm %c, %w eps %eps : !f32, !wrow
  %ratio = arith.constant #ratio_index
  %first = arith.muli %index, %ratio : index
  %cosines = row.load %cos[%first] : !table -> !angle
  %sines = row.load %sin[%first] : !table -> !angle
  %r = row.rope interleaved %n, %cosines, %sines at #tail : !f32, !angle
  %slots = arith.constant #slots_index
  %block = arith.divui %index, %slots : index
  %slot = arith.remui %index, %slots : index
  %entry = memref.load %block_table[%batch, %block] : !blocks
  %page = arith.index_cast %entry : i32 to index
  %q, %e = row.quantize %r group 32 floor 0x01C00000 : !f32 -> !fp4, !e8m0
  row.scatter %q, %cache[%page, %slot] layout(#data) : !fp4, !cache
  row.scatter %e, %scale[%page, %slot] layout(#scales) : !e8m0, !scale
}
