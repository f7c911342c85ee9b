// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Binds host arrays and numbers to the arguments of a kernel.
#ifndef ROWMILL_RUNTIME_BINDING_H
#define ROWMILL_RUNTIME_BINDING_H

#include "rowmill/Runtime/KernelInfo.h"
#include "llvm/ADT/SmallVector.h"
#include <variant>

namespace rowmill {

/// A view of an array in host memory. Strides count elements.
struct TensorRef {
  HostType type;
  llvm::SmallVector<int64_t, 6> shape;
  llvm::SmallVector<int64_t, 6> strides;
  void *data = nullptr;
  bool writable = true;
  /// The name of the type in messages, where `type` alone says too little.
  std::string typeName;

  /// Sets the strides of a dense row-major array.
  void setDenseStrides();
};

/// A named value to bind: an array or a number.
struct HostArg {
  std::string name;
  std::variant<TensorRef, int64_t, double> value;
};

/// Host memory that a memref argument points to.
struct BoundBuffer {
  unsigned argIndex = 0;
  void *data = nullptr;
  uint64_t bytes = 0;
  bool writable = false;
  /// The device makes it: there is no host memory.
  bool isScratch = false;
};

/// A launch that lacks nothing but the device's addresses.
struct BoundLaunch {
  const KernelInfo *kernel = nullptr;
  /// The product of the extents.
  uint64_t rows = 0;
  /// The variant of the kernel that runs.
  unsigned variant = 0;
  /// Workgroups of each of its launches; none when there are no rows.
  std::vector<uint32_t> groups;
  std::vector<uint8_t> kernarg;
  std::vector<BoundBuffer> buffers;
};

/// Returns the error for a name that `kernel` has no argument of.
llvm::Error makeUnknownArgumentError(const KernelInfo &kernel,
                                     llvm::StringRef name);

/// Checks `args` against the arguments of `kernel`: names, element types,
/// shapes, strides, alignment, writability, overlap and the number of rows.
/// The number of rows chooses the variant, unless `variant` does. `kernel` must
/// outlive the result, as must the arrays.
llvm::Expected<BoundLaunch>
bindArguments(const KernelInfo &kernel, llvm::ArrayRef<HostArg> args,
              std::optional<unsigned> variant = std::nullopt);

} // namespace rowmill

#endif // ROWMILL_RUNTIME_BINDING_H
