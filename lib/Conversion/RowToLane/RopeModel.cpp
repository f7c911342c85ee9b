// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// How lanes rotate the pairs of a row.

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "rowmill/Conversion/RowToLane/Distributor.h"
#include "rowmill/Dialect/Lane/IR/Lane.h"
#include "rowmill/Dialect/Row/IR/Row.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace rowmill;

namespace {

/// Neighbouring registers of some neighbouring lanes whose positions lie in one
/// range of the row.
struct Tile {
  int64_t chunk;
  int64_t first; ///< register in the run of the chunk
  int64_t count;
  int64_t laneBegin, laneEnd;
};

} // namespace

static int64_t lowestBit(int64_t value) { return value & -value; }

/// The tiles that cover the range [begin, end). `step` registers at a time are
/// all inside or all outside.
static SmallVector<Tile> findTiles(const Spread &spread, int64_t begin,
                                   int64_t end, int64_t step) {
  SmallVector<Tile> tiles;
  int64_t run = spread.contiguous();
  for (int64_t chunk = 0; chunk < spread.chunks(); ++chunk) {
    for (int64_t first = 0; first < run; first += step) {
      int64_t base = chunk * spread.chunkLength() + first;
      auto laneAt = [&](int64_t position) {
        return std::clamp<int64_t>(llvm::divideCeilSigned(position - base, run),
                                   0, spread.lanes());
      };
      int64_t laneBegin = laneAt(begin), laneEnd = laneAt(end);
      if (laneBegin == laneEnd)
        continue;
      Tile *last = tiles.empty() ? nullptr : &tiles.back();
      if (last && last->chunk == chunk && last->first + last->count == first &&
          last->laneBegin == laneBegin && last->laneEnd == laneEnd)
        last->count += step;
      else
        tiles.push_back({chunk, first, step, laneBegin, laneEnd});
    }
  }
  // Powers of two only: loads are whole, and code generation of vectors of six
  // and the like is known to fail.
  SmallVector<Tile> pieces;
  for (Tile tile : tiles) {
    while (tile.count > 0) {
      pieces.push_back(tile);
      pieces.back().count = int64_t(llvm::bit_floor(uint64_t(tile.count)));
      tile.first += pieces.back().count;
      tile.count -= pieces.back().count;
    }
  }
  return pieces;
}

/// Whether this lane is one of the tile's; null if every lane is.
static Value buildIsInside(LaneBuilder &b, const Distributor &d,
                           const Tile &tile) {
  Value inside;
  if (tile.laneBegin > 0)
    inside = arith::CmpIOp::create(b, arith::CmpIPredicate::uge, d.lane,
                                   indexConstant(b, tile.laneBegin));
  if (tile.laneEnd < d.spread.lanes()) {
    Value below = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, d.lane,
                                        indexConstant(b, tile.laneEnd));
    inside =
        inside ? arith::AndIOp::create(b, inside, below).getResult() : below;
  }
  return inside;
}

/// `table[(position - begin) / divisor ...]` for the tile's positions, as f32.
/// Other lanes read the table's start and drop it: no branch delays the load.
static Value getTable(LaneBuilder &b, Distributor &d, Value table,
                      const Tile &tile, int64_t begin, int64_t divisor) {
  auto getFirst = [&](LaneBuilder &b) -> Value {
    int64_t shift = tile.chunk * d.spread.chunkLength() + tile.first - begin;
    Value position = arith::MulIOp::create(
        b, d.lane, indexConstant(b, d.spread.contiguous()));
    position = arith::AddIOp::create(b, position, indexConstant(b, shift));
    if (Value inside = buildIsInside(b, d, tile))
      position =
          arith::SelectOp::create(b, inside, position, indexConstant(b, 0));
    if (divisor == 1)
      return position;
    return arith::DivUIOp::create(b, position, indexConstant(b, divisor));
  };
  Value slice = d.getSlice(table, getFirst, tile.count / divisor);
  return slice ? convertFloat(b, slice, b.getF32Type()) : slice;
}

/// Keeps `rotated` in the lanes of the tile and `own` in the others. A
/// selection and no branch: into a branch the code generator would sink the
/// tables' loads, and their latency would be paid after everything else.
static Value keepRotated(LaneBuilder &b, Value inside, Value rotated,
                         Value own) {
  return inside ? arith::SelectOp::create(b, inside, rotated, own).getResult()
                : rotated;
}

/// e' = (e * c) - (o * s) and o' = (o * c) + (e * s) for pairs of neighbours.
static Value rotateNeighbours(LaneBuilder &b, Value own, Value cos, Value sin) {
  SmallVector<Value> v = unpackVector(b, own), c = unpackVector(b, cos),
                     s = unpackVector(b, sin);
  for (size_t i = 0; i < c.size(); ++i) {
    Value even = v[2 * i], odd = v[2 * i + 1];
    v[2 * i] = arith::SubFOp::create(b, arith::MulFOp::create(b, even, c[i]),
                                     arith::MulFOp::create(b, odd, s[i]));
    v[2 * i + 1] = arith::AddFOp::create(b, arith::MulFOp::create(b, odd, c[i]),
                                         arith::MulFOp::create(b, even, s[i]));
  }
  return packVector(b, v);
}

