// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// The state of one wave, and how handlers reach operands in it.

#ifndef ROWMILL_EMULATOR_WAVE_H
#define ROWMILL_EMULATOR_WAVE_H

#include "rowmill/Emulator/Instruction.h"

namespace rowmill::emulator {

class Workgroup;

enum class Stop : uint8_t { Running, Ended, Barrier, Faulted };

/// One 32-bit value in each lane.
struct alignas(64) Row {
  uint32_t lane[kLanes];
};

/// Fields of the MODE register that arithmetic depends on.
struct Mode {
  uint8_t round32 = 0; // 0 nearest even, 1 up, 2 down, 3 towards zero
  uint8_t round16_64 = 0;
  uint8_t denorm32 = 3; // bit 0 keep input denormals, bit 1 keep output's
  uint8_t denorm16_64 = 3;
  bool dx10Clamp = true; // clamp turns NaN into 0
  bool ieee = true;
  bool fp16Overflow = false;
  /// Round to nearest, all denormals kept: what host arithmetic does.
  ROWMILL_INLINE bool isHostLike() const {
    return (round32 | round16_64) == 0 && (denorm32 & denorm16_64) == 3;
  }
  /// The register, as s_getreg reads it; the fields above are bits of it.
  uint32_t raw = 0x3f0;

  ROWMILL_INLINE void pack() {
    raw = (raw & ~0x8003ffu) | round32 | uint32_t(round16_64) << 2 |
          uint32_t(denorm32) << 4 | uint32_t(denorm16_64) << 6 |
          uint32_t(dx10Clamp) << 8 | uint32_t(ieee) << 9 |
          uint32_t(fp16Overflow) << 23;
  }
  ROWMILL_INLINE void unpack() {
    round32 = raw & 3;
    round16_64 = raw >> 2 & 3;
    denorm32 = raw >> 4 & 3;
    denorm16_64 = raw >> 6 & 3;
    dx10Clamp = raw >> 8 & 1;
    ieee = raw >> 9 & 1;
    fp16Overflow = raw >> 23 & 1;
  }
};

struct Wave {
  alignas(64) uint32_t vgpr[512][kLanes];
  /// 0 or ~0 for each lane: EXEC in the form the vector loops blend with.
  Row execRow;
  /// Rows for operands that must be spread or changed before use.
  Row scratch[8];
  alignas(64) uint32_t sgpr[sreg::Count];

  uint64_t fullExec = ~uint64_t(0); // wave32: the low 32 bits
  unsigned lanes = kLanes;          // 64 or 32
  Mode mode;
  bool hostLikeMode = true; // Mode::isHostLike(), kept up to date
  Stop stop = Stop::Running;
  const Instruction *next = nullptr;    // set by control instructions
  const Instruction *current = nullptr; // the control instruction executing
  Workgroup *group = nullptr;
  uint32_t index = 0; // in the workgroup

  ROWMILL_INLINE void setMode(const Mode &value) {
    mode = value;
    hostLikeMode = mode.isHostLike();
  }

  //--- scalar state -------------------------------------------------------//

  ROWMILL_INLINE uint64_t sgpr64(unsigned reg) const {
    return sgpr[reg] | uint64_t(sgpr[reg + 1]) << 32;
  }
  ROWMILL_INLINE uint64_t exec() const { return sgpr64(sreg::EXEC); }
  ROWMILL_INLINE uint64_t vcc() const { return sgpr64(sreg::VCC); }
  ROWMILL_INLINE bool execFull() const { return exec() == fullExec; }

  /// Brings execRow up to date after a write to sgpr[EXEC].
  void refreshExec();

  /// Writes a pair of SGPRs: a lane mask, a carry. EXEC and NULL included.
  ROWMILL_INLINE void setSgpr64(unsigned reg, uint64_t value) {
    if (__builtin_expect(reg == sreg::Null, 0))
      return;
    sgpr[reg] = uint32_t(value);
    sgpr[reg + 1] = uint32_t(value >> 32);
    if (__builtin_expect(reg == sreg::EXEC, 0))
      refreshExec();
  }
  ROWMILL_INLINE void setSgpr32(unsigned reg, uint32_t value) {
    if (__builtin_expect(reg == sreg::Null, 0))
      return;
    sgpr[reg] = value;
    if (__builtin_expect((reg & ~1u) == sreg::EXEC, 0))
      refreshExec();
  }
  ROWMILL_INLINE void setExec(uint64_t value) { setSgpr64(sreg::EXEC, value); }

  /// The value of a scalar or constant operand.
  ROWMILL_INLINE uint32_t scalar32(const Source &src) const {
    return src.kind == OperandKind::Scalar ? sgpr[src.reg] : src.low();
  }
  ROWMILL_INLINE uint64_t scalar64(const Source &src) const {
    return src.kind == OperandKind::Scalar ? sgpr64(src.reg) : src.constant();
  }

  //--- vector operands ----------------------------------------------------//

  /// Dword `row` of a source as lanes, modifiers, DPP and SDWA not applied.
  /// SGPRs are spread into `spread`; VGPRs and constants cost nothing.
  ROWMILL_INLINE const uint32_t *lanesOf(const Source &src, Row &spread,
                                         unsigned row = 0) const {
    if (__builtin_expect(src.kind == OperandKind::Vector, 1))
      return vgpr[src.reg + row];
    if (src.kind == OperandKind::Constant)
      return src.rows + row * kLanes;
    const uint32_t value = sgpr[src.reg + row];
    for (unsigned l = 0; l < kLanes; ++l)
      spread.lane[l] = value;
    return spread.lane;
  }

  //--- faults -------------------------------------------------------------//

  /// Ends the launch with "<message> (instruction ... lane n)". `lane` < 0:
  /// none.
  void fault(const Instruction &inst, const char *message, int lane = -1);
};

} // namespace rowmill::emulator

#endif // ROWMILL_EMULATOR_WAVE_H
