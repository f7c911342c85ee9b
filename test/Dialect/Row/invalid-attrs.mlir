// RUN: rowmill-opt %s --split-input-file --verify-diagnostics

// Extents.

// expected-error @below {{expects 'arg', 'arg' and 'dim', or 'size' alone}}
func.func private @no_field() attributes {extent = #row.extent<>}

// -----

// expected-error @below {{expects 'arg', 'arg' and 'dim', or 'size' alone}}
func.func private @dimension_of_nothing() attributes {extent = #row.extent<dim = 0>}

// -----

// expected-error @below {{expects 'arg', 'arg' and 'dim', or 'size' alone}}
func.func private @two_extents() attributes {extent = #row.extent<arg = 0, size = 4>}

// -----

// expected-error @below {{expects a positive 'size', but got 0}}
func.func private @empty() attributes {extent = #row.extent<size = 0>}

// -----

// expected-error @below {{expects an 'arg' of 0 or more, but got -2}}
func.func private @negative_argument() attributes {extent = #row.extent<arg = -2>}

// -----

// expected-error @below {{expects a 'dim' of 0 or more, but got -2}}
func.func private @negative_dimension() attributes {extent = #row.extent<arg = 0, dim = -2>}

// -----

// Partitions.

// expected-error @below {{expects 'lanes_per_row' to be a power of two from 1 to 64, but got 12}}
func.func private @lanes() attributes {p = #row.partition<lanes_per_row = 12>}

// -----

// expected-error @below {{expects 'lanes_per_row' to be a power of two from 1 to 64, but got 128}}
func.func private @many_lanes() attributes {p = #row.partition<lanes_per_row = 128>}

// -----

// expected-error @below {{expects 'waves_per_row' to be from 1 to 32, but got -1}}
func.func private @negative_waves() attributes {p = #row.partition<waves_per_row = -1>}

// -----

// expected-error @below {{expects 'waves_per_group' to be from 1 to 32, but got 33}}
func.func private @many_waves() attributes {p = #row.partition<waves_per_group = 33>}

// -----

// expected-error @below {{expects 'waves_per_group' to be a multiple of the 2 waves per row, but got 3}}
func.func private @half_a_row() attributes {p = #row.partition<waves_per_row = 2, waves_per_group = 3>}

// -----

// Rules of the named layouts.

// expected-error @below {{expects a positive 'slots', but got 0}}
func.func private @no_slots() attributes {l = #row.linear<slots = 0, length = 128>}

// -----

// expected-error @below {{expects a positive 'length', but got -1}}
func.func private @no_length() attributes {l = #row.linear<slots = 64, length = -1>}

// -----

// expected-error @below {{expects 'length' to be a multiple of 128, but got 96}}
func.func private @fp4_length() attributes {l = #row.fp4_preshuffle<slots = 64, length = 96>}

// -----

// expected-error @below {{expects 'slots' to be a multiple of 16, but got 24}}
func.func private @interleave_slots() attributes {l = #row.e8m0_interleave<slots = 24, groups = 4>}

// -----

// expected-error @below {{expects 'groups' to be a multiple of 4, but got 2}}
func.func private @interleave_groups() attributes {l = #row.e8m0_interleave<slots = 64, groups = 2>}

// -----

// expected-error @below {{expects 'slots' to be a multiple of 16, but got 8}}
func.func private @fp8_slots() attributes {l = #row.fp8_preshuffle<slots = 8, length = 128>}

// -----

// expected-error @below {{expects 'length' to be a multiple of 16, but got 72}}
func.func private @fp8_length() attributes {l = #row.fp8_preshuffle<slots = 64, length = 72>}

// -----

// expected-error @below {{expects 'heads' to be a multiple of 16, but got 8}}
func.func private @query_heads() attributes {l = #row.query_scale<heads = 8, groups = 4>}

// -----

// expected-error @below {{expects 'groups' to be a multiple of 4, but got 1}}
func.func private @query_groups() attributes {l = #row.query_scale<heads = 16, groups = 1>}

// -----

// expected-error @below {{expects a page of at most 16777216 elements, but got 256 rows of 131072}}
func.func private @page_size() attributes {l = #row.linear<slots = 256, length = 131072>}

// -----

// Maps of the user's own.

func.func private @one_dimension() attributes {
  // expected-error @below {{expects a layout map (slot, element) -> (offset), but got affine_map<(d0) -> (d0)>}}
  l = #row.layout<affine_map<(e) -> (e)>, slots = 1, length = 4>}

// -----

func.func private @symbol() attributes {
  // expected-error @below {{expects a layout map (slot, element) -> (offset), but got affine_map<(d0, d1)[s0] -> (d0 * 4 + d1 + s0)>}}
  l = #row.layout<affine_map<(s, e)[base] -> (s * 4 + e + base)>, slots = 4, length = 4>}

// -----

func.func private @two_results() attributes {
  // expected-error @below {{expects a layout map (slot, element) -> (offset), but got affine_map<(d0, d1) -> (d0, d1)>}}
  l = #row.layout<affine_map<(s, e) -> (s, e)>, slots = 4, length = 4>}

// -----

func.func private @division_by_zero() attributes {
  // expected-error @below {{expects positive divisors in a layout map, but got 0}}
  l = #row.layout<affine_map<(s, e) -> (e floordiv 0)>, slots = 4, length = 4>}

// -----

func.func private @negative_divisor() attributes {
  // expected-error @below {{expects positive divisors in a layout map, but got -3}}
  l = #row.layout<affine_map<(s, e) -> (e mod -3)>, slots = 4, length = 4>}

// -----

func.func private @empty_page() attributes {
  // expected-error @below {{expects a positive 'slots', but got 0}}
  l = #row.layout<affine_map<(s, e) -> (e)>, slots = 0, length = 4>}

// -----

func.func private @large_page() attributes {
  // expected-error @below {{expects a page of at most 16777216 elements, but got 16777217 rows of 1}}
  l = #row.layout<affine_map<(s, e) -> (s)>, slots = 16777217, length = 1>}

// -----

// The slots of a linear page are one element too close.
func.func private @overlap() attributes {
  // expected-error @below {{layout maps slot 0 element 127 and slot 1 element 0 both to offset 127}}
  l = #row.layout<affine_map<(s, e) -> (s * 127 + e)>, slots = 4, length = 128>}

// -----

// A factor of 4 interleaves 64 slots, but neither 16 ...
func.func private @factor_4_of_16() attributes {
  // expected-error @below {{layout maps slot 0 element 1 and slot 4 element 0 both to offset 16}}
  l = #row.layout<affine_map<(s, e) -> (e * 16 + s mod 16 * 4 + s floordiv 16)>, slots = 16, length = 4>}

// -----

// ... nor 128 of them.
func.func private @factor_4_of_128() attributes {
  // expected-error @below {{layout maps slot 1 element 0 and slot 64 element 0 both to offset 4}}
  l = #row.layout<affine_map<(s, e) -> (e * 128 + s mod 16 * 4 + s floordiv 16)>, slots = 128, length = 4>}

// -----

func.func private @before_the_page() attributes {
  // expected-error @below {{layout maps slot 0 element 0 to offset -1, outside of its page of 16 elements}}
  l = #row.layout<affine_map<(s, e) -> (s * 4 + e - 1)>, slots = 4, length = 4>}

// -----

// Products that overflow wrap around, which is refused like the rest.
func.func private @overflow() attributes {
  // expected-error @below {{layout maps slot 1 element 0 to offset -2, outside of its page of 16 elements}}
  l = #row.layout<affine_map<(s, e) -> (s * 9223372036854775807 * 2 + e)>, slots = 4, length = 4>}

// -----

// expected-error @below {{expects 'workgroups_per_row' to be a power of two, but got 3}}
#p = #row.partition<workgroups_per_row = 3>
