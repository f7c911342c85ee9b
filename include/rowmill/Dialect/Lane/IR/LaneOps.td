// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// The ops of the lane dialect.

#ifndef ROWMILL_DIALECT_LANE_IR_LANEOPS_TD
#define ROWMILL_DIALECT_LANE_IR_LANEOPS_TD

include "rowmill/Dialect/Lane/IR/LaneDialect.td"
include "mlir/IR/EnumAttr.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

//===----------------------------------------------------------------------===//
// Types and enums
//===----------------------------------------------------------------------===//

def Lane_Word : AnyTypeOf<[F32, I32], "a 32-bit float or integer">;
def Lane_Words : AnyTypeOf<[F32, I32, FixedVectorOfRankAndType<[1], [F32, I32]>],
                           "a 32-bit value or a vector of them">;
def Lane_PackedWords : FixedVectorOfRankAndType<[1], [I8, I16, I32]>;

def Lane_ReduceKindAdd : I32EnumCase<"add", 0>;
def Lane_ReduceKindMaxF : I32EnumCase<"max", 1>;
def Lane_ReduceKindMaxU : I32EnumCase<"maxu", 2>;
def Lane_ReduceKind : I32Enum<"ReduceKind", "how lanes are combined",
    [Lane_ReduceKindAdd, Lane_ReduceKindMaxF, Lane_ReduceKindMaxU]> {
  let cppNamespace = "::rowmill::lane";
}
def Lane_ReduceKindAttr : EnumAttr<Lane_Dialect, Lane_ReduceKind, "reduce_kind"> {
  let assemblyFormat = "$value";
}

//===----------------------------------------------------------------------===//
// Exchange
//===----------------------------------------------------------------------===//

