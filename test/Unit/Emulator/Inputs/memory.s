// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Every load, store and atomic in every address space, for MemoryOpsTest.cpp, one
// kernel an instruction and named after it. Lane n owns 16 bytes of `memory`, and
// has 16 bytes of `data` and of `out`.

  // On entry to the body: v1 = 16 * lane; s[4:5] memory, s[6:7] data, s[8:9] out;
  // v[4:7] the lane's data; v[10:11] the lane's address in memory; s[12:15] a
  // buffer descriptor of memory; v2 = the lane's address in LDS, which holds a copy
  // of memory; scratch holds one as well.
  .macro begin_kernel name
  .text
  .globl \name
  .p2align 8
  .type \name,@function
\name:
  s_load_dwordx4 s[4:7], s[0:1], 0x0
  s_load_dwordx2 s[8:9], s[0:1], 0x10
  v_lshlrev_b32_e32 v1, 4, v0
  v_mov_b32_e32 v2, v1
  v_mov_b32_e32 v3, 0
  s_waitcnt lgkmcnt(0)
  s_mov_b32 s12, s4
  s_mov_b32 s13, s5
  s_movk_i32 s14, 0x400
  s_mov_b32 s15, 0x27000
  v_mov_b32_e32 v10, s4
  v_mov_b32_e32 v11, s5
  v_add_co_u32_e32 v10, vcc, v10, v1
  v_addc_co_u32_e32 v11, vcc, 0, v11, vcc
  global_load_dwordx4 v[4:7], v1, s[6:7]
  global_load_dwordx4 v[20:23], v1, s[4:5]
  v_mov_b32_e32 v12, 0
  v_mov_b32_e32 v13, 0
  v_mov_b32_e32 v14, 0
  v_mov_b32_e32 v15, 0
  s_waitcnt vmcnt(0)
  ds_write_b128 v2, v[20:23]
  scratch_store_dwordx4 off, v[20:23], off
  s_waitcnt vmcnt(0) lgkmcnt(0)
  .endm

  // Stores v[12:15] to out.
  .macro end_kernel name
  s_waitcnt vmcnt(0) lgkmcnt(0)
  global_store_dwordx4 v1, v[12:15], s[8:9]
  s_endpgm
.Lend_\name:
  .size \name, .Lend_\name-\name
  .section .rodata,"a",@progbits
  .p2align 6
  .amdhsa_kernel \name
    .amdhsa_kernarg_size 24
    .amdhsa_user_sgpr_kernarg_segment_ptr 1
    .amdhsa_group_segment_fixed_size 1024
    .amdhsa_private_segment_fixed_size 64
    .amdhsa_enable_private_segment 1
    .amdhsa_next_free_vgpr 32
    .amdhsa_next_free_sgpr 24
    .amdhsa_accum_offset 32
  .end_amdhsa_kernel
  .endm

  // What LDS and scratch hold afterwards goes back to memory.
  .macro return_lds
  s_waitcnt lgkmcnt(0)
  ds_read_b128 v[20:23], v2
  s_waitcnt lgkmcnt(0)
  global_store_dwordx4 v1, v[20:23], s[4:5]
  .endm
  .macro return_scratch
  s_waitcnt vmcnt(0)
  scratch_load_dwordx4 v[20:23], off, off
  s_waitcnt vmcnt(0)
  global_store_dwordx4 v1, v[20:23], s[4:5]
  .endm

// Loads of `reg`, which starts as all ones for those that keep a half.
  .macro loads op, reg
  begin_kernel global_\op
  v_mov_b32_e32 v12, -1
  global_\op \reg, v1, s[4:5] offset:1
  end_kernel global_\op
  begin_kernel flat_\op
  v_mov_b32_e32 v12, -1
  flat_\op \reg, v[10:11] offset:1
  end_kernel flat_\op
  begin_kernel scratch_\op
  v_mov_b32_e32 v12, -1
  scratch_\op \reg, off, off offset:1
  end_kernel scratch_\op
  begin_kernel buffer_\op
  v_mov_b32_e32 v12, -1
  buffer_\op \reg, v1, s[12:15], 0 offen offset:1
  end_kernel buffer_\op
  .endm
  .irp op, ubyte, sbyte, ubyte_d16, ubyte_d16_hi, sbyte_d16, sbyte_d16_hi
  loads load_\op, v12
  .endr
  .irp op, ushort, sshort, short_d16, short_d16_hi, dword
  loads load_\op, v12
  .endr
  loads load_dwordx2, v[12:13]
  loads load_dwordx3, v[12:14]

