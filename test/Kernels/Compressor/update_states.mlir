// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Writes new tokens and their scores into the ring of their sequence, for compressors to come. Must run after the
// compressor of the same step, which still reads what is overwritten here.
!input  = memref<?x256xbf16, strided<[?, 1]>>       // tokens x columns
!state  = memref<?x?x256xf32, strided<[?, ?, 1]>>   // slots x ring x columns
!slots  = memref<?xi32>
!ape    = memref<4x256xf32>                         // ratio x columns
!plan   = memref<?x4xi32>                           // ragged_id, batch_id, position, not used
#ratio  = 4 : i32
!row    = vector<256xbf16>
!f32    = vector<256xf32>

row.kernel @update_states(%kv_in: !input, %score_in: !input, %kv_state: !state, %score_state: !state, %state_slots: !slots,
    %ape: !ape, %plan: !plan) rows(%row in %plan[0]) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %position = memref.load %plan[%row, %c2] : !plan
  row.guard %position : i32
  %ragged = memref.load %plan[%row, %c0] : !plan
  %token = arith.index_cast %ragged : i32 to index
  %sequence = memref.load %plan[%row, %c1] : !plan
  %batch = arith.index_cast %sequence : i32 to index
  %entry = memref.load %state_slots[%batch] : !slots
  %slot = arith.index_cast %entry : i32 to index
  %size = memref.dim %kv_state, %c1 : !state
  %ring = arith.index_cast %size : index to i32
  %rest = arith.remui %position, %ring : i32
  %place = arith.index_cast %rest : i32 to index
  %ratio = arith.constant #ratio
  %phase = arith.remui %position, %ratio : i32
  %bias_row = arith.index_cast %phase : i32 to index
  %kv = row.load %kv_in[%token] : !input -> !row
  %kv_f32 = arith.extf %kv : !row to !f32
  row.store %kv_f32, %kv_state[%slot, %place] : !f32, !state
  %score = row.load %score_in[%token] : !input -> !row
  %score_f32 = arith.extf %score : !row to !f32
  %bias = row.load %ape[%bias_row] : !ape -> !f32
  %biased = arith.addf %score_f32, %bias : !f32
  row.store %biased, %score_state[%slot, %place] : !f32, !state
}
