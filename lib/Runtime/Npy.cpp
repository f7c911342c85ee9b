// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// The .npy format: a magic, a version, a Python dict literal, the elements.
#include "rowmill/Runtime/Npy.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <cstring>

using namespace llvm;

static Error makeError(const Twine &message) {
  return createStringError(message.str());
}

namespace {
/// Parses the dict literal of a header, in the subset of Python that numpy
/// writes: string keys; strings, booleans and tuples of integers as values.
class HeaderParser {
public:
  explicit HeaderParser(StringRef text) : rest(text) {}

  /// Returns false when the text is malformed.
  bool parse();

  std::optional<std::string> descr;
  std::optional<bool> fortranOrder;
  std::optional<std::vector<int64_t>> shape;

private:
  bool consume(char c) {
    rest = rest.ltrim();
    return rest.consume_front(StringRef(&c, 1));
  }
  bool parseString(std::string &result);
  bool parseBool(bool &result);
  bool parseTuple(std::vector<int64_t> &result);
  bool parseEntry();

  StringRef rest;
};
} // namespace

bool HeaderParser::parseString(std::string &result) {
  rest = rest.ltrim();
  if (rest.empty() || (rest[0] != '\'' && rest[0] != '"'))
    return false;
  size_t end = rest.find(rest[0], 1);
  if (end == StringRef::npos)
    return false;
  result = rest.slice(1, end).str();
  rest = rest.drop_front(end + 1);
  return true;
}

bool HeaderParser::parseBool(bool &result) {
  rest = rest.ltrim();
  result = rest.consume_front("True");
  return result || rest.consume_front("False");
}

bool HeaderParser::parseTuple(std::vector<int64_t> &result) {
  if (!consume('('))
    return false;
  while (!consume(')')) {
    int64_t size;
    rest = rest.ltrim();
    if (rest.consumeInteger(10, size) || size < 0)
      return false;
    result.push_back(size);
    // One comma after each size, which only a tuple's last may lack.
    if (consume(','))
      continue;
    return result.size() > 1 && consume(')');
  }
  return true;
}

bool HeaderParser::parseEntry() {
  std::string key;
  if (!parseString(key) || !consume(':'))
    return false;
  if (key == "fortran_order")
    return parseBool(fortranOrder.emplace());
  if (key == "shape")
    return parseTuple(shape.emplace());
  if (key != "descr")
    return false;
  if (!consume('['))
    return parseString(descr.emplace());
  // A structured type: a list of fields. No argument takes one, so its text is
  // only kept for the message.
  size_t end = rest.rfind(']');
  if (end == StringRef::npos)
    return false;
  descr = "[" + rest.take_front(end + 1).str();
  rest = rest.drop_front(end + 1);
  return true;
}

bool HeaderParser::parse() {
  if (!consume('{'))
    return false;
  while (!consume('}')) {
    if (!parseEntry())
      return false;
    if (consume(','))
      continue;
    if (!consume('}'))
      return false;
    break;
  }
  return rest.trim().empty() && descr && fortranOrder && shape;
}

/// Splits a file into its header's text and what follows it.
static Expected<std::pair<StringRef, StringRef>> splitHeader(StringRef bytes) {
  constexpr StringLiteral magic("\x93NUMPY");
  if (!bytes.starts_with(magic))
    return makeError("is not a .npy file");
  if (bytes.size() < 8)
    return makeError("is truncated in its header");
  unsigned major = static_cast<uint8_t>(bytes[6]);
  unsigned minor = static_cast<uint8_t>(bytes[7]);
  if (major < 1 || major > 3 || minor != 0)
    return makeError("expects .npy version 1.0, 2.0 or 3.0, but got " +
                     Twine(major) + "." + Twine(minor));
  size_t start = major == 1 ? 10 : 12;
  if (bytes.size() < start)
    return makeError("is truncated in its header");
  size_t length = major == 1 ? support::endian::read16le(bytes.data() + 8)
                             : support::endian::read32le(bytes.data() + 8);
  if (bytes.size() - start < length)
    return makeError("is truncated in its header");
  return std::pair(bytes.substr(start, length),
                   bytes.drop_front(start + length));
}

