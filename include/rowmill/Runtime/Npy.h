// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Reads and writes arrays in numpy's .npy format.
#ifndef ROWMILL_RUNTIME_NPY_H
#define ROWMILL_RUNTIME_NPY_H

#include "rowmill/Runtime/ElementType.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <string>
#include <vector>

namespace rowmill {

/// A dense row-major array that owns its elements.
struct HostArray {
  /// Alignment in bytes of every array's first element.
  static constexpr size_t kAlign = 256;

  HostType type;
  std::vector<int64_t> shape;

  /// Allocates zeros of `type` and `shape`. The size must have been checked
  /// with `computeByteSize`.
  static HostArray zeros(HostType type, llvm::ArrayRef<int64_t> shape);

  char *data() { return storage.get(); }
  const char *data() const { return storage.get(); }
  size_t byteSize() const { return size; }

private:
  struct Deleter {
    void operator()(char *data) const;
  };
  std::unique_ptr<char, Deleter> storage;
  size_t size = 0;
};

/// Returns the bytes of an array of `shape` with elements of `elementSize`
/// bytes, or nullopt when they exceed 2^48 or a size is negative.
std::optional<uint64_t> computeByteSize(llvm::ArrayRef<int64_t> shape,
                                        unsigned elementSize);

/// Parses the content of a .npy file of version 1, 2 or 3. Element types that
/// no kernel argument takes, Fortran order and any malformation are errors.
llvm::Expected<HostArray> parseNpy(llvm::StringRef bytes);

/// Reads the file `path`; errors name it.
llvm::Expected<HostArray> readNpyFile(llvm::StringRef path);

/// Writes `array` to the file `path`; errors name it.
llvm::Error writeNpyFile(llvm::StringRef path, const HostArray &array);

} // namespace rowmill

#endif // ROWMILL_RUNTIME_NPY_H
