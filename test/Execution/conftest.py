# Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# Finds the oracle and the harness beside this file, and keeps numpy quiet where a test wants infinities.

import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture(autouse=True)
def quiet_numpy():
    with np.errstate(over="ignore", invalid="ignore", divide="ignore", under="ignore"):
        yield
