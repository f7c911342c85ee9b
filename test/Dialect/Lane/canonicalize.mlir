// RUN: rowmill-opt %s --canonicalize | FileCheck %s

// A cluster of one lane has nothing to combine.
// CHECK-LABEL: func @fold_reduce_of_one(
// CHECK-SAME:    %[[V:.+]]: f32
// CHECK-NEXT:    return %[[V]]
func.func @fold_reduce_of_one(%v: f32) -> f32 {
  %0 = lane.reduce add %v cluster 1 : f32
  return %0 : f32
}

// CHECK-LABEL: func @keep_reduce_of_two(
// CHECK:         lane.reduce
func.func @keep_reduce_of_two(%v: f32) -> f32 {
  %0 = lane.reduce add %v cluster 2 : f32
  return %0 : f32
}

// An exchange is pure: unused, it goes.
// CHECK-LABEL: func @drop_unused_exchange(
// CHECK-NEXT:    return
func.func @drop_unused_exchange(%v: f32) {
  %0 = lane.exchange %v xor 1 : f32
  return
}
