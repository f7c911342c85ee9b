// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Tests of argument checks, the grid rule and the kernarg block.
#include "rowmill/Runtime/Binding.h"
#include "llvm/Support/Endian.h"
#include "gtest/gtest.h"

using namespace rowmill;
using llvm::StringRef;

static const char *const kMetadata = R"({
"version": 2, "target": "gfx950", "kernels": [
 {"name": "norm", "wave_size": 64, "extents": [{"arg": "x", "dim": 0}, {"arg": "n"}],
  "variants": [{"launches": [{"symbol": "norm.kd", "block": [64, 1, 1], "rows_per_group": 8}]}],
  "kernarg_size": 72,
  "args": [
   {"name": "x", "kind": "memref", "element": "bf16", "shape": [null, 4],
    "strides": [null, 1], "access": "read", "align": 16, "offset": 0,
    "dynamic": [{"size": 0, "offset": 8}, {"stride": 0, "offset": 16}]},
   {"name": "y", "kind": "memref", "element": "i8", "shape": [null, 4],
    "strides": [4, 1], "access": "write", "align": 4, "offset": 24,
    "dynamic": [{"size": 0, "offset": 32}]},
   {"name": "w", "kind": "memref", "element": "f32", "shape": [null],
    "strides": [null], "access": "readwrite", "align": 4, "offset": 40,
    "dynamic": [{"size": 0, "offset": 48}, {"stride": 0, "offset": 56}]},
   {"name": "n", "kind": "scalar", "element": "i32", "offset": 64},
   {"name": "eps", "kind": "scalar", "element": "f32", "offset": 68}]}]})";

namespace {
class BindingTest : public testing::Test {
protected:
  void SetUp() override {
    auto parsed = parseModuleInfo(kMetadata);
    ASSERT_TRUE(bool(parsed)) << llvm::toString(parsed.takeError());
    info = std::move(*parsed);
    x.type = {HostType::BFloat, 2};
    x.shape = {10, 4};
    x.setDenseStrides();
    x.data = memory;
    x.writable = false;
    y.type = {HostType::UnsignedInt, 1};
    y.shape = {10, 4};
    y.setDenseStrides();
    y.data = memory + 1024;
    w.type = {HostType::Float, 4};
    w.shape = {8};
    w.setDenseStrides();
    w.data = memory + 2048;
  }

  llvm::Expected<BoundLaunch>
  bind(std::optional<unsigned> variant = std::nullopt) {
    return bindArguments(info.kernels[0],
                         {{"x", x}, {"y", y}, {"w", w}, {"n", n}, {"eps", eps}},
                         variant);
  }
  std::string getError() {
    auto launch = bind();
    return launch ? "" : llvm::toString(launch.takeError());
  }

  ModuleInfo info;
  alignas(256) char memory[4096] = {};
  TensorRef x, y, w;
  int64_t n = 3;
  std::variant<TensorRef, int64_t, double> eps = 0.5;
};
} // namespace

TEST_F(BindingTest, PacksKernargs) {
  auto launch = bind();
  ASSERT_TRUE(bool(launch)) << llvm::toString(launch.takeError());
  using namespace llvm::support::endian;
  const uint8_t *kernarg = launch->kernarg.data();
  ASSERT_EQ(launch->kernarg.size(), 72u);
  EXPECT_EQ(read64le(kernarg + 8), 10u);
  EXPECT_EQ(read64le(kernarg + 16), 4u);
  EXPECT_EQ(read64le(kernarg + 32), 10u);
  EXPECT_EQ(read64le(kernarg + 48), 8u);
  EXPECT_EQ(read64le(kernarg + 56), 1u);
  EXPECT_EQ(read32le(kernarg + 64), 3u);
  EXPECT_EQ(read32le(kernarg + 68), 0x3f000000u);

  EXPECT_EQ(launch->rows, 30u);
  EXPECT_EQ(launch->groups, std::vector<uint32_t>{4});
  ASSERT_EQ(launch->buffers.size(), 3u);
  EXPECT_EQ(launch->buffers[0].data, x.data);
  EXPECT_EQ(launch->buffers[0].bytes, 80u);
  EXPECT_FALSE(launch->buffers[0].writable);
  EXPECT_EQ(launch->buffers[1].argIndex, 1u);
  EXPECT_EQ(launch->buffers[1].bytes, 40u);
  EXPECT_TRUE(launch->buffers[1].writable);
  EXPECT_TRUE(launch->buffers[2].writable);
}

