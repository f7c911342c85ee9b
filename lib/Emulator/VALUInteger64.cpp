// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// 64-bit integer arithmetic of the vector ALU.

#include "VALU.h"
#include "VALUTables.h"

namespace rowmill::emulator::ROWMILL_SIMD {
namespace {

using U = uint64_t;

U move(U a) { return a; }
U lshlrev(uint32_t a, U b) { return b << (a & 63); }
U lshrrev(uint32_t a, U b) { return b >> (a & 63); }
int64_t ashrrev(uint32_t a, int64_t b) { return b >> (a & 63); }

/// Shift counts above 4 are unsupported; the design takes them as zero.
U lshlAdd(U a, uint32_t b, U c) {
  uint32_t count = b & 7;
  return (a << (count > 4 ? 0 : count)) + c;
}

WithCarry<U> madU(uint32_t a, uint32_t b, U c) {
  U sum = U(a) * b + c;
  return {sum, sum < c};
}
WithCarry<U> madI(int32_t a, int32_t b, U c) {
  U product = U(int64_t(a) * b);
  U sum = product + c;
  // Bit 64 of the sum of the sign-extended operands.
  U carry = (product >> 63) + (c >> 63) + (sum < c);
  return {sum, (carry & 1) != 0};
}

U slide(U data, unsigned bytes) { return data >> (8 * bytes); }
uint32_t sad(uint32_t a, uint32_t b, bool masked) {
  uint32_t total = 0;
  for (unsigned n = 0; n < 4; ++n) {
    uint32_t x = (a >> (8 * n)) & 0xff, y = (b >> (8 * n)) & 0xff;
    total += masked && !y ? 0 : x > y ? x - y : y - x;
  }
  return total;
}
template <bool Masked>
U qsad(U a, uint32_t b, U c) {
  U r = 0;
  for (unsigned n = 0; n < 4; ++n) {
    uint32_t part = sad(uint32_t(slide(a, n)), b, Masked);
    r |= U((part + uint32_t(c >> (16 * n))) & 0xffff) << (16 * n);
  }
  return r;
}

/// Four 32-bit sums: 128 bits of addend and of result.
void mqsadWide(Wave &w, const Instruction &i) {
  if (i.src[2].kind != OperandKind::Vector)
    return w.fault(i, "unsupported form of an instruction");
  const uint32_t *reference = w.lanesOf(i.src[1], w.scratch[2]);
  const uint32_t *lo = w.lanesOf(i.src[0], w.scratch[0]);
  const uint32_t *hi = w.lanesOf(i.src[0], w.scratch[1], 1);
  for (unsigned l = 0; l < kLanes; ++l) {
    U data = lo[l] | U(hi[l]) << 32;
    uint32_t sums[4];
    for (unsigned n = 0; n < 4; ++n)
      sums[n] = sad(uint32_t(slide(data, n)), reference[l], true) +
                w.vgpr[i.src[2].reg + n][l];
    for (unsigned n = 0; n < 4; ++n)
      w.vgpr[i.dst.reg + n][l] =
          w.execRow.lane[l] ? sums[n] : w.vgpr[i.dst.reg + n][l];
  }
}

constexpr InstructionClass VALU = InstructionClass::VALU;

const InstructionEntry entries[] = {
    {"v_mov_b64", lanes<move>, VALU},
    {"v_lshlrev_b64", lanes<lshlrev>, VALU},
    {"v_lshrrev_b64", lanes<lshrrev>, VALU},
    {"v_ashrrev_i64", lanes<ashrrev>, VALU},
    {"v_lshl_add_u64", lanes<lshlAdd>, VALU},
    {"v_mad_u64_u32", lanes<madU>, VALU},
    {"v_mad_i64_i32", lanes<madI>, VALU},
    {"v_qsad_pk_u16_u8", lanes<qsad<false>>, VALU},
    {"v_mqsad_u32_u8", only<mqsadWide>, VALU},
    {"v_mqsad_pk_u16_u8", lanes<qsad<true>>, VALU},
};

} // namespace

const InstructionList integer64List = {entries,
                                       sizeof(entries) / sizeof(entries[0])};

} // namespace rowmill::emulator::ROWMILL_SIMD
