// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// The element types of kernel arguments and the types of host data they
// accept.
#ifndef ROWMILL_RUNTIME_ELEMENTTYPE_H
#define ROWMILL_RUNTIME_ELEMENTTYPE_H

#include "llvm/ADT/StringRef.h"
#include <optional>

namespace rowmill {

/// The element type of a kernel argument, as its metadata spells it. FP8, FP4
/// and scale bytes travel as `i8`.
enum class ElementType : uint8_t { I8, I16, I32, I64, Index, F16, BF16, F32 };

/// Returns the type spelled `name` in the metadata.
std::optional<ElementType> parseElementType(llvm::StringRef name);
llvm::StringRef getElementTypeName(ElementType type);
/// Returns the size in bytes of one element in memory or in the kernarg block.
unsigned getElementSize(ElementType type);
bool isFloat(ElementType type);

/// The type of host data, in the classes that matter for binding.
struct HostType {
  enum Kind : uint8_t {
    SignedInt,
    UnsignedInt,
    /// IEEE float; bfloat16 has a kind of its own.
    Float,
    BFloat,
    /// Bytes without a type: what numpy stores for bfloat16 and FP8.
    Raw,
    /// A type that no argument takes.
    Other,
  };
  Kind kind = Other;
  /// Bytes of one element.
  unsigned size = 0;

  bool operator==(const HostType &other) const {
    return kind == other.kind && size == other.size;
  }
};

/// Returns the type spelled by a numpy type string such as `<f4` or `|V2`, or
/// `Other` when no argument takes it (big-endian, complex, structured, ...).
HostType parseHostType(llvm::StringRef descr);
/// Returns the numpy type string to store data of type `type` with.
std::string getNumpyDescr(HostType type);
/// Returns a readable name in the words of the metadata: `bf16`, `u16`, `f64`.
std::string getHostTypeName(HostType type);
/// Returns the host type that is stored for `type` when there is no file to
/// take one from.
HostType getDefaultHostType(ElementType type);
/// Returns true when host data of type `host` may be bound to `type`: the same
/// width, and the same kind or bits that carry no other meaning.
bool accepts(ElementType type, HostType host);

} // namespace rowmill

#endif // ROWMILL_RUNTIME_ELEMENTTYPE_H
