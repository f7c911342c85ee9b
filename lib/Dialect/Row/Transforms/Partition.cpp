// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Choosing and checking the partition of a kernel.

#include "rowmill/Dialect/Row/Transforms/Partition.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Diagnostics.h"
#include "rowmill/Dialect/Row/IR/Row.h"
#include "rowmill/Target/Arch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace rowmill;
using namespace rowmill::row;

/// Elements a lane that keep its loads of 16-bit rows two full 16-byte accesses
/// and leave a row few lanes to cross.
static constexpr int64_t preferredElements = 16;

/// The same in kernels that pool: a source is one such access, and as many
/// lanes as possible fetch sources at once.
static constexpr int64_t preferredPoolElements = 8;

/// The same where workgroups share a row to put the whole device to work.
static constexpr int64_t preferredSliceElements = 2;

/// Waves that share a pool unless something else is asked for.
static constexpr int64_t preferredPoolWaves = 4;

/// Beyond this many neighbouring elements a lane's accesses lie so far apart
/// that chunks, which interleave the lanes, use cache lines better. It is also
/// the smallest quantisation group and a full 16-byte store of FP4 codes.
static constexpr int64_t maxContiguous = 32;

/// Elements a lane up to which one wave a row is the first choice.
static constexpr int64_t comfortableElements = 32;

static constexpr int64_t maxThreads = 1024;

DictionaryAttr Partition::toAttr(MLIRContext *context) const {
  Builder b(context);
  auto entry = [&](StringRef name, int64_t value) {
    return b.getNamedAttr(name, b.getI64IntegerAttr(value));
  };
  return b.getDictionaryAttr({
      entry("chunks", chunks),
      entry("contiguous", contiguous),
      entry("elements_per_lane", elementsPerLane()),
      entry("lanes_per_row", lanesPerRow),
      entry("row_length", rowLength),
      entry("rows_per_wave", rowsPerWave()),
      entry("wave_size", waveSize),
      entry("waves_per_group", wavesPerGroup),
      entry("waves_per_row", wavesPerRow),
      entry("workgroups_per_row", workgroupsPerRow),
      b.getNamedAttr("splits",
                     b.getStringAttr(splitsPool ? "pool" : "elements")),
  });
}

FailureOr<Partition> Partition::fromAttr(DictionaryAttr attr) {
  Partition p;
  std::pair<StringRef, int64_t *> fields[] = {
      {"row_length", &p.rowLength},
      {"lanes_per_row", &p.lanesPerRow},
      {"waves_per_row", &p.wavesPerRow},
      {"waves_per_group", &p.wavesPerGroup},
      {"contiguous", &p.contiguous},
      {"chunks", &p.chunks},
      {"wave_size", &p.waveSize},
      {"workgroups_per_row", &p.workgroupsPerRow},
  };
  for (auto [name, value] : fields) {
    auto number = attr.getAs<IntegerAttr>(name);
    if (!number || number.getInt() < 1)
      return failure();
    *value = number.getInt();
  }
  auto splits = attr.getAs<StringAttr>("splits");
  if (!splits || (splits != "pool" && splits != "elements"))
    return failure();
  p.splitsPool = splits == "pool";
  return p;
}

FailureOr<Partition> Partition::get(gpu::GPUFuncOp func) {
  auto kernel = func->getAttrOfType<DictionaryAttr>("rowmill.kernel");
  auto attr =
      kernel ? kernel.getAs<DictionaryAttr>("partition") : DictionaryAttr();
  FailureOr<Partition> partition = failure();
  if (attr)
    partition = fromAttr(attr);
  if (failed(partition))
    return func.emitOpError("expects a partition in 'rowmill.kernel', as "
                            "row-tile writes it");
  return partition;
}

