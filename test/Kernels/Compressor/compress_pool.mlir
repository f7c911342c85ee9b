// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// The pooled rows alone, in f32: what a compressor does before its norm.
!input  = memref<?x512xbf16, strided<[?, 1]>>      // tokens x columns
!state  = memref<?x?x512xf32, strided<[?, ?, 1]>>  // slots x ring x columns
!slots  = memref<?xi32>
!ape    = memref<128x512xf32>                        // ratio x columns
!plan   = memref<?x4xi32>                           // ragged_id, batch_id, position, window_len
#ratio  = 128 : i64
#overlap = false
!f32    = vector<512xf32>
!out    = memref<?x512xf32>                          // rows of the plan x dim

row.kernel @compress_pool(%kv_in: !input, %score_in: !input, %kv_state: !state, %score_state: !state, %state_slots: !slots,
    %ape: !ape, %plan: !plan, %out: !out)
    rows(%row in %plan[0]) {
  %c, %batch, %index = row.compress %kv_in, %score_in state %kv_state, %score_state[%state_slots] ape %ape plan %plan[%row]
      ratio #ratio overlap #overlap : !input, !state, !slots, !ape, !plan -> !f32
  row.store %c, %out[%row] : !f32, !out
}
