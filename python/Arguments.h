// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Turns Python values into arguments of a launch.
#ifndef ROWMILL_PYTHON_ARGUMENTS_H
#define ROWMILL_PYTHON_ARGUMENTS_H

#include "rowmill/Runtime/Binding.h"
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <stdexcept>

namespace rowmill::python {

/// Raised as `rowmill.LaunchError`.
struct LaunchError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The arguments of a launch and what keeps their memory alive.
struct HostArgs {
  std::vector<HostArg> values;
  std::vector<nanobind::ndarray<nanobind::ro>> owners;
};

/// Converts keyword arguments to the arguments of `kernel`, without copying
/// arrays. Throws LaunchError for a value that is no array and no number.
HostArgs convertArguments(const KernelInfo &kernel,
                          const nanobind::kwargs &kwargs);

} // namespace rowmill::python

#endif // ROWMILL_PYTHON_ARGUMENTS_H
