// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Kernels as clang compiles them, without device libraries; each is run by
// KernelTest.cpp and compared with the same computation on the host.

typedef unsigned int uint;
typedef unsigned long ulong;
typedef unsigned char uchar;
typedef unsigned short ushort;

#define LOCAL_ID __builtin_amdgcn_workitem_id_x()
#define GROUP_ID __builtin_amdgcn_workgroup_id_x()
#define GROUP 256
#define KERNEL __attribute__((reqd_work_group_size(GROUP, 1, 1))) kernel

KERNEL void vector_add(global const float *a, global const float *b,
                       global float *c, uint n) {
  uint i = GROUP_ID * GROUP + LOCAL_ID;
  if (i < n)
    c[i] = a[i] + b[i];
}

// A reduction of each group of 256 through LDS.
KERNEL void reduce(global const uint *in, global uint *out) {
  local uint part[GROUP];
  uint l = LOCAL_ID;
  part[l] = in[GROUP_ID * GROUP + l];
  for (uint step = GROUP / 2; step; step /= 2) {
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
    __builtin_amdgcn_s_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
    if (l < step)
      part[l] += part[l + step];
  }
  if (l == 0)
    out[GROUP_ID] = part[0];
}

// Lanes leave the loop one by one.
KERNEL void collatz(global const uint *in, global uint *steps) {
  uint i = GROUP_ID * GROUP + LOCAL_ID;
  ulong x = in[i];
  uint n = 0;
  while (x != 1) {
    x = x % 2 ? 3 * x + 1 : x / 2;
    ++n;
  }
  steps[i] = n;
}

// Bytes and shorts, loaded and stored.
KERNEL void bytes(global const uchar *in, global char *sign, global ushort *wide,
                  global uchar *out) {
  uint i = GROUP_ID * GROUP + LOCAL_ID;
  uchar v = in[i];
  sign[i] = (char)v >> 1;
  wide[i] = (ushort)(v * 257);
  out[i] = (uchar)(wide[i] >> 3) ^ v;
}

// Indices beyond 32 bits.
KERNEL void strided(global const ulong *index, global const ushort *table,
                    global ushort *out) {
  uint i = GROUP_ID * GROUP + LOCAL_ID;
  out[i] = table[index[i]];
}

// A private array with a dynamic index lives in scratch.
KERNEL void scratch(global const uint *in, global uint *out) {
  uint i = GROUP_ID * GROUP + LOCAL_ID;
  volatile uint a[16];
  for (uint k = 0; k < 16; ++k)
    a[k] = in[i] * (k + 1);
  out[i] = a[in[i] % 16] + a[(in[i] >> 4) % 16];
}

// Pointers whose space is known at run time only.
uint __attribute__((noinline)) sum_generic(uint *p, uint n) {
  uint s = 0;
  for (uint k = 0; k < n; ++k)
    s += p[k];
  return s;
}
KERNEL void mixed_spaces(global uint *in, global uint *out) {
  local uint shared[16];
  uint mine[16];
  uint l = LOCAL_ID;
  if (l < 16)
    shared[l] = in[l] + 1;
  for (uint k = 0; k < 16; ++k)
    mine[k] = in[k] * l;
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
  uint *p = l % 3 == 0 ? (uint *)in : l % 3 == 1 ? (uint *)shared : mine;
  out[l] = sum_generic(p, 16);
}

KERNEL void count(global uint *histogram, global const uchar *in) {
  uint i = GROUP_ID * GROUP + LOCAL_ID;
  __scoped_atomic_fetch_add(&histogram[in[i]], 1u, __ATOMIC_RELAXED,
                            __MEMORY_SCOPE_DEVICE);
}

// Constants in the code object's read-only data.
constant uint squares[8] = {0, 1, 4, 9, 16, 25, 36, 49};
KERNEL void lookup(global const uint *in, global uint *out) {
  uint i = GROUP_ID * GROUP + LOCAL_ID;
  out[i] = squares[in[i] % 8];
}

KERNEL void exchange(global const int *in, global int *swizzled,
                     global int *permuted) {
  uint i = GROUP_ID * GROUP + LOCAL_ID;
  swizzled[i] = __builtin_amdgcn_ds_swizzle(in[i], 0x1c1f); // xor 7
  permuted[i] = __builtin_amdgcn_ds_bpermute((int)((LOCAL_ID * 5) << 2), in[i]);
}

// Vectors in registers, an element chosen by a scalar.
typedef uint uint16v __attribute__((ext_vector_type(16)));
KERNEL void register_index(global const uint *in, global uint *out, uint k) {
  uint i = GROUP_ID * GROUP + LOCAL_ID;
  uint16v v;
  for (uint e = 0; e < 16; ++e)
    v[e] = in[e] + i;
  v[k] = i * 5;
  v *= 3u;
  out[i] = v[(k * 7 + 1) & 15] ^ v[k];
}

// Buffer descriptors: what lies past the size reads zero and is not written.
KERNEL void buffers(global const uint *in, global uint *out, int bytes) {
  uint i = GROUP_ID * GROUP + LOCAL_ID;
  __amdgpu_buffer_rsrc_t from = __builtin_amdgcn_make_buffer_rsrc(
      (global void *)in, 0, bytes, 0x00027000);
  __amdgpu_buffer_rsrc_t to =
      __builtin_amdgcn_make_buffer_rsrc(out, 0, bytes, 0x00027000);
  uint x = __builtin_amdgcn_raw_buffer_load_b32(from, i * 4, 0, 0);
  uint y = __builtin_amdgcn_raw_buffer_load_b8(from, i * 4 + 1, 4, 0);
  uint z = __builtin_amdgcn_raw_buffer_load_b16(from, i * 4, 2, 0);
  __builtin_amdgcn_raw_buffer_store_b32(x + y + z, to, i * 4, 0, 0);
}