def Lane_ExchangeOp : Lane_Op<"exchange", [Pure, SameOperandsAndResultType]> {
  let summary = "value of the lane whose index differs in the bits of a mask";
  let description = [{
    `result(lane) = value(lane xor mask)`, for every 32-bit element.

    Constraints:

    - (C1) `mask` is at least 1 and at most 1023 (a workgroup's lanes).

    Example:

    ```mlir
    %partner = lane.exchange %v xor 4 : vector<8xf32>
    ```
  }];
  let arguments = (ins Lane_Words:$value, I32Attr:$mask);
  let results = (outs Lane_Words:$result);
  let assemblyFormat = "$value `xor` $mask attr-dict `:` type($value)";
  let hasVerifier = 1;
}

def Lane_ShuffleOp : Lane_Op<"shuffle", [
    Pure, AllTypesMatch<["value", "result"]>]> {
  let summary = "value of a lane given by its index in the cluster";
  let description = [{
    `result(lane) = value(source(lane))`, where `source` counts from the first
    lane of the cluster of `cluster` lanes. A source outside the cluster gives
    an unspecified value, never a fault.

    Constraints:

    - (C1) `cluster` is a power of two between 1 and 1024.

    Example:

    ```mlir
    %partner = lane.shuffle %v from %source cluster 16 : vector<4xf32>
    ```
  }];
  let arguments = (ins Lane_Words:$value, I32:$source, I32Attr:$cluster);
  let results = (outs Lane_Words:$result);
  let assemblyFormat =
      "$value `from` $source `cluster` $cluster attr-dict `:` type($value)";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Reduce
//===----------------------------------------------------------------------===//

def Lane_ReduceOp : Lane_Op<"reduce", [Pure, SameOperandsAndResultType]> {
  let summary = "combine a value over a cluster of lanes, result in every lane";
  let description = [{
    A butterfly: for `m` = 1, 2, 4, ... below `cluster`, in this order, every
    lane combines its value with that of lane `xor m`. All combinations are
    commutative bit for bit, so every lane of a cluster ends with the same
    value, and the sum's order is the balanced tree over ascending lane bits.

    `add` adds f32 (round to nearest even, no fma); `max` takes the larger f32
    (IEEE maximumNumber: a number wins over NaN); `maxu` the larger unsigned
    i32.

    Constraints:

    - (C1) `cluster` is a power of two between 1 and 1024.
    - (C2) `add` and `max` take f32, `maxu` takes i32.

    Example:

    ```mlir
    %sum = lane.reduce add %v cluster 16 : f32
    ```
  }];
  let arguments = (ins Lane_ReduceKindAttr:$kind, Lane_Word:$value,
                       I32Attr:$cluster);
  let results = (outs Lane_Word:$result);
  let assemblyFormat =
      "$kind $value `cluster` $cluster attr-dict `:` type($value)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

//===----------------------------------------------------------------------===//
// Convert and pack
//===----------------------------------------------------------------------===//

def Lane_PackOp : Lane_Op<"pack", [Pure]> {
  let summary = "convert f32 to small floats and pack them into words";
  let description = [{
    `code[i] = format(value[i] * 2^(127 - exponent))`, or `format(value[i])`
    without an exponent; round to nearest, ties to even.

    - `f4E2M1FN`: beyond +-6 saturates, NaN becomes +-6; -0 keeps its sign. Two
      codes a byte, the even element in the low nibble.
    - `f8E4M3FN`, `f8E4M3FNUZ`: what rounds beyond the largest finite value
      (448, 240) and NaN become the format's NaN; the FNUZ format has no -0,
      which becomes 0. Callers scale their values into range.

    `exponent` is a biased e8m0 exponent in [0, 255]. For e = 255, which e8m0
    calls NaN, the scale is 2^-128 all the same.

    Element 0 is in the least significant bits of word 0.

    Constraints:

    - (C1) `format` is f4E2M1FN, f8E4M3FN or f8E4M3FNUZ.
    - (C2) the words hold exactly the codes: `words * width = elements * bits`.

    Example:

    ```mlir
    %w = lane.pack %v exponent %e to f4E2M1FN : vector<16xf32> -> vector<2xi32>
    ```
  }];
  let arguments = (ins FixedVectorOfRankAndType<[1], [F32]>:$value,
                       Optional<I32>:$exponent, TypeAttr:$format);
  let results = (outs Lane_PackedWords:$result);
  let assemblyFormat = [{
    $value (`exponent` $exponent^)? `to` $format attr-dict
    `:` type($value) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Lane_UnpackOp : Lane_Op<"unpack", [Pure]> {
  let summary = "unpack small floats from words and convert them to f32";
  let description = [{
    The exact f32 value of every code; the inverse of `lane.pack` for codes
    that are numbers.

    Constraints:

    - (C1) `format` is f4E2M1FN, f8E4M3FN or f8E4M3FNUZ.
    - (C2) the words hold exactly the codes: `words * width = elements * bits`.

    Example:

    ```mlir
    %v = lane.unpack %w from f4E2M1FN : vector<2xi32> -> vector<16xf32>
    ```
  }];
  let arguments = (ins Lane_PackedWords:$value, TypeAttr:$format);
  let results = (outs FixedVectorOfRankAndType<[1], [F32]>:$result);
  let assemblyFormat =
      "$value `from` $format attr-dict `:` type($value) `->` type($result)";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Waves
//===----------------------------------------------------------------------===//

def Lane_Buffer : StaticShapeMemRefOf<[F32]>;

class Lane_SharedOp<string mnemonic> : Lane_Op<mnemonic> {
  string sharedDescription = [{
    Page `p` of a buffer in LDS holds one vector of each lane of a wave. A
    vector lies in pieces of up to four elements; the same pieces of
    neighbouring lanes are neighbours, so that an access is wide and no two
    lanes of it meet in a bank. With `n` elements in pieces of `q`, lane `l` of
    `W` has its element `i` at `((p * n / q + i / q) * W + l) * q + i % q`.

    Constraints:

    - (C1) The buffer has rank 1, lies in workgroup memory, and holds one page
      or more: a multiple of `n * W` elements, for a `W` that the arch gives.
  }];
}

def Lane_StoreSharedOp : Lane_SharedOp<"store_shared"> {
  let summary = "leave this lane's vector for the same lane of another wave";
  let description = sharedDescription # [{
    Example:

    ```mlir
    lane.store_shared %v, %buffer[%page] : vector<8xf32>, memref<1536xf32, #gpu.address_space<workgroup>>
    ```
  }];
  let arguments = (ins
    FixedVectorOfRankAndType<[1], [F32]>:$value,
    Arg<Lane_Buffer, "buffer in LDS", [MemWrite]>:$buffer,
    Index:$page
  );
  let assemblyFormat = [{
    $value `,` $buffer `[` $page `]` attr-dict
    `:` type($value) `,` type($buffer)
  }];
  let hasVerifier = 1;
}

def Lane_LoadSharedOp : Lane_SharedOp<"load_shared"> {
  let summary = "take what the same lane of another wave has left";
  let description = sharedDescription # [{
    Example:

    ```mlir
    %v = lane.load_shared %buffer[%page] : memref<1536xf32, #gpu.address_space<workgroup>> -> vector<8xf32>
    ```
  }];
  let arguments = (ins
    Arg<Lane_Buffer, "buffer in LDS", [MemRead]>:$buffer,
    Index:$page
  );
  let results = (outs FixedVectorOfRankAndType<[1], [F32]>:$value);
  let assemblyFormat = [{
    $buffer `[` $page `]` attr-dict `:` type($buffer) `->` type($value)
  }];
  let hasVerifier = 1;
}

#endif // ROWMILL_DIALECT_LANE_IR_LANEOPS_TD
