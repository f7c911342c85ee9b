# Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# The harness: specialises a kernel's aliases, makes inputs, runs a code object between guards, compares bytes.
