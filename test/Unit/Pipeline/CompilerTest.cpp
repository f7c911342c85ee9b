// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Tests of the compiler as a library: its stages, options and results.

#include "rowmill/Pipeline/Compiler.h"
#include "rowmill/Runtime/KernelInfo.h"
#include "rowmill/Target/Arch.h"
#include "llvm/Object/ELFObjectFile.h"
#include "gtest/gtest.h"
#include <thread>

using namespace rowmill;
using llvm::StringRef;

static const char *const kernels = R"(
row.kernel @scale(%x: memref<?x16x128xbf16>, %factor: f32,
                  %out: memref<?x16x128xbf16, strided<[?, 128, 1]>>)
    rows(%token in %x[0], %head in %x[1]) {
  %v = row.load %x[%token, %head] : memref<?x16x128xbf16> -> vector<128xbf16>
  %f = arith.extf %v : vector<128xbf16> to vector<128xf32>
  %s = vector.broadcast %factor : f32 to vector<128xf32>
  %m = arith.mulf %f, %s : vector<128xf32>
  %t = arith.truncf %m : vector<128xf32> to vector<128xbf16>
  row.store %t, %out[%token, %head]
      : vector<128xbf16>, memref<?x16x128xbf16, strided<[?, 128, 1]>>
}
row.kernel @sum(%x: memref<?x64xf32>, %n: i32, %y: memref<?x1xf32>)
    rows(%r in %n) {
  %v = row.load %x[%r] : memref<?x64xf32> -> vector<64xf32>
  %s = row.reduce add %v group 64 : vector<64xf32> -> vector<1xf32>
  row.store %s, %y[%r] : vector<1xf32>, memref<?x1xf32>
}
)";

/// Compiles the kernels above, which must succeed.
static CompileResult compileFor(StringRef target, Stage emit = Stage::Hsaco,
                                row::PartitionRequest partition = {},
                                bool explain = false) {
  CompileOptions options;
  options.target = target.str();
  options.emit = emit;
  options.partition = partition;
  options.explain = explain;
  CompileResult result;
  EXPECT_TRUE(compile(kernels, "kernels.mlir", options, result))
      << result.diagnostics;
  return result;
}

static bool contains(const CompileResult &result, StringRef text) {
  return StringRef(result.output).contains(text);
}

static unsigned getELFType(StringRef bytes) {
  auto file = llvm::object::ObjectFile::createELFObjectFile(
      llvm::MemoryBufferRef(bytes, "test"));
  if (!file) {
    llvm::consumeError(file.takeError());
    return llvm::ELF::ET_NONE;
  }
  return llvm::cast<llvm::object::ELFObjectFileBase>(**file).getEType();
}

TEST(StageTest, NamesAreInOrder) {
  llvm::ArrayRef<StringRef> names = getStageNames();
  ASSERT_EQ(names.size(), size_t(Stage::Hsaco) + 1);
  for (size_t i = 0; i < names.size(); ++i)
    EXPECT_EQ(parseStage(names[i]), Stage(i)) << names[i].str();
  EXPECT_FALSE(parseStage("").has_value());
  EXPECT_FALSE(parseStage("binary").has_value());
  EXPECT_TRUE(isTextStage(Stage::Asm));
  EXPECT_FALSE(isTextStage(Stage::Obj));
}

TEST(StageTest, EachStopsWhereItSays) {
  CompileResult row = compileFor("gfx950", Stage::Row);
  EXPECT_TRUE(contains(row, "row.kernel @scale"));
  CompileResult tiled = compileFor("gfx950", Stage::Tiled);
  EXPECT_TRUE(contains(tiled, "gpu.func @scale"));
  EXPECT_TRUE(contains(tiled, "row.load"));
  CompileResult distributed = compileFor("gfx950", Stage::Distributed);
  EXPECT_TRUE(contains(distributed, "vector.load"));
  EXPECT_FALSE(contains(distributed, "row.load"));
  CompileResult rocdl = compileFor("gfx950", Stage::Rocdl);
  EXPECT_TRUE(contains(rocdl, "llvm.func @scale"));
  EXPECT_FALSE(contains(rocdl, "vector.load"));
  CompileResult llvm = compileFor("gfx950", Stage::Llvm);
  EXPECT_TRUE(contains(llvm, "define amdgpu_kernel void @scale"));
  CompileResult assembly = compileFor("gfx950", Stage::Asm);
  EXPECT_TRUE(contains(assembly, ".amdhsa_kernel scale"));
  EXPECT_EQ(getELFType(compileFor("gfx950", Stage::Obj).output),
            unsigned(llvm::ELF::ET_REL));
  EXPECT_EQ(getELFType(compileFor("gfx950").output),
            unsigned(llvm::ELF::ET_DYN));
}

// What was read is not for any arch yet.
TEST(StageTest, RowNeedsNoTarget) {
  EXPECT_TRUE(contains(compileFor("", Stage::Row), "row.kernel @sum"));
}

