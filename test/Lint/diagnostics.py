# Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
"""Every message that a user can see occurs in a test, starts in lower case and
ends without a period."""

import re

import lint

CALL = re.compile(r"\b(?:emit(?:Op)?Error|emitRemark|emitWarning|createStringError|makeError|fail)\s*\(")
STRING = re.compile(r'"((?:\\.|[^"\\\n])*)"')
PLACEHOLDER = re.compile(r"%s|\{\d[^}]*\}")
ADJACENT = re.compile(r'"\s*\n\s*"')

# Messages that no input of a test can bring about, with the reason.
UNREACHABLE = {
    "LLVM has no": "the LLVM that is linked has AMDGPU",
    "AMDGPU target": "the LLVM that is linked has AMDGPU",
    "register information": "the LLVM that is linked has AMDGPU",
    "opcode that the decoder knows operand types from": "the LLVM that is linked has AMDGPU",
    "no code generator for": "the LLVM that is linked has AMDGPU",
    "the code generator cannot emit this file": "the LLVM that is linked has AMDGPU",
    "expects a chip that MLIR knows, but got": "every arch of the table is such a chip",
    "is left after the rows were distributed": "every op of the dialect has a distribution, or a parent that row-tile removes",
    "cannot link": "the system is out of memory or of files",
    "cannot link: an earlier link crashed": "no link is known to crash",
}


def plain(text):
    """Without what FileCheck, C++ and Python escape, and with single blanks."""
    return re.sub(r"\s+", " ", ADJACENT.sub("", text).replace("\\", ""))


def messages(text):
    """The line and the literal pieces of each message of a C++ file."""
    code = lint.strip_comments(text)
    for call in CALL.finditer(code):
        statement = code[call.end():code.find(";", call.end())]
        pieces = [plain(piece) for literal in STRING.findall(ADJACENT.sub("", statement))
                  for piece in PLACEHOLDER.split(literal)]
        if any(pieces):
            yield code.count("\n", 0, call.start()) + 1, pieces


tested = plain("\n".join(
    path.read_text(errors="replace")
    for path in lint.files(["test"], {".mlir", ".test", ".cpp", ".py", ".s"})
    if path.parent.name != "Lint"))
complaints = []
for path in lint.files(["include", "lib", "python", "tools"], {".cpp", ".h"}):
    for line, pieces in messages(path.read_text()):
        place = f"{lint.name(path)}:{line}"
        longest = max(pieces, key=len).strip(" '(),;:")
        if re.match(r"[A-Z][a-z]", pieces[0]):
            complaints.append(f"{place}: '{pieces[0]}' starts in upper case")
        if pieces[-1].endswith(".") and len(pieces[-1]) > 1:
            complaints.append(f"{place}: '{pieces[-1]}' ends in a period")
        if longest not in tested and longest not in UNREACHABLE:
            complaints.append(f"{place}: no test for '{longest}'")
lint.report("diagnostics", complaints)
