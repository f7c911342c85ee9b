// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Tests that launch metadata is read in full and that bad metadata is
// refused.
#include "rowmill/Runtime/KernelInfo.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace rowmill;
using llvm::StringRef;

static const char *const kMetadata = R"({
"version": 2, "target": "gfx950", "kernels": [
 {"name": "norm", "wave_size": 64, "extents": [{"arg": "x", "dim": 0}, {"arg": "n"}, {"const": 2}],
  "variants": [
   {"max_rows": 100, "launches": [
    {"symbol": "norm_few.kd", "block": [128, 1, 1], "rows_per_group": 2, "groups_per_row": 4},
    {"symbol": "norm_end.kd", "block": [64, 1, 1], "rows_per_group": 1}]},
   {"launches": [
    {"symbol": "norm.kd", "block": [64, 1, 1], "rows_per_group": 8,
     "partition": {"lanes_per_row": 8, "elements_per_lane": 16, "rows_per_wave": 8,
                   "waves_per_row": 1, "waves_per_group": 1, "splits": "pool"}}]}],
  "equal": [[{"arg": "x", "dim": 1}, {"arg": "y", "dim": 0}]],
  "minimum": [{"arg": "y", "dim": 0, "size": 16}],
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
  EXPECT_EQ(kernel->waveSize, 64u);
  EXPECT_EQ(kernel->kernargSize, 40u);

  ASSERT_EQ(kernel->variants.size(), 2u);
  EXPECT_EQ(kernel->variants[0].maxRows, 100u);
  ASSERT_EQ(kernel->variants[0].launches.size(), 2u);
  EXPECT_EQ(kernel->variants[0].launches[0].groupsPerRow, 4u);
  EXPECT_EQ(kernel->variants[0].launches[1].groupsPerRow, 1u);
  EXPECT_FALSE(kernel->variants[1].maxRows.has_value());
  const LaunchInfo &launch = kernel->variants[1].launches.front();
  EXPECT_EQ(launch.symbol, "norm.kd");
  EXPECT_EQ(launch.block[0], 64u);
  EXPECT_EQ(launch.rowsPerGroup, 8u);
  ASSERT_TRUE(launch.partition.has_value());
  EXPECT_EQ(launch.partition->elementsPerLane, 16u);
  EXPECT_TRUE(launch.partition->splitsPool);
  EXPECT_FALSE(launch.resources.has_value());
  EXPECT_EQ(kernel->chooseVariant(0), 0u);
  EXPECT_EQ(kernel->chooseVariant(100), 0u);
  EXPECT_EQ(kernel->chooseVariant(101), 1u);
  EXPECT_EQ(kernel->chooseVariant(UINT64_MAX), 1u);

  ASSERT_EQ(kernel->equalSizes.size(), 1u);
  ASSERT_EQ(kernel->equalSizes[0].size(), 2u);
  EXPECT_EQ(kernel->equalSizes[0][1].arg, 1u);
  ASSERT_EQ(kernel->minimumSizes.size(), 1u);
  EXPECT_EQ(kernel->minimumSizes[0].minimum, 16);

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
       {"target: gfx950\n", "kernel: norm\n", "  rows = x.shape[0] * n * 2\n",
        "  variant 0, up to 100 rows:\n  launch: norm_few.kd\n",
        "grid: ceil(rows / 2) * 4 workgroups of 128x1x1\n",
        "  variant 1, more rows:\n  launch: norm.kd\n",
        "grid: ceil(rows / 8) workgroups of 64x1x1\n",
        "partition: 8 lanes per row, 16 elements per lane, 8 rows per wave, 1 "
        "waves per row's pool, 1 waves per group, wave64\n",
        "arguments (40 bytes):\n", "strides [?, 1]\n"})
    EXPECT_TRUE(StringRef(text).contains(line)) << text;
  // Dense arrays need no strides to be told apart.
  EXPECT_EQ(StringRef(text).count("strides"), 1u) << text;
}

