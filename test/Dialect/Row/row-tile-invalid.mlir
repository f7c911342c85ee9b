// RUN: rowmill-opt %s --split-input-file --verify-diagnostics --row-tile='target=gfx1250'

// expected-error @below {{'row.kernel' op expects 'lanes_per_row' to be a power of two between 1 and 32, but got 64}}
row.kernel @beyond_wave(%x: memref<?x128xf32>) rows(%r in %x[0])
    attributes {partition = #row.partition<lanes_per_row = 64>} {
  %v = row.load %x[%r] : memref<?x128xf32> -> vector<128xf32>
  row.store %v, %x[%r] : vector<128xf32>, memref<?x128xf32>
}

// -----

// expected-error @below {{'row.kernel' op expects at most 128 elements a lane, but a row of 512 over 2 lanes has 256; at least 4 lanes are needed}}
row.kernel @too_few_lanes(%x: memref<?x512xf32>) rows(%r in %x[0])
    attributes {partition = #row.partition<lanes_per_row = 2>} {
  %v = row.load %x[%r] : memref<?x512xf32> -> vector<512xf32>
  row.store %v, %x[%r] : vector<512xf32>, memref<?x512xf32>
}

// -----

// expected-error @below {{'row.kernel' op expects at least 2 elements a lane for whole bytes of 'f4E2M1FN', but a row of 32 over 32 lanes has 1}}
row.kernel @half_bytes(%x: memref<?x32xf32>, %y: memref<?x16xi8>, %s: memref<?x1xi8>) rows(%r in %x[0])
    attributes {partition = #row.partition<lanes_per_row = 32>} {
  %v = row.load %x[%r] : memref<?x32xf32> -> vector<32xf32>
  %q, %e = row.quantize %v group 32 : vector<32xf32> -> vector<32xf4E2M1FN>, vector<1xf8E8M0FNU>
  row.store %q, %y[%r] : vector<32xf4E2M1FN>, memref<?x16xi8>
  row.store %e, %s[%r] : vector<1xf8E8M0FNU>, memref<?x1xi8>
}

// -----

// expected-error @below {{'row.kernel' op expects at least 2 elements a lane for whole pairs of a rotation, but a row of 32 over 32 lanes has 1}}
row.kernel @half_pairs(%x: memref<?x32xf32>, %t: memref<?x16xf32>) rows(%r in %x[0])
    attributes {partition = #row.partition<lanes_per_row = 32>} {
  %v = row.load %x[%r] : memref<?x32xf32> -> vector<32xf32>
  %c = row.load %t[%r] : memref<?x16xf32> -> vector<16xf32>
  %w = row.rope interleaved %v, %c, %c : vector<32xf32>, vector<16xf32>
  row.store %w, %x[%r] : vector<32xf32>, memref<?x32xf32>
}

// -----

// expected-error @below {{'row.kernel' op expects 'lanes_per_row' to be the wave size 32 where 'waves_per_row' is 2, but got 8}}
row.kernel @part_of_waves(%x: memref<?x512xf32>) rows(%r in %x[0])
    attributes {partition = #row.partition<lanes_per_row = 8, waves_per_row = 2>} {
  %v = row.load %x[%r] : memref<?x512xf32> -> vector<512xf32>
  row.store %v, %x[%r] : vector<512xf32>, memref<?x512xf32>
}

// -----

// expected-error @below {{'row.kernel' op expects 'waves_per_row' 1 for a kernel with a hadamard rotation, but got 2}}
row.kernel @wide_hadamard(%x: memref<?x1024xf32>) rows(%r in %x[0])
    attributes {partition = #row.partition<waves_per_row = 2>} {
  %v = row.load %x[%r] : memref<?x1024xf32> -> vector<1024xf32>
  %h = row.hadamard %v : vector<1024xf32>
  row.store %h, %x[%r] : vector<1024xf32>, memref<?x1024xf32>
}

// -----

// expected-error @below {{'row.kernel' op expects at least one row value to distribute}}
row.kernel @no_rows(%x: memref<?xf32>) rows(%r in %x[0]) {
  %v = memref.load %x[%r] : memref<?xf32>
  memref.store %v, %x[%r] : memref<?xf32>
}

// -----

row.kernel @foreign_fp8(%x: memref<?x128xf32>, %y: memref<?x128xi8>, %s: memref<?x1xf32>) rows(%r in %x[0]) {
  %v = row.load %x[%r] : memref<?x128xf32> -> vector<128xf32>
  // expected-error @below {{'row.quantize' op expects the fp8 format of gfx1250, f8E4M3FN, but got 'f8E4M3FNUZ'}}
  %q, %e = row.quantize %v group 128 : vector<128xf32> -> vector<128xf8E4M3FNUZ>, vector<1xf32>
  row.store %q, %y[%r] : vector<128xf8E4M3FNUZ>, memref<?x128xi8>
  row.store %e, %s[%r] : vector<1xf32>, memref<?x1xf32>
}

// -----

row.kernel @foreign_codes(%x: memref<?x128xi8>, %s: memref<?x1xf32>, %y: memref<?x128xf32>) rows(%r in %x[0]) {
  %q = row.load %x[%r] : memref<?x128xi8> -> vector<128xf8E4M3FNUZ>
  %e = row.load %s[%r] : memref<?x1xf32> -> vector<1xf32>
  // expected-error @below {{'row.dequantize' op expects the fp8 format of gfx1250, f8E4M3FN, but got 'f8E4M3FNUZ'}}
  %v = row.dequantize %q, %e : vector<128xf8E4M3FNUZ>, vector<1xf32> -> vector<128xf32>
  row.store %v, %y[%r] : vector<128xf32>, memref<?x128xf32>
}
