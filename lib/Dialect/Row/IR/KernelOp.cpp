// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See
// LICENSE. row.kernel: its text form and its verifier.

#include "mlir/IR/Builders.h"
#include "rowmill/Dialect/Row/IR/Row.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace rowmill::row;

/// Parses `%arg[dim]`, `%arg` or a constant, the arguments being `args`.
static ParseResult parseExtent(OpAsmParser &parser,
                               ArrayRef<OpAsmParser::Argument> args,
                               ExtentAttr &extent) {
  MLIRContext *context = parser.getContext();
  SMLoc loc = parser.getCurrentLocation();
  int64_t size;
  OptionalParseResult constant = parser.parseOptionalInteger(size);
  if (constant.has_value()) {
    if (failed(*constant))
      return failure();
    if (size < 1)
      return parser.emitError(loc,
                              "expects a row extent of 1 or more, but got ")
             << size;
    extent = ExtentAttr::getConstant(context, size);
    return success();
  }

  OpAsmParser::UnresolvedOperand name;
  if (parser.parseOperand(name))
    return failure();
  auto isNamed = [&](const OpAsmParser::Argument &arg) {
    return arg.ssaName.name == name.name && arg.ssaName.number == name.number;
  };
  const OpAsmParser::Argument *arg = llvm::find_if(args, isNamed);
  if (arg == args.end())
    return parser.emitError(loc,
                            "expects the name of a kernel argument, but got '")
           << name.name << "'";
  int64_t index = arg - args.begin();
  if (failed(parser.parseOptionalLSquare())) {
    extent = ExtentAttr::getScalar(context, index);
    return success();
  }

  int64_t dim;
  loc = parser.getCurrentLocation();
  if (parser.parseInteger(dim) || parser.parseRSquare())
    return failure();
  if (dim < 0)
    return parser.emitError(loc, "expects a dimension of 0 or more, but got ")
           << dim;
  extent = ExtentAttr::getDimension(context, index, dim);
  return success();
}

/// The names of `args` without the leading '%'; an SSA number is no name.
static ParseResult getNames(OpAsmParser &parser,
                            ArrayRef<OpAsmParser::Argument> args,
                            ArrayAttr &names) {
  SmallVector<StringRef> result;
  for (const OpAsmParser::Argument &arg : args) {
    StringRef name = arg.ssaName.name.drop_front();
    if (llvm::isDigit(name.front()))
      return parser.emitError(arg.ssaName.location,
                              "expects a named kernel argument, but got '%")
             << name << "'";
    result.push_back(name);
  }
  names = parser.getBuilder().getStrArrayAttr(result);
  return success();
}

ParseResult KernelOp::parse(OpAsmParser &parser, OperationState &result) {
  Builder &builder = parser.getBuilder();
  Properties &properties = result.getOrAddProperties<Properties>();
  StringAttr name;
  if (parser.parseSymbolName(name))
    return failure();
  properties.setSymName(name);

  SmallVector<OpAsmParser::Argument> args, indices;
  if (parser.parseArgumentList(args, OpAsmParser::Delimiter::Paren,
                               /*allowType=*/true))
    return failure();
  for (const OpAsmParser::Argument &arg : args)
    if (!arg.type)
      return parser.emitError(arg.ssaName.location,
                              "expects a type for kernel argument '")
             << arg.ssaName.name << "'";

  SmallVector<Attribute> extents;
  auto parseRow = [&]() -> ParseResult {
    OpAsmParser::Argument index;
    ExtentAttr extent;
    if (parser.parseArgument(index) || parser.parseKeyword("in") ||
        parseExtent(parser, args, extent))
      return failure();
    index.type = builder.getIndexType();
    indices.push_back(index);
    extents.push_back(extent);
    return success();
  };
  if (parser.parseKeyword("rows") ||
      parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren, parseRow))
    return failure();
  properties.setExtents(builder.getArrayAttr(extents));

  ArrayAttr argNames, rowNames;
  if (getNames(parser, args, argNames) || getNames(parser, indices, rowNames) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes))
    return failure();
  properties.setArgNames(argNames);
  properties.setRowNames(rowNames);

  args.append(indices);
  Region *body = result.addRegion();
  if (parser.parseRegion(*body, args))
    return failure();
  return success();
}

void KernelOp::print(OpAsmPrinter &p) {
  p << ' ';
  p.printSymbolName(getSymName());
  p << '(';
  llvm::interleaveComma(getKernelArguments(), p,
                        [&](BlockArgument arg) { p.printRegionArgument(arg); });
  p << ") rows(";
  auto printRow = [&](auto row) {
    auto [index, extent] = row;
    p << index << " in ";
    if (extent.isConstant()) {
      p << extent.getSize();
      return;
    }
    p << getKernelArguments()[extent.getArg()];
    if (extent.isDimension())
      p << '[' << extent.getDim() << ']';
  };
  llvm::interleaveComma(llvm::zip(getRowIndices(), getExtentAttrs()), p,
                        printRow);
  p << ')';
  p.printOptionalAttrDictWithKeyword(
      (*this)->getAttrs(), {getSymNameAttrName(), getArgNamesAttrName(),
                            getRowNamesAttrName(), getExtentsAttrName()});
  p << ' ';
  p.printRegion(getBodyRegion(), /*printEntryBlockArgs=*/false);
}

void KernelOp::getAsmBlockArgumentNames(Region &region,
                                        OpAsmSetValueNameFn setName) {
  if (region.empty())
    return;
  SmallVector<Attribute> names(getArgNames().getValue());
  llvm::append_range(names, getRowNames().getValue());
  for (auto [arg, name] : llvm::zip(region.getArguments(), names))
    if (auto string = dyn_cast<StringAttr>(name))
      setName(arg, string.getValue());
}

LogicalResult KernelOp::verify() { return success(); }

LogicalResult KernelOp::verifyRegions() { return success(); }
