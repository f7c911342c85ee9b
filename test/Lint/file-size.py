# Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
"""A file that has grown past the ceiling does two jobs."""

import lint

CEILING = 500
README_CEILING = 120

complaints = []
for path in lint.files(["include", "lib", "python", "tools"], {".cpp", ".h", ".td", ".py"}):
    lines = len(path.read_text().splitlines())
    if lines > CEILING:
        complaints.append(f"{lint.name(path)}: {lines} lines, expects at most {CEILING}")
lines = len((lint.ROOT / "README.md").read_text().splitlines())
if lines > README_CEILING:
    complaints.append(f"README.md: {lines} lines, expects at most {README_CEILING}")
lint.report("file-size", complaints)
