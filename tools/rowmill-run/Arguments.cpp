// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Reads .npy files, creates filled arrays and parses numbers.
#include "Arguments.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include <cstring>

using namespace llvm;
using namespace rowmill;

static Error makeError(const ArgInfo &arg, const Twine &message) {
  return createStringError(("argument '" + arg.name + "' " + message).str());
}

/// Returns the shape of a created array: `text` has all sizes or the dynamic
/// ones, or is empty for a shape that is known without it.
static Expected<std::vector<int64_t>>
parseShape(const ArgInfo &arg, StringRef text, std::optional<int64_t> rows) {
  SmallVector<int64_t, 6> given;
  SmallVector<StringRef, 6> parts;
  if (!text.empty())
    text.split(parts, 'x');
  for (StringRef part : parts) {
    int64_t size;
    if (part.getAsInteger(10, size) || size < 0)
      return makeError(arg,
                       "expects a shape such as 8x128, but got '" + text + "'");
    given.push_back(size);
  }
  size_t numDynamic = count(arg.shape, std::nullopt);
  if (given.empty() && numDynamic && !rows)
    return makeError(arg, "is " + getTypeText(arg) +
                              ", so its dynamic sizes must be given, by "
                              "'zeros:SHAPE' or '--rows=N'");
  bool isFull = given.size() == arg.shape.size();
  if (!given.empty() && !isFull && given.size() != numDynamic)
    return makeError(arg, "is " + getTypeText(arg) + ", but got the shape '" +
                              text + "'");
  std::vector<int64_t> shape;
  auto next = given.begin();
  for (std::optional<int64_t> size : arg.shape) {
    bool isGiven = !given.empty() && (isFull || !size);
    shape.push_back(isGiven ? *next++ : size.value_or(rows.value_or(0)));
  }
  if (!computeByteSize(shape, getElementSize(arg.element)))
    return makeError(arg, "has the shape '" + text + "', which is too large");
  return shape;
}

/// Returns the bits of an element of `arg` that is `text`.
static Expected<uint64_t> parseElement(const ArgInfo &arg, StringRef text) {
  Error error = makeError(arg, "cannot be filled with '" + text + "'");
  unsigned bits = getElementSize(arg.element) * 8;
  if (!isFloat(arg.element)) {
    int64_t value;
    // Bytes and codes may be written with or without a sign.
    if (text.getAsInteger(0, value) ||
        !(isIntN(bits, value) || (bits < 64 && isUIntN(bits, value))))
      return std::move(error);
    consumeError(std::move(error));
    return static_cast<uint64_t>(value);
  }
  double value;
  if (text.getAsDouble(value))
    return std::move(error);
  consumeError(std::move(error));
  APFloat number(value);
  bool losesInfo;
  number.convert(arg.element == ElementType::F16    ? APFloat::IEEEhalf()
                 : arg.element == ElementType::BF16 ? APFloat::BFloat()
                                                    : APFloat::IEEEsingle(),
                 APFloat::rmNearestTiesToEven, &losesInfo);
  return number.bitcastToAPInt().getZExtValue();
}

static Expected<HostArray> createArray(const ArgInfo &arg, StringRef element,
                                       StringRef shapeText,
                                       std::optional<int64_t> rows) {
  auto bits = parseElement(arg, element);
  if (!bits)
    return bits.takeError();
  auto shape = parseShape(arg, shapeText, rows);
  if (!shape)
    return shape.takeError();
  HostArray array = HostArray::zeros(getDefaultHostType(arg.element), *shape);
  unsigned size = getElementSize(arg.element);
  // Little-endian, so that the low bytes come first.
  if (*bits)
    for (size_t i = 0; i < array.byteSize(); i += size)
      std::memcpy(array.data() + i, &*bits, size);
  return std::move(array);
}

static Expected<HostArray> makeArray(const ArgInfo &arg, StringRef value,
                                     std::optional<int64_t> rows) {
  if (value == "zeros" || value.starts_with("zeros:"))
    return createArray(arg, "0", value.split(':').second, rows);
  if (value.starts_with("fill:")) {
    auto [element, shape] = value.drop_front(5).split(':');
    return createArray(arg, element, shape, rows);
  }
  auto array = readNpyFile(value);
  if (!array)
    return createStringError("argument '" + arg.name +
                             "': " + toString(array.takeError()));
  return array;
}

static Expected<HostArg> makeScalar(const ArgInfo &arg, StringRef text) {
  int64_t integer;
  if (!text.getAsInteger(0, integer))
    return HostArg{arg.name, integer};
  double real;
  if (!text.getAsDouble(real))
    return HostArg{arg.name, real};
  return makeError(arg, "expects a number (" + getElementTypeName(arg.element) +
                            "), but got '" + text + "'");
}

static Error addArgument(const KernelInfo &kernel, StringRef name,
                         StringRef value, std::optional<int64_t> rows,
                         RunArguments &result) {
  const ArgInfo *arg = kernel.lookupArg(name);
  if (!arg)
    return makeUnknownArgumentError(kernel, name);
  if (any_of(result.values,
             [&](const HostArg &other) { return other.name == name; }))
    return makeError(*arg, "is given twice");
  if (!arg->isMemRef) {
    auto scalar = makeScalar(*arg, value);
    if (!scalar)
      return scalar.takeError();
    result.values.push_back(std::move(*scalar));
    return Error::success();
  }
  auto array = makeArray(*arg, value, rows);
  if (!array)
    return array.takeError();
  HostArray &owned = result.arrays[arg->name] = std::move(*array);
  TensorRef tensor;
  tensor.type = owned.type;
  tensor.shape.assign(owned.shape.begin(), owned.shape.end());
  tensor.setDenseStrides();
  tensor.data = owned.data();
  result.values.push_back({arg->name, std::move(tensor)});
  return Error::success();
}

Expected<RunArguments> rowmill::makeArguments(const KernelInfo &kernel,
                                              const RunOptions &options) {
  RunArguments result;
  for (const RunOptions::Assignment &arg : options.args)
    if (Error error =
            addArgument(kernel, arg.name, arg.value, options.rows, result))
      return std::move(error);
  for (const RunOptions::Assignment &out : options.outs) {
    const ArgInfo *arg = kernel.lookupArg(out.name);
    if (!arg)
      return makeUnknownArgumentError(kernel, out.name);
    if (!arg->isWritten())
      return makeError(*arg, "is not written by kernel '" + kernel.name +
                                 "', so '--out' has nothing to save");
    if (result.arrays.count(out.name) || arg->access != ArgInfo::Access::Write)
      continue;
    if (Error error =
            addArgument(kernel, out.name, "zeros", options.rows, result))
      return std::move(error);
  }
  return std::move(result);
}
