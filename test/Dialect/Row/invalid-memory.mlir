// RUN: rowmill-opt %s --split-input-file --verify-diagnostics

// Loads and stores.

func.func @index_count(%x: memref<?x16x128xbf16>, %i: index) {
  // expected-error @below {{'row.load' op expects an index for each dimension but the last of 'memref<?x16x128xbf16>', but got 1}}
  %0 = row.load %x[%i] : memref<?x16x128xbf16> -> vector<128xbf16>
  return
}

// -----

func.func @rank(%x: memref<f32>) {
  // expected-error @below {{'row.load' op expects a memref of rank 1 or more, but got 'memref<f32>'}}
  %0 = row.load %x[] : memref<f32> -> vector<1xf32>
  return
}

// -----

func.func @inner_stride(%x: memref<?x128xf32, strided<[256, 2]>>, %i: index) {
  // expected-error @below {{'row.load' op expects a memref whose innermost stride is 1, but got 'memref<?x128xf32, strided<[256, 2]>>'}}
  %0 = row.load %x[%i] : memref<?x128xf32, strided<[256, 2]>> -> vector<128xf32>
  return
}

// -----

func.func @other_elements(%x: memref<?x128xbf16>, %i: index) {
  // expected-error @below {{'row.load' op expects a memref of 'f32' for elements of 'f32', but got 'memref<?x128xbf16>'}}
  %0 = row.load %x[%i] : memref<?x128xbf16> -> vector<128xf32>
  return
}

// -----

func.func @codes_in_floats(%q: vector<128xf4E2M1FN>, %x: memref<?x128xf32>, %i: index) {
  // expected-error @below {{'row.store' op expects a memref of 'i8' for elements of 'f4E2M1FN', but got 'memref<?x128xf32>'}}
  row.store %q, %x[%i] : vector<128xf4E2M1FN>, memref<?x128xf32>
  return
}

// -----

func.func @double(%x: memref<?x128xf64>, %i: index) {
  // expected-error @below {{'row.load' op operand #0 must be memref of}}
  %0 = row.load %x[%i] : memref<?x128xf64> -> vector<128xf64>
  return
}

// -----

func.func @two_dimensional_row(%x: memref<?x128xf32>, %i: index) {
  // expected-error @below {{'row.load' op result #0 must be fixed-length vector of}}
  %0 = row.load %x[%i] : memref<?x128xf32> -> vector<1x128xf32>
  return
}

// -----

func.func @negative_offset(%x: memref<?x128xf32>, %i: index) {
  // expected-error @below {{'row.load' op expects 'at' to be 0 or more, but got -4}}
  %0 = row.load %x[%i] at -4 : memref<?x128xf32> -> vector<64xf32>
  return
}

// -----

func.func @beyond_the_end(%x: memref<?x128xf32>, %i: index) {
  // expected-error @below {{'row.load' op expects 128 elements at 64 to lie within the last dimension of 'memref<?x128xf32>'}}
  %0 = row.load %x[%i] at 64 : memref<?x128xf32> -> vector<128xf32>
  return
}

// -----

func.func @offset_overflow(%x: memref<?x128xf32>, %i: index) {
  // expected-error @below {{'row.load' op expects 2 elements at 9223372036854775807 to lie within the last dimension of 'memref<?x128xf32>'}}
  %0 = row.load %x[%i] at 9223372036854775807 : memref<?x128xf32> -> vector<2xf32>
  return
}

// -----

// Two elements a byte: 64 bytes hold 128.
func.func @beyond_the_packed_end(%q: vector<128xf4E2M1FN>, %x: memref<?x64xi8>, %i: index) {
  row.store %q, %x[%i] : vector<128xf4E2M1FN>, memref<?x64xi8>
  // expected-error @below {{'row.store' op expects 128 elements at 2 to lie within the last dimension of 'memref<?x64xi8>'}}
  row.store %q, %x[%i] at 2 : vector<128xf4E2M1FN>, memref<?x64xi8>
  return
}

