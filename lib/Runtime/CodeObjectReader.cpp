// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Reads the launch metadata out of an AMDGPU code object and checks that
// both belong together.
#include "rowmill/Runtime/KernelInfo.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/BinaryFormat/MsgPackDocument.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/MemoryBufferRef.h"

using namespace llvm;
using namespace llvm::object;

namespace {
/// A kernel as the amdhsa metadata note describes it.
struct HsaKernel {
  rowmill::ResourceInfo resources;
  unsigned kernargSize = 0;
};

/// The amdhsa metadata note of a code object.
struct HsaMetadata {
  std::string target;
  /// By symbol.
  StringMap<HsaKernel> kernels;
};
} // namespace

static Error makeError(const Twine &message) {
  return createStringError(message.str());
}

/// Returns the message of `error` on one line: LLVM's readers may add notes.
static std::string getMessage(Error error) {
  std::string text = toString(std::move(error));
  return StringRef(text).take_until([](char c) { return c == '\n'; }).str();
}

static unsigned getUnsigned(msgpack::MapDocNode &map, StringRef key) {
  auto it = map.find(key);
  if (it == map.end())
    return 0;
  if (it->second.getKind() == msgpack::Type::UInt)
    return static_cast<unsigned>(it->second.getUInt());
  if (it->second.getKind() == msgpack::Type::Int)
    return static_cast<unsigned>(it->second.getInt());
  return 0;
}

/// Reads one amdhsa metadata document. Returns false when it is malformed.
static bool readHsaDocument(StringRef blob, HsaMetadata &metadata) {
  msgpack::Document document;
  if (!document.readFromBlob(blob, /*Multi=*/false) ||
      !document.getRoot().isMap())
    return false;
  msgpack::MapDocNode root = document.getRoot().getMap();
  auto target = root.find("amdhsa.target");
  if (target == root.end() || !target->second.isString())
    return false;
  // The arch ends a triple and may have features behind it.
  metadata.target =
      target->second.getString().rsplit('-').second.split(':').first.str();
  auto list = root.find("amdhsa.kernels");
  if (list == root.end() || !list->second.isArray())
    return false;
  for (msgpack::DocNode &node : list->second.getArray()) {
    if (!node.isMap())
      return false;
    msgpack::MapDocNode map = node.getMap();
    auto symbol = map.find(".symbol");
    if (symbol == map.end() || !symbol->second.isString())
      return false;
    HsaKernel &kernel = metadata.kernels[symbol->second.getString()];
    kernel.resources.vgprs = getUnsigned(map, ".vgpr_count");
    kernel.resources.agprs = getUnsigned(map, ".agpr_count");
    kernel.resources.sgprs = getUnsigned(map, ".sgpr_count");
    kernel.resources.ldsBytes = getUnsigned(map, ".group_segment_fixed_size");
    kernel.resources.scratchBytes =
        getUnsigned(map, ".private_segment_fixed_size");
    kernel.kernargSize = getUnsigned(map, ".kernarg_segment_size");
  }
  return true;
}

static Expected<HsaMetadata> readHsaMetadata(const ELF64LEFile &elf) {
  auto headers = elf.program_headers();
  if (!headers)
    return headers.takeError();
  HsaMetadata metadata;
  for (const ELF64LE::Phdr &header : *headers) {
    if (header.p_type != ELF::PT_NOTE)
      continue;
    Error error = Error::success();
    for (const ELF64LE::Note &note : elf.notes(header, error)) {
      if (note.getName() != "AMDGPU" ||
          note.getType() != ELF::NT_AMDGPU_METADATA)
        continue;
      if (!readHsaDocument(note.getDescAsStringRef(header.p_align), metadata))
        return makeError("malformed amdhsa metadata");
    }
    if (error)
      return std::move(error);
  }
  return metadata;
}

