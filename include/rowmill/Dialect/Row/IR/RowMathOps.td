// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Ops on whole rows: reductions, norm, rope, Hadamard rotation.

#ifndef ROWMILL_DIALECT_ROW_IR_ROWMATHOPS_TD
#define ROWMILL_DIALECT_ROW_IR_ROWMATHOPS_TD

include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "rowmill/Dialect/Row/IR/RowAttrs.td"
include "rowmill/Dialect/Row/IR/RowTypes.td"

def Row_ReduceOp : Row_Op<"reduce", [Pure]> {
  let summary = "reduce each group of neighbouring elements to one";
  let description = [{
    Element `g` of the result is the reduction of the elements
    `[g * G, (g + 1) * G)`. G need not be a power of two.

    - `add` is a tree over ascending bits of the element index: neighbours are
      added first, `s = [x0 + x1, x2 + x3, ...]`, then the neighbours in `s`, and
      so on; a group is first padded with +0 up to a power of two. Each sum is
      rounded to the element type.
    - `max` is `arith.maximumf` (`arith.maxsi` for integers): NaN wins, and +0 is
      more than -0.
    - `absmax` compares the bit patterns of `|x|` as unsigned integers, so that
      NaN is more than infinity; the result is the largest pattern.

    Constraints:

    - G divides the length of the row.
    - `absmax` is for floats.

    Example:

    ```mlir
    %m = row.reduce absmax %x group 32 : vector<128xf32> -> vector<4xf32>
    ```
  }];
  let arguments = (ins
    Row_ReduceKindAttr:$kind,
    Row_VectorOf<[F32, F16, BF16, I32]>:$input,
    I64Attr:$group
  );
  let results = (outs Row_VectorOf<[F32, F16, BF16, I32]>:$result);
  let assemblyFormat = [{
    `` $kind $input `group` $group attr-dict
    `:` type($input) `->` type($result)
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def Row_BroadcastOp : Row_Op<"broadcast", [Pure]> {
  let summary = "repeat each element for a group of neighbours";
  let description = [{
    Element `i` of the result is element `i / (D / G)` of the operand, for an
    operand of length G and a result of length D.

    Constraints:

    - G divides D; operand and result have the same element type.

    Example:

    ```mlir
    %b = row.broadcast %m : vector<4xf32> -> vector<128xf32>
    %t = row.broadcast %e : vector<8xf8E8M0FNU> -> vector<16xf8E8M0FNU>
    ```
  }];
  let arguments = (ins Row_VectorOf<[F32, F16, BF16, I32, F8E8M0FNU]>:$input);
  let results = (outs Row_VectorOf<[F32, F16, BF16, I32, F8E8M0FNU]>:$result);
  let assemblyFormat = "$input attr-dict `:` type($input) `->` type($result)";
  let extraClassDeclaration = [{
    /// Elements of the result that one element of the operand fills.
    int64_t getGroup() {
      return getResult().getType().getDimSize(0) /
             getInput().getType().getDimSize(0);
    }
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Row_RmsNormOp : Row_Op<"rmsnorm", [
    Pure, AllTypesMatch<["input", "result"]>]> {
  let summary = "scale a row by the inverse of its root mean square";
  let description = [{
    In f32, with `x` the row and `w` the weight, both extended to f32 first:

    ```
    ss   = sum(x[i] * x[i])              each product rounded; the tree of
                                         row.reduce add over the whole row
    r    = rsqrt(ss * f32(1 / D) + eps)  product, then sum, each rounded
    y[i] = (x[i] * r) * w[i]
    ```

    `rsqrt` may be the machine's approximation (1 ulp). The result is rounded to
    the row's element type.

    - `one_plus_weight`: `w[i]` is replaced by `1 + w[i]`, rounded to f32.
    - `round_to_weight`: multiplies in the weight's element type. `x[i] * r` is
      rounded to that type, and so is `1 + w[i]` if asked for; the product of the
      two is rounded to it once more, and then converted to the row's element
      type. For a weight of f32 this changes nothing.

    Constraints:

    - The weight has the length of the row.
    - `eps` is an f32 value, or a constant that is finite and not negative.

    Example:

    ```mlir
    %n = row.rmsnorm %x, %w eps 1.0e-06 : vector<128xf32>, vector<128xbf16>
    %m = row.rmsnorm %x, %w eps %e one_plus_weight : vector<128xf32>, vector<128xbf16>
    ```
  }];
  let arguments = (ins
    Row_FloatRow:$input,
    Row_FloatRow:$weight,
    Optional<F32>:$epsilon_value,
    OptionalAttr<F32Attr>:$epsilon,
    UnitAttr:$round_to_weight,
    UnitAttr:$one_plus_weight
  );
  let results = (outs Row_FloatRow:$result);
  let assemblyFormat = [{
    $input `,` $weight `eps` custom<Epsilon>($epsilon_value, $epsilon)
    (`round_to_weight` $round_to_weight^)?
    (`one_plus_weight` $one_plus_weight^)?
    attr-dict `:` type($input) `,` type($weight)
  }];
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
}

def Row_RopeOp : Row_Op<"rope", [
    Pure, AllTypesMatch<["input", "result"]>, AllTypesMatch<["cos", "sin"]>]> {
  let summary = "rotate pairs of elements by position-dependent angles";
  let description = [{
    Rotates the RD elements from `at` on, RD being twice the length of `cos` and
    `sin`; the other elements pass unchanged. Pair `i` is

    - `interleaved`: the elements `at + 2 * i` and `at + 2 * i + 1`,
    - `half_split`: the elements `at + i` and `at + RD / 2 + i`.

    With `(e, o)` a pair and `c = cos[i]`, `s = sin[i]`, all extended to f32:

    ```
    e' = (e * c) - (o * s)
    o' = (o * c) + (e * s)
    ```

    Each product and each sum is rounded to f32; never a fused multiply-add. The
    pair is then rounded to the row's element type. Without `at` the range starts
    at 0.

    Constraints:

    - `cos` and `sin` have the same type.
    - `at` is even and not negative, and the range ends within the row.

    Example:

    ```mlir
    %r = row.rope interleaved %x, %c, %s at 64 : vector<128xf32>, vector<32xbf16>
    ```
  }];
  let arguments = (ins
    Row_RopeStyleAttr:$style,
    Row_FloatRow:$input,
    Row_FloatRow:$cos,
    Row_FloatRow:$sin,
    DefaultValuedAttr<I64Attr, "0">:$offset
  );
  let results = (outs Row_FloatRow:$result);
  let assemblyFormat = [{
    `` $style $input `,` $cos `,` $sin (`at` $offset^)? attr-dict
    `:` type($input) `,` type($cos)
  }];
  let extraClassDeclaration = [{
    /// Number of elements that are rotated.
    int64_t getRange() { return 2 * getCos().getType().getDimSize(0); }
  }];
  let hasVerifier = 1;
}

def Row_HadamardOp : Row_Op<"hadamard", [Pure, SameOperandsAndResultType]> {
  let summary = "Walsh-Hadamard rotation of a row, natural order";
  let description = [{
    `y[i] = D^(-1/2) * sum_j (-1)^popcount(i & j) * x[j]`, D a power of two.

    In f32: the row is extended, then for `h = 1, 2, 4, ...` up to `D / 2` each
    pair `(a, b) = (x[j], x[j + h])` with `j & h == 0` becomes `(a + b, a - b)`,
    then each element is multiplied by `f32(D^(-1/2))`. Every operation is rounded
    on its own. The result is rounded to the row's element type.

    Constraints:

    - The length of the row is a power of two.

    Example:

    ```mlir
    %y = row.hadamard %x : vector<128xf32>
    ```
  }];
  let arguments = (ins Row_FloatRow:$input);
  let results = (outs Row_FloatRow:$result);
  let assemblyFormat = "$input attr-dict `:` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

#endif // ROWMILL_DIALECT_ROW_IR_ROWMATHOPS_TD
