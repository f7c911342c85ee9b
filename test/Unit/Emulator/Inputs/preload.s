// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// A kernel whose arguments are in SGPRs when it starts. Its prologue, which old
// firmware would run instead, traps.

  .text
  .globl preloaded
  .p2align 8
  .type preloaded,@function
preloaded:
  s_trap 2
  .fill 63, 4, 0xbf800000 // s_nop 0, up to 256 bytes
  // s[0:1] kernarg pointer, s[2:6] its five dwords, s8 workgroup id
  v_lshlrev_b32_e32 v1, 2, v0
  v_mov_b32_e32 v2, s4
  v_mov_b32_e32 v3, s5
  v_add_u32_e32 v2, v2, v3
  v_mov_b32_e32 v3, s6
  v_add_u32_e32 v2, v2, v3
  s_load_dword s9, s[0:1], 0x8
  s_waitcnt lgkmcnt(0)
  v_xor_b32_e32 v2, s9, v2
  v_mov_b32_e32 v3, s8
  v_lshl_add_u32 v2, v3, 16, v2
  global_store_dword v1, v2, s[2:3]
  s_endpgm
.Lend:
  .size preloaded, .Lend-preloaded

  .section .rodata,"a",@progbits
  .p2align 6
  .amdhsa_kernel preloaded
    .amdhsa_kernarg_size 20
    .amdhsa_user_sgpr_count 8
    .amdhsa_user_sgpr_kernarg_segment_ptr 1
    .amdhsa_user_sgpr_kernarg_preload_length 5
    .amdhsa_user_sgpr_kernarg_preload_offset 0
    .amdhsa_system_sgpr_workgroup_id_x 1
    .amdhsa_next_free_vgpr 4
    .amdhsa_next_free_sgpr 16
    .amdhsa_accum_offset 4
  .end_amdhsa_kernel
