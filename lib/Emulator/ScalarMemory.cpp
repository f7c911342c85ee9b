// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Scalar loads: s_load and s_buffer_load.

#include "MemoryAccess.h"
#include "rowmill/Emulator/InstructionTable.h"

#include <llvm/Support/MathExtras.h>

#include <cstring>

namespace rowmill::emulator {
namespace {

/// Operands after the base: an optional SGPR offset and an optional immediate.
uint64_t scalarOffset(const Wave &w, const Instruction &i) {
  uint64_t offset = 0;
  if (i.numSrc > 1)
    offset += w.scalar32(i.src[1]);
  // The last immediate is the cache policy.
  if (i.numImm > 1)
    offset += llvm::SignExtend64<21>(uint32_t(i.imm[0]));
  return offset;
}

template <unsigned Dwords>
void load(Wave &w, const Instruction &i) {
  // The hardware drops the lowest address bits.
  uint64_t address = (w.scalar64(i.src[0]) + scalarOffset(w, i)) & ~uint64_t(3);
  const uint8_t *host = w.group->memory.host(address, 4 * Dwords, false);
  if (!host)
    return memoryFault(w, i, {"scalar load", address, 4 * Dwords, false}, -1);
  std::memcpy(&w.sgpr[i.dst.reg], host, 4 * Dwords);
}

/// A buffer's loads are checked against its size: what lies outside is zero.
template <unsigned Dwords>
void bufferLoad(Wave &w, const Instruction &i) {
  unsigned desc = i.src[0].reg;
  uint64_t base = w.sgpr64(desc) & 0xffffffffffffull;
  uint32_t stride = w.sgpr[desc + 1] >> 16 & 0x3fff;
  uint64_t size = uint64_t(w.sgpr[desc + 2]) * (stride ? stride : 1);
  uint64_t offset = scalarOffset(w, i) & ~uint64_t(3);
  for (unsigned k = 0; k < Dwords; ++k) {
    uint64_t at = offset + 4 * k;
    uint32_t value = 0;
    if (at + 4 <= size) {
      const uint8_t *host = w.group->memory.host(base + at, 4, false);
      if (!host)
        return memoryFault(w, i, {"scalar buffer load", base + at, 4, false},
                           -1);
      std::memcpy(&value, host, 4);
    }
    w.sgpr[i.dst.reg + k] = value;
  }
}

/// The destination must have the width that the name says.
template <unsigned Dwords, Handler H>
Handler checked(Instruction &i) {
  return i.dst.kind == OperandKind::Scalar && i.dst.dwords == Dwords &&
                 i.src[0].kind == OperandKind::Scalar
             ? H
             : nullptr;
}

using C = InstructionClass;
const InstructionEntry kTable[] = {
    {"s_load_dword", checked<1, load<1>>, C::ScalarMemory},
    {"s_load_dwordx2", checked<2, load<2>>, C::ScalarMemory},
    {"s_load_dwordx3", checked<3, load<3>>, C::ScalarMemory},
    {"s_load_dwordx4", checked<4, load<4>>, C::ScalarMemory},
    {"s_load_dwordx8", checked<8, load<8>>, C::ScalarMemory},
    {"s_load_dwordx16", checked<16, load<16>>, C::ScalarMemory},
    {"s_buffer_load_dword", checked<1, bufferLoad<1>>, C::ScalarMemory},
    {"s_buffer_load_dwordx2", checked<2, bufferLoad<2>>, C::ScalarMemory},
    {"s_buffer_load_dwordx3", checked<3, bufferLoad<3>>, C::ScalarMemory},
    {"s_buffer_load_dwordx4", checked<4, bufferLoad<4>>, C::ScalarMemory},
    {"s_buffer_load_dwordx8", checked<8, bufferLoad<8>>, C::ScalarMemory},
    {"s_buffer_load_dwordx16", checked<16, bufferLoad<16>>, C::ScalarMemory},
};

} // namespace

void registerScalarMemory(InstructionTable &table) { table.add(kTable); }

} // namespace rowmill::emulator
