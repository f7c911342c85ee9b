// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Which elements of a row which lane holds, and in which register.

#ifndef ROWMILL_CONVERSION_ROWTOLANE_SPREAD_H
#define ROWMILL_CONVERSION_ROWTOLANE_SPREAD_H

#include "mlir/IR/BuiltinTypes.h"
#include "rowmill/Dialect/Row/Transforms/Partition.h"

namespace rowmill {

/// The elements of rows as seen from one lane.
///
/// A position `p = (chunk * lanes + lane) * contiguous + i` names an element of
/// the longest row, of length D. A value of length N = D / g has one element
/// for g neighbouring positions and is held by every lane with one of them.
class Spread {
public:
  explicit Spread(const row::Partition &partition) : p(partition) {}

  int64_t rowLength() const { return p.rowLength; }
  int64_t lanes() const { return p.lanes(); }
  int64_t lanesOfWave() const { return p.lanesPerRow; }
  int64_t contiguous() const { return p.contiguous; }
  int64_t chunks() const { return p.chunks; }
  bool isExact() const { return p.isExact(); }
  /// Positions that the lanes hold together in one chunk.
  int64_t chunkLength() const { return p.lanes() * p.contiguous; }

  /// Positions that share one element of a value of `length`; 0 where the
  /// length does not divide the row or cuts across the lanes' runs.
  int64_t getGroup(int64_t length) const;

  /// Neighbouring elements of such a value that a lane holds in one chunk.
  int64_t getRun(int64_t group) const {
    return group < p.contiguous ? p.contiguous / group : 1;
  }
  /// Chunks over which a lane holds elements of its own (the others repeat).
  int64_t getChunks(int64_t group) const;
  /// Elements of such a value that a lane holds.
  int64_t getCount(int64_t group) const {
    return getRun(group) * getChunks(group);
  }
  /// The register that holds the element of position (chunk, i).
  int64_t getRegister(int64_t group, int64_t chunk, int64_t i) const;

  /// The type of a lane's part of a row: `vector<count x T>`, small floats as
  /// bits in the widest words that a chunk's codes fill. Null where the length
  /// cannot be spread or a lane's codes are no whole bytes.
  mlir::VectorType getLaneType(mlir::VectorType row) const;

private:
  row::Partition p;
};

/// Whether values of this element type are carried as bits in words.
bool isPackedType(mlir::Type elementType);

} // namespace rowmill

#endif // ROWMILL_CONVERSION_ROWTOLANE_SPREAD_H
