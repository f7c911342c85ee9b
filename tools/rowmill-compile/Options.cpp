// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Parses the command line of rowmill-compile. By hand: options that are
// registered with LLVM are reset when the linker runs, and --help would list
// the options of LLVM.

#include "Options.h"
#include "rowmill/Target/Arch.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace rowmill {

const char *const compileHelpText =
    R"(rowmill-compile: compile row kernels for AMD GPUs

usage: rowmill-compile INPUT --target=ARCH[,ARCH...] [-o FILE] [options]

INPUT is a file of row kernels in MLIR's text, - for standard input. The output
is one code object a target: it holds every kernel of the input, and in its
section .rowmill all that is needed to launch them.

output:
  --target=ARCH[,ARCH]  gfx942, gfx950, gfx1250; may be given more than once
  -o FILE               where the output goes, - for standard output; with
                        several targets, %t in the name becomes the target.
                        Text goes to standard output if no file is given
  --emit=STAGE          stop after a stage and print what it made:
      row                 the kernels as they were read
      tiled               rows laid over a grid of workgroups
      distributed         a row spread over the lanes that hold it
      rocdl               the instructions of the arch, in MLIR
      llvm                optimised LLVM IR
      asm                 assembly
      obj                 an object file, not linked
      hsaco               a code object (the default)

partition; each is a power of two or auto, the default:
  --lanes-per-row=N     lanes of a wave that hold a row
  --waves-per-row=N     waves that share a row: the sources of its pool, or
                        where it has none, its elements. auto makes variants of
                        a kernel that pools, for few and for many rows
  --waves-per-group=N   waves of a workgroup
  --workgroups-per-row=N
                        workgroups that share a row's elements; a kernel that
                        pools is then cut after its pool into two launches

messages, on standard error:
  --no-remarks          do not explain what auto has chosen
  --timing              print how long each part took, for each target
  --help                show this text

examples:
  rowmill-compile norm.mlir --target=gfx950 -o norm.hsaco
  rowmill-compile norm.mlir --target=gfx942,gfx950 -o norm-%t.hsaco
  rowmill-compile norm.mlir --target=gfx950 --emit=asm | less
  rowmill-compile norm.mlir --target=gfx950 --lanes-per-row=16 --emit=distributed
  rowmill-run norm.hsaco --info
)";

static Error makeError(const Twine &message) {
  return createStringError(message.str());
}

static Error addTargets(StringRef value, ToolOptions &options) {
  SmallVector<StringRef> names;
  value.split(names, ',');
  for (StringRef name : names) {
    if (!lookupArch(name))
      return makeError("unknown target '" + name + "', expects one of " +
                       knownArchNames());
    if (!is_contained(options.targets, name))
      options.targets.push_back(name.str());
  }
  return Error::success();
}

static Error setStage(StringRef value, ToolOptions &options) {
  std::optional<Stage> stage = parseStage(value);
  if (!stage)
    return makeError("unknown stage '" + value + "', expects one of " +
                     join(getStageNames(), ", "));
  options.emit = *stage;
  return Error::success();
}

/// The number of the partition that an option sets; null for other options.
static int64_t *findNumber(StringRef name, ToolOptions &options) {
  if (name == "--lanes-per-row")
    return &options.partition.lanesPerRow;
  if (name == "--waves-per-row")
    return &options.partition.wavesPerRow;
  if (name == "--waves-per-group")
    return &options.partition.wavesPerGroup;
  if (name == "--workgroups-per-row")
    return &options.partition.workgroupsPerRow;
  return nullptr;
}

static Error setValue(StringRef name, StringRef value, ToolOptions &options) {
  if (name == "--target")
    return addTargets(value, options);
  if (name == "--emit")
    return setStage(value, options);
  if (int64_t *number = findNumber(name, options)) {
    *number = 0;
    if (value != "auto" && (value.getAsInteger(10, *number) || *number < 1))
      return makeError("option '" + name +
                       "' expects a power of two or 'auto', but got '" + value +
                       "'");
    return Error::success();
  }
  options.output = value.str();
  return Error::success();
}

/// Sets an option that stands alone.
static Error setFlag(StringRef arg, ToolOptions &options) {
  if (arg == "--help" || arg == "-h")
    options.help = true;
  else if (arg == "--no-remarks")
    options.remarks = false;
  else if (arg == "--timing")
    options.timing = true;
  else
    return makeError("unknown option '" + arg + "'; see --help");
  return Error::success();
}

static Error checkTogether(const ToolOptions &options) {
  if (options.input.empty())
    return makeError("expects an input file; see --help");
  if (options.targets.empty() && options.emit != Stage::Row)
    return makeError("expects --target=ARCH, one of " + knownArchNames());
  if (options.output.empty() && !isTextStage(options.emit))
    return makeError("expects -o FILE for --emit=" +
                     getStageNames()[size_t(options.emit)]);
  if (options.targets.size() > 1 && options.emit != Stage::Row &&
      !StringRef(options.output).contains("%t"))
    return makeError("expects -o with %t in the name for several targets");
  return Error::success();
}

Expected<ToolOptions> parseOptions(ArrayRef<const char *> args) {
  ToolOptions options;
  for (size_t i = 0; i < args.size(); ++i) {
    StringRef arg = args[i];
    if (!arg.starts_with("-") || arg == "-") {
      if (!options.input.empty())
        return makeError("expects one input, but got '" + options.input +
                         "' and '" + arg + "'");
      options.input = arg.str();
      continue;
    }
    auto [name, value] = arg.split('=');
    if (name != "-o" && name != "--target" && name != "--emit" &&
        !findNumber(name, options)) {
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
  if (options.help)
    return options;
  if (Error error = checkTogether(options))
    return std::move(error);
  return options;
}

std::string outputFor(const ToolOptions &options, StringRef target) {
  if (options.output.empty())
    return "-";
  std::string name = options.output;
  for (size_t at = name.find("%t"); at != std::string::npos;
       at = name.find("%t", at + target.size()))
    name.replace(at, 2, target.str());
  return name;
}

} // namespace rowmill
