# Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
"""What the rules share: the files of the project, and how a rule reports."""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def files(folders, suffixes):
    """The project's files under `folders` with one of `suffixes`, sorted."""
    found = (path for folder in folders for path in (ROOT / folder).rglob("*"))
    return sorted(path for path in found
                  if path.suffix in suffixes and "__pycache__" not in path.parts)


def name(path):
    return str(path.relative_to(ROOT))


def strip_comments(text):
    """C++ without its comments, line numbers kept; strings are left alone."""
    pattern = r'"(?:\\.|[^"\\\n])*"|//[^\n]*|/\*.*?\*/'
    return re.sub(
        pattern,
        lambda m: m[0] if m[0][0] == '"' else "\n" * m[0].count("\n"),
        text, flags=re.S)


def report(rule, complaints):
    """Prints the complaints and exits with 1 if there are any."""
    for complaint in complaints:
        print(f"{complaint}")
    if complaints:
        sys.exit(f"{rule}: {len(complaints)} to mend")
    print(f"{rule}: none to mend")
