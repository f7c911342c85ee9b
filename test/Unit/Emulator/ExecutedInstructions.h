// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Keeps a record of the instructions that tests execute, for the page on
// coverage.

#ifndef ROWMILL_TEST_UNIT_EMULATOR_EXECUTEDINSTRUCTIONS_H
#define ROWMILL_TEST_UNIT_EMULATOR_EXECUTEDINSTRUCTIONS_H

#include <llvm/ADT/Twine.h>
#include <llvm/Support/raw_ostream.h>

#include <cstdlib>
#include <set>
#include <string>

namespace rowmill::emulator::test {

/// Instructions by arch and name, written at the end of the process to the file
/// that ROWMILL_EXECUTED_INSTRUCTIONS names, if there is one.
class ExecutedInstructions {
public:
  static ExecutedInstructions &get() {
    static ExecutedInstructions record;
    return record;
  }
  bool isWanted() const { return path != nullptr; }
  void note(llvm::StringRef arch, llvm::StringRef name) {
    if (isWanted())
      names.insert((llvm::Twine(arch) + " " + name).str());
  }

private:
  ExecutedInstructions() : path(std::getenv("ROWMILL_EXECUTED_INSTRUCTIONS")) {}
  ~ExecutedInstructions() {
    if (!isWanted())
      return;
    std::error_code error;
    llvm::raw_fd_ostream os(path, error);
    for (const std::string &name : names)
      os << name << '\n';
  }

  const char *path;
  std::set<std::string> names;
};

} // namespace rowmill::emulator::test

#endif // ROWMILL_TEST_UNIT_EMULATOR_EXECUTEDINSTRUCTIONS_H
