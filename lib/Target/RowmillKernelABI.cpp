// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// The pass rowmill-kernel-abi: from memref arguments to a kernarg segment.

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "rowmill/Target/Passes.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace rowmill {
#define GEN_PASS_DEF_ROWMILLKERNELABI
#include "rowmill/Target/Passes.h.inc"
} // namespace rowmill

/// What every buffer that a launcher passes is aligned to, so that lanes may
/// load 16 bytes at once.
static constexpr int64_t pointerAlign = 16;

/// Global memory's address space on AMDGPU.
static constexpr unsigned globalSpace = 1;

namespace {

/// The kernarg segment while it is laid out, with the new arguments.
class Segment {
public:
  explicit Segment(Builder builder) : builder(builder) {}

  /// Places one argument and returns its offset.
  int64_t add(Type type, DictionaryAttr attrs) {
    int64_t bytes = isa<IntegerType, FloatType>(type)
                        ? type.getIntOrFloatBitWidth() / 8
                        : 8;
    size = llvm::alignTo(size, bytes);
    types.push_back(type);
    attributes.push_back(attrs);
    size += bytes;
    return size - bytes;
  }

  Builder builder;
  int64_t size = 0;
  SmallVector<Type> types;
  SmallVector<Attribute> attributes;
};

} // namespace

static DictionaryAttr getPointerAttrs(Builder b, StringRef access) {
  NamedAttrList attrs;
  attrs.set(LLVM::LLVMDialect::getNoAliasAttrName(), b.getUnitAttr());
  attrs.set(LLVM::LLVMDialect::getNonNullAttrName(), b.getUnitAttr());
  attrs.set(LLVM::LLVMDialect::getNoUndefAttrName(), b.getUnitAttr());
  attrs.set(LLVM::LLVMDialect::getAlignAttrName(),
            b.getI64IntegerAttr(pointerAlign));
  if (access == "read")
    attrs.set(LLVM::LLVMDialect::getReadonlyAttrName(), b.getUnitAttr());
  if (access == "write")
    attrs.set(LLVM::LLVMDialect::getWriteOnlyAttrName(), b.getUnitAttr());
  return attrs.getDictionary(b.getContext());
}

/// Sizes or strides as a list in which a dynamic one is a unit attribute.
static ArrayAttr describeNumbers(Builder b, ArrayRef<int64_t> numbers) {
  SmallVector<Attribute> list;
  for (int64_t number : numbers)
    list.push_back(ShapedType::isDynamic(number)
                       ? Attribute(b.getUnitAttr())
                       : Attribute(b.getI64IntegerAttr(number)));
  return b.getArrayAttr(list);
}

/// Replaces a memref argument by a pointer and its dynamic numbers, and says
/// where they are.
static void addMemref(Segment &segment, MemRefType type, StringRef access,
                      NamedAttrList &entry) {
  Builder b = segment.builder;
  auto [strides, offset] = type.getStridesAndOffset();
  auto pointer = LLVM::LLVMPointerType::get(b.getContext(), globalSpace);
  entry.set("kind", b.getStringAttr("memref"));
  entry.set("element", TypeAttr::get(type.getElementType()));
  entry.set("shape", describeNumbers(b, type.getShape()));
  entry.set("strides", describeNumbers(b, strides));
  entry.set("access", b.getStringAttr(access));
  entry.set("align", b.getI64IntegerAttr(pointerAlign));
  entry.set("offset", b.getI64IntegerAttr(
                          segment.add(pointer, getPointerAttrs(b, access))));
  SmallVector<Attribute> dynamic;
  auto addDynamic = [&](StringRef name, ArrayRef<int64_t> numbers) {
    for (auto [dim, number] : llvm::enumerate(numbers)) {
      if (!ShapedType::isDynamic(number))
        continue;
      int64_t at = segment.add(b.getI64Type(), b.getDictionaryAttr({}));
      dynamic.push_back(b.getDictionaryAttr(
          {b.getNamedAttr(name, b.getI64IntegerAttr(dim)),
           b.getNamedAttr("offset", b.getI64IntegerAttr(at))}));
    }
  };
  addDynamic("size", type.getShape());
  addDynamic("stride", strides);
  entry.set("dynamic", b.getArrayAttr(dynamic));
}

/// Puts a memref together from its pointer and numbers, as LLVM's conversion of
/// memrefs expects it.
static Value buildMemref(ImplicitLocOpBuilder &b, MemRefType type,
                         Value pointer, ValueRange numbers) {
  Type i64 = b.getI64Type();
  SmallVector<Type> fields = {pointer.getType(), pointer.getType(), i64};
  if (type.getRank() > 0)
    fields.append(2, LLVM::LLVMArrayType::get(i64, type.getRank()));
  auto structType = LLVM::LLVMStructType::getLiteral(b.getContext(), fields);
  Value result = LLVM::PoisonOp::create(b, structType);
  auto insert = [&](Value value, ArrayRef<int64_t> position) {
    result = LLVM::InsertValueOp::create(b, result, value, position);
  };
  auto constant = [&](int64_t value) -> Value {
    return LLVM::ConstantOp::create(b, i64, b.getI64IntegerAttr(value));
  };
  insert(pointer, {0});
  insert(pointer, {1});
  insert(constant(0), {2});
  auto [strides, offset] = type.getStridesAndOffset();
  int64_t field = 3;
  for (ArrayRef<int64_t> list : {type.getShape(), ArrayRef<int64_t>(strides)}) {
    for (auto [dim, number] : llvm::enumerate(list)) {
      Value value;
      if (ShapedType::isDynamic(number)) {
        value = numbers.front();
        numbers = numbers.drop_front();
      } else {
        value = constant(number);
      }
      insert(value, {field, int64_t(dim)});
    }
    ++field;
  }
  return UnrealizedConversionCastOp::create(b, type, result).getResult(0);
}

