# Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# The numpy oracle: what every row kernel must compute, written from the formulas and never from the compiler.