namespace {

/// What the kernel's values demand of any partition.
struct RowNeeds {
  int64_t length = 0;          ///< the longest row
  int64_t minElements = 1;     ///< elements a lane, so that bytes are whole
  Type narrowest;              ///< the type that sets minElements
  bool exchangesPairs = false; ///< halves of pairs: best in one wave
  bool exchangesAll = false;   ///< a Hadamard rotation: lanes of one wave only
  Operation *crossing = nullptr; ///< an op that combines elements of a row
  SoftmaxPoolOp pool;            ///< the pool, if there is one
};

} // namespace

static RowNeeds collectNeeds(KernelOp kernel) {
  RowNeeds needs;
  SmallVector<VectorType> types;
  kernel.getBody()->walk([&](Operation *op) {
    for (Type type : op->getResultTypes())
      if (auto row = dyn_cast<VectorType>(type); row && row.getRank() == 1)
        types.push_back(row);
    needs.exchangesAll |= isa<HadamardOp>(op);
    if (!needs.crossing &&
        isa<HadamardOp, QuantizeOp, ReduceOp, RmsNormOp, RopeOp>(op))
      needs.crossing = op;
    if (auto pool = dyn_cast<SoftmaxPoolOp>(op); pool && !needs.pool)
      needs.pool = pool;
    // A pair must not be torn between two lanes.
    if (auto rope = dyn_cast<RopeOp>(op)) {
      if (rope.getStyle() == RopeStyle::Interleaved)
        needs.minElements = std::max<int64_t>(needs.minElements, 2);
      else
        needs.exchangesPairs = true;
    }
  });
  for (VectorType type : types)
    needs.length = std::max(needs.length, type.getNumElements());
  for (VectorType type : types) {
    // Codes lie in memory; truth values and indices never do.
    if (!isa<FloatType>(type.getElementType()))
      continue;
    int64_t bits = type.getElementTypeBitWidth();
    if (bits >= 8 || type.getNumElements() != needs.length)
      continue;
    needs.minElements = std::max<int64_t>(needs.minElements, 8 / bits);
    needs.narrowest = type.getElementType();
  }
  return needs;
}

/// Fills `contiguous` and `chunks` for the lanes of `p`.
static void spreadElements(Partition &p) {
  int64_t perLane = llvm::divideCeil(p.rowLength, p.lanes());
  int64_t divisor = p.rowLength & -p.rowLength;
  p.contiguous =
      std::min({int64_t(llvm::PowerOf2Ceil(perLane)), divisor, maxContiguous});
  p.chunks = llvm::divideCeil(p.rowLength, p.lanes() * p.contiguous);
}

static LogicalResult checkPowerOfTwo(KernelOp kernel, StringRef name,
                                     int64_t value, int64_t limit) {
  if (value == 0 || (value > 0 && llvm::isPowerOf2_64(value) && value <= limit))
    return success();
  return kernel.emitOpError("expects '")
         << name << "' to be a power of two between 1 and " << limit
         << ", but got " << value;
}

