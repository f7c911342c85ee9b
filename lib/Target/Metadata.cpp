// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// The launch metadata of a code object, as JSON.

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "rowmill/Target/CodeGen.h"
#include "llvm/Support/JSON.h"

using namespace mlir;
using namespace rowmill;

static constexpr StringLiteral kernelAttr("rowmill.kernel");

/// Attributes as JSON values: a type by its name, a unit as null.
static llvm::json::Value toJson(Attribute attr) {
  if (auto text = dyn_cast<StringAttr>(attr))
    return text.getValue();
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

static llvm::json::Object describe(LLVM::LLVMFuncOp func,
                                   DictionaryAttr kernel) {
  llvm::json::Object object = *toJson(kernel).getAsObject();
  // Said again, argument by argument, in `args`.
  object.erase("access");
  object.erase("arg_names");
  object.erase("indexed");
  object["name"] = func.getSymName();
  object["symbol"] = func.getSymName().str() + ".kd";
  llvm::json::Object &partition = *object["partition"].getAsObject();
  object["wave_size"] = partition["wave_size"];
  int64_t threads = *partition.getInteger("wave_size") *
                    *partition.getInteger("waves_per_group");
  object["block"] = llvm::json::Array{threads, 1, 1};
  return object;
}

std::string rowmill::takeMetadata(gpu::GPUModuleOp module, const Arch &arch) {
  llvm::json::Array kernels;
  for (auto func : module.getOps<LLVM::LLVMFuncOp>()) {
    auto kernel = func->getAttrOfType<DictionaryAttr>(kernelAttr);
    if (!kernel)
      continue;
    kernels.push_back(describe(func, kernel));
    func->removeAttr(kernelAttr);
  }
  if (kernels.empty())
    return "";
  llvm::json::Object root{
      {"version", 1}, {"target", arch.name}, {"kernels", std::move(kernels)}};
  std::string text;
  llvm::raw_string_ostream(text) << llvm::json::Value(std::move(root));
  return text;
}
