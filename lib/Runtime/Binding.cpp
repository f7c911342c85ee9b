// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Checks host values against the metadata and packs the kernarg block.
#include "rowmill/Runtime/Binding.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>
#include <cstring>

using namespace llvm;
using namespace rowmill;

static Error makeError(const ArgInfo &arg, const Twine &message) {
  return createStringError(("argument '" + arg.name + "' " + message).str());
}

static std::string getDimsText(ArrayRef<int64_t> dims) {
  std::string text = "[";
  raw_string_ostream os(text);
  interleaveComma(dims, os);
  os << ']';
  return text;
}

static std::string getStridesText(const ArgInfo &arg) {
  std::string text = "[";
  raw_string_ostream os(text);
  interleaveComma(arg.strides, os, [&](std::optional<int64_t> stride) {
    if (stride)
      os << *stride;
    else
      os << '?';
  });
  os << ']';
  return text;
}

static std::string getTypeText(const TensorRef &tensor) {
  return (tensor.typeName.empty() ? getHostTypeName(tensor.type)
                                  : tensor.typeName) +
         getDimsText(tensor.shape);
}

static bool isEmpty(const TensorRef &tensor) {
  return is_contained(tensor.shape, 0);
}

static Error checkShape(const ArgInfo &arg, const TensorRef &tensor) {
  bool matches = accepts(arg.element, tensor.type) &&
                 tensor.shape.size() == arg.shape.size();
  for (size_t i = 0; matches && i < arg.shape.size(); ++i)
    matches = !arg.shape[i] || *arg.shape[i] == tensor.shape[i];
  if (matches)
    return Error::success();
  return makeError(arg, "expects " + getTypeText(arg) + ", but got " +
                            getTypeText(tensor));
}

static Error checkStrides(const ArgInfo &arg, const TensorRef &tensor) {
  if (isEmpty(tensor))
    return Error::success();
  for (size_t i = 0; i < arg.strides.size(); ++i) {
    // The stride of a single element is never used, so any value will do.
    if (tensor.shape[i] == 1)
      continue;
    if (arg.strides[i] && *arg.strides[i] != tensor.strides[i])
      return makeError(arg, "expects strides " + getStridesText(arg) +
                                ", but got " + getDimsText(tensor.strides));
    if (tensor.strides[i] < 0)
      return makeError(arg, "expects strides of at least 0, but got " +
                                getDimsText(tensor.strides));
  }
  return Error::success();
}

/// Returns the number of elements from the first to the last one, inclusive,
/// or nullopt when that is no memory a machine could have.
static std::optional<uint64_t> getSpan(const TensorRef &tensor) {
  if (isEmpty(tensor))
    return 0;
  int64_t span = 1;
  for (auto [size, stride] : zip_equal(tensor.shape, tensor.strides)) {
    int64_t reach;
    if (MulOverflow(size - 1, stride, reach) || AddOverflow(span, reach, span))
      return std::nullopt;
  }
  return span <= (int64_t(1) << 48) ? std::optional<uint64_t>(span)
                                    : std::nullopt;
}

/// Returns true when no two indices of `tensor` meet in one element. Exact for
/// every array that slicing and permuting a dense one can give.
static bool hasDistinctElements(const TensorRef &tensor) {
  SmallVector<std::pair<int64_t, int64_t>, 6> dims; // stride, size
  for (auto [size, stride] : zip_equal(tensor.shape, tensor.strides))
    if (size > 1)
      dims.push_back({stride, size});
  llvm::sort(dims);
  int64_t span = 1;
  for (auto [stride, size] : dims) {
    if (stride < span)
      return false;
    span += (size - 1) * stride;
  }
  return true;
}

static Error bindTensor(const ArgInfo &arg, const TensorRef &tensor,
                        BoundLaunch &launch) {
  if (Error error = checkShape(arg, tensor))
    return error;
  if (Error error = checkStrides(arg, tensor))
    return error;
  std::optional<uint64_t> span = getSpan(tensor);
  if (!span)
    return makeError(arg, "has strides " + getDimsText(tensor.strides) +
                              " that reach too far");
  uint64_t address = reinterpret_cast<uintptr_t>(tensor.data);
  if (*span && address % arg.align)
    return makeError(arg, "expects an address aligned to " + Twine(arg.align) +
                              " bytes, but got one aligned to " +
                              Twine(uint64_t(1) << llvm::countr_zero(address)));
  if (*span && arg.isWritten()) {
    if (!tensor.writable)
      return makeError(arg, "is written by the kernel, but got a read-only "
                            "array");
    if (!hasDistinctElements(tensor))
      return makeError(arg, "is written by the kernel, but elements of its "
                            "array overlap: strides " +
                                getDimsText(tensor.strides));
  }
  for (const DynamicField &field : arg.dynamic)
    support::endian::write64le(
        &launch.kernarg[field.offset],
        (field.isStride ? tensor.strides : tensor.shape)[field.dim]);
  unsigned index = static_cast<unsigned>(&arg - launch.kernel->args.data());
  launch.buffers.push_back({index, tensor.data,
                            *span * getElementSize(arg.element),
                            arg.isWritten()});
  return Error::success();
}

