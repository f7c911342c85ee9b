// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Moves, shifts, logic and bit fields on 32-bit lanes.

#include "VALU.h"
#include "VALUTables.h"

namespace rowmill::emulator::ROWMILL_SIMD {
namespace {

using U = uint32_t;
using I = int32_t;

U move(U a) { return a; }
U complement(U a) { return ~a; }
U andB(U a, U b) { return a & b; }
U orB(U a, U b) { return a | b; }
U xorB(U a, U b) { return a ^ b; }
U xnorB(U a, U b) { return ~(a ^ b); }
U and_or(U a, U b, U c) { return (a & b) | c; }
U or3(U a, U b, U c) { return a | b | c; }
U lshlOr(U a, U b, U c) { return (a << (b & 31)) | c; }

U lshlrev(U a, U b) { return b << (a & 31); }
U lshrrev(U a, U b) { return b >> (a & 31); }
I ashrrev(U a, I b) { return b >> (a & 31); }

Bits32 select(Bits32 ifClear, Bits32 ifSet, LaneMask mask) {
  return {(ifClear.bits & ~mask.bits) | (ifSet.bits & mask.bits)};
}

U bfeU(U a, U b, U c) { return (a >> (b & 31)) & ((1u << (c & 31)) - 1); }
U bfeI(I a, U b, U c) {
  U width = c & 31;
  U field = U(a >> (b & 31)) & ((1u << width) - 1);
  U sign = width ? 1u << ((width - 1) & 31) : 0;
  return (field ^ sign) - sign;
}
U bfi(U a, U b, U c) { return (a & b) | (~a & c); }
U bfm(U a, U b) { return ((1u << (a & 31)) - 1) << (b & 31); }
U alignbit(U a, U b, U c) { return U((uint64_t(a) << 32 | b) >> (c & 31)); }
U alignbyte(U a, U b, U c) {
  return U((uint64_t(a) << 32 | b) >> (8 * (c & 3)));
}

/// One byte of v_perm_b32: bytes 0-7 of {a, b}, then sign copies of bytes 1, 3,
/// 5 and 7, then constants.
U permByte(uint64_t data, U sel) {
  U plain = U(data >> (8 * (sel & 7))) & 0xff;
  U signByte = 2 * (sel & 3) + 1;
  U sign = U(data >> (8 * signByte + 7)) & 1 ? 0xff : 0;
  U r = sel < 8 ? plain : sign;
  r = sel == 12 ? 0 : r;
  return sel >= 13 ? 0xff : r;
}
U perm(U a, U b, U c) {
  uint64_t data = uint64_t(a) << 32 | b;
  U r = 0;
  for (unsigned n = 0; n < 4; ++n)
    r |= permByte(data, (c >> (8 * n)) & 0xff) << (8 * n);
  return r;
}

U reverse(U v) {
  v = (v >> 1 & 0x55555555) | (v & 0x55555555) << 1;
  v = (v >> 2 & 0x33333333) | (v & 0x33333333) << 2;
  v = (v >> 4 & 0x0f0f0f0f) | (v & 0x0f0f0f0f) << 4;
  return __builtin_bswap32(v);
}
U count(U v) {
  v = v - (v >> 1 & 0x55555555);
  v = (v & 0x33333333) + (v >> 2 & 0x33333333);
  v = (v + (v >> 4)) & 0x0f0f0f0f;
  return (v * 0x01010101) >> 24;
}
U bcnt(U a, U b) { return count(a) + b; }
/// The bits of lanes below this one.
U mbcntLo(U a, U b, LaneId lane) {
  U below = lane.index >= 32 ? ~0u : (1u << (lane.index & 31)) - 1;
  return count(a & below) + b;
}
U mbcntHi(U a, U b, LaneId lane) {
  U below = lane.index >= 32 ? (1u << (lane.index & 31)) - 1 : 0;
  return count(a & below) + b;
}
U ffbhU(U a) { return a ? U(__builtin_clz(a)) : ~0u; }
U ffblB(U a) { return a ? U(__builtin_ctz(a)) : ~0u; }
U ffbhI(I a) {
  U differs = U(a) ^ U(a >> 31);
  return differs ? U(__builtin_clz(differs)) : ~0u;
}

/// The linear feedback shift register of v_prng_b32.
U prng(U a) { return (a << 1) ^ (a >> 31 ? 197u : 0u); }

/// Any function of three bits, as a table indexed by {a, b, c}.
U bitop3(U a, U b, U c, Uniform table) {
  U r = 0;
  for (unsigned n = 0; n < 8; ++n) {
    U term = (n & 4 ? a : ~a) & (n & 2 ? b : ~b) & (n & 1 ? c : ~c);
    r |= term & (0u - ((table.value >> n) & 1));
  }
  return r;
}
uint16_t bitop3Narrow(uint16_t a, uint16_t b, uint16_t c, Uniform table) {
  return uint16_t(bitop3(a, b, c, table));
}
void takeTable(Instruction &i) { i.imm[3] = i.imm[0]; }

/// Two registers change places.
void swap(Wave &w, const Instruction &i) {
  uint32_t *a = w.vgpr[i.dst.reg], *b = w.vgpr[i.sdst.reg];
  for (unsigned l = 0; l < kLanes; ++l) {
    uint32_t changed = (a[l] ^ b[l]) & w.execRow.lane[l];
    a[l] ^= changed;
    b[l] ^= changed;
  }
}
void nothing(Wave &, const Instruction &) {}

constexpr InstructionClass VALU = InstructionClass::VALU;

const InstructionEntry entries[] = {
    {"v_nop", only<nothing>, VALU},
    {"v_mov_b32", lanes<move>, VALU},
    {"v_accvgpr_read_b32", lanes<move>, VALU},
    {"v_accvgpr_write_b32", lanes<move>, VALU},
    {"v_accvgpr_mov_b32", lanes<move>, VALU},
    {"v_swap_b32", only<swap>, VALU},
    {"v_not_b32", lanes<complement>, VALU},
    {"v_and_b32", lanes<andB>, VALU},
    {"v_or_b32", lanes<orB>, VALU},
    {"v_xor_b32", lanes<xorB>, VALU},
    {"v_xnor_b32", lanes<xnorB>, VALU},
    {"v_and_or_b32", lanes<and_or>, VALU},
    {"v_or3_b32", lanes<or3>, VALU},
    {"v_lshl_or_b32", lanes<lshlOr>, VALU},
    {"v_lshlrev_b32", lanes<lshlrev>, VALU},
    {"v_lshrrev_b32", lanes<lshrrev>, VALU},
    {"v_ashrrev_i32", lanes<ashrrev>, VALU},
    {"v_cndmask_b32", lanes<select>, VALU},
    {"v_bfe_u32", lanes<bfeU>, VALU},
    {"v_bfe_i32", lanes<bfeI>, VALU},
    {"v_bfi_b32", lanes<bfi>, VALU},
    {"v_bfm_b32", lanes<bfm>, VALU},
    {"v_alignbit_b32", lanes<alignbit>, VALU},
    {"v_alignbyte_b32", lanes<alignbyte>, VALU},
    {"v_perm_b32", lanes<perm>, VALU},
    {"v_bfrev_b32", lanes<reverse>, VALU},
    {"v_bcnt_u32_b32", lanes<bcnt>, VALU},
    {"v_mbcnt_lo_u32_b32", lanes<mbcntLo>, VALU},
    {"v_mbcnt_hi_u32_b32", lanes<mbcntHi>, VALU},
    {"v_ffbh_u32", lanes<ffbhU>, VALU},
    {"v_ffbl_b32", lanes<ffblB>, VALU},
    {"v_ffbh_i32", lanes<ffbhI>, VALU},
    {"v_prng_b32", lanes<prng>, VALU},
    {"v_bitop3_b32", lanesPrepared<bitop3, takeTable>, VALU},
    {"v_bitop3_b16", lanesPrepared<bitop3Narrow, takeTable, Upper::Keep>, VALU},
};

} // namespace

const InstructionList bits32List = {entries,
                                    sizeof(entries) / sizeof(entries[0])};

} // namespace rowmill::emulator::ROWMILL_SIMD
