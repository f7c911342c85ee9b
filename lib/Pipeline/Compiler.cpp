// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Drives a module of row kernels through the stages.

#include "rowmill/Pipeline/Compiler.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "rowmill/Dialect/Row/IR/Row.h"
#include "rowmill/Pipeline/Pipelines.h"
#include "rowmill/Target/CodeGen.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Target/TargetMachine.h"
#include <chrono>

using namespace mlir;
using namespace rowmill;

static constexpr StringRef stageNames[] = {
    "row", "tiled", "distributed", "rocdl", "llvm", "asm", "obj", "hsaco"};

ArrayRef<StringRef> rowmill::getStageNames() { return stageNames; }

std::optional<Stage> rowmill::parseStage(StringRef name) {
  const StringRef *found = llvm::find(stageNames, name);
  if (found == std::end(stageNames))
    return std::nullopt;
  return static_cast<Stage>(found - stageNames);
}

bool rowmill::isTextStage(Stage stage) { return stage <= Stage::Asm; }

void rowmill::registerKernelDialects(DialectRegistry &registry) {
  registry.insert<arith::ArithDialect, gpu::GPUDialect, math::MathDialect,
                  memref::MemRefDialect, row::RowDialect, scf::SCFDialect,
                  vector::VectorDialect>();
}

namespace {

/// Adds the time of its life to a field.
class Stopwatch {
public:
  explicit Stopwatch(double &seconds)
      : seconds(seconds), start(std::chrono::steady_clock::now()) {}
  ~Stopwatch() {
    seconds +=
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
            .count();
  }

private:
  double &seconds;
  std::chrono::steady_clock::time_point start;
};

/// One compilation.
class Compilation {
public:
  Compilation(const CompileOptions &options, CompileResult &result)
      : options(options), result(result),
        context(getRegistry(), MLIRContext::Threading::DISABLED) {
    // A diagnostic shows the source line; the op as a whole adds nothing.
    context.printOpOnDiagnostic(false);
  }

  bool run(StringRef source, StringRef filename);

private:
  static const DialectRegistry &getRegistry();
  bool runPasses(ModuleOp module);
  bool runCodeGen(ModuleOp module);
  bool fail(llvm::Error error);
  void print(Operation *op) {
    llvm::raw_string_ostream os(result.output);
    op->print(os);
    os << '\n';
  }

  const CompileOptions &options;
  CompileResult &result;
  MLIRContext context;
};

} // namespace

const DialectRegistry &Compilation::getRegistry() {
  static const DialectRegistry registry = [] {
    DialectRegistry registry;
    registerKernelDialects(registry);
    registerTargetTranslations(registry);
    return registry;
  }();
  return registry;
}

bool Compilation::fail(llvm::Error error) {
  result.diagnostics += "error: " + llvm::toString(std::move(error)) + "\n";
  return false;
}

bool Compilation::run(StringRef source, StringRef filename) {
  llvm::SourceMgr sourceMgr;
  sourceMgr.AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBufferCopy(source, filename), llvm::SMLoc());
  llvm::raw_string_ostream diagnostics(result.diagnostics);
  SourceMgrDiagnosticHandler handler(sourceMgr, &context, diagnostics);
  OwningOpRef<ModuleOp> module;
  {
    Stopwatch watch(result.timing.parse);
    module = parseSourceFile<ModuleOp>(sourceMgr, &context);
  }
  if (!module)
    return false;
  for (Operation &op : *module->getBody())
    if (!isa<row::KernelOp>(op)) {
      op.emitOpError("stands among row kernels, but is none");
      return false;
    }
  if (module->getBody()->empty()) {
    emitError(module->getLoc(), "expects at least one row.kernel");
    return false;
  }
  if (options.emit == Stage::Row) {
    print(*module);
    return true;
  }
  if (!runPasses(*module))
    return false;
  if (options.emit <= Stage::Rocdl) {
    print(*module);
    return true;
  }
  return runCodeGen(*module);
}

bool Compilation::runPasses(ModuleOp module) {
  Stopwatch watch(result.timing.passes);
  PassManager pm(&context);
  pm.enableVerifier(true);
  buildTilePipeline(pm, options.target, options.partition, options.explain);
  if (options.emit >= Stage::Distributed)
    buildDistributePipeline(pm);
  if (options.emit >= Stage::Rocdl)
    buildROCDLPipeline(pm);
  return succeeded(pm.run(module));
}

bool Compilation::runCodeGen(ModuleOp module) {
  auto gpuModule = *module.getOps<gpu::GPUModuleOp>().begin();
  const Arch &arch = *lookupArch(options.target);
  std::string object;
  {
    Stopwatch watch(result.timing.llvm);
    std::string metadata = takeMetadata(gpuModule, arch);
    llvm::LLVMContext llvmContext;
    std::unique_ptr<llvm::Module> llvmModule =
        translateToLLVMIR(gpuModule, llvmContext);
    if (!llvmModule)
      return false;
    auto machine = createTargetMachine(arch);
    if (!machine)
      return fail(machine.takeError());
    optimize(*llvmModule, **machine, metadata);
    if (options.emit == Stage::Llvm) {
      llvm::raw_string_ostream(result.output) << *llvmModule;
      return true;
    }
    auto code = generate(*llvmModule, **machine,
                         options.emit == Stage::Asm ? CodeGenFile::Assembly
                                                    : CodeGenFile::Object);
    if (!code)
      return fail(code.takeError());
    object = std::move(*code);
  }
  if (options.emit != Stage::Hsaco) {
    result.output = std::move(object);
    return true;
  }
  Stopwatch watch(result.timing.link);
  auto linked = link(object);
  if (!linked)
    return fail(linked.takeError());
  result.output = std::move(*linked);
  return true;
}

bool rowmill::compile(StringRef source, StringRef filename,
                      const CompileOptions &options, CompileResult &result) {
  return Compilation(options, result).run(source, filename);
}
