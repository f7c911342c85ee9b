// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Links an object in process, without temporary files.

#include "lld/Common/Driver.h"
#include "rowmill/Target/CodeGen.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/Process.h"
#include <mutex>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>

LLD_HAS_DRIVER(elf)

using namespace rowmill;

static llvm::Error systemError(const char *what) {
  return llvm::createStringError("cannot link: %s: %s", what,
                                 llvm::sys::StrError().c_str());
}

static bool writeAll(int fd, llvm::StringRef data) {
  while (!data.empty()) {
    ssize_t written = write(fd, data.data(), data.size());
    if (written <= 0)
      return false;
    data = data.drop_front(written);
  }
  return true;
}

static std::string readAll(int fd) {
  std::string data;
  char buffer[1 << 16];
  for (ssize_t size; (size = read(fd, buffer, sizeof(buffer))) > 0;)
    data.append(buffer, size);
  return data;
}

llvm::Expected<std::string> rowmill::link(llvm::StringRef object) {
  // LLD keeps its state in globals.
  static std::mutex mutex;
  static bool canRunAgain = true;
  std::lock_guard<std::mutex> lock(mutex);
  if (!canRunAgain)
    return llvm::createStringError("cannot link: an earlier link crashed");

  int input = memfd_create("rowmill-object", MFD_CLOEXEC);
  if (input < 0)
    return systemError("memfd_create");
  llvm::scope_exit closeInput([&] { close(input); });
  if (!writeAll(input, object))
    return systemError("write");
  // LLD builds its output in memory only if the file is no regular one, as a
  // pipe is; it then writes it at once, so someone must be reading.
  int output[2];
  if (pipe(output) != 0)
    return systemError("pipe");
  std::string linked;
  std::thread reader([&] { linked = readAll(output[0]); });

  std::string inputPath = "/proc/self/fd/" + std::to_string(input);
  std::string outputPath = "/proc/self/fd/" + std::to_string(output[1]);
  const char *arguments[] = {
      "ld.lld",          "-shared", "--no-undefined",  "--threads=1",
      inputPath.c_str(), "-o",      outputPath.c_str()};
  std::string messages;
  llvm::raw_string_ostream os(messages);
  // Without it LLD's fatal errors end the process.
  llvm::CrashRecoveryContext::Enable();
  lld::Result result =
      lld::lldMain(arguments, llvm::nulls(), os, {{lld::Gnu, &lld::elf::link}});
  llvm::CrashRecoveryContext::Disable();
  canRunAgain = result.canRunAgain;
  close(output[1]);
  reader.join();
  close(output[0]);
  if (result.retCode != 0)
    return llvm::createStringError("cannot link: " +
                                   llvm::StringRef(messages).trim());
  return linked;
}
