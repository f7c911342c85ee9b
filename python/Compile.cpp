// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// `rowmill.compile`: a module of row kernels to code objects.
#include "Compile.h"
#include "rowmill/Pipeline/Compiler.h"
#include "llvm/ADT/StringExtras.h"
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <stdexcept>

namespace nb = nanobind;
using namespace nb::literals;

namespace rowmill::python {

namespace {
/// Raised as `rowmill.CompileError`.
struct CompileError : std::runtime_error {
  using std::runtime_error::runtime_error;
};
} // namespace

static Stage getStage(const std::string &name) {
  if (std::optional<Stage> stage = parseStage(name))
    return *stage;
  throw CompileError("expects 'emit' to be one of " +
                     llvm::join(getStageNames(), ", ") + ", but got '" + name +
                     "'");
}

/// Takes one target or a sequence of them.
static std::vector<std::string> getTargets(nb::object targets) {
  if (nb::isinstance<nb::str>(targets))
    return {nb::cast<std::string>(targets)};
  std::vector<std::string> list;
  if (!nb::try_cast(targets, list))
    throw nb::type_error("compile() expects a target or a sequence of them");
  if (list.empty())
    throw CompileError("expects at least one target");
  return list;
}

/// Passes on what the compiler has to say about a module that it compiled.
static void warn(const std::string &diagnostics) {
  if (!diagnostics.empty() &&
      PyErr_WarnEx(PyExc_UserWarning, diagnostics.c_str(), /*stack_level=*/1))
    throw nb::python_error();
}

static nb::dict compileModule(const std::string &source, nb::object targets,
                              int64_t lanesPerRow, int64_t wavesPerRow,
                              int64_t wavesPerGroup, int64_t workgroupsPerRow,
                              const std::string &emit,
                              const std::string &filename, bool explain) {
  CompileOptions options;
  options.partition.lanesPerRow = lanesPerRow;
  options.partition.wavesPerRow = wavesPerRow;
  options.partition.wavesPerGroup = wavesPerGroup;
  options.partition.workgroupsPerRow = workgroupsPerRow;
  options.emit = getStage(emit);
  options.explain = explain;
  nb::dict outputs;
  for (const std::string &target : getTargets(targets)) {
    options.target = target;
    CompileResult result;
    bool succeeded;
    {
      nb::gil_scoped_release release;
      succeeded = compile(source, filename, options, result);
    }
    std::string diagnostics = llvm::StringRef(result.diagnostics).rtrim().str();
    if (!succeeded)
      throw CompileError(diagnostics);
    warn(diagnostics);
    const std::string &output = result.output;
    outputs[target.c_str()] =
        isTextStage(options.emit)
            ? nb::object(nb::str(output.data(), output.size()))
            : nb::object(nb::bytes(output.data(), output.size()));
  }
  return outputs;
}

void defineCompiler(nb::module_ &module) {
  auto error =
      nb::exception<CompileError>(module, "CompileError", PyExc_RuntimeError);
  error.attr("__module__") = "rowmill";
  error.attr("__doc__") = "A module that cannot be compiled; the message is "
                          "what the compiler says, with source locations.";
  module.def(
      "compile", compileModule, "source"_a, "targets"_a, nb::kw_only(),
      "lanes_per_row"_a = 0, "waves_per_row"_a = 0, "waves_per_group"_a = 0,
      "workgroups_per_row"_a = 0, "emit"_a = "hsaco", "filename"_a = "<string>",
      "explain"_a = false,
      nb::sig("def compile(source: str, targets: str | list[str], *, "
              "lanes_per_row: int = 0, waves_per_row: int = 0, "
              "waves_per_group: int = 0, workgroups_per_row: int = 0, "
              "emit: str = 'hsaco', filename: str = '<string>', explain: bool "
              "= False) -> dict"),
      "Compile the text of a module of row kernels for each of `targets`.\n\n"
      "Return a dict from target to code object (bytes), or to text where "
      "`emit` names\na stage with text: row, tiled, distributed, rocdl, llvm, "
      "asm. The partition is\nthe compiler's choice where it is 0; `explain` "
      "has it warn with its reasons.");
}

} // namespace rowmill::python