TEST_F(BindingTest, RefusesWrongNames) {
  const KernelInfo &kernel = info.kernels[0];
  auto missing = bindArguments(kernel, {{"x", x}});
  EXPECT_EQ(llvm::toString(missing.takeError()),
            "argument 'y' is missing: kernel 'norm' expects i8[?, 4]");
  auto unknown = bindArguments(kernel, {{"z", x}});
  EXPECT_EQ(llvm::toString(unknown.takeError()),
            "unknown argument 'z': kernel 'norm' takes 'x', 'y', 'w', 'n', "
            "'eps'");
  auto twice = bindArguments(kernel, {{"x", x}, {"x", x}});
  EXPECT_EQ(llvm::toString(twice.takeError()), "argument 'x' is given twice");
  KernelInfo none;
  none.name = "none";
  auto noArgs = bindArguments(none, {{"x", x}});
  EXPECT_EQ(llvm::toString(noArgs.takeError()),
            "unknown argument 'x': kernel 'none' takes none");
}

TEST_F(BindingTest, RefusesWrongShapesAndTypes) {
  x.shape = {10, 5};
  EXPECT_EQ(getError(), "argument 'x' expects bf16[?, 4], but got bf16[10, 5]");
  x.shape = {10, 4, 1};
  EXPECT_EQ(getError(),
            "argument 'x' expects bf16[?, 4], but got bf16[10, 4, 1]");
  x.shape = {10, 4};
  x.type = {HostType::Float, 4};
  EXPECT_EQ(getError(), "argument 'x' expects bf16[?, 4], but got f32[10, 4]");
  x.type = {HostType::Other, 1};
  x.typeName = "float4_e2m1fn";
  EXPECT_EQ(getError(),
            "argument 'x' expects bf16[?, 4], but got float4_e2m1fn[10, 4]");
}

TEST_F(BindingTest, AcceptsBitsInOtherTypes) {
  struct Case {
    ElementType type;
    HostType host;
    bool accepted;
  };
  using H = HostType;
  for (const Case &c :
       std::vector<Case>{{ElementType::I8, {H::SignedInt, 1}, true},
                         {ElementType::I8, {H::UnsignedInt, 1}, true},
                         {ElementType::I8, {H::Raw, 1}, true},
                         {ElementType::I8, {H::SignedInt, 2}, false},
                         {ElementType::I16, {H::Raw, 2}, false},
                         {ElementType::I16, {H::UnsignedInt, 2}, true},
                         {ElementType::I32, {H::Float, 4}, false},
                         {ElementType::I64, {H::SignedInt, 8}, true},
                         {ElementType::I64, {H::SignedInt, 4}, false},
                         {ElementType::BF16, {H::BFloat, 2}, true},
                         {ElementType::BF16, {H::Raw, 2}, true},
                         {ElementType::BF16, {H::UnsignedInt, 2}, true},
                         {ElementType::BF16, {H::Float, 2}, false},
                         {ElementType::F16, {H::Float, 2}, true},
                         {ElementType::F16, {H::UnsignedInt, 2}, true},
                         {ElementType::F16, {H::BFloat, 2}, false},
                         {ElementType::F16, {H::Raw, 2}, false},
                         {ElementType::F32, {H::Float, 4}, true},
                         {ElementType::F32, {H::Float, 8}, false},
                         {ElementType::F32, {H::UnsignedInt, 4}, false}})
    EXPECT_EQ(accepts(c.type, c.host), c.accepted)
        << getElementTypeName(c.type).str() << " from "
        << getHostTypeName(c.host);
}

TEST_F(BindingTest, ChecksStrides) {
  x.strides = {7, 1};
  EXPECT_EQ(getError(), "");
  x.strides = {-4, 1};
  EXPECT_EQ(getError(),
            "argument 'x' expects strides of at least 0, but got [-4, 1]");
  x.strides = {4, 2};
  EXPECT_EQ(getError(), "argument 'x' expects strides [?, 1], but got [4, 2]");
  x.setDenseStrides();
  y.strides = {8, 1};
  EXPECT_EQ(getError(), "argument 'y' expects strides [4, 1], but got [8, 1]");
  // One row's stride is of no matter.
  y.shape = {1, 4};
  EXPECT_EQ(getError(), "");
  y.setDenseStrides();
  x.strides = {int64_t(1) << 60, 1};
  EXPECT_EQ(getError(), "argument 'x' has strides [1152921504606846976, 1] "
                        "that reach too far");
  x.strides = {int64_t(1) << 50, 1};
  EXPECT_EQ(getError(),
            "argument 'x' has strides [1125899906842624, 1] that reach too "
            "far");
}

