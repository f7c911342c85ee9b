// RUN: rowmill-opt %s --verify-diagnostics --row-tile=target=gfx90a

// expected-error @below {{expects 'target' to be one of gfx942, gfx950, gfx1250, but got 'gfx90a'}}
module {
  row.kernel @copy(%x: memref<?x64xf32>) rows(%r in %x[0]) {
    %v = row.load %x[%r] : memref<?x64xf32> -> vector<64xf32>
    row.store %v, %x[%r] : vector<64xf32>, memref<?x64xf32>
  }
}
