// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// The amdhsa metadata note: which kernel arguments are hidden, and limits.

#include "Program.h"

#include <llvm/ADT/StringSwitch.h>
#include <llvm/BinaryFormat/MsgPackReader.h>

#include <vector>

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

namespace {
/// A part of the note. LLVM has a document class for it, which does not survive
/// damaged input; its reader does.
struct Value {
  msgpack::Type kind = msgpack::Type::Nil;
  StringRef text;
  uint64_t number = 0;
  std::vector<std::pair<StringRef, Value>> members;
  std::vector<Value> elements;

  /// Absent members, and those of another type, read as null, empty or zero:
  /// the note only adds to what the kernel descriptor says.
  const Value *member(StringRef key) const {
    for (const auto &entry : members)
      if (entry.first == key)
        return &entry.second;
    return nullptr;
  }
  StringRef textOf(StringRef key) const {
    const Value *value = member(key);
    return value ? value->text : StringRef();
  }
  uint64_t numberOf(StringRef key) const {
    const Value *value = member(key);
    return value ? value->number : 0;
  }
};
} // namespace

/// False if the input is malformed or nested deeper than any note is.
static bool parse(msgpack::Reader &reader, Value &value, unsigned depth) {
  msgpack::Object object;
  Expected<bool> more = reader.read(object);
  if (!more) {
    consumeError(more.takeError());
    return false;
  }
  if (!*more || depth > 16)
    return false;
  value.kind = object.Kind;
  switch (object.Kind) {
  case msgpack::Type::UInt:
    value.number = object.UInt;
    return true;
  case msgpack::Type::Int:
    value.number = object.Int > 0 ? uint64_t(object.Int) : 0;
    return true;
  case msgpack::Type::String:
    value.text = object.Raw;
    return true;
  case msgpack::Type::Array:
    for (size_t i = 0; i < object.Length; ++i) {
      value.elements.emplace_back();
      if (!parse(reader, value.elements.back(), depth + 1))
        return false;
    }
    return true;
  case msgpack::Type::Map:
    for (size_t i = 0; i < object.Length; ++i) {
      Value key;
      value.members.emplace_back();
      if (!parse(reader, key, depth + 1) ||
          !parse(reader, value.members.back().second, depth + 1))
        return false;
      value.members.back().first = key.text;
    }
    return true;
  default:
    return true;
  }
}

static void readArguments(const Value &args, Kernel &kernel) {
  uint64_t explicitEnd = 0, limit = kernel.info.kernargBytes;
  for (const Value &arg : args.elements) {
    uint64_t offset = arg.numberOf(".offset"), size = arg.numberOf(".size");
    if (offset > limit || size > limit - offset)
      continue;
    StringRef kind = arg.textOf(".value_kind");
    if (kind.starts_with("hidden_"))
      kernel.hidden.push_back(
          {hiddenKind(kind), uint32_t(offset), uint32_t(size)});
    else
      explicitEnd = std::max(explicitEnd, offset + size);
  }
  kernel.explicitBytes = uint32_t(explicitEnd);
}

Error readMetadata(Program &program, StringRef note) {
  msgpack::Reader reader(note);
  Value root;
  if (!parse(reader, root, 0) || root.kind != msgpack::Type::Map)
    return createStringError(inconvertibleErrorCode(),
                             "code object: the metadata note is malformed");
  const Value *kernels = root.member("amdhsa.kernels");
  if (!kernels)
    return Error::success();
  for (const Value &entry : kernels->elements) {
    StringRef symbol = entry.textOf(".symbol");
    symbol.consume_back(".kd");
    auto it = program.kernels.find(symbol);
    if (it == program.kernels.end())
      continue;
    Kernel &kernel = it->second;
    kernel.info.maxWorkgroupSize =
        uint32_t(entry.numberOf(".max_flat_workgroup_size"));
    kernel.explicitBytes = 0; // unless the note lists arguments
    if (const Value *args = entry.member(".args"))
      readArguments(*args, kernel);
  }
  return Error::success();
}

} // namespace rowmill::emulator
