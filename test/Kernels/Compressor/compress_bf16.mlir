// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// A compressed KV row: pool, rmsnorm, rotary embedding on the tail, bf16 into its slot of a paged cache.
!input  = memref<?x1024xbf16, strided<[?, 1]>>      // tokens x columns
!state  = memref<?x?x1024xf32, strided<[?, ?, 1]>>  // slots x ring x columns
!slots  = memref<?xi32>
!ape    = memref<4x1024xf32>                        // ratio x columns
!plan   = memref<?x4xi32>                           // ragged_id, batch_id, position, window_len
#ratio  = 4 : i64
#overlap = true
!f32    = vector<512xf32>
#ratio_index = 4 : index
#slots_index = 64 : index                            // of a page
!blocks = memref<?x?xi32>                            // sequences x pages of each
!weight = memref<512xf32>
!wrow   = vector<512xf32>
!table  = memref<?x32xbf16>                         // positions x half of the rotated part
!angle  = vector<32xbf16>
#tail   = 448 : i64                                  // where the rotated part starts
!cache  = memref<?x64x512xbf16, strided<[?, ?, 1]>>  // pages x slots x dim
!bf16   = vector<512xbf16>

row.kernel @compress_bf16(%kv_in: !input, %score_in: !input, %kv_state: !state, %score_state: !state, %state_slots: !slots,
    %ape: !ape, %plan: !plan, %weight: !weight, %cos: !table, %sin: !table,
    %cache: !cache, %block_table: !blocks, %eps: f32) rows(%row in %plan[0]) {
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
  %b = arith.truncf %r : !f32 to !bf16
  row.store %b, %cache[%page, %slot] : !bf16, !cache
}
