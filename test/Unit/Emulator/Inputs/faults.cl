// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Kernels that go wrong, each in one way, for FaultTest.cpp.

typedef unsigned int uint;
typedef unsigned short ushort;
typedef uint uint4 __attribute__((ext_vector_type(4)));

#define LOCAL_ID __builtin_amdgcn_workitem_id_x()
#define GROUP_ID __builtin_amdgcn_workgroup_id_x()
#define KERNEL __attribute__((reqd_work_group_size(64, 1, 1))) kernel

// Copies what lies `offset` bytes away.
KERNEL void copy4(global const uint4 *in, global uint4 *out, long offset) {
  uint i = GROUP_ID * 64 + LOCAL_ID;
  out[i] = *(global const uint4 *)((global const char *)&in[i] + offset);
}

// Only lane 5 of group 3 stores elsewhere.
KERNEL void store_far(global uint *out, long offset) {
  uint i = GROUP_ID * 64 + LOCAL_ID;
  long far = GROUP_ID == 3 && LOCAL_ID == 5 ? offset : 0;
  *(global uint *)((global char *)&out[i] + far) = i;
}

KERNEL void lds_overrun(global uint *out, uint step) {
  local uint part[64];
  uint l = LOCAL_ID;
  for (uint k = 0; k < 64; k += step)
    ((local volatile uint *)part)[l * step + k] = l;
  out[l] = part[l];
}

KERNEL void endless(global volatile uint *flag) {
  while (*flag == 0)
    ;
}

KERNEL void trap(global uint *out) {
  if (out[LOCAL_ID] == 7)
    __builtin_trap();
  out[LOCAL_ID] = 1;
}

// The hardware sleeps; the emulator has no such instruction.
KERNEL void unknown(global uint *out) {
  __asm__ volatile("s_sendmsg sendmsg(MSG_INTERRUPT)");
  out[LOCAL_ID] = 1;
}