// Stores of v4 and what follows.
  .macro stores op, reg
  begin_kernel global_\op
  global_\op v1, \reg, s[4:5] offset:4
  end_kernel global_\op
  begin_kernel flat_\op
  flat_\op v[10:11], \reg offset:4
  end_kernel flat_\op
  begin_kernel scratch_\op
  scratch_\op off, \reg, off offset:4
  return_scratch
  end_kernel scratch_\op
  begin_kernel buffer_\op
  buffer_\op \reg, v1, s[12:15], 0 offen offset:4
  end_kernel buffer_\op
  .endm
  .irp op, byte, byte_d16_hi, short, short_d16_hi, dword
  stores store_\op, v4
  .endr
  stores store_dwordx2, v[4:5]
  stores store_dwordx3, v[4:6]

// Sixteen bytes, all of the lane's.
  begin_kernel global_load_dwordx4
  global_load_dwordx4 v[12:15], v1, s[4:5]
  end_kernel global_load_dwordx4
  begin_kernel flat_load_dwordx4
  flat_load_dwordx4 v[12:15], v[10:11]
  end_kernel flat_load_dwordx4
  begin_kernel scratch_load_dwordx4
  scratch_load_dwordx4 v[12:15], off, off
  end_kernel scratch_load_dwordx4
  begin_kernel buffer_load_dwordx4
  buffer_load_dwordx4 v[12:15], v1, s[12:15], 0 offen
  end_kernel buffer_load_dwordx4
  begin_kernel global_store_dwordx4
  global_store_dwordx4 v1, v[4:7], s[4:5]
  end_kernel global_store_dwordx4
  begin_kernel flat_store_dwordx4
  flat_store_dwordx4 v[10:11], v[4:7]
  end_kernel flat_store_dwordx4
  begin_kernel scratch_store_dwordx4
  scratch_store_dwordx4 off, v[4:7], off
  return_scratch
  end_kernel scratch_store_dwordx4
  begin_kernel buffer_store_dwordx4
  buffer_store_dwordx4 v[4:7], v1, s[12:15], 0 offen
  end_kernel buffer_store_dwordx4

// Atomics that give back what was there: `reg` is the operand, `old` takes it.
  .macro atomics op, reg, old, tied
  flat_atomics \op, \reg, \old
  buffer_atomics \op, \reg, \tied
  .endm
  .macro flat_atomics op, reg, old
  begin_kernel global_\op
  global_\op \old, v1, \reg, s[4:5] sc0
  end_kernel global_\op
  begin_kernel flat_\op
  flat_\op \old, v[10:11], \reg sc0
  end_kernel flat_\op
  .endm
  .macro buffer_atomics op, reg, tied
  begin_kernel buffer_\op
  buffer_\op \reg, v1, s[12:15], 0 offen sc0
  s_waitcnt vmcnt(0)
  v_mov_b32_e32 v12, v4
  .if \tied
  v_mov_b32_e32 v13, v5
  .endif
  end_kernel buffer_\op
  .endm
  .irp op, swap, add, sub, smin, umin, smax, umax, and, or, xor, inc, dec, add_f32, pk_add_f16
  atomics atomic_\op, v4, v12, 0
  .endr
  .irp op, swap, add, sub, smin, umin, smax, umax, and, or, xor, inc, dec
  atomics atomic_\op\()_x2, v[4:5], v[12:13], 1
  .endr
  .irp op, add_f64, min_f64, max_f64
  atomics atomic_\op, v[4:5], v[12:13], 1
  .endr
  flat_atomics atomic_pk_add_bf16, v4, v12
  .if .amdgcn.gfx_generation_minor == 5
  buffer_atomics atomic_pk_add_bf16, v4, 0
  .endif
  atomics atomic_cmpswap, v[4:5], v12, 0
  atomics atomic_cmpswap_x2, v[4:7], v[12:13], 1

