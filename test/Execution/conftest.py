# Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# Finds the oracle and the harness beside this file, and reports at the end what was compiled, launched and excused.

import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parent))

from harness.device import COUNTS, WORST, rowmill  # noqa: E402

TOTAL = Counter()
WORST_OF_ALL = {}


def pytest_addoption(parser):
    parser.addoption("--oracle-only", action="store_true", help="skip what needs the rowmill package instead of failing")


def pytest_configure(config):
    if rowmill is None and not config.getoption("--oracle-only"):
        raise pytest.UsageError("the rowmill package cannot be imported: build it and set PYTHONPATH, or pass --oracle-only")


@pytest.fixture(autouse=True)
def quiet_numpy():
    """Infinities and NaNs are among the inputs."""
    with np.errstate(over="ignore", invalid="ignore", divide="ignore", under="ignore"):
        yield


def pytest_sessionfinish(session):
    output = getattr(session.config, "workeroutput", None)
    if output is None:
        add(COUNTS, WORST)
    else:
        output["counts"], output["worst"] = dict(COUNTS), dict(WORST)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node, error):
    output = getattr(node, "workeroutput", {})
    add(output.get("counts", {}), output.get("worst", {}))


def add(counts, worst):
    TOTAL.update(counts)
    for name, value in worst.items():
        WORST_OF_ALL[name] = max(WORST_OF_ALL.get(name, 0), value)


def pytest_terminal_summary(terminalreporter):
    terminalreporter.write_line(
        "{compiled} code objects compiled, {launched} launches compared, {fp4} FP4 codes of norm kernels, "
        "{ties} of them excused within 4 ulp of a tie".format(**{k: TOTAL[k] for k in ("compiled", "launched", "fp4", "ties")}))
    terminalreporter.write_line(
        "compressors: {codes} codes, {codes_off} of them one step off; {scales} scales, {scales_excused} excused within 2 ulp of a "
        "power of two; {bf16} bf16, {bf16_off} more than an ulp off".format(
            **{k: TOTAL[k] for k in ("codes", "codes_off", "scales", "scales_excused", "bf16", "bf16_off")}))
    for name, value in sorted(WORST_OF_ALL.items()):
        terminalreporter.write_line(f"worst {name}: {value:.2e}")
