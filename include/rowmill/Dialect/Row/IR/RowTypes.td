// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Type constraints shared by the ops of the row dialect.

#ifndef ROWMILL_DIALECT_ROW_IR_ROWTYPES_TD
#define ROWMILL_DIALECT_ROW_IR_ROWTYPES_TD

include "mlir/IR/CommonTypeConstraints.td"

/// A row or a part of one: a vector of rank 1 and fixed length.
class Row_VectorOf<list<Type> elements>
    : FixedVectorOfRankAndType<[1], elements>;

def Row_FloatRow : Row_VectorOf<[F32, F16, BF16]>;
def Row_F32Row : Row_VectorOf<[F32]>;
def Row_CodeRow : Row_VectorOf<[F4E2M1FN, F8E4M3FN, F8E4M3FNUZ]>;
def Row_ScaleRow : Row_VectorOf<[F8E8M0FNU, F32]>;

/// Whatever a memref of a kernel can hold.
def Row_StorableRow : Row_VectorOf<[
  F32, F16, BF16, F8E4M3FN, F8E4M3FNUZ, F8E8M0FNU, F4E2M1FN, I8, I16, I32, I64
]>;
def Row_Memref : MemRefOf<[I8, I16, I32, I64, F16, BF16, F32]>;

#endif // ROWMILL_DIALECT_ROW_IR_ROWTYPES_TD
