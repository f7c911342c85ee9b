// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Tests of the .npy reader and writer, malformed files above all.
#include "rowmill/Runtime/Npy.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"
#include <cstring>

using namespace rowmill;
using llvm::StringRef;

/// Returns a .npy file with the header text `dict` and `bytes` of content.
static std::string makeNpy(StringRef dict, size_t bytes, char major = 1) {
  std::string file = "\x93NUMPY";
  file += {major, '\0', static_cast<char>(dict.size()), '\0'};
  if (major > 1)
    file += std::string(2, '\0');
  file += dict.str();
  for (size_t i = 0; i < bytes; ++i)
    file.push_back(static_cast<char>(i));
  return file;
}

static std::string getError(StringRef file) {
  auto array = parseNpy(file);
  if (array)
    return "";
  return llvm::toString(array.takeError());
}

static std::string getHeaderError(StringRef dict) {
  return getError(makeNpy(dict, 0));
}

TEST(NpyTest, ReadsArrays) {
  auto array = parseNpy(makeNpy(
      "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }  \n", 24));
  ASSERT_TRUE(bool(array)) << llvm::toString(array.takeError());
  EXPECT_EQ(array->type, (HostType{HostType::Float, 4}));
  EXPECT_EQ(array->shape, (std::vector<int64_t>{2, 3}));
  ASSERT_EQ(array->byteSize(), 24u);
  EXPECT_EQ(array->data()[23], 23);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(array->data()) % HostArray::kAlign, 0u);
}

TEST(NpyTest, ReadsEveryVersionAndSpelling) {
  for (char major : {1, 2, 3})
    EXPECT_EQ(getError(makeNpy("{\"shape\":(3,),\"fortran_order\":True,"
                               "\"descr\":\"|V2\"}\n",
                               6, major)),
              "");
  auto scalar = parseNpy(
      makeNpy("{'descr': '<i8', 'fortran_order': False, 'shape': ()}", 8));
  ASSERT_TRUE(bool(scalar));
  EXPECT_TRUE(scalar->shape.empty());
  auto empty = parseNpy(
      makeNpy("{'descr': '|u1', 'fortran_order': False, 'shape': (4, 0)}", 0));
  ASSERT_TRUE(bool(empty));
  EXPECT_EQ(empty->byteSize(), 0u);
}

TEST(NpyTest, RefusesForeignAndTruncatedFiles) {
  EXPECT_EQ(getError(""), "is not a .npy file");
  EXPECT_EQ(getError("PK\x03\x04"), "is not a .npy file");
  EXPECT_EQ(getError(StringRef("\x93NUMPY\x01", 7)),
            "is truncated in its header");
  EXPECT_EQ(getError(StringRef("\x93NUMPY\x01\x00\x10", 9)),
            "is truncated in its header");
  EXPECT_EQ(getError(StringRef("\x93NUMPY\x02\x00\x10\x00", 10)),
            "is truncated in its header");
  EXPECT_EQ(getError(StringRef("\x93NUMPY\x01\x00\x10\x00{", 11)),
            "is truncated in its header");
  EXPECT_EQ(getError(StringRef("\x93NUMPY\x04\x00\x00\x00", 10)),
            "expects .npy version 1.0, 2.0 or 3.0, but got 4.0");
  const char *dict = "{'descr': '<i2', 'fortran_order': False, 'shape': (3,)}";
  EXPECT_EQ(getError(makeNpy(dict, 5)),
            "is truncated: its shape takes 6 bytes, but got 5");
  EXPECT_EQ(getError(makeNpy(dict, 7)),
            "is too long: its shape takes 6 bytes, but got 7");
}

TEST(NpyTest, RefusesMalformedHeaders) {
  for (StringRef dict :
       {"",
        "{",
        "{}",
        "[]",
        "{'descr' '<f4'}",
        "{'descr': <f4}",
        "{'descr': '<f4}",
        "{'unknown': '<f4'}",
        "{'descr': '<f4', 'fortran_order': False}",
        "{'descr': '<f4', 'fortran_order': 0, 'shape': (3,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': 3}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (3)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (3,}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (3 4)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (-3,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999"
        "9999,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (,)}",
        "{'descr': '<f4' 'fortran_order': False, 'shape': (3,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (3,)} x",
        "{'descr': [('a', '<f4'), 'fortran_order': False, 'shape': (3,)}"}) {
    std::string message = getHeaderError(dict);
    EXPECT_TRUE(StringRef(message).starts_with("has a malformed header: "))
        << dict.str() << ": " << message;
  }
  // Whatever the header holds, the message stays on one line.
  EXPECT_EQ(getHeaderError("{\n\t}\x01"),
            "has a malformed header: {\\0A\\09}\\01");
}

