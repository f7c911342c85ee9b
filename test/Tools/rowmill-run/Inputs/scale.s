// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// y[row] = x[row] * factor for rows of 16 floats, four rows a wave.
	.amdgcn_target "amdgcn-amd-amdhsa--gfx950"
	.amdhsa_code_object_version 6
	.text
	.globl	scale
	.p2align	8
	.type	scale,@function
scale:
	s_load_dwordx2 s[4:5], s[0:1], 0x8
	s_mov_b32 s3, 0
	s_lshl_b64 s[2:3], s[2:3], 6
	v_or_b32_e32 v0, s2, v0
	v_mov_b32_e32 v1, s3
	v_lshrrev_b64 v[2:3], 4, v[0:1]
	s_waitcnt lgkmcnt(0)
	v_cmp_gt_u64_e32 vcc, s[4:5], v[2:3]
	s_and_saveexec_b64 s[2:3], vcc
	s_cbranch_execz .Lend
	s_load_dwordx2 s[2:3], s[0:1], 0x0
	s_load_dwordx2 s[4:5], s[0:1], 0x10
	s_load_dword s6, s[0:1], 0x20
	v_lshlrev_b64 v[0:1], 2, v[0:1]
	s_waitcnt lgkmcnt(0)
	v_lshl_add_u64 v[2:3], s[2:3], 0, v[0:1]
	global_load_dword v2, v[2:3], off
	v_lshl_add_u64 v[0:1], s[4:5], 0, v[0:1]
	s_waitcnt vmcnt(0)
	v_mul_f32_e32 v2, s6, v2
	global_store_dword v[0:1], v2, off
.Lend:
	s_endpgm
.Lfunc_end:
	.size	scale, .Lfunc_end-scale

	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel scale
		.amdhsa_kernarg_size 36
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_next_free_vgpr 4
		.amdhsa_next_free_sgpr 7
		.amdhsa_accum_offset 4
		.amdhsa_float_denorm_mode_32 3
	.end_amdhsa_kernel

	.amdgpu_metadata
---
amdhsa.kernels:
  - .agpr_count:     0
    .group_segment_fixed_size: 0
    .kernarg_segment_align: 8
    .kernarg_segment_size: 36
    .max_flat_workgroup_size: 64
    .name:           scale
    .private_segment_fixed_size: 0
    .sgpr_count:     13
    .symbol:         scale.kd
    .vgpr_count:     4
    .wavefront_size: 64
amdhsa.target:   amdgcn-amd-amdhsa--gfx950
amdhsa.version:
  - 1
  - 2
...
	.end_amdgpu_metadata

	.section	.rowmill,"",@progbits
	.ascii	"{\"version\":2,\"target\":\"gfx950\",\"kernels\":["
	.ascii	"{\"name\":\"scale\",\"wave_size\":64,"
	.ascii	"\"variants\":[{\"launches\":[{\"symbol\":\"scale.kd\",\"block\":[64,1,1],"
	.ascii	"\"rows_per_group\":4,"
	.ascii	"\"partition\":{\"lanes_per_row\":16,\"elements_per_lane\":1,\"rows_per_wave\":4,\"waves_per_row\":1,\"waves_per_group\":1}}]}],\"extents\":[{\"arg\":\"x\",\"dim\":0}],"
	.ascii	"\"kernarg_size\":36,\"args\":["
	.ascii	"{\"name\":\"x\",\"kind\":\"memref\",\"element\":\"f32\",\"shape\":[null,16],\"strides\":[16,1],\"access\":\"read\",\"align\":4,\"offset\":0,\"dynamic\":[{\"size\":0,\"offset\":8}]},"
	.ascii	"{\"name\":\"y\",\"kind\":\"memref\",\"element\":\"f32\",\"shape\":[null,16],\"strides\":[16,1],\"access\":\"write\",\"align\":4,\"offset\":16,\"dynamic\":[{\"size\":0,\"offset\":24}]},"
	.ascii	"{\"name\":\"factor\",\"kind\":\"scalar\",\"element\":\"f32\",\"offset\":32}"
	.ascii	"]}]}"
