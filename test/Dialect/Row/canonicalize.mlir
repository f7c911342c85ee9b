// RUN: rowmill-opt %s --canonicalize --split-input-file | FileCheck %s

// A group of one element is its own sum.
// CHECK-LABEL: func @sum_of_one(
// CHECK-SAME:    %[[X:.+]]: vector<128xf32>
// CHECK-NEXT:    return %[[X]]
func.func @sum_of_one(%x: vector<128xf32>) -> vector<128xf32> {
  %0 = row.reduce add %x group 1 : vector<128xf32> -> vector<128xf32>
  return %0 : vector<128xf32>
}

// -----

// The magnitude of one element is not that element.
// CHECK-LABEL: func @keep_absmax_of_one(
// CHECK:         row.reduce absmax
func.func @keep_absmax_of_one(%x: vector<128xf32>) -> vector<128xf32> {
  %0 = row.reduce absmax %x group 1 : vector<128xf32> -> vector<128xf32>
  return %0 : vector<128xf32>
}

// -----

// CHECK-LABEL: func @max_of_broadcast(
// CHECK-SAME:    %[[G:.+]]: vector<4xf32>
// CHECK-NEXT:    return %[[G]]
func.func @max_of_broadcast(%g: vector<4xf32>) -> vector<4xf32> {
  %0 = row.broadcast %g : vector<4xf32> -> vector<128xf32>
  %1 = row.reduce max %0 group 32 : vector<128xf32> -> vector<4xf32>
  return %1 : vector<4xf32>
}

// -----

// Other kinds do not return the element, and other groups mix elements.
// CHECK-LABEL: func @keep_reduce_of_broadcast(
// CHECK:         row.reduce add
// CHECK:         row.reduce absmax
// CHECK:         row.reduce max
func.func @keep_reduce_of_broadcast(%g: vector<4xf32>)
    -> (vector<4xf32>, vector<4xf32>, vector<2xf32>) {
  %0 = row.broadcast %g : vector<4xf32> -> vector<128xf32>
  %1 = row.reduce add %0 group 32 : vector<128xf32> -> vector<4xf32>
  %2 = row.reduce absmax %0 group 32 : vector<128xf32> -> vector<4xf32>
  %3 = row.reduce max %0 group 64 : vector<128xf32> -> vector<2xf32>
  return %1, %2, %3 : vector<4xf32>, vector<4xf32>, vector<2xf32>
}

// -----

// The tree of 96 elements starts with the trees of its groups of 32.
// CHECK-LABEL: func @merge_sums(
// CHECK-SAME:    %[[X:.+]]: vector<96xf32>
// CHECK-NEXT:    %[[SUM:.+]] = row.reduce add %[[X]] group 96 : vector<96xf32> -> vector<1xf32>
// CHECK-NEXT:    return %[[SUM]]
func.func @merge_sums(%x: vector<96xf32>) -> vector<1xf32> {
  %0 = row.reduce add %x group 32 : vector<96xf32> -> vector<3xf32>
  %1 = row.reduce add %0 group 3 : vector<3xf32> -> vector<1xf32>
  return %1 : vector<1xf32>
}

// -----

// Groups of three are padded to four each; a tree over all pads only at its end.
// CHECK-LABEL: func @keep_sums_of_three(
// CHECK-COUNT-2: row.reduce add
func.func @keep_sums_of_three(%x: vector<96xf32>) -> vector<1xf32> {
  %0 = row.reduce add %x group 3 : vector<96xf32> -> vector<32xf32>
  %1 = row.reduce add %0 group 32 : vector<32xf32> -> vector<1xf32>
  return %1 : vector<1xf32>
}

// -----

// Maxima have no order.
// CHECK-LABEL: func @merge_maxima(
// CHECK:         row.reduce absmax %{{.+}} group 96 : vector<96xf32> -> vector<1xf32>
// CHECK-NOT:     row.reduce
func.func @merge_maxima(%x: vector<96xf32>) -> vector<1xf32> {
  %0 = row.reduce absmax %x group 3 : vector<96xf32> -> vector<32xf32>
  %1 = row.reduce absmax %0 group 32 : vector<32xf32> -> vector<1xf32>
  return %1 : vector<1xf32>
}

// -----

// CHECK-LABEL: func @keep_mixed_reduces(
// CHECK:         row.reduce absmax
// CHECK:         row.reduce add
func.func @keep_mixed_reduces(%x: vector<128xf32>) -> vector<1xf32> {
  %0 = row.reduce absmax %x group 32 : vector<128xf32> -> vector<4xf32>
  %1 = row.reduce add %0 group 4 : vector<4xf32> -> vector<1xf32>
  return %1 : vector<1xf32>
}

// -----

// CHECK-LABEL: func @broadcast_to_itself(
// CHECK-SAME:    %[[X:.+]]: vector<128xf32>
// CHECK-NEXT:    return %[[X]]
func.func @broadcast_to_itself(%x: vector<128xf32>) -> vector<128xf32> {
  %0 = row.broadcast %x : vector<128xf32> -> vector<128xf32>
  return %0 : vector<128xf32>
}

// -----