static std::string getNumberText(double value) {
  std::string text;
  raw_string_ostream(text) << format("%g", value);
  return text;
}

static Error bindFloat(const ArgInfo &arg, double value, uint8_t *kernarg) {
  float single = static_cast<float>(value);
  if (std::isinf(single) && std::isfinite(value))
    return makeError(arg, "expects f32, but got " + getNumberText(value));
  uint32_t bits;
  std::memcpy(&bits, &single, sizeof(bits));
  support::endian::write32le(kernarg, bits);
  return Error::success();
}

static Error bindScalar(const ArgInfo &arg, const HostArg &host,
                        uint8_t *kernarg) {
  std::string type = getElementTypeName(arg.element).str();
  if (const auto *tensor = std::get_if<TensorRef>(&host.value))
    return makeError(arg, "expects a number (" + type + "), but got " +
                              getTypeText(*tensor));
  if (const auto *real = std::get_if<double>(&host.value)) {
    if (arg.element == ElementType::F32)
      return bindFloat(arg, *real, kernarg);
    return makeError(arg,
                     "expects " + type + ", but got " + getNumberText(*real));
  }
  int64_t value = std::get<int64_t>(host.value);
  if (arg.element == ElementType::F32)
    return bindFloat(arg, static_cast<double>(value), kernarg);
  unsigned bits = getElementSize(arg.element) * 8;
  if (!isIntN(bits, value))
    return makeError(arg, "expects " + type + ", but got " + Twine(value));
  // Little-endian, so that the low bytes come first.
  std::memcpy(kernarg, &value, bits / 8);
  return Error::success();
}

/// Pairs the kernel's arguments with the given ones, in the kernel's order.
static Error matchNames(const KernelInfo &kernel, ArrayRef<HostArg> args,
                        SmallVectorImpl<const HostArg *> &matched) {
  matched.assign(kernel.args.size(), nullptr);
  for (const HostArg &host : args) {
    const ArgInfo *arg = kernel.lookupArg(host.name);
    if (!arg)
      return makeUnknownArgumentError(kernel, host.name);
    const HostArg *&slot = matched[arg - kernel.args.data()];
    if (slot)
      return makeError(*arg, "is given twice");
    slot = &host;
  }
  for (auto [arg, host] : zip_equal(kernel.args, matched))
    if (!host && !arg.isScratch)
      return makeError(arg, "is missing: kernel '" + kernel.name +
                                "' expects " + rowmill::getTypeText(arg));
  return Error::success();
}

/// Returns true when the views, whose spans overlap, are seen to have no byte
/// in common: they are columns of one array, that is, all their bytes modulo a
/// stride of both lie in two ranges that do not meet.
static bool areDisjointColumns(const TensorRef &a, const TensorRef &b) {
  // Bytes from the first to the last element, modulo `period`.
  auto getWidth = [](const TensorRef &tensor, int64_t period) {
    int64_t width = tensor.type.size;
    for (auto [size, stride] : zip_equal(tensor.shape, tensor.strides)) {
      int64_t bytes = stride * tensor.type.size;
      if (size > 1 && bytes % period != 0)
        width += (size - 1) * bytes;
    }
    return width;
  };
  int64_t distance = static_cast<char *>(b.data) - static_cast<char *>(a.data);
  for (int64_t stride : a.strides) {
    int64_t period = stride * a.type.size;
    if (period <= 0)
      continue;
    int64_t offset = (distance % period + period) % period;
    if (getWidth(a, period) <= offset && offset + getWidth(b, period) <= period)
      return true;
  }
  return false;
}

/// Refuses arrays that share memory where one of them is written: the kernel
/// is compiled for pointers that do not alias.
static Error checkOverlap(ArrayRef<const HostArg *> args,
                          const BoundLaunch &launch) {
  auto getTensor = [&](const BoundBuffer &buffer) -> const TensorRef & {
    return std::get<TensorRef>(args[buffer.argIndex]->value);
  };
  for (const BoundBuffer &written : launch.buffers) {
    if (!written.writable || written.bytes == 0)
      continue;
    uintptr_t begin = reinterpret_cast<uintptr_t>(written.data);
    for (const BoundBuffer &other : launch.buffers) {
      uintptr_t otherBegin = reinterpret_cast<uintptr_t>(other.data);
      if (&other == &written || begin >= otherBegin + other.bytes ||
          otherBegin >= begin + written.bytes ||
          areDisjointColumns(getTensor(written), getTensor(other)))
        continue;
      return makeError(launch.kernel->args[written.argIndex],
                       "is written by the kernel, but shares memory with "
                       "argument '" +
                           launch.kernel->args[other.argIndex].name + "'");
    }
  }
  return Error::success();
}

