# Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
"""Every source file says under which licence it comes and what its job is."""

import lint

MARK = "Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions."

complaints = []
for path in lint.files(["include", "lib", "python", "test", "tools"], {".cpp", ".h", ".td", ".py", ".cl"}):
    start = path.read_text().splitlines()[:6]
    if not any(MARK in line for line in start):
        complaints.append(f"{lint.name(path)}: has no licence line at its start")
lint.report("headers", complaints)