/// Where a lane finds the other halves of its pairs: in its own registers
/// `registers` further, or in the lane `lanes` further.
struct PartnerPlace {
  int64_t lanes = 0;
  int64_t registers = 0;
};

/// The place of the position `distance` after those of a tile, if it is the
/// same for all its lanes and registers.
static std::optional<PartnerPlace>
findPartner(const Spread &spread, const Tile &tile, int64_t distance) {
  int64_t run = spread.contiguous();
  if (distance % spread.chunkLength() == 0)
    return PartnerPlace{0, distance / spread.chunkLength() * run};
  if (distance < run && tile.first + tile.count + distance <= run)
    return PartnerPlace{0, distance};
  if (distance % run == 0 && tile.laneEnd + distance / run <= spread.lanes())
    return PartnerPlace{distance / run, 0};
  return std::nullopt;
}

/// The registers `own` of the lane `distance` lanes up (or down).
static Value fetchFromLane(LaneBuilder &b, const Distributor &d, Value own,
                           const Tile &tile, int64_t distance) {
  int64_t stride = std::abs(distance);
  bool isXor = llvm::isPowerOf2_64(stride);
  for (int64_t lane = tile.laneBegin; lane < tile.laneEnd; ++lane)
    isXor &= (lane ^ stride) == lane + distance;
  if (isXor)
    return lane::ExchangeOp::create(b, own, d.getExchangeMask(stride));
  // Lanes outside of the tile wrap around and drop what they get.
  Value source = arith::IndexCastOp::create(b, b.getI32Type(), d.lane);
  source = arith::AddIOp::create(b, source,
                                 i32Constant(b, distance + d.spread.lanes()));
  source =
      arith::AndIOp::create(b, source, i32Constant(b, d.spread.lanes() - 1));
  source = d.getLaneOfPlace(b, source);
  return lane::ShuffleOp::create(b, own, source, d.spread.lanes());
}

