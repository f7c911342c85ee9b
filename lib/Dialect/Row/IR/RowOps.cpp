// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// The generated parts of the ops, and the custom pieces of their syntax.

#include "mlir/IR/Builders.h"
#include "rowmill/Dialect/Row/IR/Row.h"

using namespace mlir;
using namespace rowmill::row;

/// eps ::= f32 constant | SSA value
static ParseResult
parseEpsilon(OpAsmParser &parser,
             std::optional<OpAsmParser::UnresolvedOperand> &value,
             FloatAttr &constant) {
  OpAsmParser::UnresolvedOperand operand;
  OptionalParseResult parsed = parser.parseOptionalOperand(operand);
  if (parsed.has_value()) {
    value = operand;
    return *parsed;
  }
  return parser.parseAttribute(constant, parser.getBuilder().getF32Type());
}

static void printEpsilon(OpAsmPrinter &p, RmsNormOp, Value value,
                         FloatAttr constant) {
  if (value)
    p << value;
  else
    p.printAttributeWithoutType(constant);
}

/// offset ::= number | SSA value
static ParseResult
parseOffset(OpAsmParser &parser,
            std::optional<OpAsmParser::UnresolvedOperand> &start,
            IntegerAttr &offset) {
  OpAsmParser::UnresolvedOperand operand;
  OptionalParseResult parsed = parser.parseOptionalOperand(operand);
  if (parsed.has_value()) {
    start = operand;
    return *parsed;
  }
  return parser.parseAttribute(offset, parser.getBuilder().getI64Type());
}

template <typename OpTy>
static void printOffset(OpAsmPrinter &p, OpTy, Value start,
                        IntegerAttr offset) {
  if (start)
    p << start;
  else
    p << offset.getInt();
}

#define GET_OP_CLASSES
#include "rowmill/Dialect/Row/IR/RowOps.cpp.inc"

void LoadOp::build(OpBuilder &builder, OperationState &state, VectorType result,
                   Value source, ValueRange indices, Value start) {
  build(builder, state, result, source, indices, start, /*offset=*/0);
}

void StoreOp::build(OpBuilder &builder, OperationState &state, Value value,
                    Value target, ValueRange indices) {
  build(builder, state, value, /*first=*/{}, /*last=*/{}, target, indices,
        /*start=*/{}, /*offset=*/0);
}
