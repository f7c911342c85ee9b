# Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
"""What each compressor costs, split by split: registers, LDS, instructions that a
wave executes for one boundary, and bytes moved against the least there are. Runs
on the emulator; the counts do not depend on the machine.

    PYTHONPATH=build/python python3 test/Benchmarks/compressor-table.py           # prints the table
    PYTHONPATH=build/python python3 test/Benchmarks/compressor-table.py --write   # puts it into docs/Compressor.md
"""

import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "test" / "Execution"))

from harness import compressor as c  # noqa: E402
from harness.compressor import CSA_INDEXER, CSA_INDEXER_FP4, CSA_MAIN, CSA_MAIN_GROUPED, HCA_GROUPED, HCA_MAIN  # noqa: E402
from test_compress_matrix import Step  # noqa: E402

ROWS = 64
SHAPES = {"csa_main bf16": CSA_MAIN, "csa_main group_fp8": CSA_MAIN_GROUPED, "csa_indexer fp8": CSA_INDEXER,
          "csa_indexer fp4": CSA_INDEXER_FP4, "hca_main bf16": HCA_MAIN, "hca_main group_fp8": HCA_GROUPED}
CSA_SPLITS = [(1, 1), (2, 1), (4, 1), (8, 1)]
HCA_SPLITS = [(1, 1), (4, 1), (8, 1), (4, 2), (8, 2), (8, 4), (8, 8)]
BEGIN, END = "<!-- table: made by test/Benchmarks/compressor-table.py --write -->", "<!-- end of table -->"


def written_bytes(shape):
    """What a row must write: codes, scales, the rotated part."""
    g = shape.geometry
    return {"bf16": 2 * g.dim, "per_row_fp8": g.dim + 4, "group_fp8": g.nope + c.scale_bytes(shape) + 2 * g.rope_dim,
            "fp4": g.dim // 2 + g.dim // 32}[shape.form]


def full_windows(shape):
    """Boundaries whose sources are all input, one a sequence."""
    g = shape.geometry
    plan = [(g.sources - 1 + g.ratio * b, b, 2 * g.sources - 1, 0) for b in range(ROWS)]
    return Step(shape, plan, g.sources + g.ratio * ROWS, None, 1, capacity=ROWS)


def measure(name, shape, arch, waves, workgroups, step):
    """One line of the table; the rows are compared with the oracle on the way."""
    loaded = c.loaded(shape, arch, waves, workgroups)
    _, stats = step.check(loaded, shape, arch)
    launches = loaded.info(c.kernel_name(shape.form))["variants"][0]["launches"]
    of_each = lambda get: " + ".join(str(get(launch)) for launch in launches)
    g = shape.geometry
    least = g.sources * g.dim * 2 * 2 + written_bytes(shape)
    moved = (stats["global_load_bytes"] + stats["global_store_bytes"]) / ROWS
    cells = [name, arch, waves, workgroups, of_each(lambda launch: launch["partition"]["lanes_per_row"]),
             of_each(lambda launch: launch["resources"]["vgprs"]), of_each(lambda launch: launch["resources"]["lds_bytes"]),
             f"{stats['instructions'] / ROWS:.0f}", f"{moved:.0f}", least, f"{moved / least:.2f}"]
    return "| " + " | ".join(map(str, cells)) + " |"


def table(archs):
    titles = ["shape", "arch", "waves a row", "workgroups a row", "lanes a row", "VGPRs", "LDS bytes", "wave instructions a row",
              "bytes a row", "least bytes", "ratio"]
    lines = ["| " + " | ".join(titles) + " |", "|---" * len(titles) + "|"]
    for name, shape in SHAPES.items():
        step = full_windows(shape)
        for arch in archs:
            for waves, workgroups in HCA_SPLITS if shape.ratio == 128 else CSA_SPLITS:
                lines.append(measure(name, shape, arch, waves, workgroups, step))
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--archs", nargs="+", default=["gfx950", "gfx942"])
    parser.add_argument("--write", action="store_true", help="replace the table in docs/Compressor.md")
    options = parser.parse_args()
    text = table(options.archs)
    if not options.write:
        print(text)
        return
    path = ROOT / "docs" / "Compressor.md"
    before, rest = path.read_text().split(BEGIN)
    path.write_text(f"{before}{BEGIN}\n{text}\n{rest[rest.index(END):]}")


if __name__ == "__main__":
    main()