// CHECK-LABEL: func @merge_broadcasts(
// CHECK-SAME:    %[[G:.+]]: vector<4xf32>
// CHECK-NEXT:    %[[B:.+]] = row.broadcast %[[G]] : vector<4xf32> -> vector<128xf32>
// CHECK-NEXT:    return %[[B]]
func.func @merge_broadcasts(%g: vector<4xf32>) -> vector<128xf32> {
  %0 = row.broadcast %g : vector<4xf32> -> vector<16xf32>
  %1 = row.broadcast %0 : vector<16xf32> -> vector<128xf32>
  return %1 : vector<128xf32>
}

// -----

// CHECK-LABEL: func @constant_epsilon(
// CHECK-NEXT:    row.rmsnorm %{{.+}}, %{{.+}} eps 9.99999997E-7 round_to_weight : vector<128xf32>, vector<128xbf16>
func.func @constant_epsilon(%x: vector<128xf32>, %w: vector<128xbf16>) -> vector<128xf32> {
  %e = arith.constant 1.0e-6 : f32
  %0 = row.rmsnorm %x, %w eps %e round_to_weight : vector<128xf32>, vector<128xbf16>
  return %0 : vector<128xf32>
}

// -----

// A value that the attribute must not have stays an operand.
// CHECK-LABEL: func @keep_epsilon(
// CHECK-SAME:    %[[X:.+]]: vector<128xf32>, %{{.+}}: vector<128xbf16>, %[[E:.+]]: f32
// CHECK:         %[[NEGATIVE:.+]] = arith.constant -1
// CHECK:         eps %[[E]] :
// CHECK:         eps %[[NEGATIVE]] :
func.func @keep_epsilon(%x: vector<128xf32>, %w: vector<128xbf16>, %e: f32) -> vector<128xf32> {
  %0 = row.rmsnorm %x, %w eps %e : vector<128xf32>, vector<128xbf16>
  %minus = arith.constant -1.0 : f32
  %1 = row.rmsnorm %0, %w eps %minus : vector<128xf32>, vector<128xbf16>
  return %1 : vector<128xf32>
}

// -----

// CHECK-LABEL: func @hadamard_of_one(
// CHECK-SAME:    %[[X:.+]]: vector<1xf32>
// CHECK-NEXT:    return %[[X]]
func.func @hadamard_of_one(%x: vector<1xf32>) -> vector<1xf32> {
  %0 = row.hadamard %x : vector<1xf32>
  return %0 : vector<1xf32>
}

// -----

// Rotating back is the identity of real numbers only.
// CHECK-LABEL: func @keep_hadamard_twice(
// CHECK-COUNT-2: row.hadamard
func.func @keep_hadamard_twice(%x: vector<128xf32>) -> vector<128xf32> {
  %0 = row.hadamard %x : vector<128xf32>
  %1 = row.hadamard %0 : vector<128xf32>
  return %1 : vector<128xf32>
}

// -----

// Ops on values and loads vanish when nobody reads them; stores stay.
// CHECK-LABEL: row.kernel @dead(
// CHECK-NEXT:    %[[V:.+]] = row.load
// CHECK-NEXT:    row.store %[[V]]
// CHECK-NEXT:  }
row.kernel @dead(%x: memref<?x128xf32>, %y: memref<?x128xf32>, %cache: memref<?x1x128xf32>) rows(%i in %x[0]) {
  %v = row.load %x[%i] : memref<?x128xf32> -> vector<128xf32>
  %unread = row.load %y[%i] : memref<?x128xf32> -> vector<128xf32>
  %gathered = row.gather %cache[%i, %i] layout(#row.linear<slots = 1, length = 128>)
      : memref<?x1x128xf32> -> vector<128xf32>
  %h = row.hadamard %unread : vector<128xf32>
  %q, %e = row.quantize %h group 32 : vector<128xf32> -> vector<128xf4E2M1FN>, vector<4xf8E8M0FNU>
  %d = row.dequantize %q, %e : vector<128xf4E2M1FN>, vector<4xf8E8M0FNU> -> vector<128xf32>
  row.store %v, %y[%i] : vector<128xf32>, memref<?x128xf32>
}

// -----

// CHECK-LABEL: row.kernel @true_guards(
// CHECK-NOT:     row.guard
// CHECK:       }
row.kernel @true_guards(%x: memref<?xf32>) rows(%i in %x[0]) {
  %c0 = arith.constant 0 : i64
  %c7 = arith.constant 7 : index
  row.guard %c0 : i64
  row.guard %c7 : index
}

// -----

// CHECK-LABEL: row.kernel @repeated_guard(
// CHECK-SAME:    %a: i64, %b: i64)
// CHECK-NEXT:    row.guard %a : i64
// CHECK-NEXT:    row.guard %b : i64
// CHECK-NEXT:  }
row.kernel @repeated_guard(%a: i64, %b: i64) rows(%i in 16) {
  row.guard %a : i64
  row.guard %b : i64
  row.guard %a : i64
}

// -----

// A guard that no row passes is left to the passes that know what it skips.
// CHECK-LABEL: row.kernel @keep_false_guard(
// CHECK:         row.guard
row.kernel @keep_false_guard(%x: memref<?xf32>) rows(%i in %x[0]) {
  %c-1 = arith.constant -1 : i64
  row.guard %c-1 : i64
}