static LogicalResult checkArgument(gpu::GPUFuncOp func, StringRef name,
                                   Type type) {
  auto memref = dyn_cast<MemRefType>(type);
  if (!memref) {
    if (type.isIndex() || isa<IntegerType, FloatType>(type))
      return success();
    return func.emitOpError("expects argument '")
           << name << "' to be a memref or a scalar, but got " << type;
  }
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(memref.getStridesAndOffset(strides, offset)) || offset != 0)
    return func.emitOpError("expects argument '")
           << name << "' to have strides and no offset, but got " << type;
  return success();
}

/// Rebuilds the function's arguments; `kernel` receives `args` and
/// `kernarg_size`.
static LogicalResult rewriteArguments(gpu::GPUFuncOp func,
                                      NamedAttrList &kernel) {
  Builder builder(func.getContext());
  auto names = dyn_cast_or_null<ArrayAttr>(kernel.get("arg_names"));
  auto access = dyn_cast_or_null<ArrayAttr>(kernel.get("access"));
  unsigned count = func.getNumArguments();
  if (!names || !access || names.size() != count || access.size() != count)
    return func.emitOpError("expects 'rowmill.kernel' to name and give the "
                            "access of its ")
           << count << " arguments";

  // Optional: what a launcher makes itself, and may check of sizes.
  auto scratch = dyn_cast_or_null<IntegerAttr>(kernel.get("scratch"));
  auto indexed = dyn_cast_or_null<ArrayAttr>(kernel.get("indexed"));

  Segment segment(builder);
  SmallVector<Attribute> entries;
  for (auto [type, name, use] :
       llvm::zip_equal(func.getArgumentTypes(), names, access)) {
    auto text = dyn_cast<StringAttr>(name);
    auto useText = dyn_cast<StringAttr>(use);
    if (!text || !useText)
      return func.emitOpError("expects strings in 'arg_names' and 'access'");
    if (failed(checkArgument(func, text, type)))
      return failure();
    NamedAttrList entry;
    entry.set("name", text);
    if (auto memref = dyn_cast<MemRefType>(type)) {
      addMemref(segment, memref, useText, entry);
      if (scratch && scratch.getInt() == int64_t(entries.size()))
        entry.set("scratch", builder.getBoolAttr(true));
      if (indexed && indexed.size() == count)
        if (Attribute dims = indexed[entries.size()];
            dims != builder.getArrayAttr({}))
          entry.set("indexed", dims);
    } else {
      entry.set("kind", builder.getStringAttr("scalar"));
      entry.set("element", TypeAttr::get(type));
      entry.set("offset", builder.getI64IntegerAttr(segment.add(
                              type, builder.getDictionaryAttr({}))));
    }
    entries.push_back(entry.getDictionary(func.getContext()));
  }
  kernel.set("args", builder.getArrayAttr(entries));
  kernel.set("kernarg_size", builder.getI64IntegerAttr(segment.size));

  Block &body = func.getBody().front();
  auto b = ImplicitLocOpBuilder::atBlockBegin(func.getLoc(), &body);
  SmallVector<BlockArgument> old(body.getArguments().take_front(count));
  SmallVector<Value> fresh;
  for (auto [i, type] : llvm::enumerate(segment.types))
    fresh.push_back(body.insertArgument(count + i, type, func.getLoc()));
  size_t next = 0;
  for (BlockArgument argument : old) {
    Value value = fresh[next++];
    if (auto memref = dyn_cast<MemRefType>(argument.getType())) {
      auto [strides, offset] = memref.getStridesAndOffset();
      size_t numbers =
          llvm::count_if(memref.getShape(), ShapedType::isDynamic) +
          llvm::count_if(strides, ShapedType::isDynamic);
      value =
          buildMemref(b, memref, value, ArrayRef(fresh).slice(next, numbers));
      next += numbers;
    }
    argument.replaceAllUsesWith(value);
  }
  body.eraseArguments(0, count);
  func.setFunctionType(builder.getFunctionType(segment.types, {}));
  func.setAllArgAttrs(segment.attributes);
  return success();
}

namespace {

struct RowmillKernelABI
    : rowmill::impl::RowmillKernelABIBase<RowmillKernelABI> {
  void runOnOperation() override {
    for (auto func : getOperation().getOps<gpu::GPUFuncOp>()) {
      auto attr = func->getAttrOfType<DictionaryAttr>("rowmill.kernel");
      if (!func.isKernel() || !attr)
        continue;
      NamedAttrList kernel(attr);
      if (failed(rewriteArguments(func, kernel)))
        return signalPassFailure();
      func->setAttr("rowmill.kernel", kernel.getDictionary(&getContext()));
    }
  }
};

} // namespace
