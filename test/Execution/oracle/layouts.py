# Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# Where each byte of a paged cache or a scale table lands: the byte formulas, as plain index arithmetic.
"""Every function gives the offset inside one page; it takes integers or arrays. KB is the number of slots in a page."""

import numpy as np


def linear(slot, element, length):
    return slot * length + element


def fp4_preshuffle(slot, byte, kb):
    """Byte of a page [D/128, 4, KB, 16] that holds packed byte 'byte' (elements 2*byte and 2*byte+1) of a slot."""
    tile, rest = byte // 64, byte % 64
    return tile * 4 * kb * 16 + (rest // 16) * kb * 16 + slot * 16 + rest % 16


def interleaved_slot(slot, kb):
    return (slot % 16) * (kb // 16) + slot // 16


def e8m0_interleave(slot, group, kb):
    """Byte of a page [D/128, 4, KB] that holds the scale of a group of 32 elements."""
    return (group // 4) * 4 * kb + (group % 4) * kb + interleaved_slot(slot, kb)


def fp8_preshuffle(slot, element, length):
    """Tiles of 16 slots by 16 elements, a slot's 16 elements together."""
    return (slot // 16) * 16 * length + (element // 16) * 256 + (slot % 16) * 16 + element % 16


def query_tiles(heads):
    """Tiles of 16 heads, padded to a multiple of four."""
    return -(-(heads // 16) // 4) * 4


def query_scale(head, group, heads):
    """Byte of one token's [G, 16, tiles] table, tiles innermost and padded with zeros."""
    return (group * 16 + head % 16) * query_tiles(heads) + head // 16


def place(page_bytes, offsets, values):
    """Writes values at offsets of a flat page; refuses two values for one byte."""
    offsets = np.asarray(offsets).ravel()
    assert len(np.unique(offsets)) == len(offsets), "layout sends two values to one byte"
    page_bytes[offsets] = np.asarray(values).ravel()
