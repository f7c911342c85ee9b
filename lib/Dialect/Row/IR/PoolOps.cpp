// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// row.softmax_pool and row.compress: syntax and verifiers.

#include "mlir/IR/Builders.h"
#include "rowmill/Dialect/Row/IR/Row.h"

using namespace mlir;
using namespace rowmill::row;

//===----------------------------------------------------------------------===//
// SoftmaxPoolOp
//===----------------------------------------------------------------------===//

ParseResult SoftmaxPoolOp::parse(OpAsmParser &parser, OperationState &result) {
  Builder &builder = parser.getBuilder();
  Type index = builder.getIndexType();
  if (succeeded(parser.parseOptionalKeyword("sources"))) {
    int64_t sources;
    if (parser.parseInteger(sources))
      return failure();
    result.getOrAddProperties<Properties>().setSources(
        builder.getI64IntegerAttr(sources));
  }
  if (parser.parseOptionalAttrDict(result.attributes))
    return failure();

  SmallVector<OpAsmParser::UnresolvedOperand> lower, upper;
  auto parseLoop = [&]() -> ParseResult {
    OpAsmParser::Argument k;
    k.type = index;
    if (parser.parseArgument(k) || parser.parseEqual() ||
        parser.parseOperand(lower.emplace_back()) ||
        parser.parseKeyword("to") ||
        parser.parseOperand(upper.emplace_back()) || parser.parseRParen())
      return failure();
    return parser.parseRegion(*result.addRegion(), k);
  };
  if (parser.parseLParen() || parseLoop())
    return failure();
  while (succeeded(parser.parseOptionalLParen()))
    if (parseLoop())
      return failure();

  Type type;
  if (parser.parseArrow() || parser.parseType(type))
    return failure();
  result.addTypes(type);
  return failure(parser.resolveOperands(lower, index, result.operands) ||
                 parser.resolveOperands(upper, index, result.operands));
}

void SoftmaxPoolOp::print(OpAsmPrinter &p) {
  if (std::optional<int64_t> sources = getSources())
    p << " sources " << *sources;
  p.printOptionalAttrDict((*this)->getAttrs(), {getSourcesAttrName()});
  for (auto [from, to, body] :
       llvm::zip_equal(getLowerBounds(), getUpperBounds(), getBodies())) {
    p << " (" << body.getArgument(0) << " = " << from << " to " << to << ") ";
    p.printRegion(body, /*printEntryBlockArgs=*/false);
  }
  p << " -> " << getType();
}

LogicalResult SoftmaxPoolOp::verify() {
  if (getBodies().empty())
    return emitOpError("expects at least one loop");
  if (getBodies().size() != getLowerBounds().size())
    return emitOpError("expects a lower and an upper bound for each of ")
           << getBodies().size() << " loops, but got "
           << getLowerBounds().size();
  if (getSources() && *getSources() < 1)
    return emitOpError("expects 'sources' to be 1 or more, but got ")
           << *getSources();
  return success();
}

LogicalResult SoftmaxPoolOp::verifyRegions() {
  for (Region &body : getBodies()) {
    Block &block = body.front();
    if (block.getNumArguments() != 1 ||
        !block.getArgument(0).getType().isIndex())
      return emitOpError("expects loops with one argument of type index");
    auto yield = dyn_cast<YieldOp>(block.getTerminator());
    if (!yield)
      return emitOpError("expects loops that end in a row.yield");
    if (yield.getValue().getType() != getType())
      return yield.emitOpError("expects rows of the pool's type ")
             << getType() << ", but got " << yield.getValue().getType();
    // A body may run ahead of the others, or not at all for a masked source.
    WalkResult writes = body.walk([](Operation *op) {
      if (!hasEffect<MemoryEffects::Write>(op))
        return WalkResult::advance();
      op->emitOpError("writes memory in the body of a pool, which may only "
                      "read");
      return WalkResult::interrupt();
    });
    if (writes.wasInterrupted())
      return failure();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// CompressOp
//===----------------------------------------------------------------------===//

/// Checks the type of an operand called `name`: its rank, its element type, and
/// its last dimensions, which are static.
static LogicalResult verifyOperand(CompressOp op, StringRef name, Value value,
                                   int64_t rank, bool isElement,
                                   StringRef elements,
                                   ArrayRef<int64_t> lastSizes) {
  auto type = cast<MemRefType>(value.getType());
  bool fits = type.getRank() == rank && isElement &&
              type.getShape().take_back(lastSizes.size()) == lastSizes;
  if (fits)
    return success();
  InFlightDiagnostic diag = op.emitOpError("expects '")
                            << name << "' to be a memref of rank " << rank
                            << " with elements of " << elements;
  if (!lastSizes.empty()) {
    diag << " and last sizes ";
    llvm::interleave(
        lastSizes, [&](int64_t size) { diag << size; }, [&] { diag << " x "; });
  }
  return diag << ", but got " << type;
}

LogicalResult CompressOp::verify() {
  if (int64_t(getRatio()) < 1)
    return emitOpError("expects 'ratio' to be 1 or more, but got ")
           << int64_t(getRatio());
  int64_t ratio = getRatio();
  int64_t columns =
      (getOverlap() ? 2 : 1) * getPooled().getType().getDimSize(0);
  auto element = [](Value value) {
    return cast<MemRefType>(value.getType()).getElementType();
  };
  Type input = element(getKv());
  bool isInput = input.isBF16() || input.isF16() || input.isF32();
  if (failed(verifyOperand(*this, "kv", getKv(), 2, isInput, "bf16, f16 or f32",
                           columns)) ||
      failed(verifyOperand(*this, "kv_state", getKvState(), 3,
                           element(getKvState()).isF32(), "f32", columns)) ||
      failed(verifyOperand(*this, "state_slots", getStateSlots(), 1,
                           element(getStateSlots()).isInteger(32), "i32",
                           {})) ||
      failed(verifyOperand(*this, "ape", getApe(), 2, element(getApe()).isF32(),
                           "f32", {ratio, columns})) ||
      failed(verifyOperand(*this, "plan", getPlan(), 2,
                           element(getPlan()).isInteger(32), "i32", 4)))
    return failure();
  int64_t ring = cast<MemRefType>(getKvState().getType()).getDimSize(1);
  if (!ShapedType::isDynamic(ring) && ring < getSources())
    return emitOpError("expects a state ring of ")
           << getSources() << " rows or more, but got " << ring;
  return success();
}
