// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// The compiler driver: row kernels to code objects, or to any stage between.

#include "Options.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace rowmill;

static void printTiming(StringRef target, const CompileTiming &timing) {
  auto line = [](StringRef part, double seconds) {
    errs() << formatv("  {0,-8}{1,8:F1} ms\n", part, seconds * 1e3);
  };
  errs() << "timing" << (target.empty() ? "" : " of ") << target << '\n';
  line("parse", timing.parse);
  line("passes", timing.passes);
  line("llvm", timing.llvm);
  line("link", timing.link);
  line("total", timing.parse + timing.passes + timing.llvm + timing.link);
}

static std::error_code writeTo(raw_fd_ostream &os, StringRef content) {
  os << content;
  os.flush();
  std::error_code error = os.error();
  // An error that nobody has cleared ends the process.
  os.clear_error();
  return error;
}

static std::error_code writeFile(StringRef file, StringRef content) {
  sys::fs::file_status status;
  if (file == "-")
    return writeTo(outs(), content);
  // A device or a pipe stays what it is.
  if (!sys::fs::status(file, status) && !sys::fs::is_regular_file(status)) {
    std::error_code error;
    raw_fd_ostream os(file, error);
    return error ? error : writeTo(os, content);
  }
  // Written beside and renamed: nobody sees a part of a code object.
  return errorToErrorCode(writeToOutput(file, [&](raw_ostream &os) {
    os << content;
    return Error::success();
  }));
}

static Error write(StringRef file, StringRef content) {
  if (std::error_code error = writeFile(file, content))
    return createStringError("cannot write '" +
                             (file == "-" ? "standard output" : file) +
                             "': " + error.message());
  return Error::success();
}

/// Compiles for all targets; what was made is written only if all succeed.
static Expected<bool> run(const ToolOptions &options) {
  auto file = MemoryBuffer::getFileOrSTDIN(options.input, /*IsText=*/true);
  if (!file)
    return createStringError("cannot read '" + options.input +
                             "': " + file.getError().message());
  CompileOptions compileOptions;
  compileOptions.partition = options.partition;
  compileOptions.emit = options.emit;
  compileOptions.explain = options.remarks;

  std::vector<std::string> targets = options.targets;
  if (options.emit == Stage::Row)
    targets = {""};
  std::vector<std::string> outputs;
  for (const std::string &target : targets) {
    CompileResult result;
    compileOptions.target = target;
    bool good =
        compile((*file)->getBuffer(), options.input, compileOptions, result);
    errs() << result.diagnostics;
    if (!good)
      return false;
    if (options.timing)
      printTiming(target, result.timing);
    outputs.push_back(std::move(result.output));
  }
  for (auto [target, output] : zip_equal(targets, outputs))
    if (Error error = write(outputFor(options, target), output))
      return std::move(error);
  return true;
}

static Expected<bool> runTool(ArrayRef<const char *> args) {
  auto options = parseOptions(args);
  if (!options)
    return options.takeError();
  if (options->help) {
    if (Error error = write("-", compileHelpText))
      return std::move(error);
    return true;
  }
  return run(*options);
}

int main(int argc, char **argv) {
  auto good = runTool(ArrayRef(argv + 1, argc > 0 ? argc - 1 : 0));
  if (good)
    return *good ? 0 : 1;
  errs() << "rowmill-compile: error: " << toString(good.takeError()) << '\n';
  return 1;
}
