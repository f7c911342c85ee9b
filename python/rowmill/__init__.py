# Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
"""Compile row kernels for AMD GPUs and run them.

    code = rowmill.compile(text, targets=["gfx950"])["gfx950"]
    rowmill.CodeObject(code).launch("norm", x=x, y=y, eps=1e-6)
"""

from ._core import CodeObject, CompileError, LaunchError, compile

__all__ = ["CodeObject", "CompileError", "LaunchError", "compile"]
