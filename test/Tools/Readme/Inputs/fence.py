# Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
"""Prints the first block of a language in a Markdown file: fence.py FILE LANGUAGE."""

import re
import sys
from pathlib import Path

text = Path(sys.argv[1]).read_text()
print(re.search(rf"^```{sys.argv[2]}\n(.*?)^```", text, re.S | re.M)[1], end="")
