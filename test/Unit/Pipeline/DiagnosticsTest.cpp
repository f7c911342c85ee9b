// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Tests that whatever cannot be compiled is an error at its place, for every
// arch, and never ends the process.

#include "rowmill/Pipeline/Compiler.h"
#include "rowmill/Target/Arch.h"
#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"

using namespace rowmill;
using llvm::StringRef;

/// Compiles `source`, which must fail, and returns the diagnostics.
static std::string errorsOf(StringRef source, StringRef target = "gfx950",
                            row::PartitionRequest partition = {}) {
  CompileOptions options;
  options.target = target.str();
  options.partition = partition;
  CompileResult result;
  EXPECT_FALSE(compile(source, "k.mlir", options, result)) << source.str();
  EXPECT_EQ(result.output, "");
  return result.diagnostics;
}

/// A kernel whose body from line 4 on is `body`; it has a row %v of 64 f32, a
/// scalar %s, a number %p and room for a result %y.
static std::string kernelWith(StringRef body) {
  return ("row.kernel @k(%x: memref<?x64xf32>, %i: memref<?xi64>, "
          "%y: memref<?x64xf32>, %s: f32) rows(%r in %x[0]) {\n"
          "  %v = row.load %x[%r] : memref<?x64xf32> -> vector<64xf32>\n"
          "  %p = memref.load %i[%r] : memref<?xi64>\n" +
          body + "\n}\n")
      .str();
}

/// The same with a result %o of type vector<64xf32> that is stored.
static std::string kernelMaking(StringRef body) {
  return kernelWith(
      (body + "\n  row.store %o, %y[%r] : vector<64xf32>, memref<?x64xf32>")
          .str());
}

static void expectErrorOnEveryArch(const std::string &source,
                                   StringRef message) {
  for (const Arch &arch : getArchs()) {
    std::string errors = errorsOf(source, arch.name);
    EXPECT_TRUE(StringRef(errors).starts_with("k.mlir:")) << errors;
    EXPECT_TRUE(StringRef(errors).contains(message))
        << arch.name.str() << ": " << errors;
    EXPECT_EQ(StringRef(errors).count("error: "), 1u) << errors;
  }
}

TEST(DiagnosticsTest, ShowsPlaceAndLine) {
  EXPECT_EQ(errorsOf("row.kernel @k(%x: memref<?x64xf32>\n"),
            "k.mlir:1:35: error: expected ')' in argument list\n"
            "row.kernel @k(%x: memref<?x64xf32>\n"
            "                                  ^\n");
}

TEST(DiagnosticsTest, RefusesTextThatIsNoKernel) {
  EXPECT_EQ(errorsOf(""),
            "k.mlir:0:0: error: expects at least one row.kernel\n");
  EXPECT_TRUE(
      StringRef(errorsOf("not mlir")).starts_with("k.mlir:1:1: error: "));
  EXPECT_TRUE(
      StringRef(errorsOf(StringRef("\0\xff", 2))).starts_with("k.mlir:1:"));
  expectErrorOnEveryArch(kernelWith("  func.call @f() : () -> ()"),
                         "Dialect `func' not found");
}

// Nothing in the input is left out silently.
TEST(DiagnosticsTest, RefusesOtherOpsBesideKernels) {
  expectErrorOnEveryArch(
      "gpu.module @kernels [#rocdl.target<chip = \"gfx950\">] {}\n" +
          kernelWith(""),
      "k.mlir:1:1: error: 'gpu.module' op stands among row kernels, but is "
      "none");
}

TEST(DiagnosticsTest, NamesTheTargetsThereAre) {
  for (StringRef target : {"", "gfx90a", "sm_90"})
    EXPECT_TRUE(StringRef(errorsOf(kernelWith(""), target))
                    .contains(("expects 'target' to be one of " +
                               knownArchNames() + ", but got '" + target + "'")
                                  .str()));
}

TEST(DiagnosticsTest, ExplainsIllegalPartitions) {
  row::PartitionRequest request;
  request.lanesPerRow = 48;
  EXPECT_TRUE(
      StringRef(errorsOf(kernelWith(""), "gfx950", request))
          .contains("k.mlir:1:1: error: 'row.kernel' op expects "
                    "'lanes_per_row' to be a power of two between 1 and 64, "
                    "but got 48"));
}

