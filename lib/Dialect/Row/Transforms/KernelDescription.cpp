// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// What a launcher must know of a kernel, read off its body.

#include "KernelDescription.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace rowmill;
using namespace rowmill::row;

/// "read", "write", "readwrite" or "none": what the kernel does to a memref
/// argument.
static StringRef getAccess(Value memref) {
  bool reads = false, writes = false;
  for (Operation *user : memref.getUsers()) {
    auto effects = dyn_cast<MemoryEffectOpInterface>(user);
    if (!effects)
      return "readwrite";
    SmallVector<MemoryEffects::EffectInstance> list;
    effects.getEffectsOnValue(memref, list);
    for (const MemoryEffects::EffectInstance &effect : list) {
      reads |= isa<MemoryEffects::Read>(effect.getEffect());
      writes |= isa<MemoryEffects::Write>(effect.getEffect());
    }
  }
  if (writes)
    return reads ? "readwrite" : "write";
  return reads ? "read" : "none";
}

static DictionaryAttr describeExtent(KernelOp kernel, ExtentAttr extent) {
  Builder b(kernel.getContext());
  if (extent.isConstant())
    return b.getDictionaryAttr(
        b.getNamedAttr("const", b.getI64IntegerAttr(extent.getSize())));
  NamedAttrList entries;
  entries.set("arg", b.getStringAttr(kernel.getArgName(extent.getArg())));
  if (extent.isDimension())
    entries.set("dim", b.getI64IntegerAttr(extent.getDim()));
  return entries.getDictionary(kernel.getContext());
}

/// The indices of an access to `memref`, first dimension first. Where in a page
/// a layout puts a row is no index.
static SmallVector<Value> getIndices(Operation *op, Value memref) {
  if (auto load = dyn_cast<LoadOp>(op); load && load.getSource() == memref)
    return load.getIndices();
  if (auto store = dyn_cast<StoreOp>(op); store && store.getTarget() == memref)
    return store.getIndices();
  if (auto gather = dyn_cast<GatherOp>(op);
      gather && gather.getSource() == memref)
    return {gather.getPage()};
  if (auto scatter = dyn_cast<ScatterOp>(op);
      scatter && scatter.getTarget() == memref)
    return {scatter.getPage()};
  if (auto load = dyn_cast<memref::LoadOp>(op);
      load && load.getMemRef() == memref)
    return load.getIndices();
  if (auto store = dyn_cast<memref::StoreOp>(op);
      store && store.getMemRef() == memref)
    return store.getIndices();
  return {};
}

/// The dimensions of `memref` that a row index runs over in every row, which
/// therefore are at least as long as that extent. What stands below a guard or
/// a branch is not for every row.
static ArrayAttr describeIndexedDims(KernelOp kernel, Value memref) {
  Builder b(kernel.getContext());
  SetVector<Attribute> entries;
  ArrayRef<BlockArgument> rows = kernel.getRowIndices();
  for (Operation &op : *rows.front().getOwner()) {
    if (isa<GuardOp>(op))
      break;
    for (auto [dim, index] : llvm::enumerate(getIndices(&op, memref))) {
      auto row = llvm::find(rows, index);
      if (row == rows.end())
        continue;
      entries.insert(b.getDictionaryAttr(
          {b.getNamedAttr("dim", b.getI64IntegerAttr(dim)),
           b.getNamedAttr("extent", b.getI64IntegerAttr(row - rows.begin()))}));
    }
  }
  return b.getArrayAttr(entries.getArrayRef());
}

/// A dimension of an argument.
static DictionaryAttr describeDim(KernelOp kernel, int64_t arg, int64_t dim) {
  Builder b(kernel.getContext());
  return b.getDictionaryAttr(
      {b.getNamedAttr("arg", b.getStringAttr(kernel.getArgName(arg))),
       b.getNamedAttr("dim", b.getI64IntegerAttr(dim))});
}

/// The dimensions of several arguments that one computed index selects from:
/// the position in two tables, the page of data and of scales. Arrays in which
/// it means the same have the same size, and one that is shorter than the other
/// is a mistake of the caller.
static ArrayAttr describeEqualDims(KernelOp kernel) {
  Builder b(kernel.getContext());
  llvm::MapVector<Value, SetVector<Attribute>> dims;
  llvm::SmallPtrSet<Value, 8> dynamic;
  for (auto [number, arg] : llvm::enumerate(kernel.getKernelArguments())) {
    auto type = dyn_cast<MemRefType>(arg.getType());
    if (!type)
      continue;
    // Users are listed from the last to the first.
    SmallVector<Operation *> users(arg.getUsers());
    for (Operation *user : llvm::reverse(users)) {
      for (auto [dim, index] : llvm::enumerate(getIndices(user, arg))) {
        if (llvm::is_contained(kernel.getRowIndices(), index) ||
            matchPattern(index, m_Constant()))
          continue;
        dims[index].insert(describeDim(kernel, number, dim));
        if (type.isDynamicDim(dim))
          dynamic.insert(index);
      }
    }
  }
  SetVector<Attribute> groups;
  for (auto &[index, members] : dims)
    if (members.size() > 1 && dynamic.contains(index))
      groups.insert(b.getArrayAttr(members.getArrayRef()));
  return b.getArrayAttr(groups.getArrayRef());
}

DictionaryAttr rowmill::row::describeKernel(KernelOp kernel,
                                            const Partition &partition) {
  Builder b(kernel.getContext());
  SmallVector<Attribute> access, extents, indexed;
  for (BlockArgument arg : kernel.getKernelArguments()) {
    access.push_back(b.getStringAttr(
        isa<MemRefType>(arg.getType()) ? getAccess(arg) : "value"));
    indexed.push_back(describeIndexedDims(kernel, arg));
  }
  for (ExtentAttr extent : kernel.getExtentAttrs())
    extents.push_back(describeExtent(kernel, extent));
  NamedAttrList entries;
  if (auto launch = kernel->getAttrOfType<DictionaryAttr>(launchAttrName))
    entries.append(launch.getValue());
  entries.set("access", b.getArrayAttr(access));
  entries.set("arg_names", kernel.getArgNames());
  entries.set("extents", b.getArrayAttr(extents));
  entries.set("indexed", b.getArrayAttr(indexed));
  if (ArrayAttr equal = describeEqualDims(kernel); !equal.empty())
    entries.set("equal", equal);
  if (auto minimum = kernel->getAttrOfType<ArrayAttr>(minimumAttrName))
    entries.set("minimum", minimum);
  entries.set("partition", partition.toAttr(kernel.getContext()));
  entries.set("rows_per_group", b.getI64IntegerAttr(partition.rowsPerGroup()));
  if (partition.workgroupsPerRow > 1)
    entries.set("groups_per_row",
                b.getI64IntegerAttr(partition.workgroupsPerRow));
  return entries.getDictionary(kernel.getContext());
}
