// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Pooling of several source rows into one.

#ifndef ROWMILL_DIALECT_ROW_IR_ROWPOOLOPS_TD
#define ROWMILL_DIALECT_ROW_IR_ROWPOOLOPS_TD

include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "rowmill/Dialect/Row/IR/RowDialect.td"
include "rowmill/Dialect/Row/IR/RowTypes.td"

def Row_SoftmaxPoolOp : Row_Op<"softmax_pool", [
    RecursiveMemoryEffects, SameVariadicOperandSize, SingleBlock]> {
  let summary = "average rows, element by element, with softmax weights";
  let description = [{
    Syntax:

    ```
    operation ::= `row.softmax_pool` (`sources` integer)? attr-dict loop+
                  `->` type
    loop      ::= `(` ssa-id `=` ssa-id `to` ssa-id `)` region
    ```

    Each loop runs its body for every `k` of `[from, to)`; a body ends in a
    `row.yield` of one score row `z` and one value row `x`, a *source*. With the
    sources of all loops taken together, for each element `d`, in f32:

    ```
    y[d] = sum_k p_k[d] * x_k[d],   p_k[d] = exp(z_k[d]) / sum_j exp(z_j[d])
    ```

    computed without overflow, as an online softmax: `(m, v, w)` start as
    `(-FLT_MAX, 0, 0)` and take in a source by

    ```
    t = exp(-|z - m|)
    a, b = z > m ? (t, 1) : (1, t)
    m, v, w = max(m, z), fma(v, a, b * x), fma(w, a, b)
    ```

    and at the end `y = v * (1 / max(w, 1))`. `exp` and `1 / w` may be the
    machine's approximations (1 ulp); the order in which sources are taken in is
    not defined, and sources may be taken in apart and merged.

    - A source whose score is -inf at an element contributes nothing there,
      whatever its value is, NaN included. Where all are, or there are none, `y`
      is +0.
    - A score or value of NaN that is not masked makes `y` NaN there.

    `sources` is the number of sources, where it is the same for every row: what
    the number of waves that share a pool is chosen from, and has to divide.

    Constraints:

    - Scores and values are f32 rows of the result's type.
    - A body reads memory, but writes none.
    - `sources` is 1 or more.

    Example:

    ```mlir
    %c = row.softmax_pool sources 8 (%k = %c0 to %n) {
      %z = row.load %scores[%row, %k] : memref<?x8x128xf32> -> vector<128xf32>
      %x = row.load %values[%row, %k] : memref<?x8x128xf32> -> vector<128xf32>
      row.yield %z, %x : vector<128xf32>
    } -> vector<128xf32>
    ```
  }];
  let arguments = (ins
    Variadic<Index>:$lower_bounds,
    Variadic<Index>:$upper_bounds,
    OptionalAttr<I64Attr>:$sources
  );
  let results = (outs Row_F32Row:$result);
  let regions = (region VariadicRegion<SizedRegion<1>>:$bodies);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

def Row_YieldOp : Row_Op<"yield", [
    Pure, Terminator, HasParent<"SoftmaxPoolOp">,
    AllTypesMatch<["score", "value"]>]> {
  let summary = "end a loop of a pool with one source";
  let description = [{
    Gives the score and the value of one source to `row.softmax_pool`.

    Example:

    ```mlir
    row.yield %score, %value : vector<128xf32>
    ```
  }];
  let arguments = (ins Row_F32Row:$score, Row_F32Row:$value);
  let assemblyFormat = "$score `,` $value attr-dict `:` type($score)";
}

def Row_CompressOp : Row_Op<"compress", [
    HasParent<"KernelOp">, AllTypesMatch<["kv", "score"]>,
    AllTypesMatch<["kv_state", "score_state"]>]> {
  let summary = "pool the window of tokens that ends at a boundary";
  let description = [{
    One row of a KV compressor: `R` = `ratio` tokens, and with `overlap` the `R`
    tokens before them, become one row of length D by `row.softmax_pool`. With
    `o` = 1 for `overlap true`, else 0, a window has `K = (1 + o) * R` sources, and
    input rows have `DF = (1 + o) * D` columns.

    `plan[row]` holds four numbers: `ragged`, the row of the window's last token
    in the input; `batch`, its sequence; `position`, its place in the sequence,
    of which `(position + 1) % R == 0`; `window`, the number of leading sources
    that lie in the state ring. A row with a negative position is skipped as by
    `row.guard`: nothing but the plan is read. For `k` in `[0, K)`, with
    `p = position - K + 1 + k` and the columns from `D` on where `o` and
    `k >= R`, else those from 0 on:

    ```
    k < window:   z = score_state[slots[batch], p % SS]        SS: size of the ring
                  x = kv_state[slots[batch], p % SS]
    k >= window:  z = score_in[ragged - K + 1 + k] + ape[k % R]
                  x = kv_in[ragged - K + 1 + k]
    p < 0:        left out: the sequence has no such token
    ```

    Inputs are extended to f32 first; the state holds scores that `ape` was
    already added to. A `window` outside `[0, K]` counts as the nearer of both.

    The results are the pooled row, `batch`, and `position / R`: the number of
    the compressed token in its sequence. Its rotary position is
    `(position / R) * R`.

    Constraints:

    - `kv` and `score` have one type, a memref `[tokens, DF]` of bf16, f16 or
      f32; `kv_state` and `score_state` one type, a memref `[slots, SS, DF]` of
      f32 with SS of K or more.
    - `ape` is a memref `[R, DF]` of f32, `state_slots` a memref of i32 of rank
      1, `plan` a memref `[rows, 4]` of i32.
    - The result has D elements of f32, `ratio` is 1 or more.

    Example:

    ```mlir
    %c, %batch, %index = row.compress %kv, %score state %kv_state, %score_state[%slots] ape %ape plan %plan[%row] ratio 4 overlap true
        : memref<?x256xbf16, strided<[?, 1]>>, memref<?x?x256xf32>, memref<?xi32>, memref<4x256xf32>, memref<?x4xi32> -> vector<128xf32>
    ```
  }];
  let arguments = (ins
    Arg<Row_Memref, "new tokens", [MemRead]>:$kv,
    Arg<Row_Memref, "scores of the new tokens", [MemRead]>:$score,
    Arg<Row_Memref, "ring of former tokens", [MemRead]>:$kv_state,
    Arg<Row_Memref, "ring of their scores", [MemRead]>:$score_state,
    Arg<Row_Memref, "slot in the state of each sequence", [MemRead]>:$state_slots,
    Arg<Row_Memref, "bias of the scores", [MemRead]>:$ape,
    Arg<Row_Memref, "what to compress", [MemRead]>:$plan,
    Index:$row,
    I64Attr:$ratio,
    DefaultValuedAttr<BoolAttr, "false">:$overlap
  );
  let results = (outs Row_F32Row:$pooled, Index:$batch, Index:$index);
  let assemblyFormat = [{
    $kv `,` $score `state` $kv_state `,` $score_state `[` $state_slots `]`
    `ape` $ape `plan` $plan `[` $row `]` `ratio` $ratio (`overlap` $overlap^)?
    attr-dict `:` type($kv) `,` type($kv_state) `,` type($state_slots) `,`
    type($ape) `,` type($plan) `->` type($pooled)
  }];
  let extraClassDeclaration = [{
    /// Sources of a window: K.
    int64_t getSources() { return (getOverlap() ? 2 : 1) * getRatio(); }
  }];
  let hasVerifier = 1;
}

#endif // ROWMILL_DIALECT_ROW_IR_ROWPOOLOPS_TD
