# Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# Specialises the compressor kernels, makes their inputs, and launches them between guards.

import re
from dataclasses import dataclass, replace

import numpy as np

from harness.device import POISON, Guarded, code_object
from harness.sources import KERNELS, aliases, specialise
from oracle import formats
from oracle.compressor import Geometry

EPSILON = 1e-6
MAX_POSITION = 4096
FORMS = ["bf16", "per_row_fp8", "group_fp8", "fp4"]
NAN_ROWS = 32  # behind the input; nothing may read them


@dataclass(frozen=True)
class Shape:
    """Everything that the aliases of a compressor depend on. `form` is what becomes of the pooled row."""

    form: str = "fp4"
    dim: int = 128
    ratio: int = 4
    overlap: bool = True
    rope_dim: int = 64
    page_slots: int = 64
    weight: str = "f32"
    shuffled: bool = True
    round: str = "up"
    flush: float = 0

    def with_(self, **changes):
        return replace(self, **changes)

    @property
    def geometry(self):
        return Geometry(self.dim, self.ratio, self.overlap, self.rope_dim)

    def __str__(self):
        extra = [name for name, on in (("linear", not self.shuffled), ("plain", self.round == "none"),
                                       ("bf16w", self.weight == "bf16"), ("flush", self.flush)) if on]
        return "-".join([self.form, f"D{self.dim}R{self.ratio}{'o' if self.overlap else ''}", f"rope{self.rope_dim}",
                         f"KB{self.page_slots}", *extra])


CSA_MAIN = Shape("bf16", 512)
CSA_MAIN_GROUPED = Shape("group_fp8", 512)
CSA_INDEXER = Shape("per_row_fp8", 128)
CSA_INDEXER_FP4 = Shape("fp4", 128)
HCA_MAIN = Shape("bf16", 512, ratio=128, overlap=False)
HCA_GROUPED = Shape("group_fp8", 512, ratio=128, overlap=False)


