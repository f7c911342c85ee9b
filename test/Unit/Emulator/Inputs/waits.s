// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Kernels with and without the waits that they need, for FaultTest.cpp.

  .macro begin_kernel name
  .text
  .globl \name
  .p2align 8
  .type \name,@function
\name:
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
    .amdhsa_group_segment_fixed_size 256
    .amdhsa_next_free_vgpr 8
    .amdhsa_next_free_sgpr 16
    .amdhsa_accum_offset 8
  .end_amdhsa_kernel
  .endm

begin_kernel waited
  s_load_dwordx2 s[4:5], s[0:1], 0x0
  v_lshlrev_b32_e32 v1, 2, v0
  s_waitcnt lgkmcnt(0)
  global_load_dword v2, v1, s[4:5]
  global_load_dword v3, v1, s[4:5] offset:256
  global_load_dword v3, v1, s[4:5] offset:256 // over the same, in order
  s_waitcnt vmcnt(2)
  v_add_u32_e32 v2, v2, v2
  ds_write_b32 v1, v2
  s_waitcnt lgkmcnt(0)
  ds_read_b32 v4, v1
  ds_read_b32 v5, v1
  s_waitcnt lgkmcnt(1)
  v_add_u32_e32 v4, v4, v4
  s_waitcnt vmcnt(0)
  v_add_u32_e32 v3, v3, v3
end_kernel waited

begin_kernel no_vmcnt
  s_load_dwordx2 s[4:5], s[0:1], 0x0
  v_lshlrev_b32_e32 v1, 2, v0
  s_waitcnt lgkmcnt(0)
  global_load_dword v2, v1, s[4:5]
  global_load_dword v3, v1, s[4:5] offset:256
  s_waitcnt vmcnt(1)
  v_add_u32_e32 v2, v2, v3
end_kernel no_vmcnt

begin_kernel no_lgkmcnt
  s_load_dwordx2 s[4:5], s[0:1], 0x0
  v_lshlrev_b32_e32 v1, 2, v0
  s_waitcnt vmcnt(0)
  global_load_dword v2, v1, s[4:5]
end_kernel no_lgkmcnt

// A scalar load in flight: lgkmcnt(1) may mean either of the two.
begin_kernel no_lds_wait
  v_lshlrev_b32_e32 v1, 2, v0
  ds_write_b32 v1, v0
  s_waitcnt lgkmcnt(0)
  ds_read_b32 v4, v1
  s_load_dwordx2 s[4:5], s[0:1], 0x0
  s_waitcnt lgkmcnt(1)
  v_add_u32_e32 v4, v4, v4
end_kernel no_lds_wait