/// Returns the sizes of the extents.
static Expected<SmallVector<int64_t, 4>>
evaluateExtents(const KernelInfo &kernel, ArrayRef<const HostArg *> args) {
  SmallVector<int64_t, 4> sizes;
  for (const ExtentInfo &extent : kernel.extents) {
    int64_t size = extent.constant;
    if (extent.kind == ExtentInfo::Kind::Dim)
      size = std::get<TensorRef>(args[extent.arg]->value).shape[extent.dim];
    if (extent.kind == ExtentInfo::Kind::Scalar)
      size = std::get<int64_t>(args[extent.arg]->value);
    if (size < 0)
      return makeError(kernel.args[extent.arg],
                       "is a number of rows, but got " + Twine(size));
    sizes.push_back(size);
  }
  return sizes;
}

/// Refuses arrays that have no element for some row.
static Error checkIndexedDims(const KernelInfo &kernel,
                              ArrayRef<const HostArg *> args,
                              ArrayRef<int64_t> extents) {
  for (auto [arg, host] : zip_equal(kernel.args, args)) {
    if (!host)
      continue;
    for (const IndexedDim &indexed : arg.indexed) {
      int64_t size = std::get<TensorRef>(host->value).shape[indexed.dim];
      int64_t extent = extents[indexed.extent];
      if (size < extent)
        return makeError(
            arg, "expects at least " + Twine(extent) + " in dimension " +
                     Twine(indexed.dim) + ", the rows of " +
                     getExtentText(kernel, kernel.extents[indexed.extent]) +
                     ", but got " + Twine(size));
    }
  }
  return Error::success();
}

/// Refuses sizes that differ where they must not, or are too small.
static Error checkSizeRules(const KernelInfo &kernel,
                            ArrayRef<const HostArg *> args) {
  auto getSize = [&](const SizeInfo &size) {
    return std::get<TensorRef>(args[size.arg]->value).shape[size.dim];
  };
  for (const std::vector<SizeInfo> &sizes : kernel.equalSizes) {
    const SizeInfo &first = sizes.front();
    for (const SizeInfo &other : drop_begin(sizes))
      if (getSize(other) != getSize(first))
        return makeError(kernel.args[other.arg],
                         "expects " + Twine(getSize(first)) + " in dimension " +
                             Twine(other.dim) + ", as argument '" +
                             kernel.args[first.arg].name +
                             "' has in dimension " + Twine(first.dim) +
                             ", but got " + Twine(getSize(other)));
  }
  for (const MinimumInfo &rule : kernel.minimumSizes)
    if (getSize(rule.size) < rule.minimum)
      return makeError(kernel.args[rule.size.arg],
                       "expects at least " + Twine(rule.minimum) +
                           " in dimension " + Twine(rule.size.dim) +
                           ", but got " + Twine(getSize(rule.size)));
  return Error::success();
}

/// Describes the scratch buffer that the caller did not give.
static Error bindScratch(const ArgInfo &arg, ArrayRef<int64_t> extents,
                         BoundLaunch &launch) {
  TensorRef tensor;
  tensor.shape.assign(extents.begin(), extents.end());
  for (std::optional<int64_t> size : drop_begin(arg.shape, extents.size()))
    tensor.shape.push_back(*size);
  tensor.setDenseStrides();
  std::optional<uint64_t> span = getSpan(tensor);
  if (!span)
    return makeError(arg, "expects memory for " + getDimsText(tensor.shape) +
                              " elements, which no machine has");
  for (const DynamicField &field : arg.dynamic)
    support::endian::write64le(
        &launch.kernarg[field.offset],
        (field.isStride ? tensor.strides : tensor.shape)[field.dim]);
  BoundBuffer buffer;
  buffer.argIndex = static_cast<unsigned>(&arg - launch.kernel->args.data());
  buffer.bytes = *span * getElementSize(arg.element);
  buffer.writable = true;
  buffer.isScratch = true;
  launch.buffers.push_back(buffer);
  return Error::success();
}

