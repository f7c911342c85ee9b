// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// DS instructions of every width and form, for LdsTest.cpp. Each kernel gets a
// buffer of which lane n owns 32 bytes, and LDS of 4096 bytes.

  // On entry to the body: v1 = 32 * lane, s[4:5] the buffer.
  .macro begin_kernel name
  .text
  .globl \name
  .p2align 8
  .type \name,@function
\name:
  s_load_dwordx2 s[4:5], s[0:1], 0x0
  v_lshlrev_b32_e32 v1, 5, v0
  s_waitcnt lgkmcnt(0)
  .endm

  .macro end_kernel name
  s_endpgm
.Lend_\name:
  .size \name, .Lend_\name-\name
  .section .rodata,"a",@progbits
  .p2align 6
  .amdhsa_kernel \name
    .amdhsa_kernarg_size 8
    .amdhsa_user_sgpr_kernarg_segment_ptr 1
    .amdhsa_group_segment_fixed_size 4096
    .amdhsa_next_free_vgpr 32
    .amdhsa_next_free_sgpr 16
    .amdhsa_accum_offset 32
  .end_amdhsa_kernel
  .endm

// The 32 bytes through LDS and back in wide pieces; the second half is shifted to
// the next lane by its LDS address.
begin_kernel wide
  global_load_dwordx4 v[4:7], v1, s[4:5]
  global_load_dwordx4 v[8:11], v1, s[4:5] offset:16
  v_lshlrev_b32_e32 v2, 4, v0
  v_add_u32_e32 v3, 16, v2
  v_and_b32_e32 v3, 0x3ff, v3
  s_waitcnt vmcnt(0)
  ds_write_b128 v2, v[4:7]
  ds_write_b96 v2, v[8:10] offset:1024
  ds_write_b32 v2, v11 offset:1036
  s_waitcnt lgkmcnt(0)
  ds_read_b64 v[12:13], v2
  ds_read_b96 v[14:16], v2 offset:4
  ds_read_b128 v[20:23], v3 offset:1024
  s_waitcnt lgkmcnt(0)
  v_mov_b32_e32 v14, v15
  v_mov_b32_e32 v15, v16
  global_store_dwordx4 v1, v[12:15], s[4:5]
  global_store_dwordx4 v1, v[20:23], s[4:5] offset:16
end_kernel wide

// Two addresses an instruction: elements 64 apart, and 64 * 64.
begin_kernel pairs
  global_load_dwordx4 v[4:7], v1, s[4:5]
  v_lshlrev_b32_e32 v2, 2, v0
  v_lshlrev_b32_e32 v3, 3, v0
  s_waitcnt vmcnt(0)
  ds_write2_b32 v2, v4, v5 offset0:0 offset1:64
  ds_write2st64_b64 v3, v[4:5], v[6:7] offset0:2 offset1:3
  s_waitcnt lgkmcnt(0)
  ds_read2st64_b32 v[8:9], v2 offset0:1 offset1:0
  ds_read2_b64 v[10:13], v3 offset0:192 offset1:128
  s_waitcnt lgkmcnt(0)
  global_store_dwordx2 v1, v[8:9], s[4:5]
  global_store_dwordx4 v1, v[10:13], s[4:5] offset:16
end_kernel pairs

// Bytes and halves, low and high, with and without sign.
begin_kernel small
  global_load_dwordx2 v[4:5], v1, s[4:5]
  v_lshlrev_b32_e32 v2, 3, v0
  v_mov_b32_e32 v8, -1
  v_mov_b32_e32 v9, -1
  s_waitcnt vmcnt(0)
  ds_write_b8 v2, v4
  ds_write_b8_d16_hi v2, v4 offset:1
  ds_write_b16 v2, v5 offset:2
  ds_write_b16_d16_hi v2, v5 offset:4
  s_waitcnt lgkmcnt(0)
  ds_read_u8 v6, v2
  ds_read_i8 v7, v2 offset:1
  ds_read_u8_d16 v8, v2
  s_waitcnt lgkmcnt(0)
  ds_read_u16_d16_hi v9, v2 offset:2
  ds_read_i16 v10, v2 offset:4
  ds_read_u16 v11, v2 offset:4
  s_waitcnt lgkmcnt(0)
  global_store_dwordx4 v1, v[6:9], s[4:5]
  global_store_dwordx2 v1, v[10:11], s[4:5] offset:16
end_kernel small

// All lanes add to one place and see what was there before, in lane order.
begin_kernel atomics
  v_mov_b32_e32 v2, 0
  v_mov_b32_e32 v3, 0
  ds_write_b64 v2, v[2:3]
  v_mov_b32_e32 v4, 0x3c00bc00 // -1, 1 as f16
  ds_write_b32 v2, v2 offset:8
  s_waitcnt lgkmcnt(0)
  ds_add_rtn_u32 v6, v2, v0
  ds_max_u32 v2, v0 offset:4
  ds_pk_add_f16 v2, v4 offset:8
  s_waitcnt lgkmcnt(0)
  ds_read_b64 v[8:9], v2
  ds_read_b32 v10, v2 offset:8
  s_waitcnt lgkmcnt(0)
  v_mov_b32_e32 v7, v8
  v_mov_b32_e32 v8, v9
  v_mov_b32_e32 v9, v10
  global_store_dwordx4 v1, v[6:9], s[4:5]
end_kernel atomics

// Only even lanes take part; the others keep what they had.
begin_kernel exchange
  global_load_dword v4, v1, s[4:5]
  v_lshlrev_b32_e32 v2, 2, v0
  v_add_u32_e32 v2, 12, v2
  v_mov_b32_e32 v5, -1
  v_mov_b32_e32 v6, -1
  v_mov_b32_e32 v7, -1
  s_waitcnt vmcnt(0)
  s_mov_b32 exec_lo, 0x55555555
  s_mov_b32 exec_hi, 0x55555555
  ds_bpermute_b32 v5, v2, v4              // lane + 3, which is inactive
  ds_bpermute_b32 v6, v2, v4 offset:4     // lane + 4
  ds_permute_b32 v7, v2, v4 offset:4
  s_waitcnt lgkmcnt(0)
  s_mov_b64 exec, -1
  global_store_dwordx4 v1, v[4:7], s[4:5]
end_kernel exchange
