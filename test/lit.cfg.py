# Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# How lit finds and runs the regression tests.

import os

import lit.formats

config.name = "rowmill"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".s", ".test"]

# Inputs of other tests, kernels that the execution tests compile, and folders
# whose tests have runners of their own.
config.excludes = ["Inputs", "Kernels", "Benchmarks", "Execution", "Lint", "Unit"]

config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.rowmill_build, "test")

# Tools are called by name. Ours come before LLVM's, which come before the
# system's.
path = [config.rowmill_tools, config.llvm_tools, config.environment.get("PATH", "")]
config.environment["PATH"] = os.pathsep.join(path)

# Variables without $ end at the next CHECK-LABEL; a misspelt prefix is an error.
config.environment["FILECHECK_OPTS"] = "-enable-var-scope --allow-unused-prefixes=false"

config.substitutions.append(("%python", config.python))
config.substitutions.append(("%kernels", os.path.join(config.test_source_root, "Kernels")))