TEST(KernelInfoTest, RefusesMalformedText) {
  auto info = parseModuleInfo("{\"version\": 2,");
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
  EXPECT_EQ(parseWith("\"version\": 2", "\"version\": 1"),
            "expects version 2, but got 1");
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
  EXPECT_EQ(parseWith("\"splits\": \"pool\"", "\"splits\": \"rows\""),
            "kernel 'norm': 'splits' is 'rows', not 'elements' or 'pool'");
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

TEST(KernelInfoTest, RefusesWrongVariants) {
  const std::string norm = "kernel 'norm': ";
  EXPECT_EQ(parseWith("\"variants\"", "\"x\""), norm + "'variants' is missing");
  EXPECT_EQ(parseWith("\"variants\": [", "\"variants\": [], \"x\": ["),
            norm + "'variants' is empty");
  EXPECT_EQ(parseWith("\"variants\": [", "\"variants\": [8,"),
            norm + "an entry of 'variants' is not an object");
  EXPECT_EQ(parseWith("{\"max_rows\": 100, ", "{"),
            norm + "only the last variant may be without 'max_rows'");
  EXPECT_EQ(parseWith("{\"launches\": [\n    {\"symbol\": \"norm.kd\"",
                      "{\"max_rows\": 200, \"launches\": [\n    "
                      "{\"symbol\": \"norm.kd\""),
            norm + "the last variant has a 'max_rows'");
  EXPECT_EQ(parseWith("{\"launches\": [\n    {\"symbol\": \"norm.kd\"",
                      "{\"max_rows\": 100, \"launches\": [{\"symbol\": "
                      "\"a\", \"block\": [1, 1, 1], \"rows_per_group\": 1}]}, "
                      "{\"launches\": [\n    {\"symbol\": \"norm.kd\""),
            norm + "'max_rows' 100 does not ascend from variant to variant");
  EXPECT_EQ(parseWith("\"max_rows\": 100", "\"max_rows\": 0"),
            norm + "'max_rows' is 0, outside of 1 to 9223372036854775807");
  EXPECT_EQ(parseWith("\"launches\": [", "\"launches\": [], \"x\": ["),
            norm + "a variant has no 'launches'");
  EXPECT_EQ(parseWith("\"launches\": [", "\"launches\": [7, "),
            norm + "an entry of 'launches' is not an object");
}

TEST(KernelInfoTest, RefusesWrongSizeRules) {
  const std::string norm = "kernel 'norm': ";
  EXPECT_EQ(parseWith("\"equal\": [[", "\"equal\": [7, ["),
            norm + "an entry of 'equal' is not a list of two sizes or more");
  EXPECT_EQ(parseWith("[[{\"arg\": \"x\", \"dim\": 1}", "[[7"),
            norm + "an entry of 'equal' is not an object");
  EXPECT_EQ(parseWith("{\"arg\": \"x\", \"dim\": 1}",
                      "{\"arg\": \"eps\", \"dim\": 1}"),
            norm + "'equal' names 'eps', which is no memref argument");
  EXPECT_EQ(
      parseWith("{\"arg\": \"x\", \"dim\": 1}", "{\"arg\": \"x\", \"dim\": 2}"),
      norm + "'dim' is 2, outside of 0 to 1");
  EXPECT_EQ(parseWith("\"size\": 16", "\"least\": 16"),
            norm + "'size' is missing");
}

TEST(KernelInfoTest, RefusesWrongScratch) {
  const std::string y = "\"name\": \"y\",";
  EXPECT_EQ(parseWith(y, y + " \"scratch\": 1,"),
            "kernel 'norm', argument 'y': 'scratch' is not true or false");
  EXPECT_EQ(parseWith(y, y + " \"scratch\": true,"),
            "kernel 'norm': scratch argument 'y' has 1 dimensions, fewer than "
            "the 3 extents");
  // Only x is scratch, with other extents.
  auto parseExtents = [&](StringRef extents, StringRef yToo) {
    std::string text = kMetadata;
    auto replace = [&](StringRef from, StringRef to) {
      text.replace(text.find(from.str()), from.size(), to.str());
    };
    replace("[{\"arg\": \"x\", \"dim\": 0}, {\"arg\": \"n\"}, {\"const\": 2}]",
            extents);
    replace("\"indexed\": [{\"dim\": 0, \"extent\": 1}]", "\"none\": []");
    replace("\"name\": \"x\",", "\"name\": \"x\", \"scratch\": true,");
    replace(y, yToo);
    return llvm::toString(parseModuleInfo(text).takeError());
  };
  EXPECT_EQ(parseExtents("[]", y),
            "'.rowmill' section: kernel 'norm': scratch argument 'x' has "
            "dynamic dimensions behind the extents");
  EXPECT_EQ(parseExtents("[{\"const\": 2}]", y + " \"scratch\": true,"),
            "'.rowmill' section: kernel 'norm': scratch argument 'x' is not "
            "the only one");
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
