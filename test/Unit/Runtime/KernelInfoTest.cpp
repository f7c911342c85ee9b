// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Tests that launch metadata is read in full and that bad metadata is
// refused.
#include "rowmill/Runtime/KernelInfo.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace rowmill;
using llvm::StringRef;

static const char *const kMetadata = R"({
"version": 1, "target": "gfx950", "kernels": [
 {"name": "norm", "symbol": "norm.kd", "wave_size": 64, "block": [64, 1, 1],
  "rows_per_group": 8, "extents": [{"arg": "x", "dim": 0}, {"arg": "n"}, {"const": 2}],
  "partition": {"lanes_per_row": 8, "elements_per_lane": 16, "rows_per_wave": 8,
                "waves_per_row": 1, "waves_per_group": 1},
  "kernarg_size": 40,
  "args": [
   {"name": "x", "kind": "memref", "element": "bf16", "shape": [null, 128],
    "strides": [null, 1], "access": "read", "align": 16, "offset": 0,
    "dynamic": [{"size": 0, "offset": 8}, {"stride": 0, "offset": 16}]},
   {"name": "y", "kind": "memref", "element": "f32", "shape": [128],
    "strides": [1], "access": "readwrite", "align": 4, "offset": 24,
    "indexed": [{"dim": 0, "extent": 1}]},
   {"name": "n", "kind": "scalar", "element": "i32", "offset": 32},
   {"name": "eps", "kind": "scalar", "element": "f32", "offset": 36}]}]})";

/// Parses the metadata with the first `from` replaced by `to`; returns the
/// error's text.
static std::string parseWith(StringRef from, StringRef to) {
  std::string text = kMetadata;
  size_t pos = text.find(from.str());
  EXPECT_NE(pos, std::string::npos) << from.str();
  text.replace(pos, from.size(), to.str());
  auto info = parseModuleInfo(text);
  if (info)
    return "";
  std::string message = llvm::toString(info.takeError());
  EXPECT_EQ(message.find('\n'), std::string::npos);
  StringRef prefix = "'.rowmill' section: ";
  EXPECT_TRUE(StringRef(message).starts_with(prefix)) << message;
  return message.substr(prefix.size());
}

TEST(KernelInfoTest, ReadsEveryField) {
  auto info = parseModuleInfo(kMetadata);
  ASSERT_TRUE(bool(info)) << llvm::toString(info.takeError());
  EXPECT_EQ(info->target, "gfx950");
  EXPECT_EQ(info->json, kMetadata);
  EXPECT_EQ(getKernelNames(*info), "'norm'");
  EXPECT_EQ(info->lookup("other"), nullptr);
  const KernelInfo *kernel = info->lookup("norm");
  ASSERT_NE(kernel, nullptr);
  EXPECT_EQ(kernel->symbol, "norm.kd");
  EXPECT_EQ(kernel->waveSize, 64u);
  EXPECT_EQ(kernel->block[0], 64u);
  EXPECT_EQ(kernel->rowsPerGroup, 8u);
  EXPECT_EQ(kernel->kernargSize, 40u);
  ASSERT_TRUE(kernel->partition.has_value());
  EXPECT_EQ(kernel->partition->elementsPerLane, 16u);
  EXPECT_FALSE(kernel->resources.has_value());

  ASSERT_EQ(kernel->extents.size(), 3u);
  EXPECT_EQ(kernel->extents[0].kind, ExtentInfo::Kind::Dim);
  EXPECT_EQ(kernel->extents[1].kind, ExtentInfo::Kind::Scalar);
  EXPECT_EQ(kernel->extents[1].arg, 2u);
  EXPECT_EQ(kernel->extents[2].constant, 2);

  const ArgInfo *x = kernel->lookupArg("x");
  ASSERT_NE(x, nullptr);
  EXPECT_EQ(kernel->lookupArg("z"), nullptr);
  EXPECT_TRUE(x->isMemRef);
  EXPECT_EQ(x->element, ElementType::BF16);
  EXPECT_EQ(x->shape[0], std::nullopt);
  EXPECT_EQ(x->shape[1], 128);
  EXPECT_EQ(x->align, 16u);
  EXPECT_FALSE(x->isWritten());
  ASSERT_EQ(x->dynamic.size(), 2u);
  EXPECT_TRUE(x->dynamic[1].isStride);
  EXPECT_EQ(x->dynamic[1].offset, 16u);
  EXPECT_EQ(getTypeText(*x), "bf16[?, 128]");
  EXPECT_TRUE(kernel->lookupArg("y")->isWritten());
  EXPECT_EQ(getTypeText(*kernel->lookupArg("eps")), "f32");
  ASSERT_EQ(kernel->lookupArg("y")->indexed.size(), 1u);
  EXPECT_EQ(kernel->lookupArg("y")->indexed[0].extent, 1u);
  EXPECT_EQ(getExtentText(*kernel, kernel->extents[0]), "x.shape[0]");
  EXPECT_EQ(getExtentText(*kernel, kernel->extents[1]), "n");
  EXPECT_EQ(getExtentText(*kernel, kernel->extents[2]), "2");
}

