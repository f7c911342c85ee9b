// RUN: rowmill-opt %s --split-input-file --verify-diagnostics

// Text that the parser refuses.

// expected-error @below {{expects a named kernel argument, but got '%0'}}
row.kernel @unnamed(%0: memref<?xf32>) rows(%i in %0[0]) {
}

// -----

// expected-error @below {{expects a named kernel argument, but got '%1'}}
row.kernel @unnamed_row(%x: memref<?xf32>) rows(%1 in %x[0]) {
}

// -----

// expected-error @below {{expected ':'}}
row.kernel @untyped(%x) rows(%i in 16) {
}

// -----

// expected-error @below {{expects the name of a kernel argument, but got '%y'}}
row.kernel @unknown_argument(%x: memref<?xf32>) rows(%i in %y[0]) {
}

// -----

// expected-error @below {{expects a row extent of 1 or more, but got 0}}
row.kernel @empty_extent(%x: memref<?xf32>) rows(%i in 0) {
}

// -----

// expected-error @below {{expects a dimension of 0 or more, but got -1}}
row.kernel @negative_dimension(%x: memref<?xf32>) rows(%i in %x[-1]) {
}

// -----

// expected-error @below {{region entry argument '%x' is already in use}}
// expected-note @below {{previously referenced here}}
row.kernel @same_name(%x: memref<?xf32>, %x: memref<?xf32>) rows(%i in 4) {
}

// -----

// expected-error @below {{region entry argument '%x' is already in use}}
// expected-note @below {{previously referenced here}}
row.kernel @same_name_row(%x: memref<?xf32>) rows(%x in %x[0]) {
}

// -----

row.kernel @misspelt_attribute(%x: memref<?xf32>) rows(%i in %x[0])
    // expected-error @below {{expects no attribute but 'partition' and those of other dialects, but got 'partitions'}}
    attributes {partitions = #row.partition<>} {
}

// -----

row.kernel @second_name(%x: memref<?xf32>) rows(%i in %x[0])
    // expected-error @below {{expects no attribute but 'partition' and those of other dialects, but got 'sym_name'}}
    attributes {sym_name = "other"} {
}

// -----

row.kernel @other_partition(%x: memref<?xf32>) rows(%i in %x[0])
    // expected-error @below {{expects a #row.partition as 'partition', but got 8 : i64}}
    attributes {partition = 8} {
}

// -----

// What the verifier refuses: extents.

// expected-error @below {{'row.kernel' op expects one row extent or more, but got none}}
row.kernel @no_extent(%x: memref<?xf32>) rows() {
}

// -----

// expected-error @below {{'row.kernel' op expects row extent 'i' to name a dimension of 'x', but got 2 of 'memref<?x8xf32>'}}
row.kernel @unknown_dimension(%x: memref<?x8xf32>) rows(%i in %x[2]) {
}

// -----

// expected-error @below {{'row.kernel' op expects row extent 'i' to name a dimension of 'n', but got 0 of 'i32'}}
row.kernel @dimension_of_scalar(%n: i32) rows(%i in %n[0]) {
}

// -----

// expected-error @below {{'row.kernel' op expects row extent 'i' to be an i32, i64 or index argument, but got 'eps' of type 'f32'}}
row.kernel @float_extent(%eps: f32) rows(%i in %eps) {
}

// -----

// expected-error @below {{'row.kernel' op expects row extent 'i' to be an i32, i64 or index argument, but got 'x' of type 'memref<?xf32>'}}
row.kernel @memref_extent(%x: memref<?xf32>) rows(%i in %x) {
}

// -----

// Arguments.

// expected-error @below {{'row.kernel' op expects argument 'x' to have elements of i8, i16, i32, i64, f16, bf16 or f32, but got 'memref<?x128xf64>'}}
row.kernel @double(%x: memref<?x128xf64>) rows(%i in %x[0]) {
}

// -----

// expected-error @below {{'row.kernel' op expects argument 'x' to have elements of i8, i16, i32, i64, f16, bf16 or f32, but got 'memref<?x128xf8E4M3FN>'}}
row.kernel @byte_float(%x: memref<?x128xf8E4M3FN>) rows(%i in %x[0]) {
}

// -----

// expected-error @below {{'row.kernel' op expects argument 'x' to have rank 1 or more, but got 'memref<f32>'}}
row.kernel @rank_zero(%x: memref<f32>) rows(%i in 4) {
}

// -----

// expected-error @below {{'row.kernel' op expects argument 'x' to be in the default memory space, but got 'memref<?xf32, 3>'}}
row.kernel @memory_space(%x: memref<?xf32, 3>) rows(%i in 4) {
}

// -----

// expected-error @below {{'row.kernel' op expects argument 'x' to have strides, but got 'memref<?x8xf32, affine_map<(d0, d1) -> (d0 floordiv 2, d1)>>'}}
row.kernel @no_strides(%x: memref<?x8xf32, affine_map<(d0, d1) -> (d0 floordiv 2, d1)>>) rows(%i in 4) {
}