TEST_F(BindingTest, ChecksWrittenArrays) {
  y.writable = false;
  EXPECT_EQ(getError(), "argument 'y' is written by the kernel, but got a "
                        "read-only array");
  y.writable = true;
  w.strides = {0};
  EXPECT_EQ(getError(), "argument 'w' is written by the kernel, but elements "
                        "of its array overlap: strides [0]");
  w.setDenseStrides();
  x.strides = {0, 1};
  EXPECT_EQ(getError(), "") << "arrays that are only read may repeat rows";
}

TEST_F(BindingTest, ChecksAlignment) {
  x.data = memory + 8;
  EXPECT_EQ(getError(), "argument 'x' expects an address aligned to 16 bytes, "
                        "but got one aligned to 8");
  x.shape = {0, 4};
  EXPECT_EQ(getError(), "") << "an empty array has no address";
}

TEST_F(BindingTest, ChecksOverlap) {
  y.data = memory + 76;
  EXPECT_EQ(getError(), "argument 'y' is written by the kernel, but shares "
                        "memory with argument 'x'");
  y.data = memory + 80;
  EXPECT_EQ(getError(), "");
  w.data = y.data;
  EXPECT_EQ(getError(), "argument 'y' is written by the kernel, but shares "
                        "memory with argument 'w'");
  y.data = memory + 1024;
  // Columns of one array interleave without an element in common.
  w.data = memory + 8;
  w.strides = {4};
  x.strides = {8, 1};
  EXPECT_EQ(getError(), "");
  w.data = memory + 4;
  EXPECT_EQ(getError(), "argument 'w' is written by the kernel, but shares "
                        "memory with argument 'x'");
}

TEST_F(BindingTest, ChecksScalars) {
  n = int64_t(1) << 31;
  EXPECT_EQ(getError(), "argument 'n' expects i32, but got 2147483648");
  n = -1;
  EXPECT_EQ(getError(), "argument 'n' is a number of rows, but got -1");
  n = 3;
  eps = 1e300;
  EXPECT_EQ(getError(), "argument 'eps' expects f32, but got 1e+300");
  eps = int64_t(2);
  auto launch = bind();
  ASSERT_TRUE(bool(launch));
  EXPECT_EQ(llvm::support::endian::read32le(&launch->kernarg[68]), 0x40000000u);
  eps = w;
  EXPECT_EQ(getError(), "argument 'eps' expects a number (f32), but got "
                        "f32[8]");
  const KernelInfo &kernel = info.kernels[0];
  auto real = bindArguments(
      kernel, {{"x", x}, {"y", y}, {"w", w}, {"n", 1.5}, {"eps", 0.5}});
  EXPECT_EQ(llvm::toString(real.takeError()),
            "argument 'n' expects i32, but got 1.5");
  auto number = bindArguments(
      kernel, {{"x", int64_t(1)}, {"y", y}, {"w", w}, {"n", n}, {"eps", 0.5}});
  EXPECT_EQ(llvm::toString(number.takeError()),
            "argument 'x' expects bf16[?, 4], but got a number");
}

TEST_F(BindingTest, ChecksIndexedDims) {
  KernelInfo &kernel = info.kernels[0];
  kernel.args[1].indexed = {{0, 0}};
  kernel.args[2].indexed = {{0, 1}};
  EXPECT_EQ(getError(), "");
  w.shape = {2};
  EXPECT_EQ(getError(), "argument 'w' expects at least 3 in dimension 0, the "
                        "rows of n, but got 2");
  y.shape = {9, 4};
  EXPECT_EQ(getError(), "argument 'y' expects at least 10 in dimension 0, the "
                        "rows of x.shape[0], but got 9");
  x.shape = {0, 4};
  EXPECT_EQ(getError(), "") << "no rows, no elements";
}

TEST_F(BindingTest, AppliesTheGridRule) {
  n = 0;
  auto none = bind();
  ASSERT_TRUE(bool(none));
  EXPECT_EQ(none->rows, 0u);
  EXPECT_TRUE(none->groups.empty());

  n = INT32_MAX;
  EXPECT_EQ(getError(), "kernel 'norm' expects at most 2147483647 workgroups, "
                        "but 21474836470 rows take 2684354559");
  KernelInfo &kernel = info.kernels[0];
  for (int i = 0; i < 4; ++i)
    kernel.extents.push_back(kernel.extents[1]);
  EXPECT_EQ(getError(),
            "kernel 'norm' expects at most 2147483647 workgroups, but "
            "18446744073709551615 or more rows take 2305843009213693952");
  // No rows at all, however many there are in the other extents.
  kernel.extents.emplace_back();
  auto empty = bind();
  ASSERT_TRUE(bool(empty)) << llvm::toString(empty.takeError());
  EXPECT_TRUE(empty->groups.empty());

  kernel.extents.clear();
  auto one = bind();
  ASSERT_TRUE(bool(one));
  EXPECT_EQ(one->rows, 1u);
  EXPECT_EQ(one->groups, std::vector<uint32_t>{1});
}

