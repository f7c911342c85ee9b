// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// The general path of lane functions: DPP, SDWA, op_sel, clamp, omod, MODE.

#include "VALU.h"
#include "VALULanes.h"

namespace rowmill::emulator::ROWMILL_SIMD {
namespace {

/// The host's rounding for the time of one instruction. The barrier keeps the
/// compiler from moving the lanes' loads and stores out of it.
class RoundingGuard {
public:
  explicit RoundingGuard(unsigned mode) : changed(mode != 0) {
#if defined(__x86_64__)
    if (!changed)
      return;
    // MXCSR counts: nearest, down, up, zero.
    static const unsigned host[4] = {0, 2, 1, 3};
    saved = _mm_getcsr();
    set((saved & ~0x6000u) | host[mode & 3] << 13);
#endif
  }
  ~RoundingGuard() {
    if (changed)
      set(saved);
  }

private:
  static void set(unsigned value) {
#if defined(__x86_64__)
    __asm__ volatile("ldmxcsr %0" : : "m"(value) : "memory");
#endif
  }
  bool changed;
  unsigned saved = 0;
};

/// The lanes that a DPP instruction reads from and writes to.
struct DppLanes {
  uint64_t valid = ~uint64_t(0);
  uint64_t written = ~uint64_t(0);
};

DppLanes dppLanes(const Wave &w, const Instruction &i) {
  const DppPattern &pattern = dppPattern(i.dpp.ctrl);
  DppLanes lanes;
  lanes.valid = pattern.valid;
  // A source lane that is switched off counts as outside.
  if (!w.execFull()) {
    Row source;
    permuteLanes(pattern, ~uint64_t(0), w.execRow.lane, source.lane);
    lanes.valid &= packMask(source.lane);
  }
  if (!i.dpp.boundCtrl)
    lanes.written = lanes.valid;
  if (i.dpp.rowMask == 0xf && i.dpp.bankMask == 0xf)
    return lanes;
  // The masks choose what is written and change nothing that is read.
  uint64_t banks = 0, rows = 0;
  for (unsigned b = 0; b < 4; ++b) {
    banks |=
        (i.dpp.bankMask >> b) & 1 ? uint64_t(0x000f000f000f000f) << (4 * b) : 0;
    rows |= (i.dpp.rowMask >> b) & 1 ? uint64_t(0xffff) << (16 * b) : 0;
  }
  lanes.written &= banks & rows;
  return lanes;
}

void selectSdwa(const uint32_t *in, uint32_t *out, unsigned sel, bool sext) {
  if (sel >= 6) {
    for (unsigned l = 0; l < kLanes; ++l)
      out[l] = in[l];
    return;
  }
  unsigned width = sel < 4 ? 8 : 16;
  unsigned up = 32 - width - (sel < 4 ? 8 * sel : 16 * (sel - 4));
  unsigned down = 32 - width;
  for (unsigned l = 0; l < kLanes; ++l) {
    uint32_t top = in[l] << up;
    out[l] = sext ? uint32_t(int32_t(top) >> down) : top >> down;
  }
}

bool isSingle(Kind k) { return k == Kind::F32 || k == Kind::F32x2; }
bool isFloat(Kind k) { return isSingle(k) || k == Kind::F16 || k == Kind::F64; }
unsigned dwordsOf(Kind k) { return k == Kind::None ? 0 : isPair(k) ? 2 : 1; }

bool keepsInputDenormals(const Mode &m, Kind kind) {
  return (isSingle(kind) ? m.denorm32 : m.denorm16_64) & 1;
}
bool keepsOutputDenormals(const Mode &m, Kind kind) {
  return (isSingle(kind) ? m.denorm32 : m.denorm16_64) & 2;
}

/// Subnormals of the lanes become zeros; `top` is the row with the exponent.
void flushLanes(Kind kind, uint32_t *low, uint32_t *top) {
  if (kind == Kind::F32x2) {
    flushLanes(Kind::F32, low, low);
    flushLanes(Kind::F32, top, top);
    return;
  }
  uint32_t exponent = kind == Kind::F32   ? 0x7f800000
                      : kind == Kind::F64 ? 0x7ff00000
                                          : 0x7c00;
  uint32_t sign = kind == Kind::F16 ? 0x8000 : 0x80000000;
  for (unsigned l = 0; l < kLanes; ++l) {
    bool subnormal = (top[l] & exponent) == 0;
    top[l] = subnormal ? top[l] & sign : top[l];
    if (kind == Kind::F64)
      low[l] = subnormal ? 0 : low[l];
  }
}

void prepareSource(Wave &w, const Instruction &i, const LaneOp &op, unsigned k,
                   uint64_t dppValid, Call &c) {
  const Source &s = i.src[k];
  Kind kind = op.source[k];
  uint32_t sign = kind == Kind::F16 ? 0x8000 : 0x80000000;
  bool sdwa = i.encoding == Encoding::SDWA && k < 2;
  bool modifiable = isFloat(kind) || kind == Kind::M32;
  c.keep[k] = modifiable && s.mods & mod::Abs ? ~sign : ~0u;
  c.flip[k] = modifiable && s.mods & mod::Neg ? sign : 0;
  if (kind == Kind::Mask) {
    spreadLaneMask(w, s, w.scratch[2 * k]);
    c.src[k][0] = w.scratch[2 * k].lane;
    return;
  }
  for (unsigned r = 0; r < dwordsOf(kind); ++r) {
    Row &own = w.scratch[2 * k + r];
    const uint32_t *in = w.lanesOf(s, own, r);
    c.src[k][r] = in;
    if (i.encoding == Encoding::DPP && k == 0) {
      permuteLanes(dppPattern(i.dpp.ctrl), dppValid, in, own.lane);
      c.src[k][r] = own.lane;
    }
    if (sdwa) {
      bool sext = !modifiable && s.mods & mod::Sext;
      selectSdwa(in, own.lane, i.sdwa.srcSel[k], sext);
      c.src[k][r] = own.lane;
    }
  }
  bool narrow = kind == Kind::F16 || kind == Kind::B16;
  if (narrow && !sdwa && s.mods & mod::OpSel) {
    Row &own = w.scratch[2 * k];
    for (unsigned l = 0; l < kLanes; ++l)
      own.lane[l] = c.src[k][0][l] >> 16;
    c.src[k][0] = own.lane;
  }
  if (isFloat(kind) && !keepsInputDenormals(w.mode, kind)) {
    for (unsigned r = 0; r < dwordsOf(kind); ++r) {
      Row &own = w.scratch[2 * k + r];
      if (c.src[k][r] != own.lane)
        __builtin_memcpy(own.lane, c.src[k][r], sizeof(Row));
      c.src[k][r] = own.lane;
    }
    flushLanes(kind, w.scratch[2 * k].lane,
               w.scratch[2 * k + dwordsOf(kind) - 1].lane);
  }
}

/// f32 results still to be rounded to f16 become f16 codes.
void narrowHalf(const Mode &mode, float scale, uint32_t *lanes) {
  auto round = RoundMode(mode.round16_64);
  for (unsigned l = 0; l < kLanes; ++l) {
    uint32_t bits = asBits(asFloat(lanes[l]) * scale);
    lanes[l] = encodeRounded<F16>(bits, round, mode.fp16Overflow);
  }
}

/// omod, output denormals and clamp, in the hardware's order.
void finishFloat(const Wave &w, const Instruction &i, Kind kind, bool wideHalf,
                 uint32_t *lo, uint32_t *hi) {
  // Output modifiers are ignored in IEEE mode and with denormal results.
  bool omod = i.omod && !w.mode.ieee && !keepsOutputDenormals(w.mode, kind);
  static const float factors[4] = {1.0f, 2.0f, 4.0f, 0.5f};
  float factor = omod ? factors[i.omod & 3] : 1.0f;
  if (wideHalf)
    narrowHalf(w.mode, factor, lo);
  else if (omod && kind == Kind::F32)
    for (unsigned l = 0; l < kLanes; ++l)
      lo[l] = asBits(asFloat(lo[l]) * factor + 0.0f);
  else if (omod && kind == Kind::F64)
    for (unsigned l = 0; l < kLanes; ++l) {
      double d = OperandTraits<double>::from(lo[l], hi[l]) * factor + 0.0;
      OperandTraits<double>::to(d, lo[l], hi[l]);
    }
  if (!keepsOutputDenormals(w.mode, kind))
    flushLanes(kind, lo, isPair(kind) ? hi : lo);
  if (!i.clamp)
    return;
  for (unsigned l = 0; l < kLanes; ++l) {
    if (kind == Kind::F32) {
      lo[l] = clampF32(lo[l], w.mode.dx10Clamp);
    } else if (kind == Kind::F16) {
      uint32_t wide = clampF32(decode<F16>(lo[l]), w.mode.dx10Clamp);
      lo[l] = encodeNearest<F16>(wide);
    } else {
      double d = OperandTraits<double>::from(lo[l], hi[l]);
      d = d != d    ? (w.mode.dx10Clamp ? 0.0 : d)
          : d > 1.0 ? 1.0
          : d > 0.0 ? d
                    : 0.0;
      OperandTraits<double>::to(d, lo[l], hi[l]);
    }
  }
}

/// Puts the result's low bits where SDWA's dst_sel says.
void placeSdwa(const Instruction &i, const uint32_t *old, uint32_t *lanes) {
  unsigned sel = i.sdwa.dstSel;
  if (sel >= 6)
    return;
  unsigned width = sel < 4 ? 8 : 16;
  unsigned shift = sel < 4 ? 8 * sel : 16 * (sel - 4);
  uint32_t field = width == 8 ? 0xff : 0xffff;
  uint32_t above = ~((field << shift) | ((1u << shift) - 1));
  for (unsigned l = 0; l < kLanes; ++l) {
    uint32_t value = (lanes[l] & field) << shift;
    bool negative = (lanes[l] >> (width - 1)) & 1;
    uint32_t extended = value | (negative ? above : 0);
    uint32_t kept = value | (old[l] & ~(field << shift));
    lanes[l] = i.sdwa.dstUnused == 2   ? kept
               : i.sdwa.dstUnused == 1 ? extended
                                       : value;
  }
}

/// Whether nothing is left to do once the lane function has run: only its
/// sources were special.
bool resultIsFinal(const Wave &w, const Instruction &i, const LaneOp &op) {
  bool sdwaPart = i.encoding == Encoding::SDWA && i.sdwa.dstSel < 6;
  bool upperHalf = i.encoding == Encoding::E64 &&
                   i.src[0].mods & mod::OpSelHi &&
                   (op.result == Kind::B16 || op.result == Kind::F16);
  return w.hostLikeMode && !w.mode.fp16Overflow && !sdwaPart && !upperHalf &&
         !(isFloat(op.result) && (i.clamp || i.omod));
}

void writeDirectly(Wave &w, const Instruction &i, const LaneOp &op,
                   uint64_t written, Call &c) {
  Row mask, carry;
  c.mask = w.execRow.lane;
  if (written != ~uint64_t(0)) {
    expandMask(written & w.exec(), mask.lane);
    c.mask = mask.lane;
  }
  c.carry = carry.lane;
  op.core(c);
  if (op.carry)
    writeLaneCarry(w, i, carry, dwordsOf(op.result) == 0);
}

} // namespace

void spreadLaneMask(const Wave &w, const Source &s, Row &out) {
  expandMask(w.scalar64(s), out.lane);
}

void writeLaneCarry(Wave &w, const Instruction &i, const Row &carry,
                    bool comparison) {
  uint64_t bits = packMask(carry.lane);
  w.setSgpr64(i.sdst.reg, bits);
  if (comparison && i.imm[3])
    w.setExec(bits);
}

bool needsGeneral(const Instruction &i, const LaneOp &op) {
  if (i.encoding == Encoding::DPP || i.encoding == Encoding::SDWA)
    return true;
  if (isFloat(op.result) && (i.clamp || i.omod))
    return true;
  bool narrow = op.result == Kind::B16 || op.result == Kind::F16;
  if (narrow && i.src[0].mods & mod::OpSelHi)
    return true;
  for (unsigned k = 0; k < op.numSources; ++k)
    if ((op.source[k] == Kind::B16 || op.source[k] == Kind::F16) &&
        i.src[k].mods & mod::OpSel)
      return true;
  return false;
}

bool supportedForm(const Instruction &i, const LaneOp &op) {
  if (i.encoding == Encoding::DPP &&
      (i.dpp.ctrl >= 512 || !dppPattern(i.dpp.ctrl).supported))
    return false;
  if (i.numSrc < op.numSources || (op.carry && !i.sdst))
    return false;
  return !i.clamp || isFloat(op.result) || isFloat(op.source[0]);
}

void runGeneral(Wave &w, const Instruction &i, const LaneOp &op) {
  static const Row ones = [] {
    Row row;
    expandMask(~uint64_t(0), row.lane);
    return row;
  }();
  DppLanes dpp;
  if (i.encoding == Encoding::DPP)
    dpp = dppLanes(w, i);

  Call c = {};
  for (unsigned k = 0; k < op.numSources; ++k)
    prepareSource(w, i, op, k, dpp.valid, c);
  unsigned dwords = dwordsOf(op.result);
  uint32_t *dst[2] = {};
  for (unsigned r = 0; r < dwords; ++r)
    dst[r] = w.vgpr[i.dst.reg + r];
  c.uniform = uint32_t(i.imm[3]);
  c.mode = w.mode;
  if (resultIsFinal(w, i, op)) {
    for (unsigned r = 0; r < dwords; ++r)
      c.old[r] = c.out[r] = dst[r];
    writeDirectly(w, i, op, dpp.written, c);
    return;
  }

  Row oldRows[2];
  for (unsigned r = 0; r < dwordsOf(op.old); ++r) {
    __builtin_memcpy(oldRows[r].lane, w.vgpr[i.dst.reg + r], sizeof(Row));
    c.old[r] = oldRows[r].lane;
  }
  if (isFloat(op.old) && !keepsInputDenormals(w.mode, op.old))
    flushLanes(op.old, oldRows[0].lane, oldRows[dwordsOf(op.old) - 1].lane);

  Row results[2], carry;
  uint32_t *lo = results[0].lane, *hi = results[1].lane;
  c.out[0] = lo;
  c.out[1] = hi;
  c.carry = carry.lane;
  c.mask = ones.lane;
  bool wideHalf = op.coreWide != nullptr;
  {
    RoundingGuard guard(isSingle(op.result)      ? w.mode.round32
                        : op.result == Kind::F64 ? w.mode.round16_64
                                                 : 0);
    (wideHalf ? op.coreWide : op.core)(c);
  }

  if (isFloat(op.result))
    finishFloat(w, i, op.result, wideHalf, lo, hi);
  bool narrow = op.result == Kind::B16 || op.result == Kind::F16;
  if (narrow) {
    bool high = i.encoding == Encoding::E64 && i.src[0].mods & mod::OpSelHi;
    for (unsigned l = 0; l < kLanes; ++l) {
      uint32_t value = lo[l] & 0xffff;
      uint32_t upper = value << 16 | (dst[0][l] & 0xffff);
      uint32_t lower =
          value | (op.upper == Upper::Keep ? dst[0][l] & 0xffff0000 : 0);
      lo[l] = high ? upper : lower;
    }
  }
  if (i.encoding == Encoding::SDWA && dwords)
    placeSdwa(i, dst[0], lo);

  Row written;
  expandMask(dpp.written & w.exec(), written.lane);
  if (op.carry) {
    for (unsigned l = 0; l < kLanes; ++l)
      carry.lane[l] &= written.lane[l];
    writeLaneCarry(w, i, carry, dwords == 0);
  }
  for (unsigned r = 0; r < dwords; ++r)
    for (unsigned l = 0; l < kLanes; ++l)
      dst[r][l] = (results[r].lane[l] & written.lane[l]) |
                  (dst[r][l] & ~written.lane[l]);
}

} // namespace rowmill::emulator::ROWMILL_SIMD
