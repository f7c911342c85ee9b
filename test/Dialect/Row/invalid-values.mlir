// RUN: rowmill-opt %s --split-input-file --verify-diagnostics

// Reductions and broadcasts.

func.func @group_does_not_divide(%x: vector<128xf32>) {
  // expected-error @below {{'row.reduce' op group size 48 does not divide the row length 128}}
  %0 = row.reduce add %x group 48 : vector<128xf32> -> vector<2xf32>
  return
}

// -----

func.func @group_zero(%x: vector<128xf32>) {
  // expected-error @below {{'row.reduce' op expects a positive group size, but got 0}}
  %0 = row.reduce add %x group 0 : vector<128xf32> -> vector<128xf32>
  return
}

// -----

func.func @reduce_length(%x: vector<128xf32>) {
  // expected-error @below {{'row.reduce' op expects 'result' to have 4 elements, but got 'vector<8xf32>'}}
  %0 = row.reduce max %x group 32 : vector<128xf32> -> vector<8xf32>
  return
}

// -----

func.func @reduce_elements(%x: vector<128xbf16>) {
  // expected-error @below {{'row.reduce' op expects a result of 'bf16' elements, but got 'vector<4xf32>'}}
  %0 = row.reduce max %x group 32 : vector<128xbf16> -> vector<4xf32>
  return
}

// -----

func.func @absmax_of_integers(%x: vector<128xi32>) {
  // expected-error @below {{'row.reduce' op expects floating-point elements for 'absmax', but got 'i32'}}
  %0 = row.reduce absmax %x group 32 : vector<128xi32> -> vector<4xi32>
  return
}

// -----

func.func @reduce_double(%x: vector<128xf64>) {
  // expected-error @below {{'row.reduce' op operand #0 must be fixed-length vector of}}
  %0 = row.reduce add %x group 32 : vector<128xf64> -> vector<4xf64>
  return
}

// -----

func.func @unknown_kind(%x: vector<128xf32>) {
  // expected-error @below {{expected ::rowmill::row::ReduceKind to be one of: add, max, absmax}}
  // expected-error @below {{failed to parse Row_ReduceKindAttr parameter 'value'}}
  %0 = row.reduce min %x group 32 : vector<128xf32> -> vector<4xf32>
  return
}

// -----

func.func @broadcast_length(%x: vector<3xf32>) {
  // expected-error @below {{'row.broadcast' op expects a result length that is a multiple of 3, but got 128}}
  %0 = row.broadcast %x : vector<3xf32> -> vector<128xf32>
  return
}

// -----

func.func @broadcast_elements(%x: vector<4xf32>) {
  // expected-error @below {{'row.broadcast' op expects a result of 'f32' elements, but got 'vector<128xbf16>'}}
  %0 = row.broadcast %x : vector<4xf32> -> vector<128xbf16>
  return
}

// -----

// Norm.

func.func @weight_length(%x: vector<128xf32>, %w: vector<64xbf16>) {
  // expected-error @below {{'row.rmsnorm' op expects 'weight' to have 128 elements, but got 'vector<64xbf16>'}}
  %0 = row.rmsnorm %x, %w eps 1.0e-6 : vector<128xf32>, vector<64xbf16>
  return
}

// -----

func.func @negative_epsilon(%x: vector<128xf32>, %w: vector<128xf32>) {
  // expected-error @below {{'row.rmsnorm' op expects 'epsilon' to be finite and not negative, but got -1.000000e+00 : f32}}
  %0 = row.rmsnorm %x, %w eps -1.0 : vector<128xf32>, vector<128xf32>
  return
}

// -----

func.func @nan_epsilon(%x: vector<128xf32>, %w: vector<128xf32>) {
  // expected-error @below {{'row.rmsnorm' op expects 'epsilon' to be finite and not negative, but got 0x7FC00000 : f32}}
  %0 = row.rmsnorm %x, %w eps 0x7FC00000 : vector<128xf32>, vector<128xf32>
  return
}

// -----

func.func @no_epsilon(%x: vector<128xf32>, %w: vector<128xf32>) {
  // expected-error @below {{'row.rmsnorm' op expects either an operand or an attribute as epsilon}}
  %0 = "row.rmsnorm"(%x, %w) : (vector<128xf32>, vector<128xf32>) -> vector<128xf32>
  return
}

