// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Parses and validates the JSON text of a `.rowmill` section.
#include "JsonFields.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace {

using namespace rowmill;

constexpr int64_t kVersion = 2;
constexpr int64_t kMaxKernargSize = 1 << 16;
constexpr unsigned kMaxRank = 16;

/// Walks the JSON.
class Parser : public JsonFields {
public:
  bool parse(const json::Value &root, ModuleInfo &info);

private:
  bool parseDims(const json::Object &object, StringRef key,
                 std::vector<std::optional<int64_t>> &result);
  bool parseKernel(const json::Value &value, KernelInfo &kernel);
  bool parseExtent(const json::Value &value, KernelInfo &kernel);
  bool parseArg(const json::Value &value, ArgInfo &arg);
  bool parseMemRef(const json::Object &object, ArgInfo &arg);
  bool parseScratch(const json::Object &object, ArgInfo &arg);
  bool checkScratch(const KernelInfo &kernel);
  bool parseDynamic(const json::Value &value, ArgInfo &arg);
  bool parseIndexed(const json::Object &object, const KernelInfo &kernel,
                    ArgInfo &arg);
  bool checkKernargs(const KernelInfo &kernel);
};

} // namespace

bool Parser::parseDims(const json::Object &object, StringRef key,
                       std::vector<std::optional<int64_t>> &result) {
  const json::Array *dims;
  if (!getArray(object, key, dims))
    return false;
  if (dims->size() > kMaxRank)
    return fail(quote(key) + " has " + Twine(dims->size()) +
                " entries, more than " + Twine(kMaxRank));
  for (const json::Value &dim : *dims) {
    if (dim.getAsNull()) {
      result.push_back(std::nullopt);
      continue;
    }
    int64_t number;
    if (!getInteger(&dim, "an entry of " + quote(key), 0, INT32_MAX, number))
      return false;
    result.push_back(number);
  }
  return true;
}

bool Parser::parseDynamic(const json::Value &value, ArgInfo &arg) {
  const json::Object *object = value.getAsObject();
  if (!object)
    return fail("an entry of 'dynamic' is not an object");
  DynamicField field;
  field.isStride = object->get("stride") != nullptr;
  StringRef key = field.isStride ? "stride" : "size";
  int64_t maxDim = static_cast<int64_t>(arg.shape.size()) - 1;
  if (!getUnsigned(*object, key, 0, maxDim, field.dim) ||
      !getUnsigned(*object, "offset", 0, kMaxKernargSize, field.offset))
    return false;
  if ((field.isStride ? arg.strides : arg.shape)[field.dim])
    return fail(key + " " + Twine(field.dim) +
                " is in 'dynamic', but is static");
  if (any_of(arg.dynamic, [&](const DynamicField &other) {
        return other.isStride == field.isStride && other.dim == field.dim;
      }))
    return fail(key + " " + Twine(field.dim) + " is in 'dynamic' twice");
  arg.dynamic.push_back(field);
  return true;
}

bool Parser::parseMemRef(const json::Object &object, ArgInfo &arg) {
  arg.isMemRef = true;
  if (!parseDims(object, "shape", arg.shape) ||
      !parseDims(object, "strides", arg.strides))
    return false;
  if (arg.shape.size() != arg.strides.size())
    return fail("'shape' has " + Twine(arg.shape.size()) +
                " entries, but 'strides' has " + Twine(arg.strides.size()));
  if (!getUnsigned(object, "align", 1, 1 << 16, arg.align))
    return false;
  if (!isPowerOf2_32(arg.align))
    return fail("'align' is " + Twine(arg.align) + ", not a power of two");

  std::string access;
  if (!getString(object, "access", access))
    return false;
  if (access == "read")
    arg.access = ArgInfo::Access::Read;
  else if (access == "write")
    arg.access = ArgInfo::Access::Write;
  else if (access == "readwrite")
    arg.access = ArgInfo::Access::ReadWrite;
  else
    return fail("'access' is " + quote(access) +
                ", not 'read', 'write' or 'readwrite'");
  if (!parseScratch(object, arg))
    return false;

  size_t numDynamic =
      count(arg.shape, std::nullopt) + count(arg.strides, std::nullopt);
  const json::Array *dynamic = nullptr;
  if (numDynamic == 0 && !object.get("dynamic"))
    return true;
  if (!getArray(object, "dynamic", dynamic))
    return false;
  for (const json::Value &value : *dynamic)
    if (!parseDynamic(value, arg))
      return false;
  if (arg.dynamic.size() != numDynamic)
    return fail("'dynamic' has " + Twine(arg.dynamic.size()) +
                " entries, but " + Twine(numDynamic) +
                " sizes and strides are dynamic");
  return true;
}

