// The partition that is chosen, and why: sixteen elements a lane where that
// fills no more than a wave, then several waves.
// RUN: rowmill-opt %s --split-input-file --verify-diagnostics --row-tile='target=gfx950 explain'

// expected-remark @below {{partition for gfx950 chosen: rows of 128 over 8 lanes, 16 elements each, 8 rows a wave; 16 elements a lane fill whole 16-byte accesses and cross the fewest lanes}}
row.kernel @row_128(%x: memref<?x128xbf16>) rows(%r in %x[0]) {
  %v = row.load %x[%r] : memref<?x128xbf16> -> vector<128xbf16>
  row.store %v, %x[%r] : vector<128xbf16>, memref<?x128xbf16>
}

// -----

// expected-remark @below {{chosen: rows of 1024 over 64 lanes, 16 elements each, 1 row a wave}}
row.kernel @row_1024(%x: memref<?x1024xbf16>) rows(%r in %x[0]) {
  %v = row.load %x[%r] : memref<?x1024xbf16> -> vector<1024xbf16>
  row.store %v, %x[%r] : vector<1024xbf16>, memref<?x1024xbf16>
}

// -----

// 448 is no power of two: 28 of 32 lanes hold it.
// expected-remark @below {{chosen: rows of 448 over 32 lanes, 16 elements each, 2 rows a wave}}
row.kernel @row_448(%x: memref<?x448xbf16>) rows(%r in %x[0]) {
  %v = row.load %x[%r] : memref<?x448xbf16> -> vector<448xbf16>
  row.store %v, %x[%r] : vector<448xbf16>, memref<?x448xbf16>
}

// -----

// expected-remark @below {{chosen: rows of 7168 over 64 lanes of each of 4 waves, 32 elements each, 1 row a wave}}
row.kernel @row_7168(%x: memref<?x7168xbf16>) rows(%r in %x[0]) {
  %v = row.load %x[%r] : memref<?x7168xbf16> -> vector<7168xbf16>
  row.store %v, %x[%r] : vector<7168xbf16>, memref<?x7168xbf16>
}

// -----

// What the kernel asks for is kept.
// expected-remark @below {{as asked: rows of 512 over 4 lanes, 128 elements each in 4 chunks, 16 rows a wave}}
row.kernel @asked(%x: memref<?x512xbf16>) rows(%r in %x[0])
    attributes {partition = #row.partition<lanes_per_row = 4>} {
  %v = row.load %x[%r] : memref<?x512xbf16> -> vector<512xbf16>
  row.store %v, %x[%r] : vector<512xbf16>, memref<?x512xbf16>
}

// -----

// Truth values and indices are no bytes in memory that lanes would have to
// share out whole.
// expected-remark @below {{as asked: rows of 64 over 64 lanes, 1 elements each, 1 row a wave}}
row.kernel @truth_values(%x: memref<?x64xf32>) rows(%r in %x[0])
    attributes {partition = #row.partition<lanes_per_row = 64>} {
  %v = row.load %x[%r] : memref<?x64xf32> -> vector<64xf32>
  %n = arith.negf %v : vector<64xf32>
  %c = arith.cmpf olt, %v, %n : vector<64xf32>
  %i = arith.constant dense<0> : vector<64xindex>
  %w = arith.select %c, %v, %n : vector<64xi1>, vector<64xf32>
  row.store %w, %x[%r] : vector<64xf32>, memref<?x64xf32>
}

// -----

// Halves of pairs that lie in different lanes are exchanged within a wave, so a
// row of 7168, else one of four waves, stays in one.
// expected-remark @below {{chosen: rows of 7168 over 64 lanes, 128 elements each in 4 chunks, 1 row a wave}}
row.kernel @halves(%x: memref<?x7168xbf16>, %t: memref<?x32xbf16>) rows(%r in %x[0]) {
  %v = row.load %x[%r] : memref<?x7168xbf16> -> vector<7168xbf16>
  %c = row.load %t[%r] : memref<?x32xbf16> -> vector<32xbf16>
  %w = row.rope half_split %v, %c, %c : vector<7168xbf16>, vector<32xbf16>
  row.store %w, %x[%r] : vector<7168xbf16>, memref<?x7168xbf16>
}
