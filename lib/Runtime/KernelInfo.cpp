// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Look-ups in the launch metadata, and its text for people.
#include "rowmill/Runtime/KernelInfo.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace rowmill {

const ArgInfo *KernelInfo::lookupArg(StringRef name) const {
  auto it = find_if(args, [&](const ArgInfo &arg) { return arg.name == name; });
  return it == args.end() ? nullptr : &*it;
}

unsigned KernelInfo::chooseVariant(uint64_t rows) const {
  auto it = find_if(variants, [&](const VariantInfo &variant) {
    return !variant.maxRows || rows <= *variant.maxRows;
  });
  return static_cast<unsigned>(it - variants.begin());
}

const KernelInfo *ModuleInfo::lookup(StringRef name) const {
  auto it = find_if(
      kernels, [&](const KernelInfo &kernel) { return kernel.name == name; });
  return it == kernels.end() ? nullptr : &*it;
}

static void printDims(ArrayRef<std::optional<int64_t>> dims, raw_ostream &os) {
  os << '[';
  interleaveComma(dims, os, [&](std::optional<int64_t> dim) {
    if (dim)
      os << *dim;
    else
      os << '?';
  });
  os << ']';
}

std::string getTypeText(const ArgInfo &arg) {
  std::string text = getElementTypeName(arg.element).str();
  if (!arg.isMemRef)
    return text;
  raw_string_ostream os(text);
  printDims(arg.shape, os);
  return text;
}

std::string getExtentText(const KernelInfo &kernel, const ExtentInfo &extent) {
  if (extent.kind == ExtentInfo::Kind::Constant)
    return std::to_string(extent.constant);
  const std::string &name = kernel.args[extent.arg].name;
  if (extent.kind == ExtentInfo::Kind::Scalar)
    return name;
  return name + ".shape[" + std::to_string(extent.dim) + "]";
}

std::string getKernelNames(const ModuleInfo &info) {
  std::string text;
  raw_string_ostream os(text);
  interleaveComma(info.kernels, os, [&](const KernelInfo &kernel) {
    os << '\'' << kernel.name << '\'';
  });
  return text;
}

/// Returns true when the strides are those of a dense row-major array.
static bool hasDenseStrides(const ArgInfo &arg) {
  std::optional<int64_t> stride = 1;
  for (size_t i = arg.shape.size(); i-- > 0;) {
    if (!stride || arg.strides[i] != stride)
      return false;
    // The outermost size is not part of any stride.
    stride =
        arg.shape[i] ? std::optional(*stride * *arg.shape[i]) : std::nullopt;
  }
  return true;
}

static void printArg(const ArgInfo &arg, raw_ostream &os) {
  os << formatv("    {0,-14} {1,-20}", arg.name, getTypeText(arg));
  if (!arg.isMemRef) {
    os << " scalar\n";
    return;
  }
  switch (arg.access) {
  case ArgInfo::Access::Read:
    os << " read     ";
    break;
  case ArgInfo::Access::Write:
    os << " write    ";
    break;
  case ArgInfo::Access::ReadWrite:
    os << " readwrite";
    break;
  }
  os << formatv(" align {0}", arg.align);
  if (arg.isScratch)
    os << " scratch, made by the launcher";
  if (!hasDenseStrides(arg)) {
    os << " strides ";
    printDims(arg.strides, os);
  }
  os << '\n';
}

static void printRows(const KernelInfo &kernel, raw_ostream &os) {
  os << "  rows = ";
  if (kernel.extents.empty())
    os << '1';
  interleave(
      kernel.extents, os,
      [&](const ExtentInfo &extent) { os << getExtentText(kernel, extent); },
      " * ");
  os << '\n';
}

static void printLaunch(const KernelInfo &kernel, const LaunchInfo &launch,
                        raw_ostream &os) {
  os << "  grid: ceil(rows / " << launch.rowsPerGroup << ")";
  if (launch.groupsPerRow > 1)
    os << " * " << launch.groupsPerRow;
  os << " workgroups of " << launch.block[0] << 'x' << launch.block[1] << 'x'
     << launch.block[2] << '\n';
  if (const auto &partition = launch.partition)
    os << formatv("  partition: {0} lanes per row, {1} elements per lane, "
                  "{2} rows per wave, {3} waves per row{4}, {5} waves per "
                  "group, wave{6}\n",
                  partition->lanesPerRow, partition->elementsPerLane,
                  partition->rowsPerWave, partition->wavesPerRow,
                  partition->splitsPool ? "'s pool" : "",
                  partition->wavesPerGroup, kernel.waveSize);
  if (const auto &resources = launch.resources)
    os << formatv("  resources: {0} VGPRs, {1} AGPRs, {2} SGPRs, {3} bytes "
                  "of LDS, {4} bytes of scratch\n",
                  resources->vgprs, resources->agprs, resources->sgprs,
                  resources->ldsBytes, resources->scratchBytes);
}

/// The launches of a variant, under a line that says when it is chosen where
/// there are others.
static void printVariant(const KernelInfo &kernel, unsigned index,
                         raw_ostream &os) {
  const VariantInfo &variant = kernel.variants[index];
  if (kernel.variants.size() > 1) {
    os << "  variant " << index << ", ";
    if (variant.maxRows)
      os << "up to " << *variant.maxRows << " rows:\n";
    else
      os << "more rows:\n";
  }
  for (const LaunchInfo &launch : variant.launches) {
    if (variant.launches.size() > 1 || kernel.variants.size() > 1)
      os << "  launch: " << launch.symbol << '\n';
    printLaunch(kernel, launch, os);
  }
}

void printModuleInfo(const ModuleInfo &info, raw_ostream &os) {
  os << "target: " << info.target << '\n';
  for (const KernelInfo &kernel : info.kernels) {
    os << "\nkernel: " << kernel.name << '\n';
    printRows(kernel, os);
    for (unsigned i = 0; i < kernel.variants.size(); ++i)
      printVariant(kernel, i, os);
    os << "  arguments (" << kernel.kernargSize << " bytes):\n";
    for (const ArgInfo &arg : kernel.args)
      printArg(arg, os);
  }
}

} // namespace rowmill
