// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Block quantisation and its inverse.

#ifndef ROWMILL_DIALECT_ROW_IR_ROWQUANTOPS_TD
#define ROWMILL_DIALECT_ROW_IR_ROWQUANTOPS_TD

include "mlir/Interfaces/SideEffectInterfaces.td"
include "rowmill/Dialect/Row/IR/RowAttrs.td"
include "rowmill/Dialect/Row/IR/RowTypes.td"

def Row_QuantizeOp : Row_Op<"quantize", [Pure]> {
  let summary = "quantise a row in groups that share a scale";
  let description = [{
    For each group of G neighbouring elements, in f32:

    ```
    amax = max(absmax(x), floor)         absmax as in row.reduce
    ```

    `max` compares bit patterns, so that NaN stays NaN. Without `floor` it is 0.
    MAX is the largest finite code: 6 for `f4E2M1FN`, 448 for `f8E4M3FN`, 240 for
    `f8E4M3FNUZ`. INV is `f32(1 / MAX)`: bits 0x3E2AAAAB, 0x3B124925, 0x3B888889.

    Scale `f8E8M0FNU`, `round up` (the default; the power of two not below
    amax / MAX):

    ```
    w = amax * INV                       rounded to f32
    e = min(255, (bits(w) + 0x7FFFFF) >> 23)
    ```

    `round down` (the floor of the microscaling formats; values up to twice MAX
    saturate), with EMAX the exponent of MAX (2, 8 and 7):

    ```
    e = bits(amax) >> 23 == 255 ? 255 : max(0, (bits(amax) >> 23) - EMAX)
    ```

    In both, `code = Q(x * 2^(127 - e))`, the product rounded to f32. The factor
    of e = 255 is 2^-128.

    Scale `f32`, `round none` (the default):

    ```
    sc   = amax * INV                    rounded to f32
    code = Q(clamp(x * f32(1 / sc), -MAX, MAX))
    ```

    `round up`: `sc` is replaced by the next power of two,
    `(bits(sc) + 0x7FFFFF) & 0xFF800000`.

    where `1 / sc` is correctly rounded, and the clamp keeps NaN.

    With `flush t`, for 8-bit codes, elements in the open interval (-t, 0) become
    +0 before `Q`. Nothing here needs it; it gives the bytes of kernels that were
    written with such a guard (t = 2^-8) against encoders that turn tiny negative
    numbers into 0x80, the NaN of `f8E4M3FNUZ`.

    `Q` rounds to the nearest code, ties to the even one, and saturates at MAX.
    `f4E2M1FN` has no NaN: NaN becomes the largest magnitude, with its sign; -0 and
    negative values that round to zero become code 8. The two 8-bit formats turn
    NaN into their NaN code; `f8E4M3FN` keeps the sign of zero (0x80), and in
    `f8E4M3FNUZ`, which has no negative zero, it is 0x00.

    Constraints:

    - G is 32, 64, 128 or the length of the row, and divides that length.
    - There are as many codes as elements, and a scale for each group.
    - `floor` is finite and not negative.
    - `f8E8M0FNU` scales are rounded up or down, `f32` scales up or not at all.
    - `flush` is finite and positive, and for 8-bit codes.

    Example:

    ```mlir
    %q, %e = row.quantize %x group 32 floor 0x01C00000
        : vector<128xf32> -> vector<128xf4E2M1FN>, vector<4xf8E8M0FNU>
    ```
  }];
  let arguments = (ins
    Row_F32Row:$input,
    I64Attr:$group,
    OptionalAttr<F32Attr>:$floor,
    OptionalAttr<Row_ScaleRoundingAttr>:$rounding,
    OptionalAttr<F32Attr>:$flush
  );
  let results = (outs Row_CodeRow:$codes, Row_ScaleRow:$scales);
  let assemblyFormat = [{
    $input `group` $group (`floor` $floor^)? (`round` $rounding^)?
    (`flush` $flush^)? attr-dict
    `:` type($input) `->` type($codes) `,` type($scales)
  }];
  let extraClassDeclaration = [{
    /// How scales are rounded, where the op says nothing: up if they are
    /// exponents, not at all if they are numbers.
    ScaleRounding getScaleRounding() {
      bool isExponent = ::llvm::isa<::mlir::Float8E8M0FNUType>(
          getScales().getType().getElementType());
      return getRounding().value_or(isExponent ? ScaleRounding::Up
                                               : ScaleRounding::None);
    }
  }];
  let hasVerifier = 1;
}

def Row_DequantizeOp : Row_Op<"dequantize", [Pure]> {
  let summary = "multiply each code by the scale of its group";
  let description = [{
    `x[i] = f32(code[i]) * f32(scale[i / (D / G)])`, rounded to f32. An
    `f8E8M0FNU` scale `e` is `2^(e - 127)` (a denormal for e = 0), and NaN for
    e = 255.

    Constraints:

    - The number of scales G divides the number of codes D, which is the length of
      the result.

    Example:

    ```mlir
    %x = row.dequantize %q, %e : vector<128xf4E2M1FN>, vector<4xf8E8M0FNU> -> vector<128xf32>
    ```
  }];
  let arguments = (ins Row_CodeRow:$codes, Row_ScaleRow:$scales);
  let results = (outs Row_F32Row:$result);
  let assemblyFormat = [{
    $codes `,` $scales attr-dict
    `:` type($codes) `,` type($scales) `->` type($result)
  }];
  let extraClassDeclaration = [{
    /// Codes that share a scale.
    int64_t getGroup() {
      return getCodes().getType().getDimSize(0) /
             getScales().getType().getDimSize(0);
    }
  }];
  let hasVerifier = 1;
}

#endif // ROWMILL_DIALECT_ROW_IR_ROWQUANTOPS_TD
