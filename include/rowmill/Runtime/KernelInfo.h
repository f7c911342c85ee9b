// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// The launch metadata of a code object: the JSON of its `.rowmill` section.
#ifndef ROWMILL_RUNTIME_KERNELINFO_H
#define ROWMILL_RUNTIME_KERNELINFO_H

#include "rowmill/Runtime/ElementType.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <array>
#include <string>
#include <vector>

namespace llvm {
class raw_ostream;
}

namespace rowmill {

/// A size or stride that the host passes with the argument, as 64 bits at
/// `offset` of the kernarg block.
struct DynamicField {
  bool isStride = false;
  unsigned dim = 0;
  unsigned offset = 0;
};

/// A dimension of a memref that a row index runs over, so that it has to be as
/// long as that extent.
struct IndexedDim {
  unsigned dim = 0;
  /// Index into the kernel's extents.
  unsigned extent = 0;
};

/// One argument of a kernel.
struct ArgInfo {
  enum class Access : uint8_t { Read, Write, ReadWrite };

  std::string name;
  bool isMemRef = false;
  ElementType element = ElementType::I8;
  /// Offset of the pointer or of the scalar in the kernarg block.
  unsigned offset = 0;

  // What follows is of memrefs only. A dynamic size or stride is nullopt;
  // strides count elements.
  std::vector<std::optional<int64_t>> shape;
  std::vector<std::optional<int64_t>> strides;
  std::vector<DynamicField> dynamic;
  std::vector<IndexedDim> indexed;
  Access access = Access::ReadWrite;
  /// What launches of one variant leave for each other: a launcher makes it,
  /// dense and of any content, unless the caller does.
  bool isScratch = false;
  /// Alignment in bytes that the kernel assumes of the pointer.
  unsigned align = 1;

  bool isWritten() const { return isMemRef && access != Access::Read; }
};

/// One factor of the number of rows: a dimension of a memref argument, an
/// integer argument, or a constant.
struct ExtentInfo {
  enum class Kind : uint8_t { Dim, Scalar, Constant };
  Kind kind = Kind::Constant;
  /// Index into the arguments.
  unsigned arg = 0;
  unsigned dim = 0;
  int64_t constant = 0;
};

/// How the compiler spread rows over lanes and waves.
struct PartitionInfo {
  unsigned lanesPerRow = 0;
  unsigned elementsPerLane = 0;
  unsigned rowsPerWave = 0;
  unsigned wavesPerRow = 0;
  unsigned wavesPerGroup = 0;
  /// The waves of a row share the sources of its pool, not its elements.
  bool splitsPool = false;
};

/// What one wave or workgroup of a kernel takes of the machine, from the amdhsa
/// metadata that LLVM writes.
struct ResourceInfo {
  unsigned vgprs = 0;
  unsigned agprs = 0;
  unsigned sgprs = 0;
  unsigned ldsBytes = 0;
  unsigned scratchBytes = 0;
};

/// One function to launch. `grid.x` is the product of the extents divided by
/// `rowsPerGroup`, rounded up, times `groupsPerRow`.
struct LaunchInfo {
  /// ELF symbol of the kernel descriptor.
  std::string symbol;
  std::array<uint32_t, 3> block = {1, 1, 1};
  unsigned rowsPerGroup = 1;
  unsigned groupsPerRow = 1;
  std::optional<PartitionInfo> partition;
  /// Known when the metadata was read from a code object.
  std::optional<ResourceInfo> resources;
};

/// One way to run a kernel: launches with the same arguments, one after the
/// other.
struct VariantInfo {
  /// The most rows that it is meant for; the last variant is for any number.
  std::optional<uint64_t> maxRows;
  std::vector<LaunchInfo> launches;
};

/// A size of a memref argument.
struct SizeInfo {
  unsigned arg = 0;
  unsigned dim = 0;
};

/// A size that must be at least a number.
struct MinimumInfo {
  SizeInfo size;
  int64_t minimum = 0;
};

/// Everything needed to run one kernel.
struct KernelInfo {
  std::string name;
  unsigned waveSize = 0;
  std::vector<ExtentInfo> extents;
  unsigned kernargSize = 0;
  std::vector<ArgInfo> args;
  /// Sizes that must be the same.
  std::vector<std::vector<SizeInfo>> equalSizes;
  std::vector<MinimumInfo> minimumSizes;
  /// In ascending order of rows.
  std::vector<VariantInfo> variants;

  const ArgInfo *lookupArg(llvm::StringRef name) const;
  /// The first variant that is meant for so many rows.
  unsigned chooseVariant(uint64_t rows) const;
};

/// The content of one `.rowmill` section.
struct ModuleInfo {
  std::string target;
  std::vector<KernelInfo> kernels;
  /// The JSON text itself.
  std::string json;

  const KernelInfo *lookup(llvm::StringRef name) const;
};

/// Parses and validates the text of a `.rowmill` section. Every offset is
/// inside the kernarg block, aligned, and overlaps no other one; every extent
/// names an argument that has it.
llvm::Expected<ModuleInfo> parseModuleInfo(llvm::StringRef json);

/// Parses the metadata of an AMDGPU code object. Fails on anything that is not
/// one, has no `.rowmill` section, or disagrees with its own metadata.
llvm::Expected<ModuleInfo> readModuleInfo(llvm::StringRef elf);

/// Returns the type of `arg` as in a diagnostic: `bf16[?, 16, 128]`.
std::string getTypeText(const ArgInfo &arg);

/// Returns an extent as in a diagnostic: `x.shape[0]`, `n` or `16`.
std::string getExtentText(const KernelInfo &kernel, const ExtentInfo &extent);

/// Returns the kernel names of `info` in quotes, separated by commas.
std::string getKernelNames(const ModuleInfo &info);

/// Writes what `info` says to `os`, for people to read.
void printModuleInfo(const ModuleInfo &info, llvm::raw_ostream &os);

} // namespace rowmill

#endif // ROWMILL_RUNTIME_KERNELINFO_H
