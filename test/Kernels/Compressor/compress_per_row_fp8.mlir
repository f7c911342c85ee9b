// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// A compressed indexer key: pool, rmsnorm, rotary embedding on the tail, FP8 with one f32 scale a row into a paged cache.
// `round up` makes the scale a power of two, `round none` does not. Linear pages with
//   #data = #row.linear<slots=64, length=128>
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
!cache  = memref<?x64x128xi8, strided<[?, 128, 1]>>  // pages x slots x dim
!scale  = memref<?x64x1xf32, strided<[?, 1, 1]>>     // pages x slots
#data   = #row.fp8_preshuffle<slots=64, length=128>
#scales = #row.linear<slots=64, length=1>
#group  = 128 : i64                                  // the row
!fp8    = vector<128xf8E4M3FN>
!sc     = vector<1xf32>

row.kernel @compress_per_row_fp8(%kv_in: !input, %score_in: !input, %kv_state: !state, %score_state: !state, %state_slots: !slots,
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
  %q, %s = row.quantize %r group #group floor 1.0e-04 round up : !f32 -> !fp8, !sc
  row.scatter %q, %cache[%page, %slot] layout(#data) : !fp8, !cache
  row.scatter %s, %scale[%page, %slot] layout(#scales) : !sc, !scale
}
