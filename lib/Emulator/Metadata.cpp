// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// The amdhsa metadata note: which kernel arguments are hidden, and limits.

#include "Program.h"

#include <llvm/ADT/StringSwitch.h>
#include <llvm/BinaryFormat/MsgPackDocument.h>

using namespace llvm;

namespace rowmill::emulator {

static HiddenArg::Kind hiddenKind(StringRef name) {
  using K = HiddenArg::Kind;
  return StringSwitch<K>(name)
      .Case("hidden_block_count_x", K::BlockCountX)
      .Case("hidden_block_count_y", K::BlockCountY)
      .Case("hidden_block_count_z", K::BlockCountZ)
      .Case("hidden_group_size_x", K::GroupSizeX)
      .Case("hidden_group_size_y", K::GroupSizeY)
      .Case("hidden_group_size_z", K::GroupSizeZ)
      .Case("hidden_remainder_x", K::RemainderX)
      .Case("hidden_remainder_y", K::RemainderY)
      .Case("hidden_remainder_z", K::RemainderZ)
      .Case("hidden_grid_dims", K::GridDims)
      .Case("hidden_dynamic_lds_size", K::DynamicLdsSize)
      .Case("hidden_private_base", K::PrivateBase)
      .Case("hidden_shared_base", K::SharedBase)
      .Default(K::Zero);
}

/// Members of maps that are absent or of another type read as null or zero: the
/// note only adds to what the kernel descriptor says.
static msgpack::DocNode *member(msgpack::MapDocNode &map, StringRef key) {
  auto it = map.find(key);
  return it == map.end() ? nullptr : &it->second;
}
static StringRef stringMember(msgpack::MapDocNode &map, StringRef key) {
  msgpack::DocNode *node = member(map, key);
  return node && node->isString() ? node->getString() : StringRef();
}
static uint64_t intMember(msgpack::MapDocNode &map, StringRef key) {
  msgpack::DocNode *node = member(map, key);
  if (!node)
    return 0;
  if (node->getKind() == msgpack::Type::UInt)
    return node->getUInt();
  return node->getKind() == msgpack::Type::Int && node->getInt() > 0
             ? uint64_t(node->getInt())
             : 0;
}

static void readArguments(msgpack::ArrayDocNode &args, Kernel &kernel) {
  uint32_t explicitEnd = 0;
  for (msgpack::DocNode &node : args) {
    if (!node.isMap())
      continue;
    msgpack::MapDocNode &arg = node.getMap();
    uint64_t offset = intMember(arg, ".offset"), size = intMember(arg, ".size");
    if (offset + size > kernel.info.kernargBytes || size > 8 * 1024 * 1024)
      continue;
    StringRef kind = stringMember(arg, ".value_kind");
    if (!kind.starts_with("hidden_")) {
      explicitEnd = std::max(explicitEnd, uint32_t(offset + size));
      continue;
    }
    kernel.hidden.push_back({hiddenKind(kind), uint32_t(offset), uint32_t(size)});
  }
  kernel.explicitBytes = explicitEnd;
}

Error readMetadata(Program &program, StringRef note) {
  msgpack::Document doc;
  if (!doc.readFromBlob(note, /*Multi=*/false) || !doc.getRoot().isMap())
    return createStringError(inconvertibleErrorCode(),
                             "the amdhsa metadata note is malformed");
  msgpack::DocNode *kernels = member(doc.getRoot().getMap(), "amdhsa.kernels");
  if (!kernels || !kernels->isArray())
    return Error::success();
  for (msgpack::DocNode &node : kernels->getArray()) {
    if (!node.isMap())
      continue;
    msgpack::MapDocNode &map = node.getMap();
    StringRef symbol = stringMember(map, ".symbol");
    symbol.consume_back(".kd");
    auto it = program.kernels.find(symbol);
    if (it == program.kernels.end())
      continue;
    Kernel &kernel = it->second;
    kernel.info.maxWorkgroupSize =
        uint32_t(intMember(map, ".max_flat_workgroup_size"));
    if (msgpack::DocNode *args = member(map, ".args"); args && args->isArray())
      readArguments(args->getArray(), kernel);
    else
      kernel.explicitBytes = 0; // the note lists no argument
  }
  return Error::success();
}

} // namespace rowmill::emulator
