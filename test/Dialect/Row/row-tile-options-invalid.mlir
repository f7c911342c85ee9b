// Options override the kernel's own partition and are checked the same way.
// RUN: rowmill-opt %s --verify-diagnostics --row-tile='target=gfx950 waves-per-row=4 waves-per-group=2'

// expected-error @below {{'row.kernel' op expects 'waves_per_group' to be at least 'waves_per_row' 4, but got 2}}
row.kernel @group_too_small(%x: memref<?x4096xf32>) rows(%r in %x[0])
    attributes {partition = #row.partition<waves_per_row = 1>} {
  %v = row.load %x[%r] : memref<?x4096xf32> -> vector<4096xf32>
  row.store %v, %x[%r] : vector<4096xf32>, memref<?x4096xf32>
}