namespace {

struct RopeModel
    : DistributeOpInterface::ExternalModel<RopeModel, row::RopeOp> {
  LogicalResult distribute(Operation *op, Distributor &d) const {
    auto rope = cast<row::RopeOp>(op);
    if (d.getGroup(rope.getInput()) != 1)
      return op->emitOpError("expects the kernel's longest row, of length ")
             << d.spread.rowLength() << ", but got " << rope.getType();
    LaneBuilder b(op->getLoc(), op);
    Value x = convertFloat(b, d.get(rope.getInput()), b.getF32Type());
    SmallVector<Value> registers = unpackVector(b, x);
    LogicalResult done = rope.getStyle() == row::RopeStyle::Interleaved
                             ? rotateInterleaved(b, d, rope, registers)
                             : rotateHalves(b, d, rope, registers);
    if (failed(done))
      return failure();
    d.set(rope, convertFloat(b, packVector(b, registers),
                             rope.getType().getElementType()));
    return success();
  }

  static LogicalResult reportTable(row::RopeOp rope) {
    return rope.emitOpError("expects 'cos' and 'sin' to come from row.load "
                            "through element-wise ops only");
  }

  static void replace(SmallVector<Value> &registers, const Tile &tile,
                      const Distributor &d, LaneBuilder &b, Value rotated,
                      int64_t shift = 0) {
    int64_t first = tile.chunk * d.spread.contiguous() + tile.first + shift;
    for (auto [i, value] : llvm::enumerate(unpackVector(b, rotated)))
      registers[first + i] = value;
  }

  static Value getOwn(LaneBuilder &b, const Distributor &d, const Tile &tile,
                      ArrayRef<Value> registers, int64_t shift = 0) {
    int64_t first = tile.chunk * d.spread.contiguous() + tile.first + shift;
    return packVector(b, registers.slice(first, tile.count));
  }

  static LogicalResult rotateInterleaved(LaneBuilder &b, Distributor &d,
                                         row::RopeOp rope,
                                         SmallVector<Value> &registers) {
    int64_t begin = rope.getOffset(), end = begin + rope.getRange();
    int64_t step = std::min({d.spread.contiguous(), lowestBit(rope.getRange()),
                             begin ? lowestBit(begin) : end});
    for (const Tile &tile : findTiles(d.spread, begin, end, step)) {
      Value cos = getTable(b, d, rope.getCos(), tile, begin, 2);
      Value sin = getTable(b, d, rope.getSin(), tile, begin, 2);
      if (!cos || !sin)
        return reportTable(rope);
      Value own = getOwn(b, d, tile, registers);
      replace(registers, tile, d, b,
              keepRotated(b, buildIsInside(b, d, tile),
                          rotateNeighbours(b, own, cos, sin), own));
    }
    return success();
  }

  /// Each tile of the first half brings its partners' block with it, in the
  /// same lanes or in others.
  static LogicalResult rotateHalves(LaneBuilder &b, Distributor &d,
                                    row::RopeOp rope,
                                    SmallVector<Value> &registers) {
    const Spread &spread = d.spread;
    int64_t begin = rope.getOffset(), half = rope.getRange() / 2;
    int64_t step = std::min({spread.contiguous(), lowestBit(half),
                             begin ? lowestBit(begin) : half});
    SmallVector<Value> input(registers);
    for (const Tile &tile : findTiles(spread, begin, begin + half, step)) {
      std::optional<PartnerPlace> place = findPartner(spread, tile, half);
      if (!place)
        return rope.emitOpError("expects the halves of pairs to lie in lanes "
                                "of one chunk, a whole number of runs of ")
               << spread.contiguous() << " apart, but got a distance of "
               << half << " elements at " << begin;
      LogicalResult done =
          place->lanes == 0
              ? rotateInLane(b, d, rope, tile, place->registers, registers)
              : rotateOverLanes(b, d, rope, tile, place->lanes, input,
                                registers);
      if (failed(done))
        return failure();
    }
    return success();
  }

  static LogicalResult rotateInLane(LaneBuilder &b, Distributor &d,
                                    row::RopeOp rope, const Tile &tile,
                                    int64_t shift,
                                    SmallVector<Value> &registers) {
    Value cos = getTable(b, d, rope.getCos(), tile, rope.getOffset(), 1);
    Value sin = getTable(b, d, rope.getSin(), tile, rope.getOffset(), 1);
    if (!cos || !sin)
      return reportTable(rope);
    Value inside = buildIsInside(b, d, tile);
    Value first = getOwn(b, d, tile, registers);
    Value second = getOwn(b, d, tile, registers, shift);
    Value rotatedFirst = rotateFirst(b, first, second, cos, sin);
    Value rotatedSecond = rotateSecond(b, first, second, cos, sin);
    replace(registers, tile, d, b, keepRotated(b, inside, rotatedFirst, first));
    replace(registers, tile, d, b,
            keepRotated(b, inside, rotatedSecond, second), shift);
    return success();
  }

  static LogicalResult rotateOverLanes(LaneBuilder &b, Distributor &d,
                                       row::RopeOp rope, const Tile &tile,
                                       int64_t lanes, ArrayRef<Value> input,
                                       SmallVector<Value> &registers) {
    Tile other = tile;
    other.laneBegin += lanes;
    other.laneEnd += lanes;
    Value own = getOwn(b, d, tile, input);
    // A lane may be in one tile and in the other of the next pass, so what it
    // keeps is what the registers hold by now.
    struct Half {
      const Tile &tile;
      int64_t distance, begin;
      Value (*rotate)(LaneBuilder &, Value, Value, Value, Value);
    };
    int64_t begin = rope.getOffset();
    Half halves[] = {
        {tile, lanes, begin, rotateFirst},
        {other, -lanes, begin + rope.getRange() / 2, rotateSecondOwnFirst}};
    for (const Half &half : halves) {
      Value cos = getTable(b, d, rope.getCos(), half.tile, half.begin, 1);
      Value sin = getTable(b, d, rope.getSin(), half.tile, half.begin, 1);
      if (!cos || !sin)
        return reportTable(rope);
      Value partner = fetchFromLane(b, d, own, half.tile, half.distance);
      Value keep = getOwn(b, d, half.tile, registers);
      replace(registers, half.tile, d, b,
              keepRotated(b, buildIsInside(b, d, half.tile),
                          half.rotate(b, own, partner, cos, sin), keep));
    }
    return success();
  }

  /// e' = (e * c) - (o * s)
  static Value rotateFirst(LaneBuilder &b, Value even, Value odd, Value cos,
                           Value sin) {
    return arith::SubFOp::create(b, arith::MulFOp::create(b, even, cos),
                                 arith::MulFOp::create(b, odd, sin));
  }
  /// o' = (o * c) + (e * s)
  static Value rotateSecond(LaneBuilder &b, Value even, Value odd, Value cos,
                            Value sin) {
    return arith::AddFOp::create(b, arith::MulFOp::create(b, odd, cos),
                                 arith::MulFOp::create(b, even, sin));
  }
  static Value rotateSecondOwnFirst(LaneBuilder &b, Value odd, Value even,
                                    Value cos, Value sin) {
    return rotateSecond(b, even, odd, cos, sin);
  }
};

} // namespace

void rowmill::registerRopeModel(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, row::RowDialect *) {
    row::RopeOp::attachInterface<RopeModel>(*context);
  });
}
