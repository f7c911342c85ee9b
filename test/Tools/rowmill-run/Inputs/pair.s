// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Two kernels. `add`: y[row] = bits of x[row] + k for n rows of 8 elements,
// eight rows a wave, x with a stride of its own. `spin`: never ends.
	.amdgcn_target "amdgcn-amd-amdhsa--gfx950"
	.amdhsa_code_object_version 6
	.text
	.globl	add
	.p2align	8
	.type	add,@function
add:
	s_load_dwordx2 s[4:5], s[0:1], 0x28
	s_mov_b32 s3, 0
	s_lshl_b64 s[2:3], s[2:3], 6
	v_or_b32_e32 v2, s2, v0
	v_mov_b32_e32 v3, s3
	v_lshrrev_b64 v[4:5], 3, v[2:3]
	s_waitcnt lgkmcnt(0)
	v_cmp_gt_u64_e32 vcc, s[4:5], v[4:5]
	s_and_saveexec_b64 s[2:3], vcc
	s_cbranch_execz .Lend
	s_load_dwordx4 s[4:7], s[0:1], 0x10
	s_load_dwordx2 s[2:3], s[0:1], 0x0
	v_and_b32_e32 v0, 7, v0
	v_mov_b32_e32 v1, 0
	v_lshlrev_b32_e32 v0, 1, v0
	s_waitcnt lgkmcnt(0)
	v_mul_lo_u32 v6, v5, s4
	v_mul_lo_u32 v7, v4, s5
	v_mad_u64_u32 v[4:5], s[4:5], v4, s4, 0
	v_add3_u32 v5, v5, v7, v6
	v_lshl_add_u64 v[4:5], v[4:5], 1, s[2:3]
	v_lshl_add_u64 v[0:1], v[4:5], 0, v[0:1]
	global_load_ushort v0, v[0:1], off
	s_load_dword s0, s[0:1], 0x30
	s_waitcnt vmcnt(0) lgkmcnt(0)
	v_add_u16_e32 v4, s0, v0
	v_lshl_add_u64 v[0:1], v[2:3], 1, s[6:7]
	global_store_short v[0:1], v4, off
.Lend:
	s_endpgm
.Ladd_end:
	.size	add, .Ladd_end-add

	.globl	spin
	.p2align	8
	.type	spin,@function
spin:
	s_nop 0
	s_branch spin
.Lspin_end:
	.size	spin, .Lspin_end-spin

	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel add
		.amdhsa_kernarg_size 52
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_next_free_vgpr 8
		.amdhsa_next_free_sgpr 8
		.amdhsa_accum_offset 8
	.end_amdhsa_kernel
	.p2align	6, 0x0
	.amdhsa_kernel spin
		.amdhsa_next_free_vgpr 1
		.amdhsa_next_free_sgpr 1
		.amdhsa_accum_offset 4
	.end_amdhsa_kernel

	.amdgpu_metadata
---
amdhsa.kernels:
  - .agpr_count:     0
    .group_segment_fixed_size: 0
    .kernarg_segment_align: 8
    .kernarg_segment_size: 52
    .max_flat_workgroup_size: 64
    .name:           add
    .private_segment_fixed_size: 0
    .sgpr_count:     14
    .symbol:         add.kd
    .vgpr_count:     8
    .wavefront_size: 64
  - .agpr_count:     0
    .group_segment_fixed_size: 0
    .kernarg_segment_align: 4
    .kernarg_segment_size: 0
    .max_flat_workgroup_size: 64
    .name:           spin
    .private_segment_fixed_size: 0
    .sgpr_count:     6
    .symbol:         spin.kd
    .vgpr_count:     0
    .wavefront_size: 64
amdhsa.target:   amdgcn-amd-amdhsa--gfx950
amdhsa.version:
  - 1
  - 2
...
	.end_amdgpu_metadata

	.section	.rowmill,"",@progbits
	.ascii	"{\"version\":2,\"target\":\"gfx950\",\"kernels\":["
	.ascii	"{\"name\":\"add\",\"wave_size\":64,"
	.ascii	"\"variants\":[{\"launches\":[{\"symbol\":\"add.kd\",\"block\":[64,1,1],"
	.ascii	"\"rows_per_group\":8}]}],\"extents\":[{\"arg\":\"n\"}],\"kernarg_size\":52,\"args\":["
	.ascii	"{\"name\":\"x\",\"kind\":\"memref\",\"element\":\"bf16\",\"shape\":[null,8],\"strides\":[null,1],\"access\":\"read\",\"align\":2,\"offset\":0,\"dynamic\":[{\"size\":0,\"offset\":8},{\"stride\":0,\"offset\":16}]},"
	.ascii	"{\"name\":\"y\",\"kind\":\"memref\",\"element\":\"i16\",\"shape\":[null,8],\"strides\":[8,1],\"access\":\"readwrite\",\"align\":2,\"offset\":24,\"dynamic\":[{\"size\":0,\"offset\":32}]},"
	.ascii	"{\"name\":\"n\",\"kind\":\"scalar\",\"element\":\"index\",\"offset\":40},"
	.ascii	"{\"name\":\"k\",\"kind\":\"scalar\",\"element\":\"i32\",\"offset\":48}]},"
	.ascii	"{\"name\":\"spin\",\"wave_size\":64,"
	.ascii	"\"variants\":[{\"launches\":[{\"symbol\":\"spin.kd\",\"block\":[64,1,1],"
	.ascii	"\"rows_per_group\":1}]}],\"extents\":[{\"const\":1}],\"kernarg_size\":0,\"args\":[]}"
	.ascii	"]}"
