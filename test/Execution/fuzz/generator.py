# Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# Random legal row kernels, each with what it must compute, said a second time in numpy.
"""A kernel is grown statement by statement: every statement adds a line of MLIR and the same step on arrays
[element, row] by the oracle. All values are f32 rows of one length; narrower types come and go within a statement. Only
steps that are defined to the bit are used, so that results are compared to the bit."""

from dataclasses import dataclass, field

import numpy as np

from oracle import formats, layouts, rows
from oracle.formats import F32

LENGTHS = [32, 64, 96, 128, 192, 256, 384, 512, 640, 1024]
DTYPES = ["f32", "bf16", "f16"]
ROWS = 19


def encode(x, dtype):
    """[element, row] f32 to the array that a memref of that type holds, [row, element]."""
    x = np.ascontiguousarray(x.T)
    return x if dtype == "f32" else formats.encode16(x, dtype)


def decode(codes, dtype):
    return np.ascontiguousarray(codes.T if dtype == "f32" else formats.decode16(codes, dtype).T)


@dataclass
class Output:
    """An argument that the kernel writes: its array's shape and type, and the bytes it must hold; `nan` is how a value
    whose bits are not defined is told."""

    shape: tuple
    dtype: type
    expected: np.ndarray  # over poison


@dataclass
class Kernel:
    seed: int
    length: int
    arguments: list = field(default_factory=list)  # "%x0: memref<...>"
    lines: list = field(default_factory=list)
    inputs: dict = field(default_factory=dict)
    outputs: dict = field(default_factory=dict)
    values: list = field(default_factory=list)  # (SSA name, array)
    rotates: bool = False

    @property
    def text(self):
        body = "\n".join(f"  {line}" for line in self.lines)
        return f"row.kernel @fuzz({', '.join(self.arguments)}) rows(%r in {ROWS}) {{\n{body}\n}}\n"