bool Parser::parseScratch(const json::Object &object, ArgInfo &arg) {
  const json::Value *scratch = object.get("scratch");
  if (!scratch)
    return true;
  std::optional<bool> isScratch = scratch->getAsBoolean();
  if (!isScratch)
    return fail("'scratch' is not true or false");
  arg.isScratch = *isScratch;
  return true;
}

/// A launcher makes a scratch buffer from the extents: one dimension for each,
/// then those that are known, all of it dense.
bool Parser::checkScratch(const KernelInfo &kernel) {
  for (const ArgInfo &arg : kernel.args) {
    if (!arg.isScratch)
      continue;
    std::string name = "scratch argument " + quote(arg.name);
    size_t leading = kernel.extents.size();
    if (arg.shape.size() < leading)
      return fail(name + " has " + Twine(arg.shape.size()) +
                  " dimensions, fewer than the " + Twine(leading) + " extents");
    auto inner = ArrayRef(arg.shape).drop_front(leading);
    if (is_contained(inner, std::nullopt))
      return fail(name + " has dynamic dimensions behind the extents");
    if (count_if(kernel.args,
                 [](const ArgInfo &arg) { return arg.isScratch; }) > 1)
      return fail(name + " is not the only one");
  }
  return true;
}

bool Parser::parseArg(const json::Value &value, ArgInfo &arg) {
  const json::Object *object = value.getAsObject();
  if (!object)
    return fail("an argument is not an object");
  if (!getString(*object, "name", arg.name))
    return false;
  where += ", argument " + quote(arg.name);

  std::string element, kind;
  if (!getString(*object, "element", element) ||
      !getString(*object, "kind", kind) ||
      !getUnsigned(*object, "offset", 0, kMaxKernargSize, arg.offset))
    return false;
  std::optional<ElementType> type = parseElementType(element);
  if (!type)
    return fail("'element' is " + quote(element) + ", not a known type");
  arg.element = *type;
  if (kind == "memref")
    return parseMemRef(*object, arg);
  if (kind != "scalar")
    return fail("'kind' is " + quote(kind) + ", not 'memref' or 'scalar'");
  if (getElementSize(arg.element) < 4)
    return fail("'element' is " + quote(element) +
                ", not a type of scalars: i32, i64, index or f32");
  return true;
}

/// Parses the dimensions that row indices run over; the extents are known.
bool Parser::parseIndexed(const json::Object &object, const KernelInfo &kernel,
                          ArgInfo &arg) {
  if (!arg.isMemRef || !object.get("indexed"))
    return true;
  const json::Array *entries;
  if (!getArray(object, "indexed", entries))
    return false;
  for (const json::Value &value : *entries) {
    const json::Object *entry = value.getAsObject();
    if (!entry)
      return fail("an entry of 'indexed' is not an object");
    IndexedDim indexed;
    if (!getUnsigned(*entry, "dim", 0,
                     static_cast<int64_t>(arg.shape.size()) - 1, indexed.dim) ||
        !getUnsigned(*entry, "extent", 0,
                     static_cast<int64_t>(kernel.extents.size()) - 1,
                     indexed.extent))
      return false;
    arg.indexed.push_back(indexed);
  }
  return true;
}

bool Parser::parseExtent(const json::Value &value, KernelInfo &kernel) {
  const json::Object *object = value.getAsObject();
  if (!object)
    return fail("an extent is not an object");
  ExtentInfo extent;
  if (const json::Value *constant = object->get("const")) {
    extent.kind = ExtentInfo::Kind::Constant;
    kernel.extents.push_back(extent);
    return getInteger(constant, "'const' of an extent", 0, INT64_MAX,
                      kernel.extents.back().constant);
  }
  std::string name;
  if (!getString(*object, "arg", name))
    return false;
  const ArgInfo *arg = kernel.lookupArg(name);
  if (!arg)
    return fail("an extent names " + quote(name) + ", which is no argument");
  extent.arg = static_cast<unsigned>(arg - kernel.args.data());
  if (arg->isMemRef) {
    extent.kind = ExtentInfo::Kind::Dim;
    int64_t maxDim = static_cast<int64_t>(arg->shape.size()) - 1;
    if (!getUnsigned(*object, "dim", 0, maxDim, extent.dim))
      return false;
  } else {
    extent.kind = ExtentInfo::Kind::Scalar;
    if (object->get("dim"))
      return fail("an extent names a dimension of " + quote(name) +
                  ", which is a scalar");
    if (isFloat(arg->element))
      return fail("an extent names " + quote(name) + ", which is no integer");
  }
  kernel.extents.push_back(extent);
  return true;
}

