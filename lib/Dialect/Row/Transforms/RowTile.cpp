// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// The pass row-tile: from row kernels to a grid of workgroups.

#include "KernelDescription.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/SymbolTable.h"
#include "rowmill/Dialect/Row/IR/Row.h"
#include "rowmill/Dialect/Row/Transforms/Partition.h"
#include "rowmill/Dialect/Row/Transforms/Passes.h"
#include "rowmill/Target/Arch.h"

using namespace mlir;
using namespace rowmill;
using namespace rowmill::row;

namespace rowmill::row {
#define GEN_PASS_DEF_ROWTILE
#include "rowmill/Dialect/Row/Transforms/Passes.h.inc"
} // namespace rowmill::row

//===----------------------------------------------------------------------===//
// Rows of a workgroup
//===----------------------------------------------------------------------===//

static Value constant(ImplicitLocOpBuilder &b, int64_t value) {
  return arith::ConstantIndexOp::create(b, value);
}

static Value buildExtent(ImplicitLocOpBuilder &b, gpu::GPUFuncOp func,
                         ExtentAttr extent) {
  if (extent.isConstant())
    return constant(b, extent.getSize());
  Value arg = func.getArgument(extent.getArg());
  if (extent.isDimension()) {
    int64_t size = cast<MemRefType>(arg.getType()).getDimSize(extent.getDim());
    if (!ShapedType::isDynamic(size))
      return constant(b, size);
    return memref::DimOp::create(b, arg, constant(b, extent.getDim()));
  }
  if (!arg.getType().isIndex())
    arg = arith::IndexCastOp::create(b, b.getIndexType(), arg);
  // A negative count means no rows; as an unsigned one it would mean many.
  return arith::MaxSIOp::create(b, arg, constant(b, 0));
}

/// The row of this thread: workgroups hold neighbouring rows, and in a
/// workgroup neighbouring lanes hold a row.
static Value buildRow(ImplicitLocOpBuilder &b, const Partition &p) {
  Value group = gpu::BlockIdOp::create(b, gpu::Dimension::x);
  if (p.workgroupsPerRow > 1)
    group = arith::DivUIOp::create(b, group, constant(b, p.workgroupsPerRow));
  if (p.rowsPerGroup() == 1)
    return group;
  Value thread = gpu::ThreadIdOp::create(b, gpu::Dimension::x);
  Value inGroup;
  if (p.poolWaves() > 1) {
    // Each of the waves that share a pool has all rows of the pool's wave.
    int64_t poolThreads = p.poolWaves() * p.waveSize;
    inGroup = arith::RemUIOp::create(b, thread, constant(b, p.waveSize));
    inGroup = arith::DivUIOp::create(b, inGroup, constant(b, p.lanesPerRow));
    Value pool = arith::DivUIOp::create(b, thread, constant(b, poolThreads));
    Value rows = arith::MulIOp::create(b, pool, constant(b, p.rowsPerWave()));
    inGroup = arith::AddIOp::create(b, rows, inGroup);
  } else {
    inGroup = arith::DivUIOp::create(b, thread, constant(b, p.lanesInGroup()));
  }
  Value first = arith::MulIOp::create(b, group, constant(b, p.rowsPerGroup()));
  return arith::AddIOp::create(b, first, inGroup);
}

/// One index an extent, the last fastest.
static SmallVector<Value> delinearize(ImplicitLocOpBuilder &b, Value row,
                                      ArrayRef<Value> extents) {
  SmallVector<Value> indices(extents.size());
  for (size_t i = extents.size(); i-- > 1;) {
    indices[i] = arith::RemUIOp::create(b, row, extents[i]);
    row = arith::DivUIOp::create(b, row, extents[i]);
  }
  indices[0] = row;
  return indices;
}

/// Puts everything after each guard of `block` into a branch around it:
///
///   row.guard %slot
///   rest
/// becomes
///   scf.if (%slot >= 0) { rest }
static void expandGuards(Block *block) {
  for (Operation *op = &block->front(); op; op = op->getNextNode()) {
    auto guard = dyn_cast<GuardOp>(op);
    if (!guard)
      continue;
    ImplicitLocOpBuilder b(guard.getLoc(), guard);
    Value zero =
        arith::ConstantOp::create(b, b.getZeroAttr(guard.getValue().getType()));
    Value isRow = arith::CmpIOp::create(b, arith::CmpIPredicate::sge,
                                        guard.getValue(), zero);
    auto branch = scf::IfOp::create(b, isRow, /*withElseRegion=*/false);
    Block *rest = branch.thenBlock();
    rest->getOperations().splice(rest->begin(), block->getOperations(),
                                 std::next(guard->getIterator()),
                                 std::prev(block->end()));
    // The branch now stands before the guard: swap, then drop the guard.
    guard.erase();
    expandGuards(rest);
    return;
  }
}

/// Arguments live in global memory.
static Type getArgumentType(Type type) {
  auto memref = dyn_cast<MemRefType>(type);
  if (!memref)
    return type;
  auto space =
      gpu::AddressSpaceAttr::get(type.getContext(), gpu::AddressSpace::Global);
  return MemRefType::get(memref.getShape(), memref.getElementType(),
                         memref.getLayout(), space);
}

