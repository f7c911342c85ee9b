# Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
"""Links between pages lead to files, and every page is in the index."""

import re

import lint

INDEX = lint.ROOT / "docs" / "README.md"

complaints = []
pages = [*sorted(lint.ROOT.glob("*.md")), *lint.files(["docs"], {".md"})]
linked = set()
for page in pages:
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text()):
        if target.startswith(("http:", "https:")):
            continue
        path = (page.parent / target).resolve()
        if not path.exists():
            complaints.append(f"{lint.name(page)}: there is no {target}")
        if page == INDEX:
            linked.add(path)
for page in lint.files(["docs"], {".md"}):
    if page != INDEX and page not in linked:
        complaints.append(f"{lint.name(page)}: is not in docs/README.md")
lint.report("docs", complaints)