/// Returns the `.rowmill` section's text.
static Expected<StringRef> readSection(const ELF64LEFile &elf) {
  auto sections = elf.sections();
  if (!sections)
    return sections.takeError();
  for (const ELF64LE::Shdr &section : *sections) {
    Expected<StringRef> name = elf.getSectionName(section);
    if (!name)
      return name.takeError();
    if (*name != ".rowmill")
      continue;
    auto content = elf.getSectionContents(section);
    if (!content)
      return content.takeError();
    // Tools may pad a section with zeros.
    return toStringRef(*content).rtrim('\0');
  }
  return makeError("no '.rowmill' section: it was not made by "
                   "rowmill-compile");
}

/// Compares a launch with the amdhsa metadata, and takes its resources from
/// there.
static Error checkLaunch(const HsaMetadata &metadata,
                         const rowmill::KernelInfo &kernel,
                         rowmill::LaunchInfo &launch) {
  auto it = metadata.kernels.find(launch.symbol);
  if (it == metadata.kernels.end())
    return makeError("no kernel symbol '" + launch.symbol +
                     "', which its '.rowmill' section names");
  // The kernarg segment may hold hidden arguments after ours.
  if (it->second.kernargSize < kernel.kernargSize)
    return makeError("kernel '" + kernel.name + "' takes " +
                     Twine(it->second.kernargSize) +
                     " bytes of arguments, but its '.rowmill' section says " +
                     Twine(kernel.kernargSize));
  launch.resources = it->second.resources;
  return Error::success();
}

static Error checkHeader(const ELF64LE::Ehdr &header) {
  if (header.e_machine != ELF::EM_AMDGPU)
    return makeError("not an AMDGPU code object: its ELF machine is " +
                     Twine(header.e_machine));
  if (header.e_type != ELF::ET_DYN)
    return makeError("not a linked code object: its ELF type is " +
                     Twine(header.e_type) + ", not that of a shared object");
  if (header.e_ident[ELF::EI_OSABI] != ELF::ELFOSABI_AMDGPU_HSA)
    return makeError("not for the amdhsa ABI: its ELF OS ABI is " +
                     Twine(unsigned(header.e_ident[ELF::EI_OSABI])));
  return Error::success();
}

namespace rowmill {

Expected<ModuleInfo> readModuleInfo(StringRef bytes) {
  if (!bytes.starts_with(ELF::ElfMagic))
    return makeError("not an ELF file");
  if (bytes.size() < sizeof(ELF64LE::Ehdr))
    return makeError("truncated: an ELF header takes " +
                     Twine(sizeof(ELF64LE::Ehdr)) + " bytes, but got " +
                     Twine(bytes.size()));
  if (bytes[ELF::EI_CLASS] != ELF::ELFCLASS64 ||
      bytes[ELF::EI_DATA] != ELF::ELFDATA2LSB)
    return makeError("not a 64-bit little-endian ELF file");
  auto file = ELF64LEObjectFile::create(MemoryBufferRef(bytes, "code object"));
  if (!file)
    return makeError("truncated or malformed: " + getMessage(file.takeError()));
  const ELF64LEFile &elf = file->getELFFile();
  if (Error error = checkHeader(elf.getHeader()))
    return std::move(error);

  Expected<StringRef> text = readSection(elf);
  if (!text)
    return makeError(getMessage(text.takeError()));
  Expected<ModuleInfo> info = parseModuleInfo(*text);
  if (!info)
    return info.takeError();

  auto metadata = readHsaMetadata(elf);
  if (!metadata)
    return makeError("truncated or malformed: " +
                     getMessage(metadata.takeError()));
  if (metadata->target != info->target)
    return makeError(
        "made for " +
        (metadata->target.empty() ? "an unknown target" : metadata->target) +
        ", but its '.rowmill' section says " + info->target);
  for (KernelInfo &kernel : info->kernels)
    for (VariantInfo &variant : kernel.variants)
      for (LaunchInfo &launch : variant.launches)
        if (Error error = checkLaunch(*metadata, kernel, launch))
          return std::move(error);
  return info;
}

} // namespace rowmill