/// Checks how the waves and workgroups of a row share it.
static LogicalResult checkSharing(KernelOp kernel, const RowNeeds &needs,
                                  const Partition &p, const Arch &arch) {
  if (p.wavesPerGroup < p.wavesPerRow)
    return kernel.emitOpError("expects 'waves_per_group' to be at least "
                              "'waves_per_row' ")
           << p.wavesPerRow << ", but got " << p.wavesPerGroup;
  if (p.workgroupsPerRow > 1) {
    if (needs.crossing) {
      InFlightDiagnostic diag = kernel.emitOpError(
          "expects 'workgroups_per_row' 1 where elements of a row meet "
          "without a pool before, but got ");
      diag << p.workgroupsPerRow;
      diag.attachNote(needs.crossing->getLoc())
          << "elements of a row meet here";
      return diag;
    }
    if (!p.isExact())
      return kernel.emitOpError("expects 'workgroups_per_row' to share a row "
                                "of ")
             << needs.length << " elements evenly over lanes, but got "
             << p.workgroupsPerRow;
  }
  if (!p.splitsPool) {
    if (p.wavesPerRow > 1 && p.lanesPerRow != p.waveSize)
      return kernel.emitOpError("expects 'lanes_per_row' to be the wave size ")
             << p.waveSize << " where 'waves_per_row' is " << p.wavesPerRow
             << ", but got " << p.lanesPerRow;
    if (needs.exchangesAll && p.wavesPerRow > 1)
      return kernel.emitOpError("expects 'waves_per_row' 1 for a kernel with a "
                                "hadamard rotation, but got ")
             << p.wavesPerRow;
    return success();
  }
  if (std::optional<int64_t> sources = SoftmaxPoolOp(needs.pool).getSources();
      sources && *sources % p.wavesPerRow)
    return kernel.emitOpError("expects 'waves_per_row' to divide the ")
           << *sources << " sources of the pool, but got " << p.wavesPerRow;
  if (int64_t bytes = p.getPoolBytes(); bytes > arch.ldsBytes)
    return kernel.emitOpError("expects at most ")
           << arch.ldsBytes << " bytes of LDS to merge the pools of "
           << p.wavesPerRow << " waves, but they need " << bytes
           << "; ask for fewer waves or more lanes";
  return success();
}

static LogicalResult checkPartition(KernelOp kernel, const RowNeeds &needs,
                                    const Partition &p, const Arch &arch) {
  if (failed(checkSharing(kernel, needs, p, arch)))
    return failure();
  if (p.elementsPerLane() > maxElementsPerLane)
    return kernel.emitOpError("expects at most ")
           << maxElementsPerLane << " elements a lane, but a row of "
           << needs.length << " over " << p.lanes() << " lane"
           << (p.lanes() == 1 ? "" : "s") << " has " << p.elementsPerLane()
           << "; at least "
           << llvm::PowerOf2Ceil(
                  llvm::divideCeil(needs.length, maxElementsPerLane))
           << " lanes are needed";
  if (p.contiguous < needs.minElements) {
    InFlightDiagnostic diag = kernel.emitOpError("expects at least ");
    diag << needs.minElements << " elements a lane ";
    if (needs.narrowest)
      diag << "for whole bytes of " << needs.narrowest;
    else
      diag << "for whole pairs of a rotation";
    return diag << ", but a row of " << needs.length << " over " << p.lanes()
                << " lanes has " << p.contiguous;
  }
  return success();
}

/// What a lane should hold of a row.
static int64_t getPreferredElements(const RowNeeds &needs, const Partition &p) {
  if (!needs.pool)
    return preferredElements;
  return p.workgroupsPerRow > 1 ? preferredSliceElements
                                : preferredPoolElements;
}

/// The fewest lanes that hold a row at the preferred number of elements each;
/// then waves that share its pool, or without one, waves until the row fits
/// comfortably.
static void chooseOpenNumbers(const RowNeeds &needs, PartitionRequest request,
                              Partition &p, std::string &reason) {
  auto lanesFor = [&](int64_t elements) {
    return int64_t(llvm::PowerOf2Ceil(
        llvm::divideCeil(needs.length, elements * p.workgroupsPerRow)));
  };
  int64_t preferred = getPreferredElements(needs, p);
  bool chosen = request.lanesPerRow == 0;
  if (chosen)
    p.lanesPerRow = request.wavesPerRow > 1 && !p.splitsPool
                        ? p.waveSize
                        : std::min(lanesFor(preferred), p.waveSize);
  int64_t most =
      needs.exchangesPairs ? maxElementsPerLane : comfortableElements;
  if (request.wavesPerRow == 0) {
    if (p.splitsPool)
      p.wavesPerRow = getPoolWaves(needs.pool, preferredPoolWaves);
    else if (!needs.exchangesAll && p.lanesPerRow == p.waveSize)
      p.wavesPerRow = std::clamp<int64_t>(lanesFor(most) / p.waveSize, 1,
                                          maxThreads / p.waveSize);
  }
  if (request.wavesPerGroup == 0)
    p.wavesPerGroup = p.wavesPerRow;
  spreadElements(p);
  llvm::raw_string_ostream os(reason);
  os << (chosen ? "chosen" : "as asked") << ": rows of " << needs.length
     << " over " << p.lanesPerRow << " lanes";
  if (p.wavesPerRow > 1)
    os << " of each of " << p.wavesPerRow << " waves";
  if (p.workgroupsPerRow > 1)
    os << " in each of " << p.workgroupsPerRow << " workgroups";
  os << ", " << p.elementsPerLane() << " elements each";
  if (p.chunks > 1)
    os << " in " << p.chunks << " chunks";
  os << ", " << p.rowsPerWave() << " row" << (p.rowsPerWave() == 1 ? "" : "s")
     << " a wave";
  if (p.poolWaves() > 1)
    os << "; the waves share the sources of the pool";
  if (chosen)
    os << "; " << std::min(preferred, p.elementsPerLane())
       << " elements a lane "
       << (needs.pool ? "keep many lanes fetching sources at once"
                      : "fill whole 16-byte accesses and cross the fewest "
                        "lanes");
}

