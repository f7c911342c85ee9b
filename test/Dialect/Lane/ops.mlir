// RUN: rowmill-opt %s --verify-roundtrip | FileCheck %s

// CHECK-LABEL: func @exchange(
func.func @exchange(%v: vector<8xf32>, %i: i32) -> (vector<8xf32>, i32) {
  // CHECK: lane.exchange %{{.+}} xor 4 : vector<8xf32>
  %0 = lane.exchange %v xor 4 : vector<8xf32>
  // CHECK: lane.exchange %{{.+}} xor 32 : i32
  %1 = lane.exchange %i xor 32 : i32
  return %0, %1 : vector<8xf32>, i32
}

// CHECK-LABEL: func @shuffle(
func.func @shuffle(%v: vector<4xf32>, %source: i32) -> vector<4xf32> {
  // CHECK: lane.shuffle %{{.+}} from %{{.+}} cluster 16 : vector<4xf32>
  %0 = lane.shuffle %v from %source cluster 16 : vector<4xf32>
  return %0 : vector<4xf32>
}

// CHECK-LABEL: func @reduce(
func.func @reduce(%f: f32, %i: i32) -> (f32, f32, i32) {
  // CHECK: lane.reduce add %{{.+}} cluster 16 : f32
  %0 = lane.reduce add %f cluster 16 : f32
  // CHECK: lane.reduce max %{{.+}} cluster 64 : f32
  %1 = lane.reduce max %f cluster 64 : f32
  // CHECK: lane.reduce maxu %{{.+}} cluster 256 : i32
  %2 = lane.reduce maxu %i cluster 256 : i32
  return %0, %1, %2 : f32, f32, i32
}

// CHECK-LABEL: func @pack(
func.func @pack(%v: vector<16xf32>, %p: vector<2xf32>, %e: i32)
    -> (vector<2xi32>, vector<4xi32>, vector<1xi8>) {
  // CHECK: lane.pack %{{.+}} exponent %{{.+}} to f4E2M1FN : vector<16xf32> -> vector<2xi32>
  %0 = lane.pack %v exponent %e to f4E2M1FN : vector<16xf32> -> vector<2xi32>
  // CHECK: lane.pack %{{.+}} to f8E4M3FN : vector<16xf32> -> vector<4xi32>
  %1 = lane.pack %v to f8E4M3FN : vector<16xf32> -> vector<4xi32>
  // CHECK: lane.pack %{{.+}} exponent %{{.+}} to f4E2M1FN : vector<2xf32> -> vector<1xi8>
  %2 = lane.pack %p exponent %e to f4E2M1FN : vector<2xf32> -> vector<1xi8>
  return %0, %1, %2 : vector<2xi32>, vector<4xi32>, vector<1xi8>
}

// CHECK-LABEL: func @unpack(
func.func @unpack(%w: vector<2xi32>) -> (vector<16xf32>, vector<8xf32>) {
  // CHECK: lane.unpack %{{.+}} from f4E2M1FN : vector<2xi32> -> vector<16xf32>
  %0 = lane.unpack %w from f4E2M1FN : vector<2xi32> -> vector<16xf32>
  // CHECK: lane.unpack %{{.+}} from f8E4M3FNUZ : vector<2xi32> -> vector<8xf32>
  %1 = lane.unpack %w from f8E4M3FNUZ : vector<2xi32> -> vector<8xf32>
  return %0, %1 : vector<16xf32>, vector<8xf32>
}

// CHECK-LABEL: func @shared(
func.func @shared(%b: memref<1536xf32, #gpu.address_space<workgroup>>, %p: index) {
  // CHECK: %[[V:.+]] = lane.load_shared %{{.+}}[%{{.+}}] : memref<1536xf32, #gpu.address_space<workgroup>> -> vector<8xf32>
  %v = lane.load_shared %b[%p] : memref<1536xf32, #gpu.address_space<workgroup>> -> vector<8xf32>
  // CHECK: lane.store_shared %[[V]], %{{.+}}[%{{.+}}] : vector<8xf32>, memref<1536xf32, #gpu.address_space<workgroup>>
  lane.store_shared %v, %b[%p] : vector<8xf32>, memref<1536xf32, #gpu.address_space<workgroup>>
  return
}
