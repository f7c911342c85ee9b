// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// GLOBAL, FLAT and SCRATCH: addresses of 64 bits, of LDS or of a lane's own.

#include "VectorMemory.h"

#include <llvm/Support/MathExtras.h>

namespace rowmill::emulator {
namespace {

/// After arrange: src[0] the vector address, src[1] the scalar one, None where
/// the form has none.
bool arrangeAddress(Instruction &i, bool load, bool dataFirst) {
  Source vector, scalar, data;
  unsigned vectors = 0;
  for (unsigned k = 0; k < i.numSrc; ++k) {
    Source &src = i.src[k];
    if (src.kind == OperandKind::Scalar) {
      scalar = src;
    } else if (src.kind == OperandKind::Vector) {
      bool isData = !load && vectors == (dataFirst ? 0 : 1);
      (isData ? data : vector) = src;
      ++vectors;
    } else {
      return false;
    }
  }
  if (vectors > (load ? 1u : 2u))
    return false;
  i.src[0] = vector;
  i.src[1] = scalar;
  i.src[2] = Source();
  i.src[kDataSource] = data;
  i.numSrc = 4;
  return true;
}

/// The 13-bit offset, sign extended, that all three formats have.
int64_t instOffset(const Instruction &i) {
  return llvm::SignExtend64<13>(uint32_t(i.imm[0]));
}

void globalAddresses(const Wave &w, const Instruction &i, LaneAddresses &a) {
  uint64_t base = instOffset(i);
  unsigned reg = i.src[0].reg;
  if (i.src[1])
    base += w.sgpr64(i.src[1].reg);
  memoryLanes().addresses(w.vgpr[reg], i.src[1] ? nullptr : w.vgpr[reg + 1],
                          base, a);
}

const char *const kGlobalNames[] = {"global load", "global store",
                                    "global atomic"};
const char *const kFlatNames[] = {"flat load", "flat store", "flat atomic"};
const char *const kScratchNames[] = {"scratch load", "scratch store",
                                     "scratch atomic"};

struct Global {
  static bool arrange(Instruction &i, bool load) {
    if (!arrangeAddress(i, load, false) || i.src[0].kind != OperandKind::Vector)
      return false;
    bool saddr = bool(i.src[1]);
    return i.src[0].dwords == (saddr ? 1 : 2) &&
           (!saddr || i.src[1].dwords == 2);
  }
  static bool resolve(Wave &w, const Instruction &i, unsigned bytes,
                      unsigned alignment, Access access, LanePointers &p) {
    LaneAddresses a;
    globalAddresses(w, i, a);
    return resolveGlobal(w, i, a, bytes, alignment, access != Access::Load,
                         kGlobalNames[unsigned(access)], p);
  }
};

struct Scratch {
  static bool arrange(Instruction &i, bool load) {
    return arrangeAddress(i, load, /*dataFirst=*/true) &&
           (!i.src[0] || i.src[0].dwords == 1) &&
           (!i.src[1] || i.src[1].dwords == 1);
  }
  static bool resolve(Wave &w, const Instruction &i, unsigned bytes,
                      unsigned alignment, Access access, LanePointers &p) {
    uint64_t base = instOffset(i);
    if (i.src[1])
      base += w.sgpr[i.src[1].reg];
    LaneAddresses a;
    for (unsigned l = 0; l < kLanes; ++l)
      a.lane[l] = base + (i.src[0] ? w.vgpr[i.src[0].reg][l] : 0);
    return resolveScratch(w, i, a, bytes, alignment,
                          kScratchNames[unsigned(access)], p);
  }
};

struct Flat {
  static bool arrange(Instruction &i, bool load) {
    return arrangeAddress(i, load, false) &&
           i.src[0].kind == OperandKind::Vector && i.src[0].dwords == 2 &&
           !i.src[1];
  }
  static bool resolve(Wave &w, const Instruction &i, unsigned bytes,
                      unsigned alignment, Access access, LanePointers &p) {
    LaneAddresses a;
    globalAddresses(w, i, a);
    const char *what = kFlatNames[unsigned(access)];
    uint64_t shared = 0, scratch = 0;
    for (unsigned l = 0; l < kLanes; ++l) {
      shared |= uint64_t(a.lane[l] >> 32 == kSharedAperture >> 32) << l;
      scratch |= uint64_t(a.lane[l] >> 32 == kPrivateAperture >> 32) << l;
    }
    uint64_t exec = w.exec();
    shared &= exec;
    scratch &= exec;
    if (!(shared | scratch))
      return resolveGlobal(w, i, a, bytes, alignment, access != Access::Load,
                           what, p);
    return resolveParts(w, i, a, shared, scratch, bytes, alignment, access, p);
  }

private:
  /// Lanes in different spaces: each part as if the others were inactive.
  static bool resolveParts(Wave &w, const Instruction &i,
                           const LaneAddresses &a, uint64_t shared,
                           uint64_t scratch, unsigned bytes, unsigned alignment,
                           Access access, LanePointers &p) {
    const char *what = kFlatNames[unsigned(access)];
    uint64_t exec = w.exec(), rest = exec & ~(shared | scratch);
    Row low;
    LaneAddresses offsets;
    for (unsigned l = 0; l < kLanes; ++l)
      offsets.lane[l] = low.lane[l] = uint32_t(a.lane[l]);
    LanePointers part;
    bool ok = true;
    auto merge = [&](uint64_t mask) {
      for (unsigned l = 0; l < kLanes; ++l)
        if (mask >> l & 1)
          p.lane[l] = part.lane[l];
    };
    for (unsigned l = 0; l < kLanes; ++l)
      p.lane[l] = w.group->idle;
    p.contiguous = false;
    if (shared) {
      w.setExec(shared);
      ok = resolveLds(w, i, low.lane, 0, bytes, alignment, what, part);
      if (ok)
        merge(shared);
    }
    if (ok && scratch) {
      w.setExec(scratch);
      ok = resolveScratch(w, i, offsets, bytes, alignment, what, part);
      if (ok)
        merge(scratch);
    }
    if (ok && rest) {
      w.setExec(rest);
      ok = resolveGlobal(w, i, a, bytes, alignment, access != Access::Load,
                         what, part);
      if (ok)
        merge(rest);
    }
    w.setExec(exec);
    return ok;
  }
};

//===----------------------------------------------------------------------===//
// Loads that go to LDS
//===----------------------------------------------------------------------===//

/// Lane n writes its value at M0 + offset + n * size, small values as dwords.
template <Fill F, unsigned Bytes>
void loadToLds(Wave &w, const Instruction &i) {
  LanePointers from, to;
  if (!Global::resolve(w, i, Bytes, requiredAlignment(w, Bytes), Access::Load,
                       from))
    return;
  constexpr unsigned stride = Bytes < 4 ? 4 : Bytes;
  uint32_t base = (w.sgpr[sreg::M0] & 0xffff) + uint32_t(instOffset(i));
  Row addresses;
  for (unsigned l = 0; l < kLanes; ++l)
    addresses.lane[l] = base + l * stride;
  if (!resolveLds(w, i, addresses.lane, 0, stride, 4, "load to LDS", to))
    return;
  alignas(64) uint32_t values[stride / 4][kLanes] = {};
  memoryLanes().loadOf(F, stride / 4)(values, from, w.execRow, w.execFull());
  memoryLanes().storeDwords[stride / 4 - 1](values, to);
}
template <Handler H, unsigned Bytes>
Handler makeLoadToLds(Instruction &i) {
  i.laneBytes = Bytes;
  return Global::arrange(i, true) ? H : nullptr;
}
template <Fill F, unsigned Bytes>
constexpr HandlerFactory ldsLoader = makeLoadToLds<loadToLds<F, Bytes>, Bytes>;

constexpr InstructionClass kLoad = InstructionClass::VectorLoad;
const InstructionEntry kLdsTable[] = {
    {"global_load_lds_ubyte", ldsLoader<Fill::U8, 1>, kLoad},
    {"global_load_lds_sbyte", ldsLoader<Fill::I8, 1>, kLoad},
    {"global_load_lds_ushort", ldsLoader<Fill::U16, 2>, kLoad},
    {"global_load_lds_sshort", ldsLoader<Fill::I16, 2>, kLoad},
    {"global_load_lds_dword", ldsLoader<Fill::Dwords, 4>, kLoad},
    {"global_load_lds_dwordx3", ldsLoader<Fill::Dwords, 12>, kLoad},
    {"global_load_lds_dwordx4", ldsLoader<Fill::Dwords, 16>, kLoad},
};

void nothing(Wave &, const Instruction &) {}

/// Caches are not modelled: their maintenance has nothing to do.
const InstructionEntry kCacheTable[] = {
    {"buffer_wbl2", always<nothing>, InstructionClass::Wait},
    {"buffer_inv", always<nothing>, InstructionClass::Wait},
};

} // namespace

void registerFlatMemory(InstructionTable &table) {
  VectorMemory<Global>::registerLoads(table, "global");
  VectorMemory<Global>::registerStores(table, "global");
  VectorMemory<Global>::registerAtomics(table, "global");
  VectorMemory<Flat>::registerLoads(table, "flat");
  VectorMemory<Flat>::registerStores(table, "flat");
  VectorMemory<Flat>::registerAtomics(table, "flat");
  VectorMemory<Scratch>::registerLoads(table, "scratch");
  VectorMemory<Scratch>::registerStores(table, "scratch");
  table.add(kLdsTable);
  table.add(kCacheTable);
}

} // namespace rowmill::emulator
