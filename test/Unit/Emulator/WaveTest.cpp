// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// The assembler and the bare wave behind WaveTest.

#include "WaveTest.h"

#include "ExecutedInstructions.h"

#include <llvm/MC/MCAsmBackend.h>
#include <llvm/MC/MCAsmInfo.h>
#include <llvm/MC/MCCodeEmitter.h>
#include <llvm/MC/MCContext.h>
#include <llvm/MC/MCInstrInfo.h>
#include <llvm/MC/MCObjectFileInfo.h>
#include <llvm/MC/MCObjectWriter.h>
#include <llvm/MC/MCParser/MCAsmParser.h>
#include <llvm/MC/MCParser/MCTargetAsmParser.h>
#include <llvm/MC/MCRegisterInfo.h>
#include <llvm/MC/MCStreamer.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/MC/MCTargetOptions.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Object/ObjectFile.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>

using namespace llvm;

extern "C" {
void LLVMInitializeAMDGPUTargetInfo();
void LLVMInitializeAMDGPUTargetMC();
void LLVMInitializeAMDGPUAsmParser();
}

namespace rowmill::emulator::test {

std::string assemble(const std::string &arch, const std::string &text) {
  LLVMInitializeAMDGPUTargetInfo();
  LLVMInitializeAMDGPUTargetMC();
  LLVMInitializeAMDGPUAsmParser();
  Triple triple("amdgcn-amd-amdhsa");
  std::string message;
  const Target *target = TargetRegistry::lookupTarget(triple, message);
  MCTargetOptions options;
  std::unique_ptr<MCRegisterInfo> registers(target->createMCRegInfo(triple));
  std::unique_ptr<MCAsmInfo> asmInfo(
      target->createMCAsmInfo(*registers, triple, options));
  std::unique_ptr<MCInstrInfo> instructions(target->createMCInstrInfo());
  std::unique_ptr<MCSubtargetInfo> subtarget(
      target->createMCSubtargetInfo(triple, arch, ""));
  SourceMgr sources;
  sources.setDiagHandler(
      [](const SMDiagnostic &d, void *out) {
        raw_string_ostream os(*static_cast<std::string *>(out));
        d.print(nullptr, os);
      },
      &message);
  sources.AddNewSourceBuffer(MemoryBuffer::getMemBufferCopy(text), SMLoc());
  MCContext context(triple, asmInfo.get(), registers.get(), subtarget.get(),
                    &sources, &options);
  std::unique_ptr<MCObjectFileInfo> objectInfo(
      target->createMCObjectFileInfo(context, false));
  context.setObjectFileInfo(objectInfo.get());
  SmallString<4096> bytes;
  raw_svector_ostream os(bytes);
  MCAsmBackend *backend =
      target->createMCAsmBackend(*subtarget, *registers, options);
  std::unique_ptr<MCObjectWriter> writer = backend->createObjectWriter(os);
  std::unique_ptr<MCStreamer> streamer(target->createMCObjectStreamer(
      triple, context, std::unique_ptr<MCAsmBackend>(backend),
      std::move(writer),
      std::unique_ptr<MCCodeEmitter>(
          target->createMCCodeEmitter(*instructions, context)),
      *subtarget));
  std::unique_ptr<MCAsmParser> parser(
      createMCAsmParser(sources, context, *streamer, *asmInfo));
  std::unique_ptr<MCTargetAsmParser> targetParser(
      target->createMCAsmParser(*subtarget, *parser, *instructions, options));
  parser->setTargetParser(*targetParser);
  if (parser->Run(false)) {
    ADD_FAILURE() << "cannot assemble for " << arch << ": " << text << "\n"
                  << message;
    return "";
  }
  auto object = object::ObjectFile::createObjectFile(
      MemoryBufferRef(StringRef(bytes), "test"));
  if (!object) {
    ADD_FAILURE() << toString(object.takeError());
    return "";
  }
  for (const object::SectionRef &section : (*object)->sections())
    if (section.isText())
      return cantFail(section.getContents()).str();
  return "";
}

WaveTest::WaveTest() : wave(new Wave()) {
  std::memset(wave->vgpr, 0, sizeof(wave->vgpr));
  std::memset(wave->sgpr, 0, sizeof(wave->sgpr));
  setExec(~uint64_t(0));
}

void WaveTest::setExec(uint64_t mask) { wave->setExec(mask); }

void WaveTest::setMode(const Mode &mode) {
  wave->mode = mode;
  wave->hostLikeMode = mode.isHostLike();
}

void WaveTest::setVgpr(unsigned reg, const Lanes &values) {
  std::copy(values.begin(), values.end(), wave->vgpr[reg]);
}
void WaveTest::setVgpr(unsigned reg, uint32_t value) {
  std::fill_n(wave->vgpr[reg], kLanes, value);
}
void WaveTest::setVgpr64(unsigned reg, uint64_t value) {
  setVgpr(reg, uint32_t(value));
  setVgpr(reg + 1, uint32_t(value >> 32));
}
Lanes WaveTest::vgpr(unsigned reg) const {
  Lanes lanes;
  std::copy_n(wave->vgpr[reg], kLanes, lanes.begin());
  return lanes;
}

Program *WaveTest::programFor(const std::string &text) {
  std::unique_ptr<Program> &program = programs[arch + "\n" + text];
  if (program)
    return program.get();
  std::string code = assemble(arch, text);
  program = std::make_unique<Program>();
  program->arch = arch;
  program->disassembler = cantFail(Disassembler::create(arch));
  program->imageBytes = code.size();
  program->image.reset(static_cast<uint8_t *>(std::malloc(code.size() + 16)));
  std::memcpy(program->image.get(), code.data(), code.size());
  decodeCode(*program, 0, code.size(), {});
  return program.get();
}

void WaveTest::run(const std::string &text) {
  Program *program = programFor(text);
  // The last instruction is the decoder's mark of the end.
  for (size_t k = 0; k + 1 < program->code.size(); ++k) {
    const Instruction &inst = program->code[k];
    if (inst.control) {
      ADD_FAILURE() << arch << " does not execute " << program->text(inst);
      return;
    }
    inst.handler(*wave, inst);
    ExecutedInstructions::get().note(arch,
                                     program->opcodeNames[program->opcodeOf[k]]);
  }
}

uint32_t WaveTest::eval(const std::string &text, uint32_t a, uint32_t b,
                        uint32_t c) {
  setVgpr(0, a);
  setVgpr(1, b);
  setVgpr(3, c);
  run(text);
  return wave->vgpr[2][0];
}

uint32_t sample(unsigned index) {
  static const uint32_t edges[] = {
      0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x007fffff, 0x00800000,
      0x3f000000, 0x3f800000, 0xbf800000, 0x3f7fffff, 0x3f800001, 0x40490fdb,
      0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc00001,
      0x7fffffff, 0xffffffff, 0x0000ffff, 0xffff0000, 0x00ff00ff, 0x12345678,
      0x4b000000, 0xcb000001, 0x4f000000, 0xcf000000, 0x3c003c00, 0x7bff0001,
      0x477fe000, 0x33800000, 0x38800000, 0x0000001f, 0x00000020, 0x00000008,
  };
  constexpr unsigned count = sizeof(edges) / sizeof(edges[0]);
  if (index < count)
    return edges[index];
  uint64_t x = uint64_t(index) * 0x9e3779b97f4a7c15 + 0x1234567;
  x ^= x >> 31;
  x *= 0xbf58476d1ce4e5b9;
  x ^= x >> 27;
  return uint32_t(x >> 16);
}

} // namespace rowmill::emulator::test
