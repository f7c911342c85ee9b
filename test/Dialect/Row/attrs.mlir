// RUN: rowmill-opt %s --verify-roundtrip | FileCheck %s

// CHECK: #[[$MAP:.+]] = affine_map<(d0, d1) -> (d1 * 64 + d0)>

// All fields of a partition are optional.
// CHECK-LABEL: @partitions
// CHECK-SAME:    all = #row.partition<lanes_per_row = 16, waves_per_row = 2, waves_per_group = 4>
// CHECK-SAME:    none = #row.partition<>
// CHECK-SAME:    some = #row.partition<waves_per_group = 4>
func.func private @partitions() attributes {
  all = #row.partition<waves_per_group = 4, waves_per_row = 2, lanes_per_row = 16>,
  none = #row.partition<>,
  some = #row.partition<lanes_per_row = 0, waves_per_group = 4>
}

// CHECK-LABEL: @extents
// CHECK-SAME:    constant = #row.extent<size = 16>
// CHECK-SAME:    dimension = #row.extent<arg = 0, dim = 1>
// CHECK-SAME:    scalar = #row.extent<arg = 3>
func.func private @extents() attributes {
  constant = #row.extent<size = 16>,
  dimension = #row.extent<arg = 0, dim = 1>,
  scalar = #row.extent<arg = 3>
}

// CHECK-LABEL: @layouts
// CHECK-SAME:    a = #row.linear<slots = 64, length = 128>
// CHECK-SAME:    b = #row.fp4_preshuffle<slots = 64, length = 128>
// CHECK-SAME:    c = #row.e8m0_interleave<slots = 64, groups = 4>
// CHECK-SAME:    d = #row.fp8_preshuffle<slots = 64, length = 128>
// CHECK-SAME:    e = #row.query_scale<heads = 64, groups = 4>
// CHECK-SAME:    f = #row.layout<#[[$MAP]], slots = 64, length = 4>
func.func private @layouts() attributes {
  a = #row.linear<slots = 64, length = 128>,
  b = #row.fp4_preshuffle<slots = 64, length = 128>,
  c = #row.e8m0_interleave<slots = 64, groups = 4>,
  d = #row.fp8_preshuffle<slots = 64, length = 128>,
  e = #row.query_scale<heads = 64, groups = 4>,
  f = #row.layout<affine_map<(s, e) -> (e * 64 + s)>, slots = 64, length = 4>
}