// -----

func.func @double_norm(%x: vector<128xf64>, %w: vector<128xf32>) {
  // expected-error @below {{'row.rmsnorm' op operand #0 must be fixed-length vector of}}
  %0 = row.rmsnorm %x, %w eps 1.0e-6 : vector<128xf64>, vector<128xf32>
  return
}

// -----

// Rope.

func.func @odd_offset(%x: vector<128xf32>, %c: vector<16xf32>) {
  // expected-error @below {{'row.rope' op expects 'at' to be even and not negative, but got 63}}
  %0 = row.rope interleaved %x, %c, %c at 63 : vector<128xf32>, vector<16xf32>
  return
}

// -----

func.func @negative_rope_offset(%x: vector<128xf32>, %c: vector<16xf32>) {
  // expected-error @below {{'row.rope' op expects 'at' to be even and not negative, but got -2}}
  %0 = row.rope half_split %x, %c, %c at -2 : vector<128xf32>, vector<16xf32>
  return
}

// -----

func.func @rope_beyond_the_row(%x: vector<128xf32>, %c: vector<32xf32>) {
  // expected-error @below {{'row.rope' op expects 64 elements at 96 to lie within the row of 128}}
  %0 = row.rope interleaved %x, %c, %c at 96 : vector<128xf32>, vector<32xf32>
  return
}

// -----

