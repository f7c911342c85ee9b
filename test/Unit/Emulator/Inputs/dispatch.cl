// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Kernels that store what a wave finds when it starts, for DispatchTest.cpp.

typedef unsigned int uint;
typedef unsigned short ushort;
typedef unsigned long ulong;

// One record of eight words for each thread of a three-dimensional grid.
kernel void where(global uint *out, uint nx, uint ny) {
  constant const ushort *hidden =
      (constant const ushort *)__builtin_amdgcn_implicitarg_ptr();
  uint bx = hidden[6], by = hidden[7], bz = hidden[8];
  uint gx = __builtin_amdgcn_workgroup_id_x(), gy = __builtin_amdgcn_workgroup_id_y(),
       gz = __builtin_amdgcn_workgroup_id_z();
  uint lx = __builtin_amdgcn_workitem_id_x(), ly = __builtin_amdgcn_workitem_id_y(),
       lz = __builtin_amdgcn_workitem_id_z();
  uint x = gx * bx + lx, y = gy * by + ly, z = gz * bz + lz;
  global uint *at = out + 8 * (((ulong)z * ny + y) * nx + x);
  at[0] = gx | gy << 8 | gz << 16;
  at[1] = lx | ly << 8 | lz << 16;
  at[2] = bx | by << 8 | bz << 16;
  at[3] = ((constant const uint *)hidden)[0]; // block count x
}

// The same facts from the dispatch packet.
kernel void packet(global uint *out) {
  constant const uint *p = (constant const uint *)__builtin_amdgcn_dispatch_ptr();
  if (__builtin_amdgcn_workitem_id_x() == 0)
    for (uint k = 0; k < 8; ++k)
      out[k] = p[k];
}

// As much LDS as the launch gave, beyond what the kernel declares.
kernel void dynamic_lds(global uint *out, uint words) {
  local uint own[4];
  uint l = __builtin_amdgcn_workitem_id_x();
  own[l % 4] = l;
  local uint *all = (local uint *)own;
  for (uint k = l; k < words; k += 64)
    all[4 + k] = k * 3;
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
  for (uint k = l; k < words; k += 64)
    out[k] = all[4 + words - 1 - k];
}

// Waves end at different times while the others still meet at barriers.
kernel void early_exit(global uint *out, uint rounds) {
  local uint total;
  uint l = __builtin_amdgcn_workitem_id_x(), wave = l / 64;
  if (l == 0)
    total = 0;
  for (uint k = 0; k < rounds; ++k) {
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
    __builtin_amdgcn_s_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
    if (k > 2 * __builtin_amdgcn_readfirstlane(wave))
      return;
    if (l % 64 == 0)
      __scoped_atomic_fetch_add(&total, 1u, __ATOMIC_RELAXED,
                                __MEMORY_SCOPE_WRKGRP);
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
    __builtin_amdgcn_s_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
    out[k * 256 + l] = total;
  }
}
