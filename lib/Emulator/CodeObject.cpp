// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Loads an AMDGPU ELF. Nothing in the file is believed before it is checked.

#include "Memory.h"
#include "Program.h"
#include "rowmill/Emulator/Emulator.h"

#include <llvm/BinaryFormat/ELF.h>
#include <llvm/Object/ELF.h>
#include <llvm/Support/FormatVariadic.h>

#include <cstring>

using namespace llvm;
using namespace llvm::object;
namespace hsa = llvm::amdhsa;

namespace rowmill::emulator {

using File = ELFFile<ELF64LE>;

template <typename... Args>
static Error failure(const char *format, Args... args) {
  return createStringError(
      inconvertibleErrorCode(),
      "code object: " + formatv(format, std::forward<Args>(args)...).str());
}

CodeObject::CodeObject() : prog(new Program) {}
CodeObject::~CodeObject() = default;

StringRef CodeObject::arch() const { return prog->arch; }

std::vector<std::string> CodeObject::kernelNames() const {
  return prog->kernelOrder;
}

Expected<KernelInfo> CodeObject::kernelInfo(StringRef name) const {
  auto it = prog->kernels.find(name);
  if (it == prog->kernels.end())
    return failure("there is no kernel '{0}'", name.str());
  return it->second.info;
}

//===----------------------------------------------------------------------===//
// Header and segments
//===----------------------------------------------------------------------===//

static Error checkHeader(const File &file, Program &program) {
  const File::Elf_Ehdr &header = file.getHeader();
  if (header.e_machine != ELF::EM_AMDGPU)
    return failure("expects machine AMDGPU (224), but got {0}",
                   unsigned(header.e_machine));
  if (header.e_type != ELF::ET_DYN)
    return failure("expects a linked shared object, but got ELF type {0}",
                   unsigned(header.e_type));
  if (header.e_ident[ELF::EI_OSABI] != ELF::ELFOSABI_AMDGPU_HSA)
    return failure("expects the amdhsa ABI (64), but got {0}",
                   unsigned(header.e_ident[ELF::EI_OSABI]));
  unsigned version = header.e_ident[ELF::EI_ABIVERSION];
  if (version < ELF::ELFABIVERSION_AMDGPU_HSA_V4 ||
      version > ELF::ELFABIVERSION_AMDGPU_HSA_V6)
    return failure(
        "expects code object version 4 to 6, but got ABI version {0}", version);
  unsigned machine = header.e_flags & ELF::EF_AMDGPU_MACH;
  switch (machine) {
  case ELF::EF_AMDGPU_MACH_AMDGCN_GFX942:
    program.arch = "gfx942";
    return Error::success();
  case ELF::EF_AMDGPU_MACH_AMDGCN_GFX950:
    program.arch = "gfx950";
    return Error::success();
  case ELF::EF_AMDGPU_MACH_AMDGCN_GFX1250:
    return failure("the emulator does not run gfx1250 yet");
  }
  return failure("is for an arch that the emulator does not know (flags {0:x})",
                 machine);
}

/// More than any kernel needs; a bigger size is a damaged header.
static constexpr uint64_t kMaxImage = uint64_t(1) << 30;

static Error loadSegments(const File &file, Program &program,
                          uint64_t &codeBegin, uint64_t &codeEnd) {
  auto segments = file.program_headers();
  if (!segments)
    return segments.takeError();
  uint64_t end = 0;
  codeBegin = ~uint64_t(0);
  codeEnd = 0;
  for (const File::Elf_Phdr &segment : *segments) {
    if (segment.p_type != ELF::PT_LOAD)
      continue;
    if (segment.p_memsz > kMaxImage || segment.p_vaddr > kMaxImage ||
        segment.p_filesz > segment.p_memsz)
      return failure("a segment of {0} bytes at {1:x} is too large",
                     uint64_t(segment.p_memsz), uint64_t(segment.p_vaddr));
    if (segment.p_offset > file.getBufSize() ||
        segment.p_filesz > file.getBufSize() - segment.p_offset)
      return failure("a segment lies past the end of the file");
    end = std::max<uint64_t>(end, segment.p_vaddr + segment.p_memsz);
    if (segment.p_flags & ELF::PF_W)
      program.imageWritable = true;
    if (segment.p_flags & ELF::PF_X) {
      if (codeEnd)
        return failure("has more than one executable segment");
      codeBegin = segment.p_vaddr;
      codeEnd = segment.p_vaddr + segment.p_filesz;
    }
  }
  if (codeEnd == 0 || codeBegin % 4)
    return failure("has no code");
  codeEnd -= (codeEnd - codeBegin) % 4;
  program.image.reset(static_cast<uint8_t *>(std::calloc(end, 1)));
  if (!program.image)
    return failure("out of memory for {0} bytes", end);
  program.imageBytes = end;
  for (const File::Elf_Phdr &segment : *segments)
    if (segment.p_type == ELF::PT_LOAD)
      std::memcpy(program.image.get() + segment.p_vaddr,
                  file.base() + segment.p_offset, segment.p_filesz);
  return Error::success();
}

/// A device address for the image that no two live programs share, as long as
/// there are fewer of them than fixed slots.
static uint64_t nextImageBase() {
  static std::atomic<unsigned> next{0};
  uint64_t slots = Memory::kSlots - Memory::kFixedSlot;
  uint64_t slot = Memory::kFixedSlot + next++ % slots;
  // Across a 4 GiB boundary, as every buffer.
  return (slot << Memory::kSlotBits) + (uint64_t(1) << 32) - 4096;
}

/// Absolute addresses in data and in pointers to functions.
static Error relocate(const File &file, Program &program) {
  auto sections = file.sections();
  if (!sections)
    return sections.takeError();
  for (const File::Elf_Shdr &section : *sections) {
    if (section.sh_type != ELF::SHT_RELA)
      continue;
    auto relocations = file.relas(section);
    if (!relocations)
      return relocations.takeError();
    for (const File::Elf_Rela &rela : *relocations) {
      if (rela.getType(false) != ELF::R_AMDGPU_RELATIVE64)
        return failure("dynamic relocation {0} is not supported",
                       unsigned(rela.getType(false)));
      if (rela.r_offset > program.imageBytes ||
          program.imageBytes - rela.r_offset < 8)
        return failure("a relocation lies outside the image");
      uint64_t value = program.imageBase + rela.r_addend;
      std::memcpy(program.image.get() + rela.r_offset, &value, 8);
    }
  }
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

static Error addKernel(Program &program, StringRef name, uint64_t address) {
  if (address > program.imageBytes ||
      program.imageBytes - address < sizeof(hsa::kernel_descriptor_t))
    return failure("the descriptor of kernel '{0}' lies outside the image",
                   name.str());
  Kernel kernel;
  hsa::kernel_descriptor_t &d = kernel.descriptor;
  std::memcpy(&d, program.image.get() + address, sizeof(d));
  kernel.descriptorOffset = address;
  kernel.entry = address + uint64_t(d.kernel_code_entry_byte_offset);
  // The firmware starts behind the prologue, which would load by instructions
  // what it has preloaded.
  if (AMDHSA_BITS_GET(d.kernarg_preload, hsa::KERNARG_PRELOAD_SPEC_LENGTH))
    kernel.entry += 256;
  if (d.kernarg_size > kMaxImage || d.private_segment_fixed_size > kMaxImage ||
      d.group_segment_fixed_size > kMaxImage)
    return failure("the descriptor of kernel '{0}' has a size out of range",
                   name.str());
  KernelInfo &info = kernel.info;
  info.name = name.str();
  info.kernargBytes = d.kernarg_size;
  info.ldsBytes = d.group_segment_fixed_size;
  info.scratchBytesPerLane = d.private_segment_fixed_size;
  // gfx90a and later: one file in granules of 8, AGPRs from ACCUM_OFFSET on.
  unsigned total =
      8 *
      (AMDHSA_BITS_GET(d.compute_pgm_rsrc1,
                       hsa::COMPUTE_PGM_RSRC1_GRANULATED_WORKITEM_VGPR_COUNT) +
       1);
  unsigned accum =
      4 * (AMDHSA_BITS_GET(d.compute_pgm_rsrc3,
                           hsa::COMPUTE_PGM_RSRC3_GFX90A_ACCUM_OFFSET) +
           1);
  info.vgprs = std::min(std::min(total, accum), 256u);
  info.agprs = std::min(total > accum ? total - accum : 0, 256u);
  info.waveSize = 64;
  kernel.explicitBytes = d.kernarg_size;
  if (program.kernels.try_emplace(name, std::move(kernel)).second)
    program.kernelOrder.push_back(name.str());
  return Error::success();
}

static Error readSymbols(const File &file, Program &program,
                         std::vector<uint64_t> &functions) {
  auto sections = file.sections();
  if (!sections)
    return sections.takeError();
  bool found = false;
  for (const File::Elf_Shdr &section : *sections) {
    if (section.sh_type != ELF::SHT_DYNSYM &&
        section.sh_type != ELF::SHT_SYMTAB)
      continue;
    found = true;
    auto symbols = file.symbols(&section);
    if (!symbols)
      return symbols.takeError();
    auto strings = file.getStringTableForSymtab(section, *sections);
    if (!strings)
      return strings.takeError();
    for (const File::Elf_Sym &symbol : *symbols) {
      if (symbol.st_shndx == ELF::SHN_UNDEF)
        continue;
      auto name = symbol.getName(*strings);
      if (!name)
        return name.takeError();
      if (symbol.getType() == ELF::STT_FUNC)
        functions.push_back(symbol.st_value);
      StringRef kernel = *name;
      if (symbol.getType() == ELF::STT_OBJECT && kernel.consume_back(".kd"))
        if (Error error = addKernel(program, kernel, symbol.st_value))
          return error;
    }
  }
  if (!found)
    return failure("has no symbol table");
  return Error::success();
}

/// The note is optional: without it a launch passes the whole kernarg segment.
static Error readNotes(const File &file, Program &program) {
  auto segments = file.program_headers();
  if (!segments)
    return segments.takeError();
  for (const File::Elf_Phdr &segment : *segments) {
    if (segment.p_type != ELF::PT_NOTE)
      continue;
    Error error = Error::success();
    for (File::Elf_Note note : file.notes(segment, error)) {
      if (note.getName() != "AMDGPU" ||
          note.getType() != ELF::NT_AMDGPU_METADATA)
        continue;
      Error malformed =
          readMetadata(program, note.getDescAsStringRef(segment.p_align));
      if (malformed) {
        consumeError(std::move(error));
        return malformed;
      }
    }
    if (error)
      return error;
  }
  return Error::success();
}

Expected<std::unique_ptr<CodeObject>> CodeObject::load(StringRef elfBytes) {
  if (elfBytes.size() < sizeof(File::Elf_Ehdr) || !elfBytes.starts_with("\x7f"
                                                                        "ELF"))
    return failure("is not an ELF file");
  if (elfBytes[ELF::EI_CLASS] != ELF::ELFCLASS64 ||
      elfBytes[ELF::EI_DATA] != ELF::ELFDATA2LSB)
    return failure("is not a 64-bit little-endian ELF file");
  // The reader wants its structures aligned.
  std::vector<uint64_t> aligned(elfBytes.size() / 8 + 1);
  std::memcpy(aligned.data(), elfBytes.data(), elfBytes.size());
  Expected<File> file = File::create(
      {reinterpret_cast<const char *>(aligned.data()), elfBytes.size()});
  if (!file)
    return file.takeError();

  std::unique_ptr<CodeObject> object(new CodeObject);
  Program &program = *object->prog;
  uint64_t codeBegin, codeEnd;
  std::vector<uint64_t> starts;
  if (Error error = checkHeader(*file, program))
    return error;
  if (Error error = loadSegments(*file, program, codeBegin, codeEnd))
    return error;
  program.imageBase = nextImageBase();
  if (Error error = relocate(*file, program))
    return error;
  if (Error error = readSymbols(*file, program, starts))
    return error;
  if (Error error = readNotes(*file, program))
    return error;
  Expected<std::unique_ptr<Disassembler>> disassembler =
      Disassembler::create(program.arch);
  if (!disassembler)
    return disassembler.takeError();
  program.disassembler = std::move(*disassembler);
  for (auto &entry : program.kernels)
    starts.push_back(entry.second.entry);
  decodeCode(program, codeBegin, codeEnd, starts);
  for (auto &entry : program.kernels)
    if (!program.at(entry.second.entry))
      return failure("the entry of kernel '{0}' is not in its code",
                     entry.first().str());
  return object;
}

} // namespace rowmill::emulator
