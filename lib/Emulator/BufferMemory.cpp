// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// BUFFER: addresses made of a descriptor, and its own bounds, outside of which
// loads give zero and stores are dropped.

#include "VectorMemory.h"

namespace rowmill::emulator {
namespace {

/// Instruction::form, as the decoder sets it.
enum Form : uint8_t { kOffen = 1, kIdxen = 2, kLds = 4 };

/// The fields of a descriptor that linear addressing uses.
struct Descriptor {
  uint64_t base;
  uint32_t stride, records;
  bool swizzled, addThreadId;
  Descriptor(const Wave &w, unsigned reg)
      : base(w.sgpr64(reg) & 0xffffffffffffull),
        stride(w.sgpr[reg + 1] >> 16 & 0x3fff), records(w.sgpr[reg + 2]),
        swizzled(w.sgpr[reg + 1] >> 31),
        addThreadId(w.sgpr[reg + 3] >> 23 & 1) {}
};

/// Offsets from the base, and the lanes whose first byte is in bounds.
struct BufferLanes {
  LaneAddresses offset; // without soffset
  uint64_t inside = 0;
};

const char *const kNames[] = {"buffer load", "buffer store", "buffer atomic"};

struct BufferSpace {
  /// After it: src[0] the vector address or None, src[1] the descriptor, src[2]
  /// the scalar offset.
  static bool arrange(Instruction &i, bool load) {
    Source address, descriptor, scalar, data;
    bool hasAddress = i.form & (kOffen | kIdxen);
    unsigned next = 0;
    bool hasData = !load && i.numSrc == 3 + unsigned(hasAddress);
    if (hasData)
      data = i.src[next++];
    if (hasAddress)
      address = i.src[next++];
    if (next + 2 != i.numSrc)
      return false;
    descriptor = i.src[next++];
    scalar = i.src[next++];
    if (!load && !hasData) {
      // The data of an atomic that returns is tied to its destination.
      data.kind = i.dst.kind;
      data.reg = i.dst.reg;
      data.dwords = i.dst.dwords;
    }
    if (descriptor.kind != OperandKind::Scalar || descriptor.dwords != 4 ||
        scalar.kind == OperandKind::Vector ||
        (hasAddress && address.kind != OperandKind::Vector))
      return false;
    i.src[0] = address;
    i.src[1] = descriptor;
    i.src[2] = scalar;
    i.src[kDataSource] = data;
    i.numSrc = 4;
    return true;
  }

  static bool lanes(Wave &w, const Instruction &i, const Descriptor &d,
                    unsigned bytes, BufferLanes &out) {
    if (d.swizzled || d.addThreadId) {
      w.fault(i, "unsupported swizzled buffer descriptor");
      return false;
    }
    const uint32_t *index = nullptr, *offset = nullptr;
    if (i.form & kIdxen)
      index = w.vgpr[i.src[0].reg];
    if (i.form & kOffen)
      offset = w.vgpr[i.src[0].reg + (index ? 1 : 0)];
    uint32_t scalar = w.scalar32(i.src[2]);
    for (unsigned l = 0; l < kLanes; ++l) {
      uint64_t o = uint64_t(uint32_t(i.imm[0])) + (offset ? offset[l] : 0);
      uint64_t n = index ? index[l] : 0;
      // With a stride the records are structures, without one bytes.
      bool inside = d.stride && index ? n < d.records
                                      : o + scalar + n * d.stride < d.records;
      out.offset.lane[l] = o + n * d.stride;
      out.inside |= uint64_t(inside) << l;
    }
    out.inside &= w.exec();
    return true;
  }

  static bool resolve(Wave &w, const Instruction &i, unsigned bytes,
                      unsigned alignment, Access access, LanePointers &p) {
    Descriptor d(w, i.src[1].reg);
    BufferLanes at;
    if (!lanes(w, i, d, bytes, at))
      return false;
    uint64_t base = d.base + w.scalar32(i.src[2]);
    for (unsigned l = 0; l < kLanes; ++l)
      at.offset.lane[l] += base;
    uint64_t exec = w.exec(), limit = d.base + d.records;
    // A structure's fields are not checked against its end.
    bool raw = !(d.stride && (i.form & kIdxen));
    uint64_t partial = 0;
    if (raw)
      for (unsigned l = 0; l < kLanes; ++l)
        partial |= uint64_t(at.offset.lane[l] + bytes > limit) << l;
    partial &= at.inside;
    if (partial)
      return w.fault(i, "buffer access that is partly out of bounds",
                     __builtin_ctzll(partial)),
             false;
    w.setExec(at.inside);
    bool ok =
        resolveGlobal(w, i, at.offset, bytes, alignment, access != Access::Load,
                      kNames[unsigned(access)], p);
    w.setExec(exec);
    if (!ok)
      return false;
    if (at.inside != exec)
      p.contiguous = false;
    uint8_t *outside = access == Access::Load ? w.group->zeros : w.group->idle;
    for (unsigned l = 0; l < kLanes; ++l)
      if (~at.inside >> l & 1)
        p.lane[l] = outside;
    return true;
  }
};

/// Lane n writes its value at M0 + offset + n * size of LDS, bytes as dwords.
template <Fill F, unsigned Bytes>
void loadToLds(Wave &w, const Instruction &i) {
  LanePointers from, to;
  if (!BufferSpace::resolve(w, i, Bytes, requiredAlignment(w, Bytes),
                            Access::Load, from))
    return;
  constexpr unsigned stride = Bytes < 4 ? 4 : Bytes;
  Row addresses;
  for (unsigned l = 0; l < kLanes; ++l)
    addresses.lane[l] =
        (w.sgpr[sreg::M0] & 0xffff) + uint32_t(i.imm[0]) + l * stride;
  if (!resolveLds(w, i, addresses.lane, 0, stride, 4, "load to LDS", to))
    return;
  alignas(64) uint32_t values[stride / 4][kLanes] = {};
  memoryLanes().loadOf(F, stride / 4)(values, from, w.execRow, w.execFull());
  memoryLanes().storeDwords[stride / 4 - 1](values, to);
}

/// The same mnemonic loads to registers or, with `lds`, to LDS.
template <Fill F, unsigned Bytes>
Handler makeLoad(Instruction &i) {
  if (!(i.form & kLds))
    return VectorMemory<BufferSpace>::loader<F, Bytes>(i);
  i.laneBytes = Bytes;
  return BufferSpace::arrange(i, true) ? loadToLds<F, Bytes> : nullptr;
}

constexpr InstructionClass kLoad = InstructionClass::VectorLoad;
const InstructionEntry kEitherTable[] = {
    {"buffer_load_ubyte", makeLoad<Fill::U8, 1>, kLoad},
    {"buffer_load_sbyte", makeLoad<Fill::I8, 1>, kLoad},
    {"buffer_load_ushort", makeLoad<Fill::U16, 2>, kLoad},
    {"buffer_load_sshort", makeLoad<Fill::I16, 2>, kLoad},
    {"buffer_load_dword", makeLoad<Fill::Dwords, 4>, kLoad},
    {"buffer_load_dwordx3", makeLoad<Fill::Dwords, 12>, kLoad},
    {"buffer_load_dwordx4", makeLoad<Fill::Dwords, 16>, kLoad},
};

} // namespace

void registerBufferMemory(InstructionTable &table) {
  VectorMemory<BufferSpace>::registerLoads(table, "buffer");
  VectorMemory<BufferSpace>::registerStores(table, "buffer");
  VectorMemory<BufferSpace>::registerAtomics(table, "buffer");
  table.add(kEitherTable);
}

} // namespace rowmill::emulator
