# Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
"""Passes ask the arch table what an arch can do; none compares names. So no
name of an arch is spelt in lib/ but in that table and in the emulator, which
has a decoder for each."""

import re

import lint

ALLOWED = ("lib/Target/Arch.cpp", "lib/Emulator/")

complaints = []
for path in lint.files(["include", "lib"], {".cpp", ".h", ".td"}):
    if lint.name(path).startswith(ALLOWED):
        continue
    for number, line in enumerate(lint.strip_comments(path.read_text()).splitlines(), 1):
        for literal in re.findall(r'"gfx\w*"', line):
            complaints.append(f"{lint.name(path)}:{number}: spells the arch {literal}; ask for a capability")
lint.report("arch-names", complaints)