/// A scratch buffer that the caller gives has a row for each row.
static Error checkScratch(const ArgInfo &arg, const HostArg &host,
                          ArrayRef<int64_t> extents) {
  const TensorRef &tensor = std::get<TensorRef>(host.value);
  for (auto [dim, extent] : enumerate(extents))
    if (tensor.shape[dim] < extent)
      return makeError(arg, "expects at least " + Twine(extent) +
                                " in dimension " + Twine(dim) +
                                ", one for each row, but got " +
                                Twine(tensor.shape[dim]));
  return Error::success();
}

static Error chooseVariant(std::optional<unsigned> forced,
                           BoundLaunch &launch) {
  const KernelInfo &kernel = *launch.kernel;
  launch.variant = kernel.chooseVariant(launch.rows);
  if (!forced)
    return Error::success();
  if (*forced >= kernel.variants.size())
    return createStringError("kernel '" + kernel.name + "' has variants 0 to " +
                             std::to_string(kernel.variants.size() - 1) +
                             ", but got " + std::to_string(*forced));
  launch.variant = *forced;
  return Error::success();
}

static Error computeGrids(ArrayRef<int64_t> extents, BoundLaunch &launch) {
  const KernelInfo &kernel = *launch.kernel;
  if (launch.rows == 0)
    return Error::success();
  for (const LaunchInfo &part : kernel.variants[launch.variant].launches) {
    uint64_t groups = launch.rows / part.rowsPerGroup +
                      (launch.rows % part.rowsPerGroup != 0);
    groups = SaturatingMultiply<uint64_t>(groups, part.groupsPerRow);
    if (groups > INT32_MAX)
      return createStringError("kernel '" + kernel.name + "' expects at most " +
                               std::to_string(INT32_MAX) + " workgroups, but " +
                               std::to_string(launch.rows) +
                               (launch.rows == UINT64_MAX ? " or more" : "") +
                               " rows take " + std::to_string(groups));
    launch.groups.push_back(static_cast<uint32_t>(groups));
  }
  return Error::success();
}

namespace rowmill {

void TensorRef::setDenseStrides() {
  strides.resize(shape.size());
  int64_t stride = 1;
  for (size_t i = shape.size(); i-- > 0;) {
    strides[i] = stride;
    stride *= shape[i];
  }
}

Error makeUnknownArgumentError(const KernelInfo &kernel, StringRef name) {
  std::string names;
  raw_string_ostream os(names);
  interleaveComma(kernel.args, os, [&](const ArgInfo &known) {
    os << '\'' << known.name << '\'';
  });
  return createStringError(("unknown argument '" + name + "': kernel '" +
                            kernel.name + "' takes " +
                            (names.empty() ? "none" : names))
                               .str());
}

Expected<BoundLaunch> bindArguments(const KernelInfo &kernel,
                                    ArrayRef<HostArg> args,
                                    std::optional<unsigned> variant) {
  SmallVector<const HostArg *, 16> matched;
  if (Error error = matchNames(kernel, args, matched))
    return std::move(error);
  BoundLaunch launch;
  launch.kernel = &kernel;
  launch.kernarg.resize(kernel.kernargSize);
  launch.buffers.reserve(kernel.args.size());
  for (auto [arg, host] : zip_equal(kernel.args, matched)) {
    if (!host)
      continue;
    if (!arg.isMemRef) {
      if (Error error = bindScalar(arg, *host, &launch.kernarg[arg.offset]))
        return std::move(error);
      continue;
    }
    const auto *tensor = std::get_if<TensorRef>(&host->value);
    if (!tensor)
      return makeError(arg,
                       "expects " + getTypeText(arg) + ", but got a number");
    if (Error error = bindTensor(arg, *tensor, launch))
      return std::move(error);
  }
  if (Error error = checkOverlap(matched, launch))
    return std::move(error);
  if (Error error = checkSizeRules(kernel, matched))
    return std::move(error);
  auto extents = evaluateExtents(kernel, matched);
  if (!extents)
    return extents.takeError();
  launch.rows = is_contained(*extents, 0) ? 0 : 1;
  for (int64_t size : *extents)
    launch.rows = SaturatingMultiply<uint64_t>(launch.rows, size);
  if (launch.rows != 0)
    if (Error error = checkIndexedDims(kernel, matched, *extents))
      return std::move(error);
  if (Error error = chooseVariant(variant, launch))
    return std::move(error);
  if (Error error = computeGrids(*extents, launch))
    return std::move(error);
  for (auto [arg, host] : zip_equal(kernel.args, matched)) {
    if (!arg.isScratch)
      continue;
    Error error = host ? checkScratch(arg, *host, *extents)
                       : bindScratch(arg, *extents, launch);
    if (error)
      return std::move(error);
  }
  return std::move(launch);
}

} // namespace rowmill