/// Returns `text` fit for a one-line message.
static std::string printable(StringRef text) {
  std::string result;
  raw_string_ostream os(result);
  printEscapedString(text.take_front(40), os);
  return result;
}

namespace rowmill {

void HostArray::Deleter::operator()(char *data) const {
  ::operator delete(data, std::align_val_t(kAlign));
}

HostArray HostArray::zeros(HostType type, ArrayRef<int64_t> shape) {
  HostArray array;
  array.type = type;
  array.shape = shape.vec();
  array.size = static_cast<size_t>(*computeByteSize(shape, type.size));
  void *data = ::operator new(array.size + 1, std::align_val_t(kAlign));
  std::memset(data, 0, array.size);
  array.storage.reset(static_cast<char *>(data));
  return array;
}

std::optional<uint64_t> computeByteSize(ArrayRef<int64_t> shape,
                                        unsigned elementSize) {
  constexpr uint64_t limit = uint64_t(1) << 48;
  uint64_t bytes = elementSize;
  bool isEmpty = false;
  for (int64_t size : shape) {
    if (size < 0 || static_cast<uint64_t>(size) > limit)
      return std::nullopt;
    if (size == 0) {
      isEmpty = true;
      continue;
    }
    if (bytes > limit / static_cast<uint64_t>(size))
      return std::nullopt;
    bytes *= static_cast<uint64_t>(size);
  }
  return isEmpty ? 0 : bytes;
}

Expected<HostArray> parseNpy(StringRef bytes) {
  auto parts = splitHeader(bytes);
  if (!parts)
    return parts.takeError();
  auto [text, content] = *parts;
  HeaderParser header(text);
  if (!header.parse())
    return makeError("has a malformed header: " + printable(text));
  HostType type = parseHostType(*header.descr);
  if (type.kind == HostType::Other)
    return makeError("has elements of the unsupported type '" +
                     printable(*header.descr) + "'");
  if (*header.fortranOrder && header.shape->size() > 1)
    return makeError("is in Fortran order; save it with "
                     "numpy.ascontiguousarray");
  std::optional<uint64_t> size = computeByteSize(*header.shape, type.size);
  if (!size)
    return makeError("has a shape that is too large");
  if (content.size() != *size)
    return makeError(
        (content.size() < *size ? "is truncated: " : "is too long: ") +
        Twine("its shape takes ") + Twine(*size) + " bytes, but got " +
        Twine(content.size()));
  HostArray array = HostArray::zeros(type, *header.shape);
  std::memcpy(array.data(), content.data(), content.size());
  return std::move(array);
}

Expected<HostArray> readNpyFile(StringRef path) {
  auto buffer = MemoryBuffer::getFile(path, /*IsText=*/false,
                                      /*RequiresNullTerminator=*/false);
  if (!buffer)
    return makeError("cannot read '" + path +
                     "': " + buffer.getError().message());
  auto array = parseNpy((*buffer)->getBuffer());
  if (!array)
    return makeError("'" + path + "' " + toString(array.takeError()));
  return array;
}

Error writeNpyFile(StringRef path, const HostArray &array) {
  std::string header;
  raw_string_ostream text(header);
  text << "{'descr': '" << getNumpyDescr(array.type)
       << "', 'fortran_order': False, 'shape': (";
  for (size_t i = 0; i < array.shape.size(); ++i)
    text << (i ? " " : "") << array.shape[i]
         << (i == 0 || i + 1 < array.shape.size() ? "," : "");
  text << "), }";
  // The elements start at a multiple of 64 bytes.
  constexpr size_t prefix = 10;
  header.append(63 - (prefix + header.size()) % 64, ' ');
  header.push_back('\n');

  std::error_code code;
  raw_fd_ostream os(path, code, sys::fs::OF_None);
  if (!code) {
    char length[2];
    support::endian::write16le(length, static_cast<uint16_t>(header.size()));
    os << StringRef("\x93NUMPY\x01\x00", 8) << StringRef(length, 2) << header
       << StringRef(array.data(), array.byteSize());
    os.close();
    code = os.error();
    os.clear_error();
  }
  if (code)
    return makeError("cannot write '" + path + "': " + code.message());
  return Error::success();
}

} // namespace rowmill
