// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Parses what a kernel can be launched as, and what it demands of sizes.
#include "JsonFields.h"

using namespace llvm;
using namespace rowmill;

static constexpr int64_t kMaxGroupSize = 1024;

static bool parseBlock(JsonFields &fields, const json::Object &object,
                       LaunchInfo &launch) {
  const json::Array *block;
  if (!fields.getArray(object, "block", block))
    return false;
  if (block->size() != 3)
    return fields.fail("'block' has " + Twine(block->size()) +
                       " entries, not 3");
  int64_t product = 1;
  for (unsigned i = 0; i < 3; ++i) {
    int64_t size;
    if (!fields.getInteger(&(*block)[i], "an entry of 'block'", 1,
                           kMaxGroupSize, size))
      return false;
    launch.block[i] = static_cast<uint32_t>(size);
    product *= size;
  }
  if (product > kMaxGroupSize)
    return fields.fail("'block' has " + Twine(product) +
                       " work-items, more than " + Twine(kMaxGroupSize));
  return true;
}

static bool parsePartition(JsonFields &fields, const json::Object &object,
                           LaunchInfo &launch) {
  const json::Value *value = object.get("partition");
  if (!value)
    return true;
  const json::Object *partition = value->getAsObject();
  if (!partition)
    return fields.fail("'partition' is not an object");
  PartitionInfo &info = launch.partition.emplace();
  auto get = [&](StringRef key, unsigned &number) {
    return fields.getUnsigned(*partition, key, 1, INT32_MAX, number);
  };
  std::string splits = "elements";
  if (partition->get("splits") &&
      !fields.getString(*partition, "splits", splits))
    return false;
  if (splits != "elements" && splits != "pool")
    return fields.fail("'splits' is " + quote(splits) +
                       ", not 'elements' or 'pool'");
  info.splitsPool = splits == "pool";
  return get("lanes_per_row", info.lanesPerRow) &&
         get("elements_per_lane", info.elementsPerLane) &&
         get("rows_per_wave", info.rowsPerWave) &&
         get("waves_per_row", info.wavesPerRow) &&
         get("waves_per_group", info.wavesPerGroup);
}

static bool parseLaunch(JsonFields &fields, const json::Value &value,
                        LaunchInfo &launch) {
  const json::Object *object = value.getAsObject();
  if (!object)
    return fields.fail("an entry of 'launches' is not an object");
  if (!fields.getString(*object, "symbol", launch.symbol) ||
      !parseBlock(fields, *object, launch) ||
      !parsePartition(fields, *object, launch) ||
      !fields.getUnsigned(*object, "rows_per_group", 1, INT32_MAX,
                          launch.rowsPerGroup))
    return false;
  return !object->get("groups_per_row") ||
         fields.getUnsigned(*object, "groups_per_row", 1, INT32_MAX,
                            launch.groupsPerRow);
}

static bool parseVariant(JsonFields &fields, const json::Value &value,
                         VariantInfo &variant) {
  const json::Object *object = value.getAsObject();
  if (!object)
    return fields.fail("an entry of 'variants' is not an object");
  if (const json::Value *maxRows = object->get("max_rows")) {
    int64_t number;
    if (!fields.getInteger(maxRows, "'max_rows'", 1, INT64_MAX, number))
      return false;
    variant.maxRows = static_cast<uint64_t>(number);
  }
  const json::Array *launches;
  if (!fields.getArray(*object, "launches", launches))
    return false;
  if (launches->empty())
    return fields.fail("a variant has no 'launches'");
  for (const json::Value &launch : *launches)
    if (!parseLaunch(fields, launch, variant.launches.emplace_back()))
      return false;
  return true;
}

bool rowmill::parseVariants(JsonFields &fields, const json::Object &object,
                            KernelInfo &kernel) {
  const json::Array *variants;
  if (!fields.getArray(object, "variants", variants))
    return false;
  if (variants->empty())
    return fields.fail("'variants' is empty");
  for (const json::Value &variant : *variants)
    if (!parseVariant(fields, variant, kernel.variants.emplace_back()))
      return false;
  // Every number of rows has a variant, and every variant a number.
  for (size_t i = 0; i + 1 < kernel.variants.size(); ++i) {
    const auto &maxRows = kernel.variants[i].maxRows;
    if (!maxRows)
      return fields.fail("only the last variant may be without 'max_rows'");
    if (i > 0 && *maxRows <= *kernel.variants[i - 1].maxRows)
      return fields.fail("'max_rows' " + Twine(*maxRows) +
                         " does not ascend from variant to variant");
  }
  if (kernel.variants.back().maxRows)
    return fields.fail("the last variant has a 'max_rows'");
  return true;
}

/// Reads `{"arg": name, "dim": number}`.
static bool parseSize(JsonFields &fields, const json::Value &value,
                      StringRef list, const KernelInfo &kernel,
                      SizeInfo &size) {
  const json::Object *object = value.getAsObject();
  std::string name;
  if (!object)
    return fields.fail("an entry of " + quote(list) + " is not an object");
  if (!fields.getString(*object, "arg", name))
    return false;
  const ArgInfo *arg = kernel.lookupArg(name);
  if (!arg || !arg->isMemRef)
    return fields.fail(quote(list) + " names " + quote(name) +
                       ", which is no memref argument");
  size.arg = static_cast<unsigned>(arg - kernel.args.data());
  return fields.getUnsigned(
      *object, "dim", 0, static_cast<int64_t>(arg->shape.size()) - 1, size.dim);
}

bool rowmill::parseSizeRules(JsonFields &fields, const json::Object &object,
                             KernelInfo &kernel) {
  const json::Array *list;
  if (object.get("equal")) {
    if (!fields.getArray(object, "equal", list))
      return false;
    for (const json::Value &value : *list) {
      const json::Array *members = value.getAsArray();
      if (!members || members->size() < 2)
        return fields.fail("an entry of 'equal' is not a list of two sizes or "
                           "more");
      auto &sizes = kernel.equalSizes.emplace_back();
      for (const json::Value &member : *members)
        if (!parseSize(fields, member, "equal", kernel, sizes.emplace_back()))
          return false;
    }
  }
  if (!object.get("minimum"))
    return true;
  if (!fields.getArray(object, "minimum", list))
    return false;
  for (const json::Value &value : *list) {
    MinimumInfo &minimum = kernel.minimumSizes.emplace_back();
    if (!parseSize(fields, value, "minimum", kernel, minimum.size) ||
        !fields.getInteger(value.getAsObject()->get("size"), "'size'", 0,
                           INT64_MAX, minimum.minimum))
      return false;
  }
  return true;
}
