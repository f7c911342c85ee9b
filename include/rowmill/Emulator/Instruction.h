// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// A decoded instruction: what the decoder writes once and the handlers read.

#ifndef ROWMILL_EMULATOR_INSTRUCTION_H
#define ROWMILL_EMULATOR_INSTRUCTION_H

#include <cstddef>
#include <cstdint>

/// The headers that handlers include are also compiled into the files that are
/// built for wider vectors. Were an inline function emitted out of line there,
/// the linker might keep the AVX-512 copy for everybody, so none ever may be.
#define ROWMILL_INLINE inline __attribute__((always_inline))

namespace rowmill::emulator {

struct Wave;
struct Instruction;

/// Executes one instruction for a whole wave.
using Handler = void (*)(Wave &, const Instruction &);

/// The widest wave. Every loop over lanes runs to here: a wave32 keeps the
/// upper half of EXEC zero, so its upper lanes are scratch.
constexpr unsigned kLanes = 64;

/// Slots of Wave::sgpr. Up to EXEC they are the hardware's own operand
/// encodings; the values that have no register are placed behind.
namespace sreg {
enum : uint16_t {
  FlatScratch = 102,
  XnackMask = 104,
  VCC = 106,
  TTMP0 = 108,
  M0 = 124,
  EXEC = 126,
  SharedBase = 128, // 64 bits each
  SharedLimit = 130,
  PrivateBase = 132,
  PrivateLimit = 134,
  SCC = 136,  // 0 or 1
  Null = 138, // reads zero, writes are dropped
  Count = 144
};
} // namespace sreg

/// Where an operand lives.
enum class OperandKind : uint8_t {
  None,
  Vector,  // Wave::vgpr[reg]: VGPR n is n, AGPR n is kAgprBase + n
  Scalar,  // Wave::sgpr[reg]
  Constant // inline constant or literal, in the operand's own format
};
constexpr unsigned kAgprBase = 256;

/// A register operand that is written (or written and read: see `tied`).
struct Dest {
  OperandKind kind = OperandKind::None;
  uint8_t dwords = 0;
  uint16_t reg = 0;
  ROWMILL_INLINE explicit operator bool() const {
    return kind != OperandKind::None;
  }
};

/// Source modifiers, the bits of MC's *_modifiers operand.
namespace mod {
enum : uint8_t {
  Neg = 1,     // VOP3P: negate the low half
  Abs = 2,     // VOP3P: this bit is NegHi
  NegHi = 2,   // VOP3P: negate the high half
  OpSel = 4,   // take the high half (VOP3P: for the low result)
  OpSelHi = 8, // VOP3P: take the high half for the high result;
               // VOP3: on source 0 only, write the high half of the destination
  Sext = 16    // SDWA on integers: sign extend what was selected
};
} // namespace mod

struct Source {
  OperandKind kind = OperandKind::None;
  uint8_t dwords = 0;
  uint8_t mods = 0;
  uint16_t reg = 0;
  /// Constants: dwords rows of kLanes equal values, ready to be read as lanes.
  const uint32_t *rows = nullptr;
  ROWMILL_INLINE explicit operator bool() const {
    return kind != OperandKind::None;
  }
  /// The value of a constant.
  ROWMILL_INLINE uint32_t low() const { return rows[0]; }
  ROWMILL_INLINE uint64_t constant() const {
    return dwords > 1 ? rows[0] | uint64_t(rows[kLanes]) << 32 : rows[0];
  }
};

/// The form of a VALU instruction; the scalar and memory formats are Other.
enum class Encoding : uint8_t { Other, E32, E64, DPP, SDWA };

/// What the statistics count.
enum class InstructionClass : uint8_t {
  VALU,
  Transcendental,
  Conversion,
  CrossLane,
  Matrix,
  SALU,
  ScalarMemory,
  Branch,
  Wait,
  Barrier,
  VectorLoad,
  VectorStore,
  VectorAtomic,
  LDS,
  Other,
  Count
};

/// DPP controls, as decoded.
struct DppControl {
  uint16_t ctrl = 0;
  uint8_t rowMask = 0xf;
  uint8_t bankMask = 0xf;
  bool boundCtrl = false; // true: lanes without a valid source read zero
};

/// SDWA selections: 0..3 byte, 4..5 word, 6 dword.
struct SdwaControl {
  uint8_t dstSel = 6;
  uint8_t dstUnused = 0; // 0 pad with zero, 1 sign extend, 2 preserve
  uint8_t srcSel[2] = {6, 6};
};

struct alignas(64) Instruction {
  Handler handler = nullptr;

  /// Handlers of these may set Wave::next or Wave::stop; after the others the
  /// next instruction in memory follows without a look at either.
  bool control = false;
  InstructionClass cls = InstructionClass::Other;
  Encoding encoding = Encoding::Other;
  uint8_t clamp = 0;
  uint8_t omod = 0; // 1 *2, 2 *4, 3 /2
  uint8_t numSrc = 0;
  uint8_t numImm = 0;
  uint8_t dwords = 1;    // of the encoding
  uint8_t laneBytes = 0; // memory: bytes that each active lane moves
  uint32_t offset = 0;   // of this instruction from the start of the code

  /// dst is the first result; sdst the second (carry out, VCC of v_div_scale).
  /// A destination that the instruction also reads (v_fmac, v_cvt_pk_fp8's
  /// other half) is not repeated in src.
  Dest dst, sdst;
  /// v_mfma_scale has five: A, B, C and the scales of A and B.
  Source src[5];
  union {
    /// The plain immediates in MC's order. VALU: those after the modifiers,
    /// such as the byte of v_bitop3. Memory: offset(s), then cache policy and
    /// so on.
    int32_t imm[4] = {0, 0, 0, 0};
    const Instruction *target; // branches
  };
  /// BUFFER: bit 0 offen, bit 1 idxen, bit 2 lds.
  uint8_t form = 0;
  DppControl dpp;
  SdwaControl sdwa;
};

} // namespace rowmill::emulator

#endif // ROWMILL_EMULATOR_INSTRUCTION_H
