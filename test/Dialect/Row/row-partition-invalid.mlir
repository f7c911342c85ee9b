// RUN: rowmill-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(row-tile{target=gfx942},gpu.module(row-partition))'

row.kernel @second(%x: memref<?x128xf32>, %out: memref<?x128xf32>) rows(%r in %out[0])
    attributes {partition = #row.partition<waves_per_row = 2>} {
  %from = arith.constant 0 : index
  %c = row.softmax_pool (%k = %from to %r) {
    %v = row.load %x[%k] : memref<?x128xf32> -> vector<128xf32>
    row.yield %v, %v : vector<128xf32>
  } -> vector<128xf32>
  // expected-error @below {{'row.softmax_pool' op expects 'waves_per_row' 1 for a kernel with a second pool, but got 2}}
  %d = row.softmax_pool (%k = %from to %r) {
    row.yield %c, %c : vector<128xf32>
  } -> vector<128xf32>
  row.store %d, %out[%r] : vector<128xf32>, memref<?x128xf32>
}

// -----

row.kernel @loop(%x: memref<?x128xf32>, %out: memref<?x128xf32>) rows(%r in %out[0])
    attributes {partition = #row.partition<waves_per_row = 2>} {
  %from = arith.constant 0 : index
  %step = arith.constant 1 : index
  scf.for %i = %from to %r step %step {
    // expected-error @below {{'row.softmax_pool' op expects 'waves_per_row' 1 for a pool in a loop, but got 2}}
    %c = row.softmax_pool (%k = %from to %i) {
      %v = row.load %x[%k] : memref<?x128xf32> -> vector<128xf32>
      row.yield %v, %v : vector<128xf32>
    } -> vector<128xf32>
    row.store %c, %out[%i] : vector<128xf32>, memref<?x128xf32>
  }
}

// -----

// expected-error @below {{'row.kernel' op expects 'waves_per_row' to divide the 6 sources of the pool, but got 4}}
row.kernel @sources(%x: memref<?x128xf32>, %out: memref<?x128xf32>) rows(%r in %out[0])
    attributes {partition = #row.partition<waves_per_row = 4>} {
  %from = arith.constant 0 : index
  %to = arith.constant 6 : index
  %c = row.softmax_pool sources 6 (%k = %from to %to) {
    %v = row.load %x[%k] : memref<?x128xf32> -> vector<128xf32>
    row.yield %v, %v : vector<128xf32>
  } -> vector<128xf32>
  row.store %c, %out[%r] : vector<128xf32>, memref<?x128xf32>
}

// -----

// expected-error @below {{'row.kernel' op expects at most 65536 bytes of LDS to merge the pools of 16 waves, but they need 184320; ask for fewer waves or more lanes}}
row.kernel @lds(%x: memref<?x1024xf32>, %out: memref<?x1024xf32>) rows(%r in %out[0])
    attributes {partition = #row.partition<waves_per_row = 16>} {
  %from = arith.constant 0 : index
  %c = row.softmax_pool (%k = %from to %r) {
    %v = row.load %x[%k] : memref<?x1024xf32> -> vector<1024xf32>
    row.yield %v, %v : vector<1024xf32>
  } -> vector<1024xf32>
  row.store %c, %out[%r] : vector<1024xf32>, memref<?x1024xf32>
}

// -----

// expected-error @below {{'row.kernel' op expects 'workgroups_per_row' 1 where elements of a row meet without a pool before, but got 2}}
row.kernel @crossing(%x: memref<?x128xf32>) rows(%r in %x[0])
    attributes {partition = #row.partition<workgroups_per_row = 2>} {
  %v = row.load %x[%r] : memref<?x128xf32> -> vector<128xf32>
  // expected-note @below {{elements of a row meet here}}
  %n = row.rmsnorm %v, %v eps 1.0e-06 : vector<128xf32>, vector<128xf32>
  row.store %n, %x[%r] : vector<128xf32>, memref<?x128xf32>
}

// -----

// expected-error @below {{'row.kernel' op expects 'workgroups_per_row' to share a row of 192 elements evenly over lanes, but got 2}}
row.kernel @uneven(%x: memref<?x192xf32>) rows(%r in %x[0])
    attributes {partition = #row.partition<workgroups_per_row = 2>} {
  %v = row.load %x[%r] : memref<?x192xf32> -> vector<192xf32>
  row.store %v, %x[%r] : vector<192xf32>, memref<?x192xf32>
}