// -----

func.func @half_a_byte(%q: vector<32xf4E2M1FN>, %x: memref<?x64xi8>, %i: index) {
  // expected-error @below {{'row.store' op expects whole bytes of 'f4E2M1FN', but got 32 elements at 3}}
  row.store %q, %x[%i] at 3 : vector<32xf4E2M1FN>, memref<?x64xi8>
  return
}

// -----

func.func @odd_length(%q: vector<33xf4E2M1FN>, %x: memref<?x64xi8>, %i: index) {
  // expected-error @below {{'row.store' op expects whole bytes of 'f4E2M1FN', but got 33 elements at 0}}
  row.store %q, %x[%i] : vector<33xf4E2M1FN>, memref<?x64xi8>
  return
}

// -----

func.func @index_in_range(%x: memref<?x16x128xf32>, %i: index) {
  %c15 = arith.constant 15 : index
  %0 = row.load %x[%i, %c15] : memref<?x16x128xf32> -> vector<128xf32>
  %c16 = arith.constant 16 : index
  // expected-error @below {{'row.load' op expects a row index in [0, 16), but got 16}}
  %1 = row.load %x[%i, %c16] : memref<?x16x128xf32> -> vector<128xf32>
  return
}

// -----

func.func @negative_index(%x: memref<?x128xf32>) {
  %c-1 = arith.constant -1 : index
  // expected-error @below {{'row.load' op expects a row index of 0 or more, but got -1}}
  %1 = row.load %x[%c-1] : memref<?x128xf32> -> vector<128xf32>
  return
}

// -----

// Scatter and gather.

