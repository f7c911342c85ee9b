# Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# Compiles, launches between guards, and remembers what was compiled.

from collections import Counter
from functools import lru_cache

import numpy as np
import pytest

POISON = 0xA5
GUARD = 4096  # bytes before and after each buffer
EMULATED = ["gfx950", "gfx942"]
COUNTS = Counter()  # of this process: code objects compiled, launches, FP4 codes compared, codes excused
WORST = {}  # of this process: the largest of each measured error

rowmill = None
try:
    import rowmill
except ImportError:
    pass


class Guarded:
    """An array between two guards. It starts as poison, or as a copy of given contents."""

    def __init__(self, shape, dtype, contents=None):
        size = int(np.prod(shape)) * np.dtype(dtype).itemsize
        raw = np.full(size + 2 * GUARD + 64, POISON, np.uint8)
        start = GUARD + -(raw.ctypes.data + GUARD) % 64
        self._before, self._after = raw[:start], raw[start + size:]
        self.array = raw[start:start + size].view(dtype).reshape(shape)
        if contents is not None:
            self.array[...] = contents

    def check(self, name):
        for side, guard in (("before", self._before), ("after", self._after)):
            touched = np.flatnonzero(guard != POISON)
            assert not len(touched), f"{len(touched)} bytes {side} '{name}' were written, the first at {touched[0]}"


def refused(source, arch="gfx950", **options):
    """The diagnostics of the compiler, which must refuse."""
    if rowmill is None:
        pytest.skip("the rowmill package is not built")
    with pytest.raises(rowmill.CompileError) as error:
        rowmill.compile(source, targets=[arch], **options)
    return str(error.value)


@lru_cache(maxsize=64)
def code_object(source, arch, lanes=0, waves=0, workgroups=0):
    """A loaded code object; compiled once for the same source and partition."""
    if rowmill is None:
        pytest.skip("the rowmill package is not built")
    COUNTS["compiled"] += 1
    objects = rowmill.compile(source, targets=[arch], lanes_per_row=lanes, waves_per_row=waves,
                              workgroups_per_row=workgroups)
    return rowmill.CodeObject(objects[arch])


def launch(kernel_object, name, outputs, **inputs):
    """Launches with fresh poisoned outputs {name: (shape, dtype)}; checks that guards and inputs are unchanged.
    Inputs that are read-only arrays are passed as they are, others in guards. Returns the outputs as arrays."""
    made = {key: Guarded(*spec) for key, spec in outputs.items()}
    kept = {key: Guarded(value.shape, value.dtype, value) for key, value in inputs.items()
            if isinstance(value, np.ndarray) and value.flags.writeable}
    arguments = inputs | {key: guarded.array for key, guarded in (made | kept).items()}
    COUNTS["launched"] += 1
    kernel_object.launch(name, **arguments)
    for key, guarded in (made | kept).items():
        guarded.check(key)
    for key, guarded in kept.items():
        assert guarded.array.tobytes() == inputs[key].tobytes(), f"input '{key}' was changed"
    return {key: guarded.array for key, guarded in made.items()}
