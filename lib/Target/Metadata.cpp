// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// The launch metadata of a code object, as JSON.

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "rowmill/Target/CodeGen.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"
#include <map>
#include <optional>

using namespace mlir;
using namespace rowmill;

static constexpr StringLiteral kernelAttr("rowmill.kernel");

/// Attributes as JSON values: a type by its name, a unit as null.
static llvm::json::Value toJson(Attribute attr) {
  if (auto text = dyn_cast<StringAttr>(attr))
    return text.getValue();
  if (auto flag = dyn_cast<BoolAttr>(attr))
    return flag.getValue();
  if (auto number = dyn_cast<IntegerAttr>(attr))
    return number.getInt();
  if (auto type = dyn_cast<TypeAttr>(attr)) {
    std::string name;
    llvm::raw_string_ostream(name) << type.getValue();
    return name;
  }
  if (auto list = dyn_cast<ArrayAttr>(attr)) {
    llvm::json::Array array;
    for (Attribute element : list)
      array.push_back(toJson(element));
    return array;
  }
  if (auto entries = dyn_cast<DictionaryAttr>(attr)) {
    llvm::json::Object object;
    for (NamedAttribute entry : entries)
      object[entry.getName().getValue()] = toJson(entry.getValue());
    return object;
  }
  return nullptr;
}

namespace {

/// A function in its place: which launch of which variant it is.
struct Place {
  int64_t variant = 0, launch = 0;
  std::optional<int64_t> maxRows;
};

/// A kernel while its functions are gathered.
struct Kernel {
  llvm::json::Object object;
  /// Variants by number, launches by number.
  std::map<int64_t, std::map<int64_t, llvm::json::Object>> launches;
  std::map<int64_t, int64_t> maxRows;
  /// What each argument is used for by the functions so far.
  SmallVector<bool> isRead, isWritten;
};

} // namespace

static SmallVector<Place> getPlaces(DictionaryAttr kernel) {
  auto list = kernel.getAs<ArrayAttr>("variants");
  if (!list)
    return {Place()};
  SmallVector<Place> places;
  for (auto entry : list.getAsRange<DictionaryAttr>()) {
    Place place;
    place.variant = entry.getAs<IntegerAttr>("variant").getInt();
    place.launch = entry.getAs<IntegerAttr>("launch").getInt();
    if (auto maxRows = entry.getAs<IntegerAttr>("max_rows"))
      place.maxRows = maxRows.getInt();
    places.push_back(place);
  }
  return places;
}

/// What it takes to launch one function, beside its arguments.
static llvm::json::Object describeLaunch(LLVM::LLVMFuncOp func,
                                         const llvm::json::Object &kernel) {
  const llvm::json::Object &partition = *kernel.getObject("partition");
  int64_t threads = *partition.getInteger("wave_size") *
                    *partition.getInteger("waves_per_group");
  llvm::json::Object launch{
      {"symbol", func.getSymName().str() + ".kd"},
      {"block", llvm::json::Array{threads, 1, 1}},
      {"rows_per_group", *kernel.getInteger("rows_per_group")},
      {"groups_per_row", kernel.getInteger("groups_per_row").value_or(1)}};
  launch["partition"] = llvm::json::Object(partition);
  return launch;
}

/// Appends to a list of `kernel` what it does not hold yet.
static void mergeList(llvm::json::Object &into, llvm::json::Value *list,
                      StringRef key) {
  if (!list)
    return;
  llvm::json::Value *known = into.get(key);
  if (!known) {
    into[key] = std::move(*list);
    return;
  }
  llvm::json::Array &array = *known->getAsArray();
  for (llvm::json::Value &value : *list->getAsArray())
    if (!llvm::is_contained(array, value))
      array.push_back(std::move(value));
}

/// Adds a function to the kernel that it is a part of.
static void addFunction(Kernel &kernel, StringRef name, LLVM::LLVMFuncOp func,
                        DictionaryAttr attr) {
  llvm::json::Object object = *toJson(attr).getAsObject();
  for (Place place : getPlaces(attr)) {
    kernel.launches[place.variant][place.launch] = describeLaunch(func, object);
    if (place.maxRows)
      kernel.maxRows[place.variant] = *place.maxRows;
  }
  llvm::json::Array &args = *object.getArray("args");
  kernel.isRead.resize(args.size());
  kernel.isWritten.resize(args.size());
  for (auto [arg, read, written] :
       llvm::zip_equal(args, kernel.isRead, kernel.isWritten)) {
    StringRef access = arg.getAsObject()->getString("access").value_or("");
    read |= access.starts_with("read");
    written |= access.ends_with("write");
  }
  if (kernel.object.empty()) {
    kernel.object["name"] = name;
    kernel.object["wave_size"] =
        *object.getObject("partition")->get("wave_size");
    for (StringRef key : {"args", "extents", "kernarg_size"})
      kernel.object[key] = std::move(*object.get(key));
  } else {
    // A part of a kernel may index less of an argument than another.
    for (auto [known, arg] :
         llvm::zip_equal(*kernel.object.getArray("args"), args))
      mergeList(*known.getAsObject(), arg.getAsObject()->get("indexed"),
                "indexed");
  }
  mergeList(kernel.object, object.get("equal"), "equal");
  mergeList(kernel.object, object.get("minimum"), "minimum");
}

static llvm::json::Object finishKernel(Kernel &kernel) {
  for (auto [arg, read, written] : llvm::zip_equal(
           *kernel.object.getArray("args"), kernel.isRead, kernel.isWritten)) {
    llvm::json::Object &object = *arg.getAsObject();
    // An argument that nothing uses counts as read.
    if (object.get("access"))
      object["access"] = written ? (read ? "readwrite" : "write") : "read";
  }
  llvm::json::Array variants;
  for (auto &[number, launches] : kernel.launches) {
    llvm::json::Array list;
    for (auto &[position, launch] : launches)
      list.push_back(std::move(launch));
    llvm::json::Object variant{{"launches", std::move(list)}};
    if (auto maxRows = kernel.maxRows.find(number);
        maxRows != kernel.maxRows.end())
      variant["max_rows"] = maxRows->second;
    variants.push_back(std::move(variant));
  }
  kernel.object["variants"] = std::move(variants);
  return std::move(kernel.object);
}

std::string rowmill::takeMetadata(gpu::GPUModuleOp module, const Arch &arch) {
  llvm::MapVector<StringRef, Kernel> kernels;
  for (auto func : module.getOps<LLVM::LLVMFuncOp>()) {
    auto attr = func->getAttrOfType<DictionaryAttr>(kernelAttr);
    if (!attr)
      continue;
    auto name = attr.getAs<StringAttr>("kernel");
    StringRef key = name ? name.getValue() : func.getSymName();
    addFunction(kernels[key], key, func, attr);
    func->removeAttr(kernelAttr);
  }
  if (kernels.empty())
    return "";
  llvm::json::Array list;
  for (auto &[name, kernel] : kernels)
    list.push_back(finishKernel(kernel));
  llvm::json::Object root{
      {"version", 2}, {"target", arch.name}, {"kernels", std::move(list)}};
  std::string text;
  llvm::raw_string_ostream(text) << llvm::json::Value(std::move(root));
  return text;
}