TEST_F(BindingTest, ComparesSizes) {
  KernelInfo &kernel = info.kernels[0];
  kernel.equalSizes = {{{0, 0}, {1, 0}}};
  EXPECT_EQ(getError(), "");
  y.shape = {12, 4};
  EXPECT_EQ(getError(), "argument 'y' expects 10 in dimension 0, as argument "
                        "'x' has in dimension 0, but got 12");
  kernel.equalSizes.clear();
  kernel.minimumSizes = {{{2, 0}, 8}};
  EXPECT_EQ(getError(), "");
  w.shape = {7};
  EXPECT_EQ(getError(),
            "argument 'w' expects at least 8 in dimension 0, but got 7");
}

TEST_F(BindingTest, ChoosesTheVariantByTheNumberOfRows) {
  KernelInfo &kernel = info.kernels[0];
  LaunchInfo sliced;
  sliced.rowsPerGroup = 2;
  sliced.groupsPerRow = 4;
  VariantInfo few;
  few.maxRows = 30;
  few.launches = {sliced, LaunchInfo()};
  kernel.variants.insert(kernel.variants.begin(), few);
  auto launch = bind();
  ASSERT_TRUE(bool(launch)) << llvm::toString(launch.takeError());
  EXPECT_EQ(launch->rows, 30u);
  EXPECT_EQ(launch->variant, 0u);
  EXPECT_EQ(launch->groups, (std::vector<uint32_t>{60, 30}));
  n = 4;
  launch = bind();
  ASSERT_TRUE(bool(launch));
  EXPECT_EQ(launch->variant, 1u);
  EXPECT_EQ(launch->groups, std::vector<uint32_t>{5});

  // A choice of the caller's wins.
  launch = bind(0);
  ASSERT_TRUE(bool(launch));
  EXPECT_EQ(launch->variant, 0u);
  EXPECT_EQ(llvm::toString(bind(2).takeError()),
            "kernel 'norm' has variants 0 to 1, but got 2");
}

TEST_F(BindingTest, MakesScratchUnlessItIsGiven) {
  KernelInfo &kernel = info.kernels[0];
  ArgInfo scratch;
  scratch.name = "scratch";
  scratch.isMemRef = scratch.isScratch = true;
  scratch.element = ElementType::F32;
  scratch.shape = {std::nullopt, std::nullopt, 128};
  scratch.strides = {std::nullopt, 128, 1};
  scratch.dynamic = {{false, 0, 80}, {false, 1, 88}, {true, 0, 96}};
  scratch.offset = 72;
  kernel.args.push_back(scratch);
  kernel.kernargSize = 104;
  auto launch = bind();
  ASSERT_TRUE(bool(launch)) << llvm::toString(launch.takeError());
  ASSERT_EQ(launch->buffers.size(), 4u);
  EXPECT_TRUE(launch->buffers[3].isScratch);
  EXPECT_EQ(launch->buffers[3].argIndex, 5u);
  EXPECT_EQ(launch->buffers[3].bytes, 10u * 3 * 128 * 4);
  using llvm::support::endian::read64le;
  EXPECT_EQ(read64le(&launch->kernarg[80]), 10u);
  EXPECT_EQ(read64le(&launch->kernarg[88]), 3u);
  EXPECT_EQ(read64le(&launch->kernarg[96]), 3u * 128);

  static float rows[2 * 3 * 128];
  TensorRef given;
  given.type = {HostType::Float, 4};
  given.shape = {2, 3, 128};
  given.setDenseStrides();
  given.data = rows;
  auto bound = bindArguments(kernel, {{"x", x},
                                      {"y", y},
                                      {"w", w},
                                      {"n", n},
                                      {"eps", eps},
                                      {"scratch", given}});
  EXPECT_EQ(llvm::toString(bound.takeError()),
            "argument 'scratch' expects at least 10 in dimension 0, one for "
            "each row, but got 2");

  // More rows than any machine has memory for, in few workgroups.
  kernel.args.back().shape = {std::nullopt, std::nullopt, INT32_MAX};
  kernel.variants[0].launches[0].rowsPerGroup = 1 << 30;
  n = INT32_MAX;
  EXPECT_EQ(getError(), "argument 'scratch' expects memory for [10, "
                        "2147483647, 2147483647] elements, which no machine "
                        "has");
}
