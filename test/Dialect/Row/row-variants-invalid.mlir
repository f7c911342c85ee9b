// RUN: rowmill-opt %s --split-input-file --verify-diagnostics --row-variants='target=gfx950 workgroups-per-row=2 explain'

// expected-remark @below {{variants for gfx950: 8 waves a pool in each of 2 workgroups and a second launch}}
row.kernel @cut(%x: memref<?x128xf32>, %out: memref<?x128xf32>) rows(%r in %out[0]) {
  %from = arith.constant 0 : index
  %c = row.softmax_pool (%k = %from to %r) {
    %v = row.load %x[%k] : memref<?x128xf32> -> vector<128xf32>
    row.yield %v, %v : vector<128xf32>
  } -> vector<128xf32>
  %n = row.rmsnorm %c, %c eps 1.0e-06 : vector<128xf32>, vector<128xf32>
  row.store %n, %out[%r] : vector<128xf32>, memref<?x128xf32>
}

// -----

// expected-error @below {{'row.kernel' op expects no write before the pool where 'workgroups_per_row' is more than 1}}
row.kernel @write_before(%x: memref<?x128xf32>, %out: memref<?x128xf32>, %mark: memref<?x128xf32>) rows(%r in %out[0]) {
  %from = arith.constant 0 : index
  %w = row.load %x[%r] : memref<?x128xf32> -> vector<128xf32>
  // expected-note @below {{this would be written twice}}
  row.store %w, %mark[%r] : vector<128xf32>, memref<?x128xf32>
  %c = row.softmax_pool (%k = %from to %r) {
    %v = row.load %x[%k] : memref<?x128xf32> -> vector<128xf32>
    row.yield %v, %v : vector<128xf32>
  } -> vector<128xf32>
  %n = row.rmsnorm %c, %w eps 1.0e-06 : vector<128xf32>, vector<128xf32>
  row.store %n, %out[%r] : vector<128xf32>, memref<?x128xf32>
}
