# Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
"""Writes docs/isa-coverage.md: which instructions LLVM knows for the emulated archs,
which of them the emulator has, and which a unit test names.

    python3 tools/isa-coverage.py build            # writes the page
    python3 tools/isa-coverage.py build --check    # fails if it is not current
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "isa-coverage.md"
ARCHS = ("gfx942", "gfx950")

# What no compiler emits for compute on these archs, by pattern, and why.
OUT_OF_SCOPE = [
    (r"s_(buffer_)?atomic_\w+|s_(buffer_)?store_dword\w*|s_scratch_\w+|s_atc_\w+|s_dcache_(wb_vol|inv_vol|discard\w*)",
     "scalar stores and atomics: the decoder has them, gfx90a and later do not"),
    (r"tbuffer_\w+|buffer_(load|store)_format_\w+", "typed buffers: formats of graphics"),
    (r"ds_gws_\w+", "global wave sync: needs the driver"),
    (r"s_cbranch_([gi]_fork|join)|s_(rfe|setvskip|movrel|setkill|cbranch_cdbg|incperflevel|decperflevel|endpgm_ordered)\w*|s_sethalt",
     "forks, traps and debugging: the trap handler's, not a kernel's"),
    (r"s_sendmsg(halt)?", "messages to the host's driver"),
    (r"v_clrexcp|v_screen_partition_4se_b32|v_mfma_ld_scale_b32|v_interp_\w+", "not emitted, or half of another instruction"),
]
NOT_YET = {
    r"ds_read_b(64|96)_tr_\w+": "LDS transposes: which lane gets which element is not public in full",
    r"scratch_load_lds_\w+": "LDS from scratch: never seen in compiled code",
    r"ds_(append|consume|condxchg32\w*|wrap\w*|mskor\w*|wrxchg2\w*|cmpst\w*_f\d+)": "rare LDS operations",
}


def instructions(tool, arch):
    """{mnemonic: (format, implemented)}"""
    lines = subprocess.run([tool, arch], stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()
    return {name: (form, has == "yes") for form, name, has in (line.split() for line in lines)}


def reason(name, patterns):
    return next((why for pattern, why in patterns if re.fullmatch(pattern, name)), None)


def executed(build):
    """{arch: mnemonics} that the unit tests of the emulator execute. What a test executes it also checks: the tests run
    instructions on their own, or kernels made for one."""
    names = {arch: set() for arch in ARCHS}
    for test in ("RowmillEmulatorTests", "RowmillVALUTests"):
        binary = find(build, test)
        with tempfile.NamedTemporaryFile("r") as record:
            subprocess.run([binary, "--gtest_brief=1"], stdout=subprocess.DEVNULL, check=True,
                           env=os.environ | {"ROWMILL_EXECUTED_INSTRUCTIONS": record.name})
            for line in record.read().splitlines():
                arch, name = line.split()
                names.setdefault(arch, set()).add(re.sub(r"_(e32|e64|dpp|sdwa)$", "", name))
    return names


def find(build, name):
    return next(path for path in Path(build).rglob(name) if path.is_file())


def page(build):
    tool, names = find(build, "RowmillIsaCoverage"), executed(build)
    lines = ["# Which instructions the emulator has", "",
             "Written by `python3 tools/isa-coverage.py build`. *Known*: mnemonics that LLVM's disassembler knows for the arch. *In scope*: those that LLVM can "
             "emit for compute kernels. *Implemented*: the emulator executes them. *Tested*: a unit test executes them and checks what they do.", "",
             "| arch | format | known | in scope | implemented | tested |", "|---|---|---|---|---|---|"]
    missing, untested, excluded = {}, {}, {}
    for arch in ARCHS:
        rows, total = {}, [0, 0, 0, 0]
        for name, (form, has) in instructions(tool, arch).items():
            why = reason(name, OUT_OF_SCOPE)
            counts = rows.setdefault(form, [0, 0, 0, 0])
            tested = has and name in set().union(*names.values())
            for values in (counts, total):
                values[0] += 1
                values[1] += why is None
                values[2] += why is None and has
                values[3] += why is None and tested
            if why:
                excluded.setdefault(why, set()).add(name)
            elif not has:
                missing.setdefault(reason(name, NOT_YET.items()) or "not yet", set()).add(name)
            elif not tested:
                untested.setdefault(form, set()).add(name)
        for form, counts in sorted(rows.items()):
            lines.append(f"| {arch} | {form} | " + " | ".join(map(str, counts)) + " |")
        share = lambda part: f"{part} ({100 * part / total[1]:.1f} %)"
        lines.append(f"| **{arch}** | all | {total[0]} | {total[1]} | {share(total[2])} | {share(total[3])} |")
    for title, groups in (("In scope, but not implemented", missing), ("Implemented, but executed by no unit test", untested),
                          ("Not in scope", excluded)):
        lines += ["", f"## {title}", ""]
        lines += [f"* {why}: " + ", ".join(f"`{name}`" for name in sorted(group)) for why, group in sorted(groups.items())] or ["None."]
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", help="the build folder")
    parser.add_argument("--check", action="store_true", help="compare with the page instead of writing it")
    options = parser.parse_args()
    text = page(options.build)
    if not options.check:
        PAGE.write_text(text)
        return 0
    if PAGE.exists() and PAGE.read_text() == text:
        return 0
    print(f"{PAGE.relative_to(ROOT)} is not current: run python3 tools/isa-coverage.py {options.build}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
