// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Parses the command line of rowmill-run.
#include "Options.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <climits>

using namespace llvm;

namespace rowmill {

const char *const kHelpText =
    R"(rowmill-run: run a kernel of a code object on the emulator

usage: rowmill-run OBJECT [--kernel=NAME] --arg NAME=VALUE... [--out NAME=FILE]...
       rowmill-run OBJECT --info

OBJECT is a file that rowmill-compile made. All there is to know of a launch is
in it: --info shows the kernels, their arguments and how rows become workgroups.

options:
  --arg NAME=VALUE      the value of one argument; see below
  --out NAME=FILE       write an argument to a .npy file after the launch; an
                        argument that is only written needs no --arg if its
                        sizes are known
  --rows=N              the dynamic sizes of zeros, fill and --out arrays that
                        do not give their own
  --kernel=NAME         the kernel to run; needed when there are several
  --variant=N           run this variant of the kernel, whatever the number of
                        rows; --info shows which there are
  --info                describe the kernels and run none
  --stats[=opcodes]     print how many instructions were executed, by class
                        [and by opcode], and the bytes moved
  --max-instructions=N  fail when a wave executes more
  --check-alignment     fail at an access that is not aligned to its size, which
                        the hardware allows at a price
  --help                show this text

values of an array argument:
  FILE                  a .npy file of the argument's element type and shape; a
                        name with '=' or ':' in it is fine, one that starts with
                        'zeros' or 'fill:' needs a './' before it
  zeros[:SHAPE]         zeros
  fill:NUMBER[:SHAPE]   every element is NUMBER; integers may be hexadecimal
SHAPE is AxBxC: all sizes, or only the dynamic ones (shown as ? by --info).
values of a scalar argument: a number, such as 3 or 1e-6

Arrays of bf16 are what numpy saves for ml_dtypes.bfloat16 ('<V2') or uint16
arrays; FP8, FP4 and scale bytes are uint8, int8 or '|V1' arrays.

examples:
  rowmill-run norm.hsaco --info
  rowmill-run norm.hsaco --arg x=in.npy --arg w=weight.npy --arg eps=1e-6 \
      --arg y=zeros:1000x512 --out y=y.npy
  rowmill-run norm.hsaco --rows=64 --arg x=fill:1 --arg w=fill:1 \
      --arg eps=1e-6 --out y=y.npy --stats
)";

static Error makeError(const Twine &message) {
  return createStringError(message.str());
}

static Error parseAssignment(StringRef option, StringRef text,
                             std::vector<RunOptions::Assignment> &result) {
  auto [name, value] = text.split('=');
  if (name.empty() || value.empty())
    return makeError("option '" + option + "' expects NAME=" +
                     (option == "--out" ? "FILE" : "VALUE") + ", but got '" +
                     text + "'");
  result.push_back({name.str(), value.str()});
  return Error::success();
}

/// Sets the option `name` to `value`.
static Error setValue(StringRef name, StringRef value, RunOptions &options) {
  if (name == "--arg")
    return parseAssignment(name, value, options.args);
  if (name == "--out")
    return parseAssignment(name, value, options.outs);
  if (name == "--kernel") {
    options.kernel = value.str();
    return Error::success();
  }
  int64_t number;
  if (value.getAsInteger(0, number) || number < 0)
    return makeError("option '" + name + "' expects a number, but got '" +
                     value + "'");
  if (name == "--rows")
    options.rows = number;
  else if (name == "--variant")
    options.variant = static_cast<unsigned>(std::min<int64_t>(number, INT_MAX));
  else
    options.maxInstructions = static_cast<uint64_t>(number);
  return Error::success();
}

static bool takesValue(StringRef name) {
  return name == "--arg" || name == "--out" || name == "--kernel" ||
         name == "--rows" || name == "--variant" ||
         name == "--max-instructions";
}

/// Sets an option that stands alone.
static Error setFlag(StringRef arg, RunOptions &options) {
  if (arg == "--help" || arg == "-h")
    options.help = true;
  else if (arg == "--info")
    options.info = true;
  else if (arg == "--check-alignment")
    options.checkAlignment = true;
  else if (arg == "--stats")
    options.stats = RunOptions::Stats::Classes;
  else if (arg == "--stats=opcodes")
    options.stats = RunOptions::Stats::Opcodes;
  else
    return makeError("unknown option '" + arg + "'; see --help");
  return Error::success();
}

Expected<RunOptions> parseOptions(ArrayRef<const char *> args) {
  RunOptions options;
  for (size_t i = 0; i < args.size(); ++i) {
    StringRef arg = args[i];
    if (!arg.starts_with("-") || arg == "-") {
      if (!options.object.empty())
        return makeError("expects one code object, but got '" + options.object +
                         "' and '" + arg + "'");
      options.object = arg.str();
      continue;
    }
    auto [name, value] = arg.split('=');
    if (!takesValue(name)) {
      if (Error error = setFlag(arg, options))
        return std::move(error);
      continue;
    }
    if (name.size() == arg.size()) {
      if (++i == args.size())
        return makeError("option '" + name + "' expects a value");
      value = args[i];
    }
    if (Error error = setValue(name, value, options))
      return std::move(error);
  }
  if (options.object.empty() && !options.help)
    return makeError("expects a code object; see --help");
  return options;
}

} // namespace rowmill
