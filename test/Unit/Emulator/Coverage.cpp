// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Lists the instructions that LLVM's disassembler knows for an arch, and
// whether the emulator has them. For tools/isa-coverage.py:
//
//   RowmillIsaCoverage gfx950   ->   lines of "format mnemonic yes|no"
//
// There is no list of what a subtarget has in LLVM's interface, so opcodes are
// found by decoding: every opcode of every format, with operands of several
// kinds.

#include "Disassembler.h"
#include "rowmill/Emulator/InstructionTable.h"

#include <llvm/Support/Endian.h>
#include <llvm/Support/raw_ostream.h>

#include <map>
#include <set>

using namespace llvm;
using namespace rowmill::emulator;

namespace {

/// Where a format's opcode lies in the first dword.
struct Format {
  const char *name;
  uint32_t fixed;
  unsigned shift, bits;
  uint32_t variants; ///< other bits of the first dword that select forms
};

const Format formats[] = {
    {"SOP2", 0x80000000, 23, 7, 0},
    {"SOPK", 0xb0000000, 23, 5, 0},
    {"SOP1", 0xbe800000, 8, 8, 0},
    {"SOPC", 0xbf000000, 16, 7, 0},
    {"SOPP", 0xbf800000, 16, 7, 0},
    {"VOP2", 0x00000000, 25, 6, 0},
    {"VOP1", 0x7e000000, 9, 8, 0},
    {"VOPC", 0x7c000000, 17, 8, 0},
    {"VOP3", 0xd0000000, 16, 10, 0},
    {"SMEM", 0xc0000000, 18, 8, 0x00020000},
    {"DS", 0xd8000000, 17, 8, 0x00010000},
    {"FLAT", 0xdc000000, 18, 7, 0x0000c000},
    {"MUBUF", 0xe0000000, 18, 7, 0x00013000},
    {"MTBUF", 0xe8000000, 15, 4, 0x00003000},
};

/// Operands for the low bits of the first dword: v0, s0, DPP, SDWA, and none.
const uint32_t lowOperands[] = {0x100, 0x0, 0xfa, 0xf9, 0x02};
/// Second dwords: VGPRs, SGPRs, aligned ones, AGPRs, a SRSRC, no offset.
const uint32_t secondDwords[] = {
    0x00000000, 0x04020100, 0x04040d00, 0x1c0e0d04, 0x00020104, 0x08040200,
    0x06060000, 0x007f0000, 0x80000000, 0x7d000000, 0x0000e400, 0x18000000};

class Lister {
public:
  explicit Lister(const Disassembler &dis) : dis(dis) {}

  /// Notes what the dwords decode to.
  void tryDwords(const char *format, ArrayRef<uint32_t> dwords) {
    uint8_t bytes[16] = {};
    for (size_t i = 0; i < dwords.size(); ++i)
      support::endian::write32le(bytes + 4 * i, dwords[i]);
    MCInst inst;
    if (!dis.decode({bytes, sizeof(bytes)}, 0, inst))
      return;
    StringRef name = dis.mnemonic(inst);
    for (StringRef suffix : {"_e32", "_e64", "_dpp", "_sdwa"})
      if (name.consume_back(suffix))
        break;
    found.try_emplace(name.str(), format);
  }

  void tryFormat(const Format &format) {
    for (uint32_t op = 0; op < (1u << format.bits); ++op)
      // All subsets of the variant bits.
      for (uint32_t variant = format.variants;;
           variant = (variant - 1) & format.variants) {
        for (uint32_t low : lowOperands)
          for (uint32_t second : secondDwords)
            tryDwords(format.name,
                      {format.fixed | op << format.shift | variant | low,
                       second, 0, 0});
        if (variant == 0)
          break;
      }
  }

  /// Scaled matrix products are two instructions of 64 bits in one.
  void tryScaledMatrix() {
    for (uint32_t op = 0; op < 128; ++op)
      tryDwords("VOP3P",
                {0xd3ac0000, 0x00020100, 0xd3800000 | op << 16, 0x04020100});
  }

  std::map<std::string, const char *> found;

private:
  const Disassembler &dis;
};

} // namespace

int main(int argc, char **argv) {
  std::string arch = argc == 2 ? argv[1] : "gfx950";
  auto dis = Disassembler::create(arch);
  if (!dis) {
    errs() << toString(dis.takeError()) << '\n';
    return 1;
  }
  Lister lister(**dis);
  for (const Format &format : formats)
    lister.tryFormat(format);
  lister.tryScaledMatrix();
  const InstructionTable &table = InstructionTable::get();
  for (const auto &[name, format] : lister.found)
    outs() << format << ' ' << name << ' '
           << (table.lookup(name) || table.lookup(name + ".fnuz") ? "yes"
                                                                  : "no")
           << '\n';
  return 0;
}