TEST(DiagnosticsTest, RefusesMathThatNeedsALibrary) {
  for (StringRef op : {"tanh", "sin", "erf", "cbrt"})
    expectErrorOnEveryArch(
        kernelMaking(("  %o = math." + op + " %v : vector<64xf32>").str()),
        "k.mlir:4:8: error: 'math." + op.str() +
            "' op has no form without a device library");
  expectErrorOnEveryArch(
      kernelMaking("  %a = arith.extf %v : vector<64xf32> to vector<64xf64>\n"
                   "  %b = math.exp %a : vector<64xf64>\n"
                   "  %o = arith.truncf %b : vector<64xf64> to "
                   "vector<64xf32>"),
      "k.mlir:5:8: error: 'math.exp' op has no form without a device library");
}

TEST(DiagnosticsTest, RefusesOtherRoundingModes) {
  for (StringRef mode :
       {"upward", "downward", "toward_zero", "to_nearest_away"})
    expectErrorOnEveryArch(
        kernelMaking(
            ("  %a = arith.truncf %v " + mode +
             " : vector<64xf32> to vector<64xbf16>\n"
             "  %o = arith.extf %a : vector<64xbf16> to vector<64xf32>")
                .str()),
        "expects rounding to nearest even");
}

TEST(DiagnosticsTest, RefusesForeignNumbers) {
  for (StringRef type : {"f80", "f128"})
    expectErrorOnEveryArch(
        kernelMaking(("  %a = arith.extf %v : vector<64xf32> to vector<64x" +
                      type + ">\n  %b = arith.mulf %a, %a : vector<64x" + type +
                      ">\n  %o = arith.truncf %b : vector<64x" + type +
                      "> to vector<64xf32>")
                         .str()),
        "needs arithmetic that no AMD GPU has");
}

TEST(DiagnosticsTest, RefusesMemoryOfItsOwn) {
  expectErrorOnEveryArch(
      kernelMaking("  %a = memref.alloc() : memref<64xf32>\n"
                   "  row.store %v, %a[] : vector<64xf32>, memref<64xf32>\n"
                   "  %o = row.load %a[] : memref<64xf32> -> vector<64xf32>"),
      "calls 'malloc', which a code object has no place for");
  // A size by a number that is known at run time goes through a stack.
  expectErrorOnEveryArch(
      kernelWith("  %d = memref.dim %x, %r : memref<?x64xf32>\n"
                 "  %n = arith.index_cast %d : index to i64\n"
                 "  memref.store %n, %i[%r] : memref<?xi64>"),
      "needs memory of a lane's own");
}

TEST(DiagnosticsTest, RefusesOpsWithoutAMeaningForLanes) {
  expectErrorOnEveryArch(
      kernelMaking("  %q = vector.step : vector<64xindex>\n"
                   "  %n = arith.index_cast %q : vector<64xindex> to "
                   "vector<64xi32>\n"
                   "  %o = arith.sitofp %n : vector<64xi32> to "
                   "vector<64xf32>"),
      "'vector.step' op cannot be spread over the lanes of a row");
  expectErrorOnEveryArch(
      kernelMaking(
          "  %q = vector.reduction <add>, %v : vector<64xf32> into f32\n"
          "  %o = vector.broadcast %q : f32 to vector<64xf32>"),
      "'vector.reduction' op cannot be spread over the lanes of a row");
}

TEST(DiagnosticsTest, RefusesInstructionsAndForeignLevels) {
  expectErrorOnEveryArch(
      kernelWith("  %w = arith.trunci %p : i64 to i32\n"
                 "  %z = rocdl.permlane32.swap %w, %w, false, false : (i32, "
                 "i32) -> <(i32, i32)>"),
      "'rocdl.permlane32.swap' op is not lowered");
  expectErrorOnEveryArch(
      kernelWith("  llvm.inline_asm has_side_effects \"bogus\", \"\" : () -> "
                 "()"),
      "'llvm.inline_asm' op is not lowered");
  expectErrorOnEveryArch(kernelWith("  gpu.printf \"%f\\n\", %s : f32"),
                         "a code object has no place for");
}