/// Checks that the fields of the kernarg block lie inside it, are aligned, and
/// do not overlap.
bool Parser::checkKernargs(const KernelInfo &kernel) {
  struct Field {
    unsigned offset;
    unsigned size;
    const ArgInfo *arg;
  };
  std::vector<Field> fields;
  for (const ArgInfo &arg : kernel.args) {
    fields.push_back(
        {arg.offset, arg.isMemRef ? 8 : getElementSize(arg.element), &arg});
    for (const DynamicField &field : arg.dynamic)
      fields.push_back({field.offset, 8, &arg});
  }
  llvm::sort(fields, [](const Field &a, const Field &b) {
    return a.offset < b.offset;
  });
  const Field *previous = nullptr;
  for (const Field &field : fields) {
    std::string name = "argument " + quote(field.arg->name);
    if (field.offset % field.size)
      return fail(name + " has an offset of " + Twine(field.offset) +
                  ", which is not aligned to " + Twine(field.size));
    if (field.offset + field.size > kernel.kernargSize)
      return fail(name + " ends at " + Twine(field.offset + field.size) +
                  ", past 'kernarg_size' " + Twine(kernel.kernargSize));
    if (previous && previous->offset + previous->size > field.offset)
      return fail(name + " overlaps argument " + quote(previous->arg->name) +
                  " at offset " + Twine(field.offset));
    previous = &field;
  }
  return true;
}

bool Parser::parseKernel(const json::Value &value, KernelInfo &kernel) {
  const json::Object *object = value.getAsObject();
  if (!object)
    return fail("a kernel is not an object");
  if (!getString(*object, "name", kernel.name))
    return false;
  where = "kernel " + quote(kernel.name);
  const json::Array *args, *extents;
  if (!getUnsigned(*object, "wave_size", 1, 64, kernel.waveSize))
    return false;
  if (kernel.waveSize != 32 && kernel.waveSize != 64)
    return fail("'wave_size' is " + Twine(kernel.waveSize) + ", not 32 or 64");
  if (!getUnsigned(*object, "kernarg_size", 0, kMaxKernargSize,
                   kernel.kernargSize) ||
      !getArray(*object, "args", args) ||
      !getArray(*object, "extents", extents))
    return false;
  StringSet<> names;
  std::string kernelWhere = where;
  for (const json::Value &arg : *args) {
    if (!parseArg(arg, kernel.args.emplace_back()))
      return false;
    where = kernelWhere;
    if (!names.insert(kernel.args.back().name).second)
      return fail("two arguments are named " + quote(kernel.args.back().name));
  }
  for (const json::Value &extent : *extents)
    if (!parseExtent(extent, kernel))
      return false;
  for (auto [value, arg] : zip_equal(*args, kernel.args)) {
    where = kernelWhere + ", argument " + quote(arg.name);
    if (!parseIndexed(*value.getAsObject(), kernel, arg))
      return false;
  }
  where = kernelWhere;
  return checkKernargs(kernel) && checkScratch(kernel) &&
         parseSizeRules(*this, *object, kernel) &&
         parseVariants(*this, *object, kernel);
}

bool Parser::parse(const json::Value &root, ModuleInfo &info) {
  const json::Object *object = root.getAsObject();
  if (!object)
    return fail("is not a JSON object");
  int64_t version;
  if (!getInteger(object->get("version"), "'version'", INT64_MIN, INT64_MAX,
                  version))
    return false;
  if (version != kVersion)
    return fail("expects version " + Twine(kVersion) + ", but got " +
                Twine(version));
  const json::Array *kernels;
  if (!getString(*object, "target", info.target) ||
      !getArray(*object, "kernels", kernels))
    return false;
  StringSet<> names;
  for (const json::Value &kernel : *kernels) {
    where.clear();
    if (!parseKernel(kernel, info.kernels.emplace_back()))
      return false;
    if (!names.insert(info.kernels.back().name).second)
      return fail("the name is used twice");
  }
  return true;
}

namespace rowmill {

Expected<ModuleInfo> parseModuleInfo(StringRef text) {
  Expected<json::Value> root = json::parse(text);
  if (!root)
    return createStringError("'.rowmill' section: malformed JSON: " +
                             toString(root.takeError()));
  ModuleInfo info;
  Parser parser;
  if (!parser.parse(*root, info))
    return createStringError("'.rowmill' section: " + parser.failure);
  info.json = text.str();
  return info;
}

} // namespace rowmill