// LDS atomics, with and without what was there.
  .macro lds_atomics op, type, reg, old
  begin_kernel ds_\op\()_\type
  ds_\op\()_\type v2, \reg
  return_lds
  end_kernel ds_\op\()_\type
  begin_kernel ds_\op\()_rtn_\type
  ds_\op\()_rtn_\type \old, v2, \reg
  return_lds
  end_kernel ds_\op\()_rtn_\type
  .endm
  .irp op, add, sub, rsub, inc, dec, min, max
  lds_atomics \op, u32, v4, v12
  lds_atomics \op, u64, v[4:5], v[12:13]
  .endr
  .irp op, min, max
  lds_atomics \op, i32, v4, v12
  lds_atomics \op, i64, v[4:5], v[12:13]
  lds_atomics \op, f32, v4, v12
  lds_atomics \op, f64, v[4:5], v[12:13]
  .endr
  .irp op, and, or, xor
  lds_atomics \op, b32, v4, v12
  lds_atomics \op, b64, v[4:5], v[12:13]
  .endr
  lds_atomics add, f32, v4, v12
  lds_atomics add, f64, v[4:5], v[12:13]
  lds_atomics pk_add, f16, v4, v12
  lds_atomics pk_add, bf16, v4, v12

  begin_kernel ds_wrxchg_rtn_b32
  ds_wrxchg_rtn_b32 v12, v2, v4
  return_lds
  end_kernel ds_wrxchg_rtn_b32
  begin_kernel ds_wrxchg_rtn_b64
  ds_wrxchg_rtn_b64 v[12:13], v2, v[4:5]
  return_lds
  end_kernel ds_wrxchg_rtn_b64
  begin_kernel ds_cmpst_b32
  ds_cmpst_b32 v2, v4, v5
  return_lds
  end_kernel ds_cmpst_b32
  begin_kernel ds_cmpst_rtn_b32
  ds_cmpst_rtn_b32 v12, v2, v4, v5
  return_lds
  end_kernel ds_cmpst_rtn_b32
  begin_kernel ds_cmpst_b64
  ds_cmpst_b64 v2, v[4:5], v[6:7]
  return_lds
  end_kernel ds_cmpst_b64
  begin_kernel ds_cmpst_rtn_b64
  ds_cmpst_rtn_b64 v[12:13], v2, v[4:5], v[6:7]
  return_lds
  end_kernel ds_cmpst_rtn_b64

// LDS loads that the other tests leave out.
  .irp op, read_i8_d16, read_i8_d16_hi, read_u8_d16, read_u8_d16_hi, read_u16_d16, read_u16_d16_hi
  begin_kernel ds_\op
  v_mov_b32_e32 v12, -1
  ds_\op v12, v2 offset:2
  end_kernel ds_\op
  .endr

// Scalar loads through a descriptor; the first lane's memory.
  .macro scalar_loads op, reg
  begin_kernel s_buffer_\op
  s_buffer_\op s[16:\reg], s[12:15], 0x4
  s_waitcnt lgkmcnt(0)
  v_mov_b32_e32 v12, s16
  v_mov_b32_e32 v13, s\reg
  end_kernel s_buffer_\op
  .endm
  scalar_loads load_dwordx2, 17
  scalar_loads load_dwordx4, 19
  scalar_loads load_dwordx8, 23
  begin_kernel s_buffer_load_dword
  s_buffer_load_dword s16, s[12:15], 0x4
  s_waitcnt lgkmcnt(0)
  v_mov_b32_e32 v12, s16
  v_mov_b32_e32 v13, s16
  end_kernel s_buffer_load_dword

// What does nothing that can be seen, but must not stop a kernel.
  begin_kernel hints
  s_setprio 2
  s_sleep 1
  s_nop 3
  ds_nop
  s_dcache_inv
  s_dcache_wb
  s_icache_inv
  buffer_inv sc1
  buffer_wbl2 sc1
  s_ttracedata
  s_wakeup
  s_memtime s[16:17]
  s_memrealtime s[18:19]
  s_waitcnt lgkmcnt(0)
  v_mov_b32_e32 v12, 7
  end_kernel hints

// The branches: bit k of the result says that branch k went right.
  begin_kernel branches
  v_mov_b32_e32 v12, 0
  s_cmp_eq_u32 s4, s4
  s_cbranch_scc0 .Lwrong
  v_or_b32_e32 v12, 1, v12
  s_cmp_lg_u32 s4, s4
  s_cbranch_scc0 .Lscc0
  s_branch .Lwrong
.Lscc0:
  v_or_b32_e32 v12, 2, v12
  s_mov_b64 vcc, 0
  s_cbranch_vccz .Lvccz
  s_branch .Lwrong
.Lvccz:
  v_or_b32_e32 v12, 4, v12
  s_mov_b64 vcc, -1
  s_cbranch_vccz .Lwrong
  s_cbranch_vccnz .Lvccnz
  s_branch .Lwrong
.Lvccnz:
  v_or_b32_e32 v12, 8, v12
  s_call_b64 s[16:17], .Lcallee
  v_or_b32_e32 v12, 32, v12
  s_branch .Lwrong
.Lcallee:
  v_or_b32_e32 v12, 16, v12
  s_setpc_b64 s[16:17]
.Lwrong:
  end_kernel branches
