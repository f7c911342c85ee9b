// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Makes the arrays and numbers that the command line asks for.
#ifndef ROWMILL_TOOLS_ROWMILL_RUN_ARGUMENTS_H
#define ROWMILL_TOOLS_ROWMILL_RUN_ARGUMENTS_H

#include "Options.h"
#include "rowmill/Runtime/Binding.h"
#include "rowmill/Runtime/Npy.h"
#include <map>

namespace rowmill {

/// The values of a launch; arrays are owned by their argument's name.
struct RunArguments {
  std::vector<HostArg> values;
  std::map<std::string, HostArray> arrays;
};

/// Reads or creates the value of each `--arg` and of each `--out` without one.
llvm::Expected<RunArguments> makeArguments(const KernelInfo &kernel,
                                           const RunOptions &options);

} // namespace rowmill

#endif // ROWMILL_TOOLS_ROWMILL_RUN_ARGUMENTS_H
