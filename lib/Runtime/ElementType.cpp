// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Names, sizes and compatibility of argument and host element types.
#include "rowmill/Runtime/ElementType.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace rowmill {

std::optional<ElementType> parseElementType(StringRef name) {
  return StringSwitch<std::optional<ElementType>>(name)
      .Case("i8", ElementType::I8)
      .Case("i16", ElementType::I16)
      .Case("i32", ElementType::I32)
      .Case("i64", ElementType::I64)
      .Case("index", ElementType::Index)
      .Case("f16", ElementType::F16)
      .Case("bf16", ElementType::BF16)
      .Case("f32", ElementType::F32)
      .Default(std::nullopt);
}

StringRef getElementTypeName(ElementType type) {
  static constexpr StringLiteral names[] = {"i8",    "i16", "i32",  "i64",
                                            "index", "f16", "bf16", "f32"};
  return names[static_cast<unsigned>(type)];
}

unsigned getElementSize(ElementType type) {
  static constexpr unsigned sizes[] = {1, 2, 4, 8, 8, 2, 2, 4};
  return sizes[static_cast<unsigned>(type)];
}

bool isFloat(ElementType type) { return type >= ElementType::F16; }

HostType parseHostType(StringRef descr) {
  if (descr.size() < 2)
    return {};
  char order = descr[0];
  unsigned size = 0;
  if (descr.drop_front(2).getAsInteger(10, size) || size == 0)
    return {};
  if (order != '<' && order != '|' && !(order == '=' || size == 1))
    return {};
  bool isPowerOfTwo = size <= 8 && (size & (size - 1)) == 0;
  switch (descr[1]) {
  case 'i':
    return isPowerOfTwo ? HostType{HostType::SignedInt, size} : HostType{};
  case 'u':
    return isPowerOfTwo ? HostType{HostType::UnsignedInt, size} : HostType{};
  case 'f':
    return HostType{HostType::Float, size};
  case 'V':
    return HostType{HostType::Raw, size};
  default:
    return {HostType::Other, size};
  }
}

std::string getNumpyDescr(HostType type) {
  std::string size = std::to_string(type.size);
  std::string order = type.size == 1 ? "|" : "<";
  switch (type.kind) {
  case HostType::SignedInt:
    return order + "i" + size;
  case HostType::UnsignedInt:
    return order + "u" + size;
  case HostType::Float:
    return order + "f" + size;
  case HostType::BFloat:
  case HostType::Raw:
    // numpy has no bfloat16; ml_dtypes stores it as such a void too.
    return order + "V" + size;
  case HostType::Other:
    break;
  }
  return "";
}

std::string getHostTypeName(HostType type) {
  std::string bits = std::to_string(type.size * 8);
  switch (type.kind) {
  case HostType::SignedInt:
    return "i" + bits;
  case HostType::UnsignedInt:
    return "u" + bits;
  case HostType::Float:
    return "f" + bits;
  case HostType::BFloat:
    return "bf" + bits;
  case HostType::Raw:
    return "raw" + bits;
  case HostType::Other:
    break;
  }
  return "an unsupported type";
}

HostType getDefaultHostType(ElementType type) {
  switch (type) {
  case ElementType::I8:
    // Mostly FP8, FP4 or scale bytes, which read better without a sign.
    return {HostType::UnsignedInt, 1};
  case ElementType::I16:
  case ElementType::I32:
  case ElementType::I64:
  case ElementType::Index:
    return {HostType::SignedInt, getElementSize(type)};
  case ElementType::BF16:
    return {HostType::BFloat, 2};
  case ElementType::F16:
  case ElementType::F32:
    return {HostType::Float, getElementSize(type)};
  }
  return {};
}

bool accepts(ElementType type, HostType host) {
  if (host.size != getElementSize(type))
    return false;
  switch (type) {
  case ElementType::I8:
    return host.kind == HostType::SignedInt ||
           host.kind == HostType::UnsignedInt || host.kind == HostType::Raw;
  case ElementType::I16:
  case ElementType::I32:
  case ElementType::I64:
  case ElementType::Index:
    return host.kind == HostType::SignedInt ||
           host.kind == HostType::UnsignedInt;
  case ElementType::BF16:
    return host.kind == HostType::BFloat || host.kind == HostType::Raw ||
           host.kind == HostType::UnsignedInt;
  case ElementType::F16:
    // Not Raw: numpy has a float16 of its own, so a void is a bfloat16.
    return host.kind == HostType::UnsignedInt ||
           (host.kind == HostType::Float && host.size == 2);
  case ElementType::F32:
    return host.kind == HostType::Float;
  }
  return false;
}

} // namespace rowmill
