# Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
"""Code objects to test the runtime with: assembled, so that no test of it
depends on what the compiler makes."""

import os
import pathlib
import shutil
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
INPUTS = ROOT / "test" / "Tools" / "rowmill-run" / "Inputs"
LLVM = os.environ.get("ROWMILL_LLVM_TOOLS", "/usr/lib/llvm-22/bin")


def find_tool(name):
    tool = shutil.which(name, path=os.pathsep.join([LLVM, os.environ["PATH"]]))
    assert tool, f"{name} not found; set ROWMILL_LLVM_TOOLS to LLVM's bin"
    return tool


def assemble(source, folder, arch="gfx950"):
    """Return the bytes of the code object that `source` assembles to."""
    text = source.read_text().replace("gfx950", arch)
    obj = folder / f"{source.stem}.{arch}.o"
    out = folder / f"{source.stem}.{arch}.hsaco"
    subprocess.run(
        [find_tool("llvm-mc"), "-triple=amdgcn-amd-amdhsa", f"-mcpu={arch}",
         "-filetype=obj", "-", "-o", obj],
        input=text.encode(), check=True)
    subprocess.run([find_tool("ld.lld"), "-shared", obj, "-o", out], check=True)
    return out.read_bytes()


@pytest.fixture(scope="session")
def scale_bytes(tmp_path_factory):
    return assemble(INPUTS / "scale.s", tmp_path_factory.mktemp("scale"))


@pytest.fixture(scope="session")
def pair_bytes(tmp_path_factory):
    return assemble(INPUTS / "pair.s", tmp_path_factory.mktemp("pair"))