TEST(NpyTest, RefusesTypesNoArgumentTakes) {
  for (StringRef descr : {">f4", ">i2", "<c8", "|O", "<U4", "|S3", "|b1",
                          "<M8[ns]", "<i3", "<f", "f4", ""})
    EXPECT_EQ(getHeaderError(("{'descr': '" + descr +
                              "', 'fortran_order': False, 'shape': (3,)}")
                                 .str()),
              ("has elements of the unsupported type '" + descr + "'").str());
  EXPECT_EQ(getHeaderError("{'descr': [('a', '<f4'), ('b', '|i1')], "
                           "'fortran_order': False, 'shape': (3,)}"),
            "has elements of the unsupported type '[('a', '<f4'), ('b', "
            "'|i1')]'");
}

TEST(NpyTest, RefusesFortranOrderAndHugeShapes) {
  EXPECT_EQ(getHeaderError(
                "{'descr': '<f4', 'fortran_order': True, 'shape': (3, 4)}"),
            "is in Fortran order; save it with numpy.ascontiguousarray");
  EXPECT_EQ(getHeaderError("{'descr': '<f4', 'fortran_order': False, 'shape': "
                           "(4294967296, 4294967296)}"),
            "has a shape that is too large");
}

TEST(NpyTest, WritesWhatItReads) {
  llvm::SmallString<128> path;
  ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("array", "npy", path));
  llvm::FileRemover remover(path);
  for (std::vector<int64_t> shape :
       {std::vector<int64_t>{}, {5}, {2, 3}, {0, 7}, {1, 2, 3, 4}}) {
    HostArray array = HostArray::zeros({HostType::SignedInt, 2}, shape);
    for (size_t i = 0; i < array.byteSize(); ++i)
      array.data()[i] = static_cast<char>(i * 3 + 1);
    ASSERT_FALSE(bool(writeNpyFile(path, array)));
    auto read = readNpyFile(path);
    ASSERT_TRUE(bool(read)) << llvm::toString(read.takeError());
    EXPECT_EQ(read->type, array.type);
    EXPECT_EQ(read->shape, shape);
    ASSERT_EQ(read->byteSize(), array.byteSize());
    EXPECT_EQ(std::memcmp(read->data(), array.data(), array.byteSize()), 0);
  }
}

TEST(NpyTest, WritesElementsAligned) {
  llvm::SmallString<128> path;
  ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("array", "npy", path));
  llvm::FileRemover remover(path);
  HostArray array = HostArray::zeros({HostType::BFloat, 2}, {3, 1});
  ASSERT_FALSE(bool(writeNpyFile(path, array)));
  auto buffer = llvm::MemoryBuffer::getFile(path);
  ASSERT_TRUE(bool(buffer));
  StringRef bytes = (*buffer)->getBuffer();
  EXPECT_EQ((bytes.size() - array.byteSize()) % 64, 0u);
  EXPECT_TRUE(bytes.drop_front(10).starts_with(
      "{'descr': '<V2', 'fortran_order': False, 'shape': (3, 1), }  "))
      << bytes.str();
  EXPECT_TRUE(bytes.drop_back(6).ends_with(" \n"));
}

TEST(NpyTest, NamesTheFileInErrors) {
  auto missing = readNpyFile("/nonexistent/x.npy");
  ASSERT_FALSE(bool(missing));
  EXPECT_EQ(llvm::toString(missing.takeError()),
            "cannot read '/nonexistent/x.npy': No such file or directory");
  HostArray array = HostArray::zeros({HostType::Float, 4}, {1});
  EXPECT_EQ(llvm::toString(writeNpyFile("/nonexistent/y.npy", array)),
            "cannot write '/nonexistent/y.npy': No such file or directory");
  EXPECT_EQ(llvm::toString(writeNpyFile("/dev/full", array)),
            "cannot write '/dev/full': No space left on device");
  EXPECT_EQ(llvm::toString(readNpyFile("/dev/null").takeError()),
            "'/dev/null' is not a .npy file");
}

TEST(NpyTest, SizesDoNotOverflow) {
  EXPECT_EQ(computeByteSize({3, 5}, 2), 30u);
  EXPECT_EQ(computeByteSize({0, INT64_MAX / 2}, 2), std::nullopt);
  EXPECT_EQ(computeByteSize({0, 1000}, 2), 0u);
  EXPECT_EQ(computeByteSize({int64_t(1) << 40, int64_t(1) << 40}, 1),
            std::nullopt);
  EXPECT_EQ(computeByteSize({-1}, 1), std::nullopt);
}
