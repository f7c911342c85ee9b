// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// row.kernel: its text form and its verifier.

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

/// Parses `attributes {...}`: the partition, and what other dialects attach.
static ParseResult parseAttributes(OpAsmParser &parser, OperationState &result,
                                   PartitionAttr &partition) {
  SMLoc loc = parser.getCurrentLocation();
  NamedAttrList attributes;
  if (parser.parseOptionalAttrDictWithKeyword(attributes))
    return failure();
  for (NamedAttribute attribute : attributes) {
    StringRef name = attribute.getName();
    if (name.contains('.')) {
      result.attributes.push_back(attribute);
      continue;
    }
    // Anything else is a misspelling, or belongs to the syntax.
    if (name != "partition")
      return parser.emitError(loc, "expects no attribute but 'partition' and "
                                   "those of other dialects, but got '")
             << name << "'";
    partition = dyn_cast<PartitionAttr>(attribute.getValue());
    if (!partition)
      return parser.emitError(loc, "expects a #row.partition as 'partition', "
                                   "but got ")
             << attribute.getValue();
  }
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
  PartitionAttr partition;
  if (getNames(parser, args, argNames) || getNames(parser, indices, rowNames) ||
      parseAttributes(parser, result, partition))
    return failure();
  properties.setArgNames(argNames);
  properties.setRowNames(rowNames);
  properties.setPartition(partition);

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

/// Checks that a memref can be passed as a pointer, sizes and strides.
static LogicalResult verifyMemref(KernelOp op, StringRef name,
                                  MemRefType type) {
  auto emitError = [&](StringRef rule) {
    return op.emitOpError("expects argument '")
           << name << "' to " << rule << ", but got " << type;
  };
  Type element = type.getElementType();
  bool isInteger = element.isInteger(8) || element.isInteger(16) ||
                   element.isInteger(32) || element.isInteger(64);
  if (!isInteger && !element.isF16() && !element.isBF16() && !element.isF32())
    return emitError("have elements of i8, i16, i32, i64, f16, bf16 or f32");
  if (type.getRank() == 0)
    return emitError("have rank 1 or more");
  if (type.getMemorySpace())
    return emitError("be in the default memory space");
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(type.getStridesAndOffset(strides, offset)))
    return emitError("have strides");
  if (strides.back() != 1)
    return emitError("have an innermost stride of 1");
  if (offset != 0)
    return emitError("have no offset");
  return success();
}

static LogicalResult verifyArgument(KernelOp op, StringRef name, Type type) {
  if (auto memref = dyn_cast<MemRefType>(type))
    return verifyMemref(op, name, memref);
  if (type.isInteger(32) || type.isInteger(64) || type.isF32() ||
      type.isIndex())
    return success();
  return op.emitOpError("expects argument '")
         << name << "' to be a memref, i32, i64, f32 or index, but got "
         << type;
}

static LogicalResult verifyExtent(KernelOp op, StringRef row,
                                  ExtentAttr extent) {
  if (extent.isConstant())
    return success();
  ArrayRef<BlockArgument> args = op.getKernelArguments();
  int64_t index = extent.getArg();
  if (index >= int64_t(args.size()))
    return op.emitOpError("expects row extent '")
           << row << "' to name one of " << args.size()
           << " arguments, but got number " << index;
  Type type = args[index].getType();
  StringRef name = op.getArgName(index);
  if (extent.isDimension()) {
    auto memref = dyn_cast<MemRefType>(type);
    if (!memref || extent.getDim() >= memref.getRank())
      return op.emitOpError("expects row extent '")
             << row << "' to name a dimension of '" << name << "', but got "
             << extent.getDim() << " of " << type;
    return success();
  }
  if (!type.isInteger(32) && !type.isInteger(64) && !type.isIndex())
    return op.emitOpError("expects row extent '")
           << row << "' to be an i32, i64 or index argument, but got '" << name
           << "' of type " << type;
  return success();
}

/// Checks that names are identifiers, and that none occurs twice.
static LogicalResult verifyNames(KernelOp op) {
  // The kernel's own name is a symbol of the code object, beside those that the
  // code generator makes from it with dots.
  StringRef symbol = op.getSymName();
  if (symbol.empty() || llvm::isDigit(symbol.front()) ||
      !llvm::all_of(symbol,
                    [](char c) { return llvm::isAlnum(c) || c == '_'; }))
    return op.emitOpError(
               "expects a name of letters, digits and '_', but got '")
           << symbol << "'";

  llvm::StringSet<> seen;
  for (ArrayAttr names : {op.getArgNames(), op.getRowNames()}) {
    for (StringRef name : names.getAsValueRange<StringAttr>()) {
      auto isNameChar = [](char c) {
        return llvm::isAlnum(c) || c == '_' || c == '$' || c == '.' || c == '-';
      };
      if (name.empty() || llvm::isDigit(name.front()) ||
          !llvm::all_of(name, isNameChar))
        return op.emitOpError("expects names that are identifiers, but got '")
               << name << "'";
      if (!seen.insert(name).second)
        return op.emitOpError("expects distinct names, but got '")
               << name << "' twice";
    }
  }
  return success();
}

LogicalResult KernelOp::verify() {
  Block::BlockArgListType args = getBody()->getArguments();
  size_t numArgs = getArgNames().size(), numRows = getRowNames().size();
  if (getExtents().size() != numRows)
    return emitOpError("expects as many extents as row names, but got ")
           << getExtents().size() << " and " << numRows;
  if (numRows == 0)
    return emitOpError("expects one row extent or more, but got none");
  if (args.size() != numArgs + numRows)
    return emitOpError("expects a body with ")
           << numArgs << " arguments and " << numRows
           << " row indices, but got " << args.size() << " block arguments";
  if (failed(verifyNames(*this)))
    return failure();

  for (auto [index, arg] : llvm::enumerate(getKernelArguments()))
    if (failed(verifyArgument(*this, getArgName(index), arg.getType())))
      return failure();
  auto rowNames = getRowNames().getAsValueRange<StringAttr>();
  for (auto [name, arg, extent] :
       llvm::zip(rowNames, getRowIndices(), getExtentAttrs())) {
    if (!arg.getType().isIndex())
      return emitOpError("expects row index '")
             << name << "' to be an index, but got " << arg.getType();
    if (failed(verifyExtent(*this, name, extent)))
      return failure();
  }
  return success();
}
