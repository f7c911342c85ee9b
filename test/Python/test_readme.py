# Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
"""The README's example prints what the README says."""

import re

from conftest import ROOT


def fence(language):
    text = (ROOT / "README.md").read_text()
    return re.search(rf"^```{language}\n(.*?)^```", text, re.S | re.M)[1]


def test_example(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rotate.mlir").write_text(fence("mlir"))
    example = fence("python")
    exec(compile(example, "README.md", "exec"), {})
    assert capsys.readouterr().out.strip() == example.rsplit("# ", 1)[1].strip()
