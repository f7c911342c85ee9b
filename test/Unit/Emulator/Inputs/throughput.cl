// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Loops whose speed Throughput.cpp measures: arithmetic, memory, both.

typedef unsigned char uchar;
typedef unsigned int uint;
typedef float float4 __attribute__((ext_vector_type(4)));
typedef uint uint4 __attribute__((ext_vector_type(4)));

#define LOCAL_ID __builtin_amdgcn_workitem_id_x()
#define GROUP_ID __builtin_amdgcn_workgroup_id_x()
#define KERNEL __attribute__((reqd_work_group_size(64, 1, 1))) kernel

KERNEL void arithmetic(global uint4 *data, uint rounds) {
  uint i = GROUP_ID * 64 + LOCAL_ID;
  float4 a = __builtin_astype(data[i], float4), b = a + 1.0f, c = a * 0.5f;
  uint4 n = data[i];
  for (uint k = 0; k < rounds; ++k) {
    a = a * b + c;
    b = b * 0.75f - a;
    c = __builtin_elementwise_max(c, a) + b;
    n = (n ^ (n << 7)) + (n >> 3);
    n &= n + k;
  }
  data[i] = __builtin_astype(a + b + c, uint4) ^ n;
}

KERNEL void copy(global const uint4 *in, global uint4 *out, uint rounds) {
  uint i = GROUP_ID * 64 + LOCAL_ID;
  for (uint k = 0; k < rounds; ++k)
    out[i + k * 64] = in[i + k * 64];
}

KERNEL void bytes(global const uchar *in, global uchar *out, uint rounds) {
  uint i = GROUP_ID * 64 + LOCAL_ID;
  for (uint k = 0; k < rounds; ++k)
    out[i + k * 64] = in[i + k * 64] + 1;
}

// Lane exchanges of a reduction, with DPP and without.
KERNEL void exchange(global uint *data, uint rounds) {
  uint i = GROUP_ID * 64 + LOCAL_ID, x = data[i];
  for (uint k = 0; k < rounds; ++k) {
    x += __builtin_amdgcn_update_dpp(0, x, 0xb1, 15, 15, true);
    x ^= __builtin_amdgcn_update_dpp(0, x, 0x4e, 15, 15, true);
    x += __builtin_amdgcn_update_dpp(0, x, 0x128, 15, 15, true);
    x ^= __builtin_amdgcn_ds_swizzle(x, 0x101f);
    x += __builtin_amdgcn_ds_bpermute((LOCAL_ID ^ 32) << 2, x);
  }
  data[i] = x;
}
