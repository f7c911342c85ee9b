# Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# Builds what a scheduler hands to a compressor at each step: plan rows, write rows, slots and block tables.

from dataclasses import dataclass, field

import numpy as np

SENTINEL = (0, 0, -1, 0)


def padded(rows, capacity):
    """int32 [capacity, 4]: the rows, then sentinels."""
    plan = np.tile(np.array(SENTINEL, np.int32), (capacity, 1))
    if len(rows):
        plan[:len(rows)] = rows
    return plan


@dataclass
class Batch:
    """Sequences that grow by chunks of tokens; tokens of one step lie one sequence after the other in the input."""

    geometry: object
    lengths: list  # tokens of each sequence so far
    pages: int = 0
    block_table: np.ndarray = None
    slots: np.ndarray = None
    history: list = field(default_factory=list)

    def place(self, rng, page_slots, max_blocks, spare=3):
        """Gives every sequence a state slot and pages of its own, in random order, some pages and slots unused."""
        count = len(self.lengths)
        self.pages = count * max_blocks + spare
        self.block_table = rng.permutation(self.pages)[:count * max_blocks].astype(np.int32).reshape(count, max_blocks)
        self.slots = rng.permutation(count + spare)[:count].astype(np.int32)
        return self

    def step(self, chunks):
        """Adds chunks[i] tokens to sequence i. Returns the plan rows, and the rows of the tokens that the ring keeps."""
        g = self.geometry
        compress, write, base = [], [], 0
        for batch, count in enumerate(chunks):
            start, end = self.lengths[batch], self.lengths[batch] + count
            for j in range(count):
                position = start + j
                if (position + 1) % g.ratio == 0:
                    compress.append((base + j, batch, position, max(0, g.sources - min(j + 1, g.sources))))
                if position >= max(0, end - g.sources):
                    write.append((base + j, batch, position, 0))
            base += count
            self.lengths[batch] = end
        return compress, write


def decode_plan(geometry, count):
    """One boundary a sequence, all with a window of which the first half is state: rows of a step of decoding."""
    g = geometry
    return [(g.sources - 1 + b, b, g.ratio - 1, g.sources // 2) for b in range(count)]


def prefill_plan(geometry, count, tokens=256):
    """All boundaries of whole prompts."""
    g = geometry
    return [(b * tokens + j, b, j, max(0, g.sources - (j + 1)))
            for b in range(count) for j in range(g.ratio - 1, tokens, g.ratio)]
