// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// row-variants: kernels that pool, for few rows and for many, in one launch or
// two.

#include "KernelDescription.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "rowmill/Dialect/Row/IR/Row.h"
#include "rowmill/Dialect/Row/Transforms/Partition.h"
#include "rowmill/Dialect/Row/Transforms/Passes.h"
#include "rowmill/Target/Arch.h"

using namespace mlir;
using namespace rowmill;
using namespace rowmill::row;

namespace rowmill::row {
#define GEN_PASS_DEF_ROWVARIANTS
#include "rowmill/Dialect/Row/Transforms/Passes.h.inc"
} // namespace rowmill::row

/// Sources from which on a pool takes so long that its elements are spread over
/// workgroups too.
static constexpr int64_t longPool = 64;

//===----------------------------------------------------------------------===//
// Which variants
//===----------------------------------------------------------------------===//

namespace {

/// One way to run a kernel.
struct Variant {
  int64_t maxRows = 0; ///< 0: any number
  int64_t waves = 1;   ///< that share a pool
  int64_t workgroups = 1;
  int64_t tailWaves = 1; ///< of a workgroup of the second launch

  bool isSameCode(const Variant &other) const {
    return waves == other.waves && workgroups == other.workgroups &&
           (workgroups == 1 || tailWaves == other.tailWaves);
  }
};

} // namespace

/// The waves of a pool that its sources, the workgroup and LDS have room for.
static int64_t limitWaves(SoftmaxPoolOp pool, const Arch &arch,
                          const PartitionRequest &request, int64_t waves) {
  waves = getPoolWaves(pool, waves);
  if (request.wavesPerGroup)
    waves = std::min(waves, request.wavesPerGroup);
  // Elements a lane, were it the only row of a wave.
  Partition p;
  p.splitsPool = true;
  p.waveSize = arch.waveSize;
  p.chunks = 1;
  p.contiguous = llvm::PowerOf2Ceil(llvm::divideCeil(
      pool.getType().getDimSize(0),
      request.lanesPerRow ? request.lanesPerRow : arch.waveSize));
  for (; waves > 1; waves /= 2) {
    p.wavesPerRow = p.wavesPerGroup = waves;
    if (p.getPoolBytes() <= arch.ldsBytes)
      break;
  }
  return waves;
}

/// The variants that the arch's table wants of a pool.
static SmallVector<Variant> chooseVariants(SoftmaxPoolOp pool, const Arch &arch,
                                           const PartitionRequest &request,
                                           bool cuts) {
  int64_t length = pool.getType().getDimSize(0);
  bool isLong = pool.getSources().value_or(0) >= longPool;
  SmallVector<Variant> variants;
  for (const PoolTuning &row : isLong ? arch.longPools : arch.shortPools) {
    Variant variant;
    variant.maxRows = row.maxRows;
    variant.waves = limitWaves(pool, arch, request, row.waves);
    if (row.slice && length % row.slice == 0 &&
        llvm::isPowerOf2_64(length / row.slice))
      variant.workgroups = length / row.slice;
    variant.tailWaves = cuts ? row.tailWaves : 1;
    if (!variants.empty() && variants.back().isSameCode(variant))
      variants.back().maxRows = variant.maxRows;
    else
      variants.push_back(variant);
  }
  return variants;
}

//===----------------------------------------------------------------------===//
// Cutting
//===----------------------------------------------------------------------===//

static SoftmaxPoolOp findPool(KernelOp kernel) {
  auto pools = kernel.getBody()->getOps<SoftmaxPoolOp>();
  return pools.empty() ? SoftmaxPoolOp() : *pools.begin();
}

