# Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# Specialises the kernels of test/Kernels: every choice is an alias line at the top of a file.

import re
from dataclasses import dataclass, replace
from pathlib import Path

from oracle import layouts
from oracle.formats import FP8_OF_ARCH

KERNELS = Path(__file__).parents[2] / "Kernels"
ALIAS = re.compile(r"^([!#]\w+)(\s*=\s*)(.*?)(\s*//.*)?$", re.MULTILINE)


def aliases(text):
    """{'!x': 'memref<...>', '#group': '32 : i64', ...}"""
    return {match[1]: match[3].strip() for match in ALIAS.finditer(text)}


def specialise(text, changes):
    """Replaces the right-hand sides of alias lines. A name that the text does not define is an error."""
    unknown = sorted(set(changes) - set(aliases(text)))
    if unknown:
        raise KeyError(f"the kernel defines no alias {', '.join(unknown)}; it has {', '.join(aliases(text))}")
    return ALIAS.sub(lambda m: f"{m[1]}{m[2]}{changes.get(m[1], m[3])}{m[4] or ''}", text)


@dataclass(frozen=True)
class Shape:
    """Everything that the aliases of a kernel depend on. slots is the page size of the caches."""

    dim: int = 128
    heads: int = 16
    dtype: str = "bf16"
    rope_dim: int = 64
    group: int = 32
    fp8: str = "f8E4M3FN"
    shuffled: bool = False
    slots: int = 64
    dynamic_strides: bool = False

    def with_(self, **changes):
        return replace(self, **changes)

    @property
    def groups(self):
        return self.dim // self.group


def shape_for(arch, **changes):
    return Shape(fp8=FP8_OF_ARCH[arch].mlir, **changes)


def alias_values(shape):
    """The value of every alias that any kernel defines, paged ones apart."""
    s, d, h, half = shape, shape.dim, shape.heads, shape.rope_dim // 2
    x = f"memref<?x{h}x{d}x{s.dtype}>"
    tiles = layouts.query_tiles(h)
    scale = f"memref<?x{s.groups // 4}x4x16x{tiles}xi8>" if s.shuffled else f"memref<?x{h}x{s.groups}xi8>"
    return {
        "!x": f"memref<?x{h}x{d}x{s.dtype}, strided<[?, ?, 1]>>" if s.dynamic_strides else x,
        "!out": x,
        "!row": f"vector<{d}x{s.dtype}>",
        "!f32": f"vector<{d}xf32>",
        "!table": f"memref<?x{half}x{s.dtype}>",
        "!angle": f"vector<{half}x{s.dtype}>",
        "!pos": "memref<?xi64>",
        "#tail": f"{d - s.rope_dim} : i64",
        "#group": f"{s.group} : i64",
        "!fp4": f"vector<{d}xf4E2M1FN>",
        "!e8m0": f"vector<{s.groups}xf8E8M0FNU>",
        "!fp8": f"vector<{d}x{s.fp8}>",
        "!sc": f"vector<{s.groups}xf32>",
        "!scale": scale,
        "#scales": f"#row.query_scale<heads={h}, groups={s.groups}>" if s.shuffled
                   else f"#row.linear<slots={h}, length={s.groups}>",
        "!weight": f"memref<{d}x{s.dtype}>",
    }


def page_values(shape):
    """The aliases of a paged cache."""
    s, d, kb = shape, shape.dim, shape.slots
    linear = lambda length: f"#row.linear<slots={kb}, length={length}>"
    return {
        "#slots": f"{kb} : index",
        "!cache": f"memref<?x{d // 128}x4x{kb}x16xi8>" if s.shuffled else f"memref<?x{kb}x{d // 2}xi8>",
        "!scale": f"memref<?x{s.groups // 4}x4x{kb}xi8>" if s.shuffled else f"memref<?x{kb}x{s.groups}xi8>",
        "#data": f"#row.fp4_preshuffle<slots={kb}, length={d}>" if s.shuffled else linear(d),
        "#scales": f"#row.e8m0_interleave<slots={kb}, groups={s.groups}>" if s.shuffled else linear(s.groups),
    }


def kernel_source(file, shape, **overrides):
    """The text of test/Kernels/<file>.mlir for a shape; overrides replace single aliases, e.g. table='memref<...>'."""
    text = (KERNELS / f"{file}.mlir").read_text()
    values = alias_values(shape)
    if "#slots" in aliases(text):
        values.update(page_values(shape))
    elif file.endswith("fp4"):
        values["!out"] = f"memref<?x{shape.heads}x{shape.dim // 2}xi8>"
    elif file.endswith("fp8"):
        values["!out"] = f"memref<?x{shape.heads}x{shape.dim}xi8>"
        values["!scale"] = f"memref<?x{shape.heads}x{shape.groups}xf32>"
    return specialise(text, {name: values[name] for name in aliases(text)} | overrides)
