// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See
// LICENSE. Loads, stores and guards of rows.

#include "mlir/IR/Builders.h"
#include "mlir/IR/PatternMatch.h"
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

LogicalResult LoadOp::verify() { return success(); }
LogicalResult StoreOp::verify() { return success(); }
LogicalResult ScatterOp::verify() { return success(); }
LogicalResult GatherOp::verify() { return success(); }
void GuardOp::getCanonicalizationPatterns(RewritePatternSet &, MLIRContext *) {}

#define GET_OP_CLASSES
#include "rowmill/Dialect/Row/IR/RowOps.cpp.inc"