TEST(KernelInfoTest, PrintsForPeople) {
  auto info = parseModuleInfo(kMetadata);
  ASSERT_TRUE(bool(info));
  std::string text;
  llvm::raw_string_ostream os(text);
  printModuleInfo(*info, os);
  for (StringRef line :
       {"target: gfx950\n", "kernel: norm\n",
        "grid: ceil(rows / 8) workgroups of 64x1x1, "
        "rows = x.shape[0] * n * 2\n",
        "partition: 8 lanes per row, 16 elements per lane, 8 rows per wave, 1 "
        "waves per row, 1 waves per group, wave64\n",
        "arguments (40 bytes):\n", "strides [?, 1]\n"})
    EXPECT_TRUE(StringRef(text).contains(line)) << text;
  // Dense arrays need no strides to be told apart.
  EXPECT_EQ(StringRef(text).count("strides"), 1u) << text;
}

TEST(KernelInfoTest, RefusesMalformedText) {
  auto info = parseModuleInfo("{\"version\": 1,");
  ASSERT_FALSE(bool(info));
  std::string message = llvm::toString(info.takeError());
  EXPECT_TRUE(
      StringRef(message).starts_with("'.rowmill' section: malformed JSON: "))
      << message;
  EXPECT_EQ(message.find('\n'), std::string::npos);
  auto list = parseModuleInfo("[]");
  EXPECT_EQ(llvm::toString(list.takeError()),
            "'.rowmill' section: is not a JSON object");
}

TEST(KernelInfoTest, RefusesWrongModuleFields) {
  EXPECT_EQ(parseWith("\"version\": 1", "\"version\": 2"),
            "expects version 1, but got 2");
  EXPECT_EQ(parseWith("\"version\"", "\"edition\""), "'version' is missing");
  EXPECT_EQ(parseWith("\"gfx950\"", "7"), "'target' is not a non-empty string");
  EXPECT_EQ(parseWith("gfx950", "gfx\\n950"),
            "'target' has unprintable characters");
  EXPECT_EQ(parseWith("\"kernels\"", "\"k\""), "'kernels' is missing");
  EXPECT_EQ(parseWith("[\n {\"name\"", "[3, {\"name\""),
            "a kernel is not an object");
}

TEST(KernelInfoTest, RefusesWrongKernelFields) {
  EXPECT_EQ(parseWith("\"symbol\": \"norm.kd\",", ""),
            "kernel 'norm': 'symbol' is missing");
  EXPECT_EQ(parseWith("\"wave_size\": 64", "\"wave_size\": 48"),
            "kernel 'norm': 'wave_size' is 48, not 32 or 64");
  EXPECT_EQ(parseWith("\"wave_size\": 64", "\"wave_size\": \"64\""),
            "kernel 'norm': 'wave_size' is not an integer");
  EXPECT_EQ(parseWith("[64, 1, 1]", "[64, 1]"),
            "kernel 'norm': 'block' has 2 entries, not 3");
  EXPECT_EQ(parseWith("[64, 1, 1]", "[64, 0, 1]"),
            "kernel 'norm': an entry of 'block' is 0, outside of 1 to 1024");
  EXPECT_EQ(parseWith("[64, 1, 1]", "[64, 32, 1]"),
            "kernel 'norm': 'block' has 2048 work-items, more than 1024");
  EXPECT_EQ(parseWith("\"rows_per_group\": 8", "\"rows_per_group\": 0"),
            "kernel 'norm': 'rows_per_group' is 0, outside of 1 to 2147483647");
  EXPECT_EQ(parseWith("\"args\": [", "\"args\": 1, \"x\": ["),
            "kernel 'norm': 'args' is not an array");
  EXPECT_EQ(parseWith("{\"lanes_per_row\": 8,", "{"),
            "kernel 'norm': 'lanes_per_row' is missing");
  EXPECT_EQ(parseWith("{\"lanes_per_row\"", "7, \"x\": {\"lanes_per_row\""),
            "kernel 'norm': 'partition' is not an object");
  std::string twice =
      StringRef(kMetadata)
          .substr(StringRef(kMetadata).find("{\"name\": \"norm\""))
          .drop_back(2)
          .str();
  EXPECT_EQ(parseWith(" {\"name\": \"norm\"", twice + ", {\"name\": \"norm\""),
            "kernel 'norm': the name is used twice");
}