class Generator:
    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)
        self.count = 0
        self.kernel = Kernel(seed, int(self.rng.choice(LENGTHS)))

    def pick(self, options):
        return options[int(self.rng.integers(len(options)))]

    def name(self):
        self.count += 1
        return f"%v{self.count}"

    def row(self, element="f32", length=None):
        return f"vector<{length or self.kernel.length}x{element}>"

    def emit(self, line):
        self.kernel.lines.append(line)

    def add(self, expression, array):
        """A new value: `expression` is what stands behind `=`."""
        name = self.name()
        self.emit(f"{name} = {expression}")
        self.kernel.values.append((name, np.ascontiguousarray(array, F32)))
        return name

    def argument(self, kind, memref, array):
        name = f"{kind}{len(self.kernel.arguments)}"
        self.kernel.arguments.append(f"%{name}: {memref}")
        self.kernel.inputs[name] = array
        return name

    def value(self):
        return self.pick(self.kernel.values)

    def group(self, smallest=1):
        n = self.kernel.length
        sizes = [g for g in (1, 2, 4, 8, 16, 32, 64, 128, 256) if g >= smallest and n % g == 0 and g < n]
        return self.pick(sizes + [n])

    # ---- Statements ----

    def load(self):
        n, dtype = self.kernel.length, self.pick(DTYPES)
        spare, offset = int(self.rng.integers(0, 3)) * 16, 0
        rows_of = self.rng.standard_normal((ROWS, n + spare), F32) * F32(2.0) ** self.rng.integers(-3, 4, (ROWS, 1)).astype(F32)
        codes = encode(rows_of.T, dtype)
        name = self.argument("x", f"memref<{ROWS}x{n + spare}x{dtype}>", codes)
        at = ""
        if spare:
            offset = int(self.rng.integers(0, spare // 2 + 1)) * 2
            if self.rng.integers(2):
                column = self.name()
                self.emit(f"{column} = arith.constant {offset} : index")
                scaled, one = self.name(), self.name()
                # Not a constant when the kernel is compiled: it depends on the row, but is zero times it.
                self.emit(f"{one} = arith.constant 0 : index")
                self.emit(f"{scaled} = arith.muli %r, {one} : index")
                total = self.name()
                self.emit(f"{total} = arith.addi {scaled}, {column} : index")
                at = f" at {total}"
            else:
                at = f" at {offset}"
        part = decode(np.ascontiguousarray(codes[:, offset:offset + n]), dtype)
        memref = f"memref<{ROWS}x{n + spare}x{dtype}>"
        if dtype == "f32":
            self.add(f"row.load %{name}[%r]{at} : {memref} -> {self.row()}", part)
            return
        narrow = self.name()
        self.emit(f"{narrow} = row.load %{name}[%r]{at} : {memref} -> {self.row(dtype)}")
        self.add(f"arith.extf {narrow} : {self.row(dtype)} to {self.row()}", part)

    def constant(self):
        value = F32(self.pick([0.0, -0.0, 1.0, -1.5, 0.25, 3.0]))
        self.add(f"arith.constant dense<{float(value)!r}> : {self.row()}", np.full((self.kernel.length, ROWS), value, F32))

    def binary(self):
        (a, x), (b, y) = self.value(), self.value()
        op, function = self.pick([("arith.addf", np.add), ("arith.subf", np.subtract), ("arith.mulf", np.multiply),
                                  ("arith.maximumf", np.maximum), ("arith.minimumf", np.minimum)])
        z = function(x, y)
        if np.abs(z).max() > 2.0**30:
            return
        if op in ("arith.maximumf", "arith.minimumf"):
            # Of two zeros the positive one is the maximum; numpy takes either.
            zeros = (x == 0) & (y == 0)
            both = np.signbit(x) & np.signbit(y) if op == "arith.maximumf" else np.signbit(x) | np.signbit(y)
            z = np.where(zeros, np.where(both, F32(-0.0), F32(0.0)), z)
        self.add(f"{op} {a}, {b} : {self.row()}", z)

    def unary(self):
        a, x = self.value()
        op, function = self.pick([("arith.negf", np.negative), ("math.absf", np.abs)])
        self.add(f"{op} {a} : {self.row()}", function(x))

    def select(self):
        (a, x), (b, y), (t, u), (f, v) = (self.value() for _ in range(4))
        kind, function = self.pick([("ogt", np.greater), ("ole", np.less_equal), ("oeq", np.equal), ("une", np.not_equal)])
        condition = self.name()
        self.emit(f"{condition} = arith.cmpf {kind}, {a}, {b} : {self.row()}")
        self.add(f"arith.select {condition}, {t}, {f} : {self.row('i1')}, {self.row()}", np.where(function(x, y), u, v))

    def reduce(self):
        a, x = self.value()
        kind, group = self.pick(["add", "max", "absmax"]), self.group()
        grouped = x.reshape(-1, group, ROWS)
        if kind == "add":
            small = np.stack([rows.tree_sum(part) for part in grouped])
        elif kind == "absmax":
            small = rows.group_amax(x, group)
        else:
            small = grouped.max(axis=1)
            zero = small == 0
            allNegative = np.signbit(np.where(grouped == 0, grouped, F32(-0.0))).all(axis=1)
            small = np.where(zero, np.where(allNegative, F32(-0.0), F32(0.0)), small)
        if np.abs(small).max() > 2.0**30:
            return
        length, name = self.kernel.length // group, self.name()
        self.emit(f"{name} = row.reduce {kind} {a} group {group} : {self.row()} -> {self.row(length=length)}")
        self.add(f"row.broadcast {name} : {self.row(length=length)} -> {self.row()}", rows.spread(small, group))

    def norm(self):
        a, x = self.value()
        dtype = self.pick(DTYPES)
        codes = encode(self.rng.uniform(0.5, 2, (self.kernel.length, 1)).astype(F32), dtype)[0]
        weight = codes if dtype == "f32" else formats.decode16(codes, dtype)
        name = self.argument("w", f"memref<{self.kernel.length}x{dtype}>", np.ascontiguousarray(codes))
        loaded = self.name()
        self.emit(f"{loaded} = row.load %{name}[] : memref<{self.kernel.length}x{dtype}> -> {self.row(dtype)}")
        self.add(f"row.rmsnorm {a}, {loaded} eps 1.0e-06 : {self.row()}, {self.row(dtype)}",
                 rows.rmsnorm(x, weight, F32(1e-6)))

    def rope(self):
        a, x = self.value()
        half = int(self.pick([h for h in (8, 16, 32, 64) if 2 * h <= self.kernel.length]))
        offset = int(self.rng.integers(0, (self.kernel.length - 2 * half) // 16 + 1)) * 16
        angles = self.rng.uniform(-3, 3, (half, ROWS))
        tables = [encode(f(angles).astype(F32), "f32") for f in (np.cos, np.sin)]
        names = [self.argument("t", f"memref<{ROWS}x{half}xf32>", t) for t in tables]
        loaded = [self.name(), self.name()]
        for value, name in zip(loaded, names):
            self.emit(f"{value} = row.load %{name}[%r] : memref<{ROWS}x{half}xf32> -> {self.row(length=half)}")
        self.add(f"row.rope interleaved {a}, {loaded[0]}, {loaded[1]} at {offset} : {self.row()}, {self.row(length=half)}",
                 rows.rope(x, *(np.ascontiguousarray(t.T) for t in tables), offset))

    def hadamard(self):
        if self.kernel.length & (self.kernel.length - 1):
            return
        a, x = self.value()
        if np.abs(x).max() > 2.0**20:
            return
        self.kernel.rotates = True
        self.add(f"row.hadamard {a} : {self.row()}", rows.hadamard(x))

    def quantise(self):
        """There and back: codes and scales never meet memory."""
        a, x = self.value()
        sizes = [g for g in (32, 64, 128) if self.kernel.length % g == 0]
        group = self.pick(sizes + [self.kernel.length])
        codes, scales = rows.quantize_fp4(x, group, 0)
        length = self.kernel.length // group
        q, e = self.name(), self.name()
        self.emit(f"{q}, {e} = row.quantize {a} group {group} : {self.row()} -> {self.row('f4E2M1FN')}, "
                  f"{self.row('f8E8M0FNU', length)}")
        back = formats.fp4_decode(codes) * rows.spread(np.ldexp(F32(1), scales.astype(np.int64) - 127).astype(F32), group)
        self.add(f"row.dequantize {q}, {e} : {self.row('f4E2M1FN')}, {self.row('f8E8M0FNU', length)} -> {self.row()}", back)

    # ---- Outputs ----

    def output(self, memref, shape, dtype, expected):
        name = f"y{len(self.kernel.arguments)}"
        self.kernel.arguments.append(f"%{name}: {memref}")
        self.kernel.outputs[name] = Output(shape, dtype, expected)
        return name

    @staticmethod
    def poison(shape, dtype):
        return np.frombuffer(bytearray([0xA5]) * (int(np.prod(shape)) * np.dtype(dtype).itemsize), dtype).reshape(shape)

    def store(self):
        """A row, or a part of one, in any type."""
        a, x = self.value()
        n, dtype = self.kernel.length, self.pick(DTYPES)
        first, last = 0, n
        if self.rng.integers(2):
            first = int(self.rng.integers(0, n // 2)) // 2 * 2
            last = int(self.rng.integers(n // 2 + 1, n + 1))
        spare = int(self.rng.integers(0, 2)) * 8
        host = np.float32 if dtype == "f32" else np.uint16
        expected = self.poison((ROWS, n + spare), host)
        expected[:, spare:spare + last - first] = encode(x, dtype)[:, first:last]
        memref = f"memref<{ROWS}x{n + spare}x{dtype}>"
        name = self.output(memref, expected.shape, host, expected)
        if dtype != "f32":
            narrow = self.name()
            self.emit(f"{narrow} = arith.truncf {a} : {self.row()} to {self.row(dtype)}")
            a = narrow
        part = f"[{first} to {last}]" if (first, last) != (0, n) else ""
        at = f" at {spare}" if spare else ""
        self.emit(f"row.store {a}{part}, %{name}[%r]{at} : {self.row(dtype)}, {memref}")

    def scatter(self):
        """FP4 codes and scales into pages, by one of the layouts that the length allows."""
        a, x = self.value()
        n, slots = self.kernel.length, 32
        if n % 32:
            return
        codes, scales = rows.quantize_fp4(x, 32)
        packed = formats.fp4_pack(codes).T
        shuffled = n % 128 == 0 and bool(self.rng.integers(2))
        data, table = self.poison((1, slots * n // 2), np.uint8), self.poison((1, slots * n // 32), np.uint8)
        byte, group = np.arange(n // 2), np.arange(n // 32)
        order = self.rng.permutation(slots)[:ROWS]
        for row, slot in enumerate(order):
            at = layouts.fp4_preshuffle(slot, byte, slots) if shuffled else layouts.linear(slot, byte, n // 2)
            data[0, at] = packed[row]
            at = layouts.e8m0_interleave(slot, group, slots) if shuffled else layouts.linear(slot, group, n // 32)
            table[0, at] = scales[:, row]
        where = self.argument("slot", f"memref<{ROWS}xi32>", order.astype(np.int32))
        pages = f"memref<1x{slots * n // 2}xi8>", f"memref<1x{slots * n // 32}xi8>"
        names = [self.output(m, e.shape, np.uint8, e) for m, e in zip(pages, (data, table))]
        q, e, loaded, slot, page = (self.name() for _ in range(5))
        self.emit(f"{page} = arith.constant 0 : index")
        self.emit(f"{loaded} = memref.load %{where}[%r] : memref<{ROWS}xi32>")
        self.emit(f"{slot} = arith.index_cast {loaded} : i32 to index")
        codes_type, scales_type = self.row("f4E2M1FN"), self.row("f8E8M0FNU", n // 32)
        self.emit(f"{q}, {e} = row.quantize {a} group 32 floor 0x01C00000 : {self.row()} -> {codes_type}, {scales_type}")
        kinds = ([f"#row.fp4_preshuffle<slots = {slots}, length = {n}>", f"#row.e8m0_interleave<slots = {slots}, groups = {n // 32}>"]
                 if shuffled else [f"#row.linear<slots = {slots}, length = {n}>", f"#row.linear<slots = {slots}, length = {n // 32}>"])
        for value, name, layout, kind, memref in zip((q, e), names, kinds, (codes_type, scales_type), pages):
            self.emit(f"row.scatter {value}, %{name}[{page}, {slot}] layout({layout}) : {kind}, {memref}")

    def grow(self):
        self.load()
        steps = [self.load, self.constant, self.binary, self.binary, self.unary, self.select, self.reduce, self.norm, self.rope,
                 self.hadamard, self.quantise]
        for _ in range(int(self.rng.integers(2, 9))):
            self.pick(steps)()
        for _ in range(int(self.rng.integers(1, 3))):
            self.pick([self.store, self.store, self.scatter])()
        if not self.kernel.outputs:
            self.store()
        return self.kernel


def generate(seed):
    return Generator(seed).grow()