// -----

// expected-error @below {{'row.kernel' op expects argument 'x' to have an innermost stride of 1, but got 'memref<?x8xf32, strided<[16, 2]>>'}}
row.kernel @inner_stride(%x: memref<?x8xf32, strided<[16, 2]>>) rows(%i in 4) {
}

// -----

// expected-error @below {{'row.kernel' op expects argument 'x' to have no offset, but got 'memref<?x8xf32, strided<[8, 1], offset: ?>>'}}
row.kernel @offset(%x: memref<?x8xf32, strided<[8, 1], offset: ?>>) rows(%i in 4) {
}

// -----

// expected-error @below {{'row.kernel' op expects argument 'n' to be a memref, i32, i64, f32 or index, but got 'i16'}}
row.kernel @short(%n: i16) rows(%i in 4) {
}

// -----

// expected-error @below {{'row.kernel' op expects argument 'x' to be a memref, i32, i64, f32 or index, but got 'memref<*xf32>'}}
row.kernel @unranked(%x: memref<*xf32>) rows(%i in 4) {
}

// -----

// Where a kernel stands.

func.func @inside_a_function() {
  // expected-error @below {{'row.kernel' op symbol's parent must have the SymbolTable trait}}
  row.kernel @inner(%n: i32) rows(%i in %n) {
  }
  return
}

// -----

// expected-note @below {{see existing symbol definition here}}
row.kernel @twice(%n: i32) rows(%i in %n) {
}
// expected-error @below {{redefinition of symbol named 'twice'}}
row.kernel @twice(%n: i32) rows(%i in %n) {
}

// -----

func.func @value(%v: vector<128xf32>) {
  return
}
row.kernel @isolated(%n: i32) rows(%i in %n) {
  // expected-error @below {{use of undeclared SSA value name}}
  %0 = row.hadamard %v : vector<128xf32>
}

// -----

// The generic form can say what the other cannot.

// expected-error @below {{'row.kernel' op expects as many extents as row names, but got 1 and 2}}
"row.kernel"() <{sym_name = "counts", arg_names = [], row_names = ["i", "j"], extents = [#row.extent<size = 4>]}> ({
^bb0(%i: index, %j: index):
}) : () -> ()

// -----

// expected-error @below {{'row.kernel' op expects a body with 1 arguments and 1 row indices, but got 1 block arguments}}
"row.kernel"() <{sym_name = "block", arg_names = ["x"], row_names = ["i"], extents = [#row.extent<size = 4>]}> ({
^bb0(%i: index):
}) : () -> ()

// -----

// expected-error @below {{'row.kernel' op expects row index 'i' to be an index, but got 'i32'}}
"row.kernel"() <{sym_name = "index", arg_names = [], row_names = ["i"], extents = [#row.extent<size = 4>]}> ({
^bb0(%i: i32):
}) : () -> ()

// -----

// expected-error @below {{'row.kernel' op expects distinct names, but got 'i' twice}}
"row.kernel"() <{sym_name = "distinct", arg_names = ["i"], row_names = ["i"], extents = [#row.extent<size = 4>]}> ({
^bb0(%x: i32, %i: index):
}) : () -> ()

// -----

// expected-error @below {{'row.kernel' op expects a name of letters, digits and '_', but got 'llvm.sqrt'}}
row.kernel @llvm.sqrt(%x: i32) rows(%i in 4) {}

// -----

// expected-error @below {{'row.kernel' op expects a name of letters, digits and '_', but got ''}}
row.kernel @""(%x: i32) rows(%i in 4) {}

// -----

// expected-error @below {{'row.kernel' op expects names that are identifiers, but got 'a b'}}
"row.kernel"() <{sym_name = "identifier", arg_names = ["a b"], row_names = ["i"], extents = [#row.extent<size = 4>]}> ({
^bb0(%x: i32, %i: index):
}) : () -> ()

// -----

// expected-error @below {{'row.kernel' op expects row extent 'i' to name one of 1 arguments, but got number 3}}
"row.kernel"() <{sym_name = "argument", arg_names = ["x"], row_names = ["i"], extents = [#row.extent<arg = 3>]}> ({
^bb0(%x: i32, %i: index):
}) : () -> ()

// -----

// Guards.

func.func @guard_in_a_function(%slot: i64) {
  // expected-error @below {{'row.guard' op expects parent op 'row.kernel'}}
  row.guard %slot : i64
  return
}

// -----

row.kernel @nested_guard(%slot: i64, %n: index) rows(%i in %n) {
  scf.for %k = %i to %n step %i {
    // expected-error @below {{'row.guard' op expects parent op 'row.kernel'}}
    row.guard %slot : i64
  }
}

// -----

row.kernel @float_guard(%slot: f32) rows(%i in 4) {
  // expected-error @below {{'row.guard' op operand #0 must be 32-bit signless integer or 64-bit signless integer or index, but got 'f32'}}
  row.guard %slot : f32
}
