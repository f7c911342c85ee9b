// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// The command line of rowmill-compile.

#ifndef ROWMILL_TOOLS_COMPILE_OPTIONS_H
#define ROWMILL_TOOLS_COMPILE_OPTIONS_H

#include "rowmill/Pipeline/Compiler.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace rowmill {

/// The text of --help.
extern const char *const compileHelpText;

struct ToolOptions {
  std::string input;
  std::string output;               ///< empty: not given; "-": standard output
  std::vector<std::string> targets; ///< at least one, unless `emit` is Row
  Stage emit = Stage::Hsaco;
  row::PartitionRequest partition;
  bool remarks = true;
  bool timing = false;
  bool help = false;
};

/// Parses what follows the tool's name and checks that the options fit
/// together.
llvm::Expected<ToolOptions> parseOptions(llvm::ArrayRef<const char *> args);

/// Where the output for `target` goes.
std::string outputFor(const ToolOptions &options, llvm::StringRef target);

} // namespace rowmill

#endif // ROWMILL_TOOLS_COMPILE_OPTIONS_H
