// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// The Python module `rowmill._core`: code objects and their launches.
#include "Arguments.h"
#include "Compile.h"
#include "rowmill/Runtime/Device.h"
#include <mutex>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;
using namespace nb::literals;

namespace rowmill::python {

namespace {
/// A code object in memory. It is loaded onto the device at the first launch,
/// so that objects for any target can be looked into.
class CodeObject {
public:
  explicit CodeObject(nb::bytes bytes);

  const std::string &getTarget() const { return info.target; }
  std::vector<std::string> getKernels() const;
  nb::object getInfo(const std::string &name) const;
  nb::object launch(const nb::args &args, nb::kwargs kwargs);
  std::string getRepr() const;

private:
  const KernelInfo &lookup(const std::string &name) const;
  Device &getDevice();
  void addResources();

  std::string elf;
  ModuleInfo info;
  nb::dict metadata;
  std::mutex mutex;
  std::unique_ptr<Device> device;
};
} // namespace

static void throwOnError(llvm::Error error) {
  if (error)
    throw LaunchError(llvm::toString(std::move(error)));
}

CodeObject::CodeObject(nb::bytes bytes) : elf(bytes.c_str(), bytes.size()) {
  auto read = readModuleInfo(elf);
  if (!read)
    throw LaunchError("code object: " + llvm::toString(read.takeError()));
  info = std::move(*read);
  nb::object root = nb::module_::import_("json").attr("loads")(info.json);
  for (nb::handle kernel : root["kernels"])
    metadata[kernel["name"]] = kernel;
  addResources();
}

/// Puts beside each launch what it takes of the machine, which the code object
/// says elsewhere.
void CodeObject::addResources() {
  for (const KernelInfo &kernel : info.kernels) {
    nb::object variants = metadata[kernel.name.c_str()]["variants"];
    for (size_t i = 0; i < kernel.variants.size(); ++i) {
      nb::object launches = variants[i]["launches"];
      for (size_t j = 0; j < kernel.variants[i].launches.size(); ++j) {
        const ResourceInfo &from = *kernel.variants[i].launches[j].resources;
        nb::dict to;
        to["vgprs"] = from.vgprs;
        to["agprs"] = from.agprs;
        to["sgprs"] = from.sgprs;
        to["lds_bytes"] = from.ldsBytes;
        to["scratch_bytes"] = from.scratchBytes;
        launches[j]["resources"] = to;
      }
    }
  }
}

std::vector<std::string> CodeObject::getKernels() const {
  std::vector<std::string> names;
  for (const KernelInfo &kernel : info.kernels)
    names.push_back(kernel.name);
  return names;
}

const KernelInfo &CodeObject::lookup(const std::string &name) const {
  if (const KernelInfo *kernel = info.lookup(name))
    return *kernel;
  throw LaunchError("no kernel '" + name + "': the code object has " +
                    (info.kernels.empty() ? "none" : getKernelNames(info)));
}

nb::object CodeObject::getInfo(const std::string &name) const {
  lookup(name);
  // A copy, so that a caller's change changes no launch and no other caller.
  return nb::module_::import_("copy").attr("deepcopy")(metadata[name.c_str()]);
}

std::string CodeObject::getRepr() const {
  return "<rowmill.CodeObject for " + info.target + ": " +
         getKernelNames(info) + ">";
}

/// Called without the GIL.
Device &CodeObject::getDevice() {
  std::lock_guard<std::mutex> lock(mutex);
  if (!device) {
    auto loaded = createEmulatorDevice(elf);
    throwOnError(loaded.takeError());
    device = std::move(*loaded);
  }
  return *device;
}

static nb::dict makeDict(llvm::ArrayRef<LaunchStats::Counter> counters) {
  nb::dict dict;
  for (const LaunchStats::Counter &counter : counters)
    dict[counter.name.c_str()] = counter.value;
  return dict;
}

/// Takes its arguments apart itself: only so does any name but `stats` and
/// `variant` remain free for the kernel's.
nb::object CodeObject::launch(const nb::args &args, nb::kwargs kwargs) {
  if (args.size() != 1 || !nb::isinstance<nb::str>(args[0]))
    throw nb::type_error("launch() expects the kernel's name and then keyword "
                         "arguments only");
  const KernelInfo &kernel = lookup(nb::cast<std::string>(args[0]));
  bool withStats = false;
  if (kwargs.contains("stats")) {
    withStats = nb::cast<bool>(kwargs["stats"]);
    nb::del(kwargs["stats"]);
  }
  std::optional<unsigned> variant;
  if (kwargs.contains("variant")) {
    if (!kwargs["variant"].is_none())
      variant = nb::cast<unsigned>(kwargs["variant"]);
    nb::del(kwargs["variant"]);
  }
  HostArgs host = convertArguments(kernel, kwargs);
  auto bound = bindArguments(kernel, host.values, variant);
  throwOnError(bound.takeError());
  LaunchStats stats;
  {
    nb::gil_scoped_release release;
    throwOnError(getDevice().run(*bound, withStats ? &stats : nullptr));
  }
  if (!withStats)
    return nb::none();
  nb::dict result = makeDict(stats.counters);
  result["rows"] = bound->rows;
  result["variant"] = bound->variant;
  result["classes"] = makeDict(stats.classes);
  result["opcodes"] = makeDict(stats.opcodes);
  return result;
}

NB_MODULE(_core, m) {
  m.doc() = "Rowmill's compiler and runtime; import the package 'rowmill'.";
  defineCompiler(m);
  auto launchError =
      nb::exception<LaunchError>(m, "LaunchError", PyExc_RuntimeError);
  launchError.attr("__module__") = "rowmill";
  launchError.attr("__doc__") =
      "A code object that cannot be used, arguments that do not fit a kernel, "
      "or a fault of a running kernel.";

  nb::class_<CodeObject>(m, "CodeObject",
                         "A compiled module, loaded from the bytes of its "
                         "code object (hsaco).")
      .def(nb::init<nb::bytes>(), "data"_a)
      .def_prop_ro("target", &CodeObject::getTarget,
                   "The arch that the code is for, such as 'gfx950'.")
      .def_prop_ro("kernels", &CodeObject::getKernels,
                   "The names of the kernels.")
      .def("info", &CodeObject::getInfo, "name"_a,
           "Return the launch metadata of a kernel as a dict, as the code "
           "object has it, with\nthe registers, LDS and scratch memory of each "
           "launch as its 'resources'.")
      .def("launch", &CodeObject::launch,
           nb::sig("def launch(self, name: str, /, *, stats: bool = False, "
                   "variant: int | None = None, **args)"),
           "Run a kernel and wait for its end.\n\n"
           "Arguments are given by name: arrays of the declared element type "
           "(uint8 or\nint8 for i8, ml_dtypes or uint16 for bf16), which are "
           "read and written in\nplace, and numbers. The number of rows "
           "chooses among the kernel's variants\nunless `variant` does. With "
           "stats=True, return a dict of what was executed.")
      .def("__repr__", &CodeObject::getRepr);
}

} // namespace rowmill::python
