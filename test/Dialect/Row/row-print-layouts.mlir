// RUN: rowmill-opt %s --row-print-layouts --verify-diagnostics

#data = #row.fp4_preshuffle<slots = 64, length = 128>
#scales = #row.e8m0_interleave<slots = 64, groups = 4>
#queries = #row.query_scale<heads = 16, groups = 4>
#linear = #row.linear<slots = 64, length = 1>

row.kernel @cache(%data: memref<?x1x4x64x16xi8>, %scales: memref<?x1x4x64xi8>,
                  %queries: memref<?x4x16x4xi8>, %linear: memref<?x64xf32>, %n: index)
    rows(%i in %n) {
  // Sixteen bytes of a row lie together.
  // expected-remark @below {{offset affine_map<(d0, d1) -> ((d1 floordiv 32) * 2048 + d0 * 32 + d1 mod 32)>, runs of 32 elements, pages of 4096 bytes for 64 rows of 'vector<128xf4E2M1FN>'}}
  %q = row.gather %data[%i, %i] layout(#data) : memref<?x1x4x64x16xi8> -> vector<128xf4E2M1FN>
  // expected-remark @below {{runs of 1 elements, pages of 256 bytes for 64 rows of 'vector<4xf8E8M0FNU>'}}
  %e = row.gather %scales[%i, %i] layout(#scales) : memref<?x1x4x64xi8> -> vector<4xf8E8M0FNU>
  // expected-remark @below {{pages of 256 bytes for 16 rows of 'vector<4xf8E8M0FNU>', padded to 64}}
  row.scatter %e, %queries[%i, %i] layout(#queries) : vector<4xf8E8M0FNU>, memref<?x4x16x4xi8>
  // expected-remark @below {{pages of 256 bytes for 64 rows of 'vector<1xf32>'}}
  %s = row.gather %linear[%i, %i] layout(#linear) : memref<?x64xf32> -> vector<1xf32>
}
