// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// The command line of rowmill-run.
#ifndef ROWMILL_TOOLS_ROWMILL_RUN_OPTIONS_H
#define ROWMILL_TOOLS_ROWMILL_RUN_OPTIONS_H

#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <vector>

namespace rowmill {

struct RunOptions {
  /// `NAME=VALUE` of an option, taken apart.
  struct Assignment {
    std::string name;
    std::string value;
  };
  enum class Stats { None, Classes, Opcodes };

  std::string object;
  std::string kernel;
  std::vector<Assignment> args;
  std::vector<Assignment> outs;
  std::optional<int64_t> rows;
  std::optional<unsigned> variant;
  uint64_t maxInstructions = 0;
  bool checkAlignment = false;
  Stats stats = Stats::None;
  bool info = false;
  bool help = false;
};

/// Parses the command line without the program's name.
llvm::Expected<RunOptions> parseOptions(llvm::ArrayRef<const char *> args);

/// The text of `--help`.
extern const char *const kHelpText;

} // namespace rowmill

#endif // ROWMILL_TOOLS_ROWMILL_RUN_OPTIONS_H