TEST(KernelInfoTest, RefusesWrongExtents) {
  EXPECT_EQ(parseWith("{\"const\": 2}", "2"),
            "kernel 'norm': an extent is not an object");
  EXPECT_EQ(parseWith("{\"const\": 2}", "{\"const\": -2}"),
            "kernel 'norm': 'const' of an extent is -2, outside of 0 to "
            "9223372036854775807");
  EXPECT_EQ(parseWith("{\"arg\": \"n\"}", "{\"arg\": \"m\"}"),
            "kernel 'norm': an extent names 'm', which is no argument");
  EXPECT_EQ(parseWith("{\"arg\": \"n\"}", "{\"arg\": \"eps\"}"),
            "kernel 'norm': an extent names 'eps', which is no integer");
  EXPECT_EQ(parseWith("{\"arg\": \"n\"}", "{\"arg\": \"n\", \"dim\": 0}"),
            "kernel 'norm': an extent names a dimension of 'n', which is a "
            "scalar");
  EXPECT_EQ(parseWith("\"dim\": 0}", "\"dim\": 2}"),
            "kernel 'norm': 'dim' is 2, outside of 0 to 1");
}

TEST(KernelInfoTest, RefusesWrongArguments) {
  const std::string x = "kernel 'norm', argument 'x': ";
  EXPECT_EQ(parseWith("\"args\": [", "\"args\": [1,"),
            "kernel 'norm': an argument is not an object");
  EXPECT_EQ(parseWith("\"name\": \"y\"", "\"name\": \"x\""),
            "kernel 'norm': two arguments are named 'x'");
  EXPECT_EQ(parseWith("\"bf16\"", "\"f64\""),
            x + "'element' is 'f64', not a known type");
  EXPECT_EQ(parseWith("\"memref\"", "\"tensor\""),
            x + "'kind' is 'tensor', not 'memref' or 'scalar'");
  EXPECT_EQ(parseWith("\"scalar\", \"element\": \"f32\"",
                      "\"scalar\", \"element\": \"f16\""),
            "kernel 'norm', argument 'eps': 'element' is 'f16', not a type of "
            "scalars: i32, i64, index or f32");
  EXPECT_EQ(parseWith("[null, 128]", "[null, -1]"),
            x + "an entry of 'shape' is -1, outside of 0 to 2147483647");
  EXPECT_EQ(parseWith("[null, 128]", "[null, \"d\"]"),
            x + "an entry of 'shape' is not an integer");
  EXPECT_EQ(parseWith("[null, 128]", "[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]"),
            x + "'shape' has 17 entries, more than 16");
  EXPECT_EQ(parseWith("[null, 1]", "[1]"),
            x + "'shape' has 2 entries, but 'strides' has 1");
  EXPECT_EQ(parseWith("\"align\": 16", "\"align\": 12"),
            x + "'align' is 12, not a power of two");
  EXPECT_EQ(parseWith("\"read\"", "\"none\""),
            x + "'access' is 'none', not 'read', 'write' or 'readwrite'");
  EXPECT_EQ(parseWith("{\"size\": 0, \"offset\": 8}", "8"),
            x + "an entry of 'dynamic' is not an object");
  EXPECT_EQ(
      parseWith("[{\"dim\": 0, \"extent\": 1}]", "[7]"),
      "kernel 'norm', argument 'y': an entry of 'indexed' is not an object");
  EXPECT_EQ(parseWith("\"size\": 0", "\"size\": 1"),
            x + "size 1 is in 'dynamic', but is static");
  EXPECT_EQ(parseWith("\"stride\": 0", "\"size\": 0"),
            x + "size 0 is in 'dynamic' twice");
  EXPECT_EQ(parseWith("{\"size\": 0, \"offset\": 8}, ", ""),
            x + "'dynamic' has 1 entries, but 2 sizes and strides are "
                "dynamic");
  EXPECT_EQ(parseWith("\"dynamic\"", "\"static\""), x + "'dynamic' is missing");
}

TEST(KernelInfoTest, RefusesInconsistentOffsets) {
  EXPECT_EQ(parseWith("\"offset\": 36", "\"offset\": 38"),
            "kernel 'norm': argument 'eps' has an offset of 38, which is not "
            "aligned to 4");
  EXPECT_EQ(parseWith("\"offset\": 36", "\"offset\": 40"),
            "kernel 'norm': argument 'eps' ends at 44, past 'kernarg_size' "
            "40");
  EXPECT_EQ(parseWith("\"offset\": 36", "\"offset\": 28"),
            "kernel 'norm': argument 'eps' overlaps argument 'y' at offset "
            "28");
  EXPECT_EQ(parseWith("\"offset\": 36", "\"offset\": -4"),
            "kernel 'norm', argument 'eps': 'offset' is -4, outside of 0 to "
            "65536");
}
