// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Tests of code generation and of the link in process.

#include "rowmill/Target/CodeGen.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Module.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Target/TargetMachine.h"
#include "gtest/gtest.h"
#include <unistd.h>

using namespace rowmill;
using llvm::StringRef;

static const char *const emptyKernel =
    "define amdgpu_kernel void @k() { ret void }";

/// Generates a file for LLVM IR in text.
static llvm::Expected<std::string> generateFrom(StringRef text,
                                                CodeGenFile file,
                                                StringRef metadata = "",
                                                StringRef archName = "gfx950") {
  llvm::LLVMContext context;
  llvm::SMDiagnostic error;
  auto module = llvm::parseAssemblyString(text, error, context);
  if (!module)
    return llvm::createStringError(error.getMessage().str());
  auto machine = createTargetMachine(*lookupArch(archName));
  if (!machine)
    return machine.takeError();
  optimize(*module, **machine, metadata);
  return generate(*module, **machine, file);
}

static std::string objectOf(StringRef text, StringRef metadata = "") {
  auto object = generateFrom(text, CodeGenFile::Object, metadata);
  EXPECT_TRUE(bool(object));
  return object ? *object : llvm::toString(object.takeError());
}

template <typename T>
static std::string messageOf(llvm::Expected<T> value) {
  return value ? "" : llvm::toString(value.takeError());
}

/// Calls `use` with the section `.rowmill`, or fails.
static void
withSection(StringRef elf,
            llvm::function_ref<void(llvm::object::ELFSectionRef)> use) {
  auto file = llvm::object::ObjectFile::createELFObjectFile(
      llvm::MemoryBufferRef(elf, "test"));
  ASSERT_TRUE(bool(file));
  for (llvm::object::ELFSectionRef section : (*file)->sections()) {
    if (llvm::cantFail(section.getName()) == ".rowmill")
      return use(section);
  }
  FAIL() << "no section .rowmill";
}

TEST(CodeGenTest, GeneratesForEveryArch) {
  for (const Arch &arch : getArchs()) {
    auto text = generateFrom(emptyKernel, CodeGenFile::Assembly, "", arch.name);
    ASSERT_TRUE(bool(text)) << llvm::toString(text.takeError());
    EXPECT_NE(text->find("amdgcn-amd-amdhsa--" + arch.name.str()),
              std::string::npos);
  }
}

// Whatever a name in the metadata holds, it cannot end the directive that
// carries it, and loaders need not map it.
TEST(CodeGenTest, KeepsMetadataByteForByte) {
  std::string metadata("a\"\\\n.text\t\x01\xc3\xa9\0z 123", 18);
  std::string object = objectOf(emptyKernel, metadata);
  auto check = [&](llvm::object::ELFSectionRef section) {
    EXPECT_EQ(llvm::cantFail(section.getContents()), metadata);
    EXPECT_EQ(section.getFlags() & llvm::ELF::SHF_ALLOC, 0u);
  };
  withSection(object, check);
  auto linked = rowmill::link(object);
  ASSERT_TRUE(bool(linked)) << llvm::toString(linked.takeError());
  withSection(*linked, check);
}

// LLVM's default is to print the error and to call exit.
TEST(CodeGenTest, ReportsErrorsOfTheCodeGenerator) {
  auto object = generateFrom(
      "define amdgpu_kernel void @k(ptr addrspace(1) %p, bfloat %a) {\n"
      "  %r = frem bfloat %a, %a\n"
      "  store bfloat %r, ptr addrspace(1) %p\n"
      "  ret void\n"
      "}",
      CodeGenFile::Object);
  std::string message = messageOf(std::move(object));
  EXPECT_TRUE(StringRef(message).starts_with("cannot generate code: "))
      << message;
  EXPECT_NE(message.find("frem"), std::string::npos) << message;
}

TEST(CodeGenTest, ReportsTooMuchLDS) {
  auto object =
      generateFrom("@lds = internal addrspace(3) global [200000 x i8] poison\n"
                   "define amdgpu_kernel void @k(i32 %i, i8 %v) {\n"
                   "  %p = getelementptr i8, ptr addrspace(3) @lds, i32 %i\n"
                   "  store volatile i8 %v, ptr addrspace(3) %p\n"
                   "  ret void\n"
                   "}",
                   CodeGenFile::Object);
  EXPECT_NE(messageOf(std::move(object)).find("local memory"),
            std::string::npos);
}

TEST(LinkTest, MakesASharedObject) {
  auto linked = rowmill::link(objectOf(emptyKernel));
  ASSERT_TRUE(bool(linked)) << llvm::toString(linked.takeError());
  auto file = llvm::object::ObjectFile::createELFObjectFile(
      llvm::MemoryBufferRef(*linked, "test"));
  ASSERT_TRUE(bool(file));
  auto &elf = llvm::cast<llvm::object::ELFObjectFileBase>(**file);
  EXPECT_EQ(elf.getEType(), llvm::ELF::ET_DYN);
  EXPECT_EQ(elf.getEMachine(), llvm::ELF::EM_AMDGPU);
}

// A code object with a hole would load, and jump to nowhere.
TEST(LinkTest, RefusesUndefinedSymbols) {
  std::string object = objectOf("declare void @missing()\n"
                                "define amdgpu_kernel void @k() {\n"
                                "  call void @missing()\n"
                                "  ret void\n"
                                "}");
  std::string message = messageOf(rowmill::link(object));
  EXPECT_TRUE(StringRef(message).starts_with("cannot link: ")) << message;
  EXPECT_NE(message.find("undefined symbol: missing"), std::string::npos)
      << message;
}

// LLD calls a broken object fatal: it is reported all the same, and from then
// on every link. The test has a process of its own for that.
TEST(LinkDeathTest, ReportsFatalErrors) {
  std::string object = objectOf(emptyKernel);
  StringRef half = StringRef(object).take_front(object.size() / 2);
  EXPECT_EXIT(
      {
        llvm::errs() << messageOf(rowmill::link(half)) << '\n'
                     << messageOf(rowmill::link(object)) << '\n';
        _exit(0);
      },
      testing::ExitedWithCode(0),
      "cannot link: .*error: .*\ncannot link: an earlier link crashed");
}

// More than a pipe holds at once.
TEST(LinkTest, LinksLargeObjects) {
  std::string metadata(1 << 20, 'x');
  auto linked = rowmill::link(objectOf(emptyKernel, metadata));
  ASSERT_TRUE(bool(linked)) << llvm::toString(linked.takeError());
  EXPECT_GT(linked->size(), metadata.size());
}