static gpu::GPUFuncOp createFunction(KernelOp kernel, gpu::GPUModuleOp module,
                                     const Partition &partition) {
  ImplicitLocOpBuilder b(kernel.getLoc(), kernel.getContext());
  b.setInsertionPointToEnd(module.getBody());
  SmallVector<Type> types;
  for (BlockArgument arg : kernel.getKernelArguments())
    types.push_back(getArgumentType(arg.getType()));
  auto func = gpu::GPUFuncOp::create(b, kernel.getSymName(),
                                     b.getFunctionType(types, {}));
  func->setAttr(gpu::GPUDialect::getKernelFuncAttrName(), b.getUnitAttr());
  func.setKnownBlockSizeAttr(
      b.getDenseI32ArrayAttr({int32_t(partition.threads()), 1, 1}));
  func->setAttr("rowmill.kernel", describeKernel(kernel, partition));
  return func;
}

/// Moves the kernel's body into `func`, below the branch that skips rows past
/// the end.
static void moveBody(KernelOp kernel, gpu::GPUFuncOp func,
                     const Partition &partition) {
  ImplicitLocOpBuilder b(kernel.getLoc(), kernel.getContext());
  b.setInsertionPointToStart(&func.getBody().front());
  SmallVector<Value> extents;
  for (ExtentAttr extent : kernel.getExtentAttrs())
    extents.push_back(buildExtent(b, func, extent));
  Value count = extents.front();
  for (Value extent : ArrayRef(extents).drop_front())
    count = arith::MulIOp::create(b, count, extent);
  Value row = buildRow(b, partition);
  Value isRow = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, row, count);
  auto branch = scf::IfOp::create(b, isRow, /*withElseRegion=*/false);
  gpu::ReturnOp::create(b);

  Block *body = branch.thenBlock();
  b.setInsertionPointToStart(body);
  SmallVector<Value> arguments(func.getArguments());
  llvm::append_range(arguments, delinearize(b, row, extents));
  for (auto [from, to] :
       llvm::zip_equal(kernel.getBody()->getArguments(), arguments))
    from.replaceAllUsesWith(to);
  body->getOperations().splice(std::prev(body->end()),
                               kernel.getBody()->getOperations());
  expandGuards(body);
}

/// The eight-bit codes that an op makes or reads must be the arch's own: there
/// is no silent conversion between the two flavours.
static LogicalResult checkFormats(KernelOp kernel, const Arch &arch) {
  WalkResult found = kernel.walk([&](Operation *op) {
    Type format;
    if (auto quantize = dyn_cast<QuantizeOp>(op))
      format = quantize.getCodes().getType().getElementType();
    else if (auto dequantize = dyn_cast<DequantizeOp>(op))
      format = dequantize.getCodes().getType().getElementType();
    bool isForeign = arch.fp8Ocp ? isa_and_nonnull<Float8E4M3FNUZType>(format)
                                 : isa_and_nonnull<Float8E4M3FNType>(format);
    if (!isForeign)
      return WalkResult::advance();
    op->emitOpError("expects the fp8 format of ")
        << arch.name << ", " << (arch.fp8Ocp ? "f8E4M3FN" : "f8E4M3FNUZ")
        << ", but got " << format;
    return WalkResult::interrupt();
  });
  return failure(found.wasInterrupted());
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {

struct RowTile : rowmill::row::impl::RowTileBase<RowTile> {
  using RowTileBase::RowTileBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    SmallVector<KernelOp> kernels(module.getOps<KernelOp>());
    if (kernels.empty())
      return;
    const Arch *arch = lookupArch(target);
    if (!arch) {
      module.emitError("expects 'target' to be one of ")
          << knownArchNames() << ", but got '" << target << "'";
      return signalPassFailure();
    }
    OpBuilder b = OpBuilder::atBlockEnd(module.getBody());
    auto chip = ROCDL::ROCDLTargetAttr::get(&getContext(), /*optLevel=*/3,
                                            "amdgcn-amd-amdhsa", arch->name);
    auto gpuModule = gpu::GPUModuleOp::create(b, module.getLoc(), "kernels",
                                              b.getArrayAttr(chip));
    SymbolTable(module).insert(gpuModule);
    for (KernelOp kernel : kernels)
      if (failed(tile(kernel, gpuModule, *arch)))
        return signalPassFailure();
  }

  LogicalResult tile(KernelOp kernel, gpu::GPUModuleOp gpuModule,
                     const Arch &arch) {
    // What row-variants has made is complete.
    bool isVariant = bool(kernel->getAttr(launchAttrName));
    PartitionRequest request;
    if (!isVariant)
      request = {lanesPerRow, wavesPerRow, wavesPerGroup, workgroupsPerRow};
    request = mergeRequest(kernel, request);
    if (failed(checkFormats(kernel, arch)))
      return failure();
    std::string reason;
    FailureOr<Partition> partition =
        choosePartition(kernel, arch, request, reason);
    if (failed(partition))
      return failure();
    if (explain && !isVariant)
      emitRemark(kernel.getLoc(), "partition for ")
          << arch.name << " " << reason;
    gpu::GPUFuncOp func = createFunction(kernel, gpuModule, *partition);
    moveBody(kernel, func, *partition);
    kernel.erase();
    return success();
  }
};

} // namespace