func.func @different_tables(%x: vector<128xf32>, %c: vector<32xf32>, %s: vector<16xf32>) {
  // expected-error @below {{'row.rope' op failed to verify that all of {cos, sin} have same type}}
  %0 = "row.rope"(%x, %c, %s) <{style = #row<rope_style interleaved>}>
      : (vector<128xf32>, vector<32xf32>, vector<16xf32>) -> vector<128xf32>
  return
}

// -----

// Hadamard rotation.

func.func @not_a_power_of_two(%x: vector<96xf32>) {
  // expected-error @below {{'row.hadamard' op expects a row length that is a power of two, but got 96}}
  %0 = row.hadamard %x : vector<96xf32>
  return
}

// -----

func.func @hadamard_of_integers(%x: vector<128xi32>) {
  // expected-error @below {{'row.hadamard' op operand #0 must be fixed-length vector of 32-bit float or 16-bit float or bfloat16 type values of ranks 1, but got 'vector<128xi32>'}}
  %0 = row.hadamard %x : vector<128xi32>
  return
}

// -----

func.func @scalable_row(%x: vector<[128]xf32>) {
  // expected-error @below {{'row.hadamard' op operand #0 must be fixed-length vector of}}
  %0 = row.hadamard %x : vector<[128]xf32>
  return
}

// -----

// Quantisation.

func.func @group_size(%x: vector<128xf32>) {
  // expected-error @below {{'row.quantize' op expects a group size of 32, 64, 128 or the row length 128, but got 16}}
  %q, %e = row.quantize %x group 16 : vector<128xf32> -> vector<128xf4E2M1FN>, vector<8xf8E8M0FNU>
  return
}

// -----

func.func @quantize_group_does_not_divide(%x: vector<96xf32>) {
  // expected-error @below {{'row.quantize' op group size 64 does not divide the row length 96}}
  %q, %e = row.quantize %x group 64 : vector<96xf32> -> vector<96xf4E2M1FN>, vector<2xf8E8M0FNU>
  return
}

// -----

func.func @code_count(%x: vector<128xf32>) {
  // expected-error @below {{'row.quantize' op expects 'codes' to have 128 elements, but got 'vector<64xf4E2M1FN>'}}
  %q, %e = row.quantize %x group 32 : vector<128xf32> -> vector<64xf4E2M1FN>, vector<4xf8E8M0FNU>
  return
}

// -----

func.func @scale_count(%x: vector<128xf32>) {
  // expected-error @below {{'row.quantize' op expects 'scales' to have 4 elements, but got 'vector<2xf8E8M0FNU>'}}
  %q, %e = row.quantize %x group 32 : vector<128xf32> -> vector<128xf4E2M1FN>, vector<2xf8E8M0FNU>
  return
}

// -----

func.func @e8m0_codes(%x: vector<128xf32>) {
  // expected-error @below {{'row.quantize' op result #0 must be fixed-length vector of f4E2M1FN type or f8E4M3FN type or f8E4M3FNUZ type values of ranks 1, but got 'vector<128xf8E8M0FNU>'}}
  %q, %e = row.quantize %x group 32 : vector<128xf32> -> vector<128xf8E8M0FNU>, vector<4xf8E8M0FNU>
  return
}

// -----

func.func @code_scales(%x: vector<128xf32>) {
  // expected-error @below {{'row.quantize' op result #1 must be fixed-length vector of f8E8M0FNU type or 32-bit float values of ranks 1, but got 'vector<4xf8E4M3FN>'}}
  %q, %e = row.quantize %x group 32 : vector<128xf32> -> vector<128xf4E2M1FN>, vector<4xf8E4M3FN>
  return
}

// -----

func.func @narrow_input(%x: vector<128xbf16>) {
  // expected-error @below {{'row.quantize' op operand #0 must be fixed-length vector of 32-bit float values of ranks 1, but got 'vector<128xbf16>'}}
  %q, %e = row.quantize %x group 32 : vector<128xbf16> -> vector<128xf4E2M1FN>, vector<4xf8E8M0FNU>
  return
}

// -----

func.func @negative_floor(%x: vector<128xf32>) {
  // expected-error @below {{'row.quantize' op expects 'floor' to be finite and not negative, but got -1.000000e+00 : f32}}
  %q, %e = row.quantize %x group 32 floor -1.0 : vector<128xf32> -> vector<128xf4E2M1FN>, vector<4xf8E8M0FNU>
  return
}

// -----

func.func @infinite_floor(%x: vector<128xf32>) {
  // expected-error @below {{'row.quantize' op expects 'floor' to be finite and not negative, but got 0x7F800000 : f32}}
  %q, %e = row.quantize %x group 32 floor 0x7F800000 : vector<128xf32> -> vector<128xf4E2M1FN>, vector<4xf8E8M0FNU>
  return
}

// -----

func.func @rounded_f32_scale(%x: vector<128xf32>) {
  // expected-error @below {{'row.quantize' op expects 'round' to be up or none for scales of 'f32', but got down}}
  %q, %e = row.quantize %x group 32 round down : vector<128xf32> -> vector<128xf8E4M3FN>, vector<4xf32>
  return
}

// -----

func.func @dequantize_scale_count(%q: vector<128xf4E2M1FN>, %e: vector<3xf8E8M0FNU>) {
  // expected-error @below {{'row.dequantize' op expects a number of scales that divides the row length 128, but got 3}}
  %0 = row.dequantize %q, %e : vector<128xf4E2M1FN>, vector<3xf8E8M0FNU> -> vector<128xf32>
  return
}

// -----

func.func @dequantize_length(%q: vector<128xf4E2M1FN>, %e: vector<4xf8E8M0FNU>) {
  // expected-error @below {{'row.dequantize' op expects 'result' to have 128 elements, but got 'vector<64xf32>'}}
  %0 = row.dequantize %q, %e : vector<128xf4E2M1FN>, vector<4xf8E8M0FNU> -> vector<64xf32>
  return
}

// -----

func.func @flush_fp4(%x: vector<128xf32>) {
  // expected-error @below {{'row.quantize' op expects codes of 8 bits for 'flush', but got 'vector<128xf4E2M1FN>'}}
  %q, %e = row.quantize %x group 32 flush 0.5 : vector<128xf32> -> vector<128xf4E2M1FN>, vector<4xf8E8M0FNU>
  return
}

// -----

func.func @flush_zero(%x: vector<128xf32>) {
  // expected-error @below {{'row.quantize' op expects 'flush' to be finite and positive, but got 0.000000e+00}}
  %q, %e = row.quantize %x group 32 flush 0.0 : vector<128xf32> -> vector<128xf8E4M3FN>, vector<4xf8E8M0FNU>
  return
}

// -----

func.func @unrounded_exponent(%x: vector<128xf32>) {
  // expected-error @below {{'row.quantize' op expects 'round' to be up or down for scales of 'f8E8M0FNU', but got none}}
  %q, %e = row.quantize %x group 32 round none : vector<128xf32> -> vector<128xf8E4M3FN>, vector<4xf8E8M0FNU>
  return
}