PartitionRequest rowmill::row::mergeRequest(KernelOp kernel,
                                            PartitionRequest request) {
  PartitionAttr attr = kernel.getPartitionAttr();
  if (!attr)
    return request;
  auto fill = [](int64_t &field, int64_t value) {
    if (field == 0)
      field = value;
  };
  fill(request.lanesPerRow, attr.getLanesPerRow());
  fill(request.wavesPerRow, attr.getWavesPerRow());
  fill(request.wavesPerGroup, attr.getWavesPerGroup());
  fill(request.workgroupsPerRow, attr.getWorkgroupsPerRow());
  return request;
}

int64_t rowmill::row::getPoolWaves(SoftmaxPoolOp pool, int64_t most) {
  std::optional<int64_t> sources = pool.getSources();
  while (sources && *sources % most)
    most /= 2;
  return most;
}

int64_t Partition::getPoolBytes() const {
  constexpr int64_t arrays = 3; // maxima, values, weights
  int64_t pools = wavesPerGroup / wavesPerRow;
  return arrays * pools * (poolWaves() - 1) * waveSize * elementsPerLane() * 4;
}

FailureOr<Partition> rowmill::row::choosePartition(KernelOp kernel,
                                                   const Arch &arch,
                                                   PartitionRequest request,
                                                   std::string &reason) {
  RowNeeds needs = collectNeeds(kernel);
  if (needs.length == 0)
    return kernel.emitOpError("expects at least one row value to distribute");
  int64_t wave = arch.waveSize;
  if (failed(checkPowerOfTwo(kernel, "lanes_per_row", request.lanesPerRow,
                             wave)) ||
      failed(checkPowerOfTwo(kernel, "waves_per_row", request.wavesPerRow,
                             maxThreads / wave)) ||
      failed(checkPowerOfTwo(kernel, "waves_per_group", request.wavesPerGroup,
                             maxThreads / wave)) ||
      failed(checkPowerOfTwo(kernel, "workgroups_per_row",
                             request.workgroupsPerRow, needs.length)))
    return failure();
  Partition p;
  p.rowLength = needs.length;
  p.waveSize = wave;
  p.lanesPerRow = request.lanesPerRow;
  p.wavesPerRow = std::max<int64_t>(request.wavesPerRow, 1);
  p.wavesPerGroup = std::max<int64_t>(request.wavesPerGroup, 1);
  p.workgroupsPerRow = std::max<int64_t>(request.workgroupsPerRow, 1);
  p.splitsPool = bool(needs.pool);
  chooseOpenNumbers(needs, request, p, reason);
  if (failed(checkPartition(kernel, needs, p, arch)))
    return failure();
  return p;
}