// Launch metadata and what LLVM says of the same kernels agree, or reading it
// would fail.
TEST(CompilerTest, WritesMetadataForEveryArch) {
  for (const Arch &arch : getArchs()) {
    CompileResult result = compileFor(arch.name);
    auto info = readModuleInfo(result.output);
    ASSERT_TRUE(bool(info)) << llvm::toString(info.takeError());
    EXPECT_EQ(info->target, arch.name);
    ASSERT_EQ(info->kernels.size(), 2u);
    const KernelInfo *kernel = info->lookup("scale");
    ASSERT_NE(kernel, nullptr);
    EXPECT_EQ(kernel->waveSize, arch.waveSize);
    ASSERT_EQ(kernel->variants.size(), 1u);
    ASSERT_EQ(kernel->variants[0].launches.size(), 1u);
    const LaunchInfo &launch = kernel->variants[0].launches[0];
    EXPECT_EQ(launch.symbol, "scale.kd");
    EXPECT_EQ(launch.block[0], arch.waveSize);
    EXPECT_EQ(launch.rowsPerGroup, arch.waveSize / 8);
    ASSERT_TRUE(launch.resources.has_value());
    EXPECT_EQ(launch.resources->scratchBytes, 0u);
    EXPECT_EQ(launch.resources->ldsBytes, 0u);
  }
}

// Pointer, its dynamic size, scalar, pointer, its dynamic size and stride.
TEST(CompilerTest, LaysOutKernargs) {
  auto info = readModuleInfo(compileFor("gfx950").output);
  ASSERT_TRUE(bool(info)) << llvm::toString(info.takeError());
  const KernelInfo &kernel = *info->lookup("scale");
  ASSERT_EQ(kernel.args.size(), 3u);
  const ArgInfo &x = kernel.args[0], &factor = kernel.args[1],
                &out = kernel.args[2];
  EXPECT_EQ(x.name, "x");
  EXPECT_EQ(x.offset, 0u);
  EXPECT_EQ(x.access, ArgInfo::Access::Read);
  ASSERT_EQ(x.dynamic.size(), 1u);
  EXPECT_EQ(x.dynamic[0].offset, 8u);
  EXPECT_EQ(factor.offset, 16u);
  EXPECT_FALSE(factor.isMemRef);
  EXPECT_EQ(out.offset, 24u);
  EXPECT_EQ(out.access, ArgInfo::Access::Write);
  ASSERT_EQ(out.dynamic.size(), 2u);
  EXPECT_EQ(out.dynamic[0].offset, 32u);
  EXPECT_TRUE(out.dynamic[1].isStride);
  EXPECT_EQ(out.dynamic[1].offset, 40u);
  EXPECT_EQ(kernel.kernargSize, 48u);
}

TEST(CompilerTest, KeepsThePartitionThatIsAskedFor) {
  row::PartitionRequest request;
  request.lanesPerRow = 16;
  request.wavesPerGroup = 4;
  auto info =
      readModuleInfo(compileFor("gfx950", Stage::Hsaco, request).output);
  ASSERT_TRUE(bool(info)) << llvm::toString(info.takeError());
  const LaunchInfo &launch = info->lookup("scale")->variants[0].launches[0];
  EXPECT_EQ(launch.partition->lanesPerRow, 16u);
  EXPECT_EQ(launch.partition->elementsPerLane, 8u);
  EXPECT_EQ(launch.block[0], 256u);
  EXPECT_EQ(launch.rowsPerGroup, 16u);
}

// A remark a kernel, only on request.
TEST(CompilerTest, ExplainsItsChoices) {
  EXPECT_EQ(compileFor("gfx950").diagnostics, "");
  CompileResult result = compileFor("gfx950", Stage::Hsaco, {}, true);
  StringRef remarks = result.diagnostics;
  EXPECT_TRUE(remarks.contains("kernels.mlir:2:1: remark: partition for gfx950 "
                               "chosen: rows of 128 over 8 lanes"))
      << remarks.str();
  EXPECT_EQ(remarks.count("remark: "), 2u);
}

TEST(CompilerTest, TimesThePartsThatRan) {
  CompileResult full = compileFor("gfx950");
  EXPECT_GT(full.timing.parse, 0);
  EXPECT_GT(full.timing.passes, 0);
  EXPECT_GT(full.timing.llvm, 0);
  EXPECT_GT(full.timing.link, 0);
  CompileResult rocdl = compileFor("gfx950", Stage::Rocdl);
  EXPECT_GT(rocdl.timing.passes, 0);
  EXPECT_EQ(rocdl.timing.llvm, 0);
  EXPECT_EQ(rocdl.timing.link, 0);
}

// Caches may key on the output, and callers may compile from many threads.
TEST(CompilerTest, MakesTheSameBytesFromSeveralThreads) {
  std::vector<std::string> expected;
  for (const Arch &arch : getArchs())
    expected.push_back(compileFor(arch.name).output);
  std::vector<std::string> outputs(2 * expected.size());
  std::vector<std::thread> threads;
  for (size_t i = 0; i < outputs.size(); ++i)
    threads.emplace_back([&outputs, i] {
      StringRef target = getArchs()[i % getArchs().size()].name;
      outputs[i] = compileFor(target).output;
    });
  for (std::thread &thread : threads)
    thread.join();
  for (size_t i = 0; i < outputs.size(); ++i)
    EXPECT_TRUE(outputs[i] == expected[i % expected.size()]) << i;
}
