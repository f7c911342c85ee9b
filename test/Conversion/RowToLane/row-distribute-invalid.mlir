// RUN: rowmill-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(row-tile{target=gfx950},gpu.module(row-distribute))'

// 40 elements are neither a part of the row of 128 nor a group of it.
row.kernel @odd_length(%x: memref<?x128xf32>) rows(%r in %x[0]) {
  %v = row.load %x[%r] : memref<?x128xf32> -> vector<128xf32>
  // expected-error @below {{'row.load' op expects rows whose length divides 128 into groups of a power of two, but got 'vector<40xf32>'}}
  %w = row.load %x[%r] : memref<?x128xf32> -> vector<40xf32>
  row.store %w, %x[%r] : vector<40xf32>, memref<?x128xf32>
  row.store %v, %x[%r] : vector<128xf32>, memref<?x128xf32>
}

// -----

row.kernel @constant(%x: memref<?x4xf32>) rows(%r in %x[0]) {
  // expected-error @below {{'arith.constant' op expects a splat of numbers for a row constant}}
  %v = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : vector<4xf32>
  row.store %v, %x[%r] : vector<4xf32>, memref<?x4xf32>
}

// -----

row.kernel @extract(%x: memref<?x64xf32>, %y: memref<?xf32>) rows(%r in %x[0]) {
  %v = row.load %x[%r] : memref<?x64xf32> -> vector<64xf32>
  // expected-error @below {{'vector.extract' op expects a row of one element, since other elements are not held by every lane}}
  %e = vector.extract %v[3] : f32 from vector<64xf32>
  memref.store %e, %y[%r] : memref<?xf32>
}

// -----

row.kernel @unknown_op(%x: memref<?x64xf32>) rows(%r in %x[0]) {
  %v = row.load %x[%r] : memref<?x64xf32> -> vector<64xf32>
  // expected-error @below {{'vector.reduction' op cannot be spread over the lanes of a row}}
  %s = vector.reduction <add>, %v : vector<64xf32> into f32
  %b = vector.broadcast %s : f32 to vector<64xf32>
  row.store %b, %x[%r] : vector<64xf32>, memref<?x64xf32>
}

// -----

row.kernel @vector_broadcast(%x: memref<?x64xf32>) rows(%r in %x[0]) {
  %v = row.load %x[%r] : memref<?x64xf32> -> vector<1xf32>
  // expected-error @below {{'vector.broadcast' op expects a scalar; use row.broadcast for rows}}
  %b = vector.broadcast %v : vector<1xf32> to vector<64xf32>
  row.store %b, %x[%r] : vector<64xf32>, memref<?x64xf32>
}

// -----

row.kernel @codes_are_no_numbers(%x: memref<?x64xi8>, %y: memref<?x64xf32>) rows(%r in %x[0]) {
  %q = row.load %x[%r] : memref<?x64xi8> -> vector<64xf8E4M3FN>
  // expected-error @below {{'arith.extf' op expects numbers, but got 'vector<64xf8E4M3FN>'; use row.quantize and row.dequantize}}
  %v = arith.extf %q : vector<64xf8E4M3FN> to vector<64xf32>
  row.store %v, %y[%r] : vector<64xf32>, memref<?x64xf32>
}

// -----

row.kernel @computed_table(%x: memref<?x64xf32>) rows(%r in %x[0]) {
  %v = row.load %x[%r] : memref<?x64xf32> -> vector<64xf32>
  %c = row.reduce max %v group 2 : vector<64xf32> -> vector<32xf32>
  // expected-error @below {{'row.rope' op expects 'cos' and 'sin' to come from row.load through element-wise ops only}}
  %w = row.rope interleaved %v, %c, %c : vector<64xf32>, vector<32xf32>
  row.store %w, %x[%r] : vector<64xf32>, memref<?x64xf32>
}

// -----

row.kernel @short_rope(%x: memref<?x64xf32>, %t: memref<?x16xf32>) rows(%r in %x[0]) {
  %v = row.load %x[%r] : memref<?x64xf32> -> vector<64xf32>
  %u = row.load %x[%r] : memref<?x64xf32> -> vector<32xf32>
  %c = row.load %t[%r] : memref<?x16xf32> -> vector<16xf32>
  // expected-error @below {{'row.rope' op expects the kernel's longest row, of length 64, but got 'vector<32xf32>'}}
  %w = row.rope interleaved %u, %c, %c : vector<32xf32>, vector<16xf32>
  row.store %w, %x[%r] : vector<32xf32>, memref<?x64xf32>
  row.store %v, %x[%r] : vector<64xf32>, memref<?x64xf32>
}

// -----

// Halves of eight with runs of sixteen, half of them torn between lanes.
row.kernel @torn_halves(%x: memref<?x128xf32>, %t: memref<?x12xf32>) rows(%r in %x[0]) {
  %v = row.load %x[%r] : memref<?x128xf32> -> vector<128xf32>
  %c = row.load %t[%r] : memref<?x12xf32> -> vector<12xf32>
  // expected-error @below {{'row.rope' op expects the halves of pairs to lie in lanes of one chunk, a whole number of runs of 16 apart, but got a distance of 12 elements at 0}}
  %w = row.rope half_split %v, %c, %c : vector<128xf32>, vector<12xf32>
  row.store %w, %x[%r] : vector<128xf32>, memref<?x128xf32>
}

// -----

row.kernel @short_hadamard(%x: memref<?x64xf32>) rows(%r in %x[0]) {
  %v = row.load %x[%r] : memref<?x64xf32> -> vector<64xf32>
  %u = row.load %x[%r] : memref<?x64xf32> -> vector<32xf32>
  // expected-error @below {{'row.hadamard' op expects a row that fills its 4 lanes of 16 elements, but got a row of 32}}
  %h = row.hadamard %u : vector<32xf32>
  row.store %h, %x[%r] : vector<32xf32>, memref<?x64xf32>
  row.store %v, %x[%r] : vector<64xf32>, memref<?x64xf32>
}

// -----

row.kernel @short_quantize(%x: memref<?x64xf32>, %y: memref<?x16xi8>, %s: memref<?x1xi8>) rows(%r in %x[0]) {
  %v = row.load %x[%r] : memref<?x64xf32> -> vector<64xf32>
  %u = row.load %x[%r] : memref<?x64xf32> -> vector<32xf32>
  // expected-error @below {{'row.quantize' op expects the kernel's longest row, of length 64, but got 'vector<32xf32>'}}
  %q, %e = row.quantize %u group 32 : vector<32xf32> -> vector<32xf4E2M1FN>, vector<1xf8E8M0FNU>
  row.store %q, %y[%r] : vector<32xf4E2M1FN>, memref<?x16xi8>
  row.store %e, %s[%r] : vector<1xf8E8M0FNU>, memref<?x1xi8>
  row.store %v, %x[%r] : vector<64xf32>, memref<?x64xf32>
}