#linear = #row.linear<slots = 64, length = 128>
func.func @other_length(%q: vector<64xf4E2M1FN>, %cache: memref<?x64x64xi8>, %i: index) {
  // expected-error @below {{'row.scatter' op expects rows of the 128 elements of the layout, but got 'vector<64xf4E2M1FN>'}}
  row.scatter %q, %cache[%i, %i] layout(#linear) : vector<64xf4E2M1FN>, memref<?x64x64xi8>
  return
}

// -----

#linear = #row.linear<slots = 64, length = 128>
func.func @page_size(%q: vector<128xf4E2M1FN>, %cache: memref<?x64x128xi8>, %i: index) {
  // expected-error @below {{'row.scatter' op expects pages of 8192 elements, 2 a 'i8', for the layout, but got 'memref<?x64x128xi8>'}}
  row.scatter %q, %cache[%i, %i] layout(#linear) : vector<128xf4E2M1FN>, memref<?x64x128xi8>
  return
}

// -----

#linear = #row.linear<slots = 64, length = 128>
func.func @page_overflow(%cache: memref<?x2147483648x2147483648x4xi8>, %i: index) {
  // expected-error @below {{'row.gather' op expects pages of 8192 elements, 2 a 'i8', for the layout, but got 'memref<?x2147483648x2147483648x4xi8>'}}
  %0 = row.gather %cache[%i, %i] layout(#linear) : memref<?x2147483648x2147483648x4xi8> -> vector<128xf4E2M1FN>
  return
}

// -----

// Pages of 16 heads hold four tiles of 16: padding counts.
#scale = #row.query_scale<heads = 16, groups = 4>
func.func @padded_page(%e: vector<4xf8E8M0FNU>, %s: memref<?x4x16x4xi8>, %t: memref<?x4x16x1xi8>, %i: index) {
  row.scatter %e, %s[%i, %i] layout(#scale) : vector<4xf8E8M0FNU>, memref<?x4x16x4xi8>
  // expected-error @below {{'row.scatter' op expects pages of 256 elements, 1 a 'i8', for the layout, but got 'memref<?x4x16x1xi8>'}}
  row.scatter %e, %t[%i, %i] layout(#scale) : vector<4xf8E8M0FNU>, memref<?x4x16x1xi8>
  return
}

// -----

#linear = #row.linear<slots = 64, length = 128>
func.func @dynamic_page(%cache: memref<?x?x64xi8>, %i: index) {
  // expected-error @below {{'row.gather' op expects pages of static shape, but got 'memref<?x?x64xi8>'}}
  %0 = row.gather %cache[%i, %i] layout(#linear) : memref<?x?x64xi8> -> vector<128xf4E2M1FN>
  return
}

// -----

// The stride between pages is free, those in a page are not.
#linear = #row.linear<slots = 64, length = 128>
func.func @strided_page(%a: memref<?x64x64xi8, strided<[8448, 64, 1]>>,
                        %b: memref<?x64x64xi8, strided<[8448, 66, 1]>>, %i: index) {
  %0 = row.gather %a[%i, %i] layout(#linear) : memref<?x64x64xi8, strided<[8448, 64, 1]>> -> vector<128xf4E2M1FN>
  // expected-error @below {{'row.gather' op expects contiguous pages, but got 'memref<?x64x64xi8, strided<[8448, 66, 1]>>'}}
  %1 = row.gather %b[%i, %i] layout(#linear) : memref<?x64x64xi8, strided<[8448, 66, 1]>> -> vector<128xf4E2M1FN>
  return
}

// -----

#linear = #row.linear<slots = 1, length = 128>
func.func @no_page_dimension(%cache: memref<128xi8>, %i: index) {
  // expected-error @below {{'row.gather' op expects a memref of pages, of rank 2 or more, but got 'memref<128xi8>'}}
  %0 = row.gather %cache[%i, %i] layout(#linear) : memref<128xi8> -> vector<128xf8E4M3FN>
  return
}

// -----

#linear = #row.linear<slots = 1, length = 128>
func.func @no_strides(%cache: memref<?x128xi8, affine_map<(d0, d1) -> (d0 floordiv 2, d1)>>, %i: index) {
  // expected-error @below {{'row.gather' op expects a strided memref, but got}}
  %0 = row.gather %cache[%i, %i] layout(#linear) : memref<?x128xi8, affine_map<(d0, d1) -> (d0 floordiv 2, d1)>> -> vector<128xf8E4M3FN>
  return
}

// -----

#linear = #row.linear<slots = 64, length = 128>
func.func @page_elements(%v: vector<128xf32>, %cache: memref<?x64x128xi8>, %i: index) {
  // expected-error @below {{'row.scatter' op expects a memref of 'f32' for elements of 'f32', but got 'memref<?x64x128xi8>'}}
  row.scatter %v, %cache[%i, %i] layout(#linear) : vector<128xf32>, memref<?x64x128xi8>
  return
}

// -----

// Two rows would share each byte.
#columns = #row.layout<affine_map<(s, e) -> (e * 64 + s)>, slots = 64, length = 128>
func.func @split_byte(%q: vector<128xf4E2M1FN>, %r: vector<128xf8E4M3FN>,
                      %four: memref<?x64x64xi8>, %eight: memref<?x64x128xi8>, %i: index) {
  row.scatter %r, %eight[%i, %i] layout(#columns) : vector<128xf8E4M3FN>, memref<?x64x128xi8>
  // expected-error @below {{'row.scatter' op expects a layout that keeps the 2 elements of a byte together, but got #row.layout<}}
  row.scatter %q, %four[%i, %i] layout(#columns) : vector<128xf4E2M1FN>, memref<?x64x64xi8>
  return
}

// -----

#linear = #row.linear<slots = 64, length = 128>
func.func @slot_in_range(%q: vector<128xf4E2M1FN>, %cache: memref<?x64x64xi8>, %page: index) {
  %c63 = arith.constant 63 : index
  row.scatter %q, %cache[%page, %c63] layout(#linear) : vector<128xf4E2M1FN>, memref<?x64x64xi8>
  %c64 = arith.constant 64 : index
  // expected-error @below {{'row.scatter' op expects a slot in [0, 64), but got 64}}
  row.scatter %q, %cache[%page, %c64] layout(#linear) : vector<128xf4E2M1FN>, memref<?x64x64xi8>
  return
}

// -----

// A padding row of the layout is no slot.
#scale = #row.query_scale<heads = 16, groups = 4>
func.func @padding_slot(%e: vector<4xf8E8M0FNU>, %s: memref<?x4x16x4xi8>, %page: index) {
  %c16 = arith.constant 16 : index
  // expected-error @below {{'row.scatter' op expects a slot in [0, 16), but got 16}}
  row.scatter %e, %s[%page, %c16] layout(#scale) : vector<4xf8E8M0FNU>, memref<?x4x16x4xi8>
  return
}

// -----

#linear = #row.linear<slots = 64, length = 128>
func.func @page_in_range(%q: vector<128xf4E2M1FN>, %some: memref<8x64x64xi8>, %any: memref<?x64x64xi8>, %slot: index) {
  %c8 = arith.constant 8 : index
  row.scatter %q, %any[%c8, %slot] layout(#linear) : vector<128xf4E2M1FN>, memref<?x64x64xi8>
  // expected-error @below {{'row.scatter' op expects a page in [0, 8), but got 8}}
  row.scatter %q, %some[%c8, %slot] layout(#linear) : vector<128xf4E2M1FN>, memref<8x64x64xi8>
  return
}

// -----

func.func @no_layout(%q: vector<128xf4E2M1FN>, %cache: memref<?x64x64xi8>, %i: index) {
  // expected-error @below {{invalid kind of attribute specified}}
  row.scatter %q, %cache[%i, %i] layout(42 : i32) : vector<128xf4E2M1FN>, memref<?x64x64xi8>
  return
}

// -----

func.func @part_empty(%v: vector<128xf32>, %m: memref<?x128xf32>, %i: index) {
  // expected-error @below {{'row.store' op expects a part of the elements [0, 128), but got [64, 64)}}
  row.store %v[64 to 64], %m[%i] : vector<128xf32>, memref<?x128xf32>
  return
}

// -----

func.func @part_too_long(%v: vector<128xf32>, %m: memref<?x128xf32>, %i: index) {
  // expected-error @below {{'row.store' op expects a part of the elements [0, 128), but got [64, 129)}}
  row.store %v[64 to 129], %m[%i] : vector<128xf32>, memref<?x128xf32>
  return
}

// -----

func.func @part_half_byte(%v: vector<128xf4E2M1FN>, %m: memref<?x64xi8>, %i: index) {
  // expected-error @below {{'row.store' op expects whole bytes of 'f4E2M1FN', but got a part from 1}}
  row.store %v[1 to 3], %m[%i] : vector<128xf4E2M1FN>, memref<?x64xi8>
  return
}

// -----

func.func @part_beyond(%v: vector<128xf32>, %m: memref<?x64xf32>, %i: index) {
  // expected-error @below {{'row.store' op expects 32 elements at 40 to lie within the last dimension of 'memref<?x64xf32>'}}
  row.store %v[0 to 32], %m[%i] at 40 : vector<128xf32>, memref<?x64xf32>
  return
}

// -----

func.func @one_end(%v: vector<128xf32>, %m: memref<?x128xf32>, %i: index) {
  // expected-error @below {{'row.store' op expects both ends of a part of a row, or none}}
  "row.store"(%v, %m, %i) <{first = 8 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 0>}> : (vector<128xf32>, memref<?x128xf32>, index) -> ()
  return
}

// -----

func.func @two_starts(%m: memref<?x128xf32>, %i: index) {
  // expected-error @below {{'row.load' op expects one 'at', but got a value and 8}}
  %0 = "row.load"(%m, %i, %i) <{offset = 8 : i64, operandSegmentSizes = array<i32: 1, 1, 1>}> : (memref<?x128xf32>, index, index) -> vector<64xf32>
  return
}
