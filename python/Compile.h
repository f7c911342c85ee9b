// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Adds the compiler to the Python module.
#ifndef ROWMILL_PYTHON_COMPILE_H
#define ROWMILL_PYTHON_COMPILE_H

#include <nanobind/nanobind.h>

namespace rowmill::python {

/// Defines `compile` and `CompileError` in `module`.
void defineCompiler(nanobind::module_ &module);

} // namespace rowmill::python

#endif // ROWMILL_PYTHON_COMPILE_H
