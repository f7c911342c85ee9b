// RUN: rowmill-opt %s --split-input-file --verify-diagnostics

func.func @exchange_c1(%v: f32) -> f32 {
  // expected-error @below {{'lane.exchange' op expects a 'mask' between 1 and 1023, but got 0}}
  %0 = lane.exchange %v xor 0 : f32
  return %0 : f32
}

// -----

func.func @exchange_c1(%v: f32) -> f32 {
  // expected-error @below {{'lane.exchange' op expects a 'mask' between 1 and 1023, but got 1024}}
  %0 = lane.exchange %v xor 1024 : f32
  return %0 : f32
}

// -----

func.func @shuffle_c1(%v: f32, %s: i32) -> f32 {
  // expected-error @below {{'lane.shuffle' op expects a power-of-two 'cluster' between 1 and 1024, but got 24}}
  %0 = lane.shuffle %v from %s cluster 24 : f32
  return %0 : f32
}

// -----

func.func @reduce_c1(%v: f32) -> f32 {
  // expected-error @below {{'lane.reduce' op expects a power-of-two 'cluster' between 1 and 1024, but got 2048}}
  %0 = lane.reduce add %v cluster 2048 : f32
  return %0 : f32
}

// -----

func.func @reduce_c2(%v: i32) -> i32 {
  // expected-error @below {{'lane.reduce' op expects f32 for kind 'add', but got 'i32'}}
  %0 = lane.reduce add %v cluster 8 : i32
  return %0 : i32
}

// -----

func.func @reduce_c2(%v: f32) -> f32 {
  // expected-error @below {{'lane.reduce' op expects i32 for kind 'maxu', but got 'f32'}}
  %0 = lane.reduce maxu %v cluster 8 : f32
  return %0 : f32
}

// -----

func.func @pack_c1(%v: vector<4xf32>) -> vector<1xi32> {
  // expected-error @below {{'lane.pack' op expects the format f4E2M1FN, f8E4M3FN or f8E4M3FNUZ, but got 'f8E5M2'}}
  %0 = lane.pack %v to f8E5M2 : vector<4xf32> -> vector<1xi32>
  return %0 : vector<1xi32>
}

// -----

func.func @pack_c2(%v: vector<8xf32>) -> vector<2xi32> {
  // expected-error @below {{'lane.pack' op expects words of 32 bits in all, but got 64}}
  %0 = lane.pack %v to f4E2M1FN : vector<8xf32> -> vector<2xi32>
  return %0 : vector<2xi32>
}

// -----

func.func @unpack_c1(%w: vector<1xi32>) -> vector<4xf32> {
  // expected-error @below {{'lane.unpack' op expects the format f4E2M1FN, f8E4M3FN or f8E4M3FNUZ, but got 'f8E8M0FNU'}}
  %0 = lane.unpack %w from f8E8M0FNU : vector<1xi32> -> vector<4xf32>
  return %0 : vector<4xf32>
}

// -----

func.func @unpack_c2(%w: vector<1xi32>) -> vector<4xf32> {
  // expected-error @below {{'lane.unpack' op expects words of 16 bits in all, but got 32}}
  %0 = lane.unpack %w from f4E2M1FN : vector<1xi32> -> vector<4xf32>
  return %0 : vector<4xf32>
}

// -----

func.func @store_shared_c1(%v: vector<8xf32>, %b: memref<512xf32>, %p: index) {
  // expected-error @below {{'lane.store_shared' op expects a buffer of rank 1 in workgroup memory, but got 'memref<512xf32>'}}
  lane.store_shared %v, %b[%p] : vector<8xf32>, memref<512xf32>
  return
}

// -----

func.func @load_shared_c1(%b: memref<8x64xf32, #gpu.address_space<workgroup>>, %p: index) -> vector<8xf32> {
  // expected-error @below {{'lane.load_shared' op expects a buffer of rank 1 in workgroup memory, but got 'memref<8x64xf32, #gpu.address_space<workgroup>>'}}
  %v = lane.load_shared %b[%p] : memref<8x64xf32, #gpu.address_space<workgroup>> -> vector<8xf32>
  return %v : vector<8xf32>
}