/// Whether elements of a row meet in this kernel, so that workgroups cannot do
/// without each other.
static bool crossesRow(KernelOp kernel) {
  return kernel
      .walk([](Operation *op) {
        return isa<HadamardOp, QuantizeOp, ReduceOp, RmsNormOp, RopeOp>(op)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// A kernel can be cut after its pool if all that comes before can be done
/// twice.
static LogicalResult checkCut(KernelOp kernel, SoftmaxPoolOp pool) {
  for (Operation &op : *kernel.getBody()) {
    if (&op == pool)
      return success();
    if (hasEffect<MemoryEffects::Write>(&op)) {
      InFlightDiagnostic diag = kernel.emitOpError(
          "expects no write before the pool where 'workgroups_per_row' is more "
          "than 1");
      diag.attachNote(op.getLoc()) << "this would be written twice";
      return diag;
    }
  }
  llvm_unreachable("the pool is in the kernel's block");
}

/// Adds the argument through which the two launches talk: f32, a row of the
/// pool for each row of the kernel. Returns its index.
static int64_t addScratch(KernelOp kernel, VectorType row) {
  Builder b(kernel.getContext());
  SmallVector<int64_t> shape;
  for (ExtentAttr extent : kernel.getExtentAttrs())
    shape.push_back(extent.isConstant() ? extent.getSize()
                                        : ShapedType::kDynamic);
  shape.push_back(row.getDimSize(0));
  SmallVector<Attribute> names(kernel.getArgNames().getValue());
  std::string name = "scratch";
  auto isTaken = [&](ArrayAttr list) {
    return llvm::is_contained(list, b.getStringAttr(name));
  };
  while (isTaken(kernel.getArgNames()) || isTaken(kernel.getRowNames()))
    name += "_";
  int64_t index = names.size();
  names.push_back(b.getStringAttr(name));
  kernel.getBody()->insertArgument(
      index, MemRefType::get(shape, row.getElementType()), kernel.getLoc());
  kernel.setArgNamesAttr(b.getArrayAttr(names));
  return index;
}

/// Erases what nothing needs, backwards.
static void eraseDead(Block *block) {
  for (Operation &op :
       llvm::make_early_inc_range(llvm::reverse(block->getOperations())))
    if (isOpTriviallyDead(&op))
      op.erase();
}

/// Leaves of `kernel` what makes the pooled rows.
static void keepPool(KernelOp kernel, int64_t scratch) {
  SoftmaxPoolOp pool = findPool(kernel);
  Block *body = kernel.getBody();
  while (&body->back() != pool)
    body->back().erase();
  OpBuilder b = OpBuilder::atBlockEnd(body);
  SmallVector<Value> indices(kernel.getRowIndices());
  StoreOp::create(b, pool.getLoc(), pool, body->getArgument(scratch), indices);
  eraseDead(body);
}

/// Leaves of `kernel` what becomes of the pooled rows.
static void keepTail(KernelOp kernel, int64_t scratch) {
  SoftmaxPoolOp pool = findPool(kernel);
  OpBuilder b(pool);
  SmallVector<Value> indices(kernel.getRowIndices());
  Value row = LoadOp::create(b, pool.getLoc(), pool.getType(),
                             kernel.getBody()->getArgument(scratch), indices);
  pool.replaceAllUsesWith(row);
  pool.erase();
  eraseDead(kernel.getBody());
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {

/// Makes one kernel into its variants.
class VariantBuilder {
public:
  VariantBuilder(KernelOp kernel, const PartitionRequest &request)
      : kernel(kernel), request(request), b(kernel) {}

  void build(ArrayRef<Variant> variants, bool cuts) {
    if (cuts && llvm::any_of(variants,
                             [](const Variant &v) { return v.workgroups > 1; }))
      scratch = addScratch(kernel, findPool(kernel).getType());
    for (auto [number, variant] : llvm::enumerate(variants)) {
      if (!cuts || variant.workgroups == 1) {
        addLaunch(number, 0, variant,
                  "__waves" + Twine(variant.waves) + suffix(variant),
                  variant.waves, variant.workgroups, nullptr);
        continue;
      }
      addLaunch(number, 0, variant,
                "__pool_waves" + Twine(variant.waves) + suffix(variant),
                variant.waves, variant.workgroups, keepPool);
      addLaunch(number, 1, variant, "__tail_waves" + Twine(variant.tailWaves),
                variant.tailWaves, 1, keepTail);
    }
    kernel.erase();
  }

private:
  static std::string suffix(const Variant &variant) {
    return variant.workgroups == 1
               ? std::string()
               : "_groups" + std::to_string(variant.workgroups);
  }

  /// Adds a launch to variant `number`: a copy of the kernel of which `keep`
  /// leaves a part, unless there is one already.
  void addLaunch(int64_t number, int64_t launch, const Variant &variant,
                 const Twine &ending, int64_t waves, int64_t workgroups,
                 void (*keep)(KernelOp, int64_t)) {
    std::string name = (kernel.getSymName() + ending).str();
    KernelOp &copy = copies[name];
    if (!copy) {
      copy = cast<KernelOp>(b.clone(*kernel));
      copy.setSymName(name);
      if (keep)
        keep(copy, scratch);
      // The waves of a tail have rows of their own.
      bool isTail = keep == keepTail;
      copy.setPartitionAttr(PartitionAttr::get(
          b.getContext(), isTail ? 0 : request.lanesPerRow, isTail ? 1 : waves,
          isTail ? waves : request.wavesPerGroup, workgroups));
    }
    NamedAttrList place;
    place.set("variant", b.getI64IntegerAttr(number));
    place.set("launch", b.getI64IntegerAttr(launch));
    if (variant.maxRows)
      place.set("max_rows", b.getI64IntegerAttr(variant.maxRows));
    NamedAttrList entries;
    SmallVector<Attribute> places;
    if (auto known = copy->getAttrOfType<DictionaryAttr>(launchAttrName))
      llvm::append_range(places, known.getAs<ArrayAttr>("variants"));
    places.push_back(place.getDictionary(b.getContext()));
    entries.set("kernel", kernel.getSymNameAttr());
    entries.set("variants", b.getArrayAttr(places));
    if (scratch >= 0)
      entries.set("scratch", b.getI64IntegerAttr(scratch));
    copy->setAttr(launchAttrName, entries.getDictionary(b.getContext()));
  }

  KernelOp kernel;
  PartitionRequest request;
  OpBuilder b;
  int64_t scratch = -1;
  llvm::StringMap<KernelOp> copies;
};

struct RowVariants : rowmill::row::impl::RowVariantsBase<RowVariants> {
  using RowVariantsBase::RowVariantsBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    const Arch *arch = lookupArch(target);
    // An unknown arch is row-tile's to report.
    if (!arch)
      return;
    SmallVector<KernelOp> kernels(module.getOps<KernelOp>());
    for (KernelOp kernel : kernels)
      if (SoftmaxPoolOp pool = findPool(kernel))
        if (failed(expand(kernel, pool, *arch)))
          return signalPassFailure();
  }

  LogicalResult expand(KernelOp kernel, SoftmaxPoolOp pool, const Arch &arch) {
    PartitionRequest request = mergeRequest(
        kernel, {lanesPerRow, wavesPerRow, wavesPerGroup, workgroupsPerRow});
    bool cuts = crossesRow(kernel);
    SmallVector<Variant> variants;
    if (request.workgroupsPerRow > 1) {
      Variant variant;
      variant.workgroups = request.workgroupsPerRow;
      variant.waves = request.wavesPerRow
                          ? request.wavesPerRow
                          : limitWaves(pool, arch, request, /*waves=*/8);
      variants.push_back(variant);
    } else if (request.wavesPerRow == 0 && request.workgroupsPerRow == 0) {
      variants = chooseVariants(pool, arch, request, cuts);
    }
    // One variant in one launch is the kernel as it is.
    if (variants.empty() ||
        (variants.size() == 1 && (variants[0].workgroups == 1 || !cuts))) {
      return success();
    }
    if (cuts && failed(checkCut(kernel, pool)))
      return failure();
    if (explain)
      emitExplanation(kernel, variants, cuts, arch);
    VariantBuilder(kernel, request).build(variants, cuts);
    return success();
  }

  static void emitExplanation(KernelOp kernel, ArrayRef<Variant> variants,
                              bool cuts, const Arch &arch) {
    std::string text;
    llvm::raw_string_ostream os(text);
    for (const Variant &variant : variants) {
      os << (text.empty() ? "" : "; ");
      if (variant.maxRows)
        os << "up to " << variant.maxRows << " rows: ";
      else if (variants.size() > 1)
        os << "beyond: ";
      os << variant.waves << " wave" << (variant.waves == 1 ? "" : "s")
         << " a pool";
      if (variant.workgroups > 1)
        os << " in each of " << variant.workgroups << " workgroups"
           << (cuts ? " and a second launch" : "");
    }
    emitRemark(kernel.getLoc(), "variants for ") << arch.name << ": " << text;
  }
};

} // namespace
