# Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
"""Each pass has a summary, a description, a file and a test that bear its name."""

import re

import lint

PASS = re.compile(r'^def (\w+)\s*:\s*(?:Interface)?Pass<\s*"([\w-]+)"(.*?)^}', re.S | re.M)


def check(record, flag, body):
    if flag.replace("-", "") != record.lower():
        yield f"has the flag '{flag}'"
    for field in ("summary", "description"):
        if not re.search(rf"\blet {field} = ", body):
            yield f"has no {field}"
    # Conversions are named for what they convert: RowToLane, without Convert.
    stems = {record, record.removeprefix("Convert")}
    if not any(path.stem in stems for path in lint.files(["lib"], {".cpp"})):
        yield f"has no file {record}.cpp in lib"
    tests = lint.files(["test"], {".mlir", ".test"})
    if not any(path.stem == flag or path.stem.startswith(flag + "-")
               or path.parent.name in stems for path in tests):
        yield f"has no test {flag}.mlir"


complaints = []
for path in lint.files(["include"], {".td"}):
    for record, flag, body in PASS.findall(path.read_text()):
        complaints += [f"{lint.name(path)}: pass {record} {what}" for what in check(record, flag, body)]
lint.report("passes", complaints)
