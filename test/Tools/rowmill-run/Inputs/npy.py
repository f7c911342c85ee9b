# Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
"""Writes and prints .npy files without numpy.

npy.py write FILE DESCR SHAPE [FIRST [STEP]]   an array that counts up
npy.py print FILE                              its header and elements
"""
import ast
import struct
import sys

CODES = {"f4": "f", "f8": "d", "i2": "h", "i8": "q", "u2": "H", "V2": "H"}


def write(path, descr, shape, first="0", step="1"):
    shape = tuple(int(size) for size in shape.split("x"))
    count = 1
    for size in shape:
        count *= size
    code = CODES[descr[1:]]
    kind = float if code in "fd" else int
    values = [kind(first) + i * kind(step) for i in range(count)]
    header = repr({"descr": descr, "fortran_order": False, "shape": shape})
    header = header.ljust(117) + "\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)))
        file.write(header.encode() + struct.pack(f"<{count}{code}", *values))


def show(path):
    with open(path, "rb") as file:
        content = file.read()
    length = struct.unpack("<H", content[8:10])[0]
    header = ast.literal_eval(content[10 : 10 + length].decode())
    data = content[10 + length :]
    code = CODES[header["descr"][1:]]
    values = struct.unpack(f"<{len(data) // struct.calcsize(code)}{code}", data)
    print(header["descr"], header["shape"])
    print(*(f"{value:g}" for value in values))


{"write": write, "print": show}[sys.argv[1]](*sys.argv[2:])
