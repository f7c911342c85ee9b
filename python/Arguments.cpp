// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Reads numpy arrays, other arrays and numbers without copying.
#include "Arguments.h"
#include "llvm/ADT/StringRef.h"
#include <nanobind/stl/string.h>

namespace nb = nanobind;
using llvm::StringRef;

namespace rowmill::python {

[[noreturn]] static void fail(const ArgInfo &arg, const std::string &message) {
  throw LaunchError("argument '" + arg.name + "' " + message);
}

static std::string getTypeName(nb::handle value) {
  return nb::cast<std::string>(nb::type_name(value.type()));
}

/// Names the element type of an array whose type string says too little: numpy
/// calls bfloat16, FP8 and structured types all void.
static void refineType(nb::handle value, TensorRef &tensor) {
  nb::object dtype = nb::getattr(value, "dtype", nb::none());
  if (dtype.is_none())
    return;
  std::string name = nb::cast<std::string>(nb::str(nb::handle(dtype)));
  StringRef text = name;
  if (tensor.type.kind == HostType::Raw) {
    if (text == "bfloat16")
      tensor.type.kind = HostType::BFloat;
    // Raw bytes stay raw; FP4 of ml_dtypes holds one element a byte, which is
    // not how kernels store it.
    else if (!text.starts_with("float8") && !text.starts_with("|V"))
      tensor.type.kind = HostType::Other;
  }
  if (tensor.type.kind == HostType::Other || text.starts_with("float8"))
    tensor.typeName = std::move(name);
}

/// Reads an object with numpy's array interface. Returns false when `value`
/// has none.
static bool readArrayInterface(const ArgInfo &arg, nb::handle value,
                               TensorRef &tensor) {
  nb::object object = nb::getattr(value, "__array_interface__", nb::none());
  if (object.is_none())
    return false;
  nb::dict interface = nb::cast<nb::dict>(object);
  tensor.type = parseHostType(nb::cast<const char *>(interface["typestr"]));
  if (tensor.type.kind == HostType::Raw || tensor.type.kind == HostType::Other)
    refineType(value, tensor);
  for (nb::handle size : nb::cast<nb::tuple>(interface["shape"]))
    tensor.shape.push_back(nb::cast<int64_t>(size));
  nb::tuple data = nb::cast<nb::tuple>(interface["data"]);
  tensor.data = reinterpret_cast<void *>(nb::cast<uintptr_t>(data[0]));
  tensor.writable = !nb::cast<bool>(data[1]);
  nb::object strides = interface.get("strides", nb::none());
  if (strides.is_none()) {
    tensor.setDenseStrides();
    return true;
  }
  for (nb::handle stride : nb::cast<nb::tuple>(strides)) {
    int64_t bytes = nb::cast<int64_t>(stride);
    int64_t size = std::max(tensor.type.size, 1u);
    if (bytes % size)
      fail(arg, "expects strides of whole elements, but got " +
                    std::to_string(bytes) + " bytes");
    tensor.strides.push_back(bytes / size);
  }
  return true;
}

static HostType getHostType(nb::dlpack::dtype dtype) {
  using Code = nb::dlpack::dtype_code;
  unsigned size = dtype.bits / 8;
  if (dtype.lanes != 1 || dtype.bits % 8)
    return {};
  Code code = static_cast<Code>(dtype.code);
  if (code == Code::Int)
    return {HostType::SignedInt, size};
  if (code == Code::UInt)
    return {HostType::UnsignedInt, size};
  if (code == Code::Float)
    return {HostType::Float, size};
  if (code == Code::Bfloat)
    return {HostType::BFloat, size};
  if (code >= Code::Float8_E3M4 && code <= Code::Float8_E8M0FNU)
    return {HostType::Raw, size};
  return {HostType::Other, size};
}

template <typename Array>
static void readTensor(const Array &array, bool writable, TensorRef &tensor) {
  tensor.type = getHostType(array.dtype());
  for (size_t i = 0; i < array.ndim(); ++i) {
    tensor.shape.push_back(static_cast<int64_t>(array.shape(i)));
    tensor.strides.push_back(array.stride(i));
  }
  tensor.data = const_cast<void *>(static_cast<const void *>(array.data()));
  tensor.writable = writable;
}

/// Reads an object with a DLPack or buffer interface in host memory, such as a
/// tensor of another framework. Returns false when `value` has neither.
static bool readExchanged(nb::handle value, TensorRef &tensor,
                          HostArgs &result) {
  nb::ndarray<nb::device::cpu> writable;
  if (nb::try_cast(value, writable, /*convert=*/false)) {
    readTensor(writable, true, tensor);
    result.owners.emplace_back(writable);
    return true;
  }
  nb::ndarray<nb::ro, nb::device::cpu> readOnly;
  if (!nb::try_cast(value, readOnly, /*convert=*/false))
    return false;
  readTensor(readOnly, false, tensor);
  result.owners.emplace_back(readOnly);
  return true;
}

/// Reads a Python or numpy number. Returns false when `value` is none.
static bool readNumber(const ArgInfo &arg, nb::handle value, HostArg &result) {
  if (PyFloat_Check(value.ptr())) {
    result.value = PyFloat_AsDouble(value.ptr());
    return true;
  }
  nb::object number;
  if (PyLong_Check(value.ptr()))
    number = nb::borrow(value);
  else if (PyIndex_Check(value.ptr()))
    number = nb::steal(PyNumber_Index(value.ptr()));
  if (number.is_valid()) {
    int overflow = 0;
    long long integer = PyLong_AsLongLongAndOverflow(number.ptr(), &overflow);
    if (overflow)
      fail(arg, "expects " + getElementTypeName(arg.element).str() +
                    ", but got " + nb::cast<std::string>(nb::str(number)));
    result.value = static_cast<int64_t>(integer);
    return true;
  }
  // Arrays have these slots too, and raise when they have many elements.
  PyErr_Clear();
  PyNumberMethods *methods = Py_TYPE(value.ptr())->tp_as_number;
  if (!methods || !methods->nb_float)
    return false;
  number = nb::steal(PyNumber_Float(value.ptr()));
  PyErr_Clear();
  if (!number.is_valid())
    return false;
  result.value = PyFloat_AsDouble(number.ptr());
  return true;
}

HostArgs convertArguments(const KernelInfo &kernel, const nb::kwargs &kwargs) {
  HostArgs result;
  result.values.reserve(kwargs.size());
  for (auto [key, value] : kwargs) {
    HostArg &host = result.values.emplace_back();
    host.name = nb::cast<const char *>(key);
    const ArgInfo *arg = kernel.lookupArg(host.name);
    if (!arg)
      throw LaunchError(
          llvm::toString(makeUnknownArgumentError(kernel, host.name)));
    if (!arg->isMemRef && readNumber(*arg, value, host))
      continue;
    TensorRef &tensor = host.value.emplace<TensorRef>();
    if (readArrayInterface(*arg, value, tensor) ||
        readExchanged(value, tensor, result))
      continue;
    fail(*arg, "expects " + getTypeText(*arg) + ", but got an object of type " +
                   getTypeName(value));
  }
  return result;
}

} // namespace rowmill::python