def scale_bytes(shape):
    return 2 * (shape.geometry.nope // 64)


def alias_values(shape, fp8):
    s, g, kb = shape, shape.geometry, shape.page_slots
    half = max(1, s.rope_dim // 2)
    values = {
        "!input": f"memref<?x{g.columns}xbf16, strided<[?, 1]>>",
        "!state": f"memref<?x?x{g.columns}xf32, strided<[?, ?, 1]>>",
        "!ape": f"memref<{s.ratio}x{g.columns}xf32>",
        "#ratio": f"{s.ratio} : i64",
        "#overlap": "true" if s.overlap else "false",
        "!f32": f"vector<{s.dim}xf32>",
        "#ratio_index": f"{s.ratio} : index",
        "#slots_index": f"{kb} : index",
        "!weight": f"memref<{s.dim}x{s.weight}>",
        "!wrow": f"vector<{s.dim}x{s.weight}>",
        "!table": f"memref<?x{half}xbf16>",
        "!angle": f"vector<{half}xbf16>",
        "#tail": f"{g.nope} : i64",
    }
    linear = lambda length: f"#row.linear<slots={kb}, length={length}>"
    page = lambda *sizes: f"memref<?x{'x'.join(map(str, sizes))}xi8, strided<[?, {', '.join(map(str, strides(sizes)))}]>>"
    if s.form == "bf16":
        values |= {"!cache": f"memref<?x{kb}x{s.dim}xbf16, strided<[?, ?, 1]>>", "!bf16": f"vector<{s.dim}xbf16>"}
    if s.form == "per_row_fp8":
        values |= {"!cache": page(kb, s.dim), "!scale": f"memref<?x{kb}x1xf32, strided<[?, 1, 1]>>",
                   "#data": f"#row.fp8_preshuffle<slots={kb}, length={s.dim}>" if s.shuffled else linear(s.dim),
                   "#scales": linear(1), "#group": f"{s.dim} : i64", "!fp8": f"vector<{s.dim}x{fp8.mlir}>",
                   "!sc": "vector<1xf32>"}
    if s.form == "group_fp8":
        groups = s.dim // 64
        values |= {"!cache": f"memref<?x{kb}x{s.dim}xi8, strided<[?, ?, 1]>>",
                   "!k_rope": f"memref<?x{kb}x{s.rope_dim}xbf16, strided<[?, ?, 1]>>", "#dim": f"{s.dim} : i64",
                   "#scale_bytes": f"{scale_bytes(s)} : i64", "!fp8": f"vector<{s.dim}x{fp8.mlir}>",
                   "!e8m0": f"vector<{groups}xf8E8M0FNU>", "!twice": f"vector<{2 * groups}xf8E8M0FNU>",
                   "!bf16": f"vector<{s.dim}xbf16>"}
    if s.form == "fp4":
        groups = s.dim // 32
        data = (s.dim // 128, 4, kb, 16) if s.shuffled else (kb, s.dim // 2)
        scale = (groups // 4, 4, kb) if s.shuffled else (kb, groups)
        values |= {"!cache": page(*data), "!scale": page(*scale), "!fp4": f"vector<{s.dim}xf4E2M1FN>",
                   "!e8m0": f"vector<{groups}xf8E8M0FNU>",
                   "#data": f"#row.fp4_preshuffle<slots={kb}, length={s.dim}>" if s.shuffled else linear(s.dim),
                   "#scales": f"#row.e8m0_interleave<slots={kb}, groups={groups}>" if s.shuffled else linear(groups)}
    if s.form == "pool":
        values |= {"!out": f"memref<?x{s.dim}xf32>"}
    if s.form == "update":
        values |= {"#ratio": f"{s.ratio} : i32", "!row": f"vector<{g.columns}xbf16>", "!f32": f"vector<{g.columns}xf32>"}
    return values


def strides(sizes):
    return [int(np.prod(sizes[i + 1:])) for i in range(len(sizes))]


def file_of(form):
    return KERNELS / "Compressor" / {"update": "update_states.mlir"}.get(form, f"compress_{form}.mlir")


def kernel_name(form):
    return file_of(form).stem


def source(shape, arch="gfx950"):
    """The one file of a form, for a shape. Besides aliases: without a rotated part the lines of the rotation go, and the
    words `round up` and the option `flush` are set."""
    text = file_of(shape.form).read_text()
    values = alias_values(shape, formats.FP8_OF_ARCH[arch])
    text = specialise(text, {name: values[name] for name in aliases(text) if name in values})
    if shape.rope_dim == 0 and shape.form not in ("pool", "update"):
        text = re.sub(r"^  %(ratio|first|cosines|sines|r) = .*\n", "", text, flags=re.MULTILINE)
        text = re.sub(r"%r\b", "%n", text)
    if shape.round == "none":
        text = text.replace("round up", "round none")
    if shape.flush:
        text = re.sub(r"(row\.quantize .*?)( :)", rf"\1 flush {shape.flush!r}\2", text)
    return text


def loaded(shape, arch, waves=0, workgroups=0, lanes=0):
    return code_object(source(shape, arch), arch, lanes, waves, workgroups)


# ---- Inputs -------------------------------------------------------------------------------------------------------


def tables(rope_dim):
    half = max(1, rope_dim // 2)
    angles = np.arange(MAX_POSITION)[:, None] / 10000.0 ** (np.arange(half) / half)
    encode = lambda v: formats.bf16_encode(v.astype(np.float32))
    return encode(np.cos(angles)), encode(np.sin(angles))


def weight_of(shape, rng):
    values = rng.uniform(0.5, 1, shape.dim).astype(np.float32)
    if shape.weight == "f32":
        return values, values.astype(np.float64)
    codes = formats.bf16_encode(values)
    return codes, formats.bf16_decode(codes).astype(np.float64)


@dataclass
class Inputs:
    """What a compressor reads. `kv_in` and `score_in` are bf16 codes; behind the tokens lie rows of NaN."""

    kv_in: np.ndarray
    score_in: np.ndarray
    kv_state: np.ndarray
    score_state: np.ndarray
    state_slots: np.ndarray
    ape: np.ndarray
    plan: np.ndarray

    def sources(self):
        return self.kv_in, self.score_in, self.kv_state, self.score_state, self.state_slots, self.ape


def random_rows(rng, count, columns, size):
    rows = formats.bf16_encode((rng.standard_normal((count, columns), np.float32) * size))
    return np.concatenate([rows, np.full((NAN_ROWS, columns), 0x7FC0, np.uint16)])


def make_inputs(geometry, plan, tokens, rng, ring=None, sequences=None, slots=None):
    """Inputs of a step with random contents. States start as NaN, but for the slots of the sequences."""
    g = geometry
    sequences = sequences or int(plan[:, 1].max()) + 1
    slots = rng.permutation(sequences + 2)[:sequences].astype(np.int32) if slots is None else slots
    shape = (int(slots.max()) + 2, ring or g.sources, g.columns)
    states = []
    for size in (0.1, 0.5):
        state = np.full(shape, np.nan, np.float32)
        state[slots] = rng.standard_normal((sequences, *shape[1:]), np.float32) * np.float32(size)
        states.append(state)
    ape = rng.standard_normal((g.ratio, g.columns), np.float32) * np.float32(0.1)
    return Inputs(random_rows(rng, tokens, g.columns, np.float32(0.1)), random_rows(rng, tokens, g.columns, np.float32(0.5)),
                  *states, slots, ape, plan)


# ---- Outputs ------------------------------------------------------------------------------------------------------


def page_outputs(shape, pages):
    """{name: (shape, dtype)} of the caches."""
    s, kb = shape, shape.page_slots
    if s.form == "bf16":
        return {"cache": ((pages, kb, s.dim), np.uint16)}
    if s.form == "per_row_fp8":
        return {"cache": ((pages, kb, s.dim), np.uint8), "scale": ((pages, kb, 1), np.float32)}
    if s.form == "group_fp8":
        return {"cache": ((pages, kb, s.dim), np.uint8), "k_rope": ((pages, kb, s.rope_dim), np.uint16)}
    groups = s.dim // 32
    if s.shuffled:
        return {"cache": ((pages, s.dim // 128, 4, kb, 16), np.uint8), "scale": ((pages, groups // 4, 4, kb), np.uint8)}
    return {"cache": ((pages, kb, s.dim // 2), np.uint8), "scale": ((pages, kb, groups), np.uint8)}


def poisoned(spec):
    return {name: Guarded(*what) for name, what in spec.items()}


def check_guards(buffers):
    for name, buffer in buffers.items():
        buffer.check(name)


POISON_WORDS = {np.uint8: POISON, np.uint16: POISON * 0x0101}
