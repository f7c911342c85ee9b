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

#define GET_OP_CLASSES
#include "rowmill/Dialect/Row/IR/RowOps.cpp.inc"
