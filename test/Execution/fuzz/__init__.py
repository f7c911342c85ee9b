# Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
