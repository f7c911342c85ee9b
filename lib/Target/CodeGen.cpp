// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// LLVM IR, its optimisation, and code generation.

#include "rowmill/Target/CodeGen.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/GPU/GPUToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/ROCDL/ROCDLToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Triple.h"
#include <mutex>

using namespace rowmill;

static constexpr llvm::StringLiteral tripleName("amdgcn-amd-amdhsa");

void rowmill::registerTargetTranslations(mlir::DialectRegistry &registry) {
  mlir::registerBuiltinDialectTranslation(registry);
  mlir::registerGPUDialectTranslation(registry);
  mlir::registerLLVMDialectTranslation(registry);
  mlir::registerROCDLDialectTranslation(registry);
}

std::unique_ptr<llvm::Module>
rowmill::translateToLLVMIR(mlir::gpu::GPUModuleOp module,
                           llvm::LLVMContext &context) {
  auto llvmModule = mlir::translateModuleToLLVMIR(module, context, "rowmill");
  if (!llvmModule)
    return nullptr;
  // The translation of `rocdl.kernel` leaves room for 256 threads; the exact
  // number lets a wave use more registers.
  for (auto func : module.getOps<mlir::LLVM::LLVMFuncOp>()) {
    auto size = func->getAttrOfType<mlir::DenseI32ArrayAttr>(
        "rocdl.reqd_work_group_size");
    if (!size)
      continue;
    std::string threads = std::to_string(size[0]);
    llvmModule->getFunction(func.getSymName())
        ->addFnAttr("amdgpu-flat-work-group-size", threads + "," + threads);
  }
  return llvmModule;
}

llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
rowmill::createTargetMachine(const Arch &arch) {
  static std::once_flag registered;
  std::call_once(registered, [] {
    LLVMInitializeAMDGPUTarget();
    LLVMInitializeAMDGPUTargetInfo();
    LLVMInitializeAMDGPUTargetMC();
    LLVMInitializeAMDGPUAsmPrinter();
    LLVMInitializeAMDGPUAsmParser(); // for the metadata directives
  });
  llvm::Triple triple(tripleName);
  std::string error;
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target)
    return llvm::createStringError(error);
  std::unique_ptr<llvm::TargetMachine> machine(target->createTargetMachine(
      triple, arch.name, /*Features=*/"", llvm::TargetOptions(),
      llvm::Reloc::PIC_, std::nullopt, llvm::CodeGenOptLevel::Aggressive));
  if (!machine)
    return llvm::createStringError("no code generator for '%s'",
                                   arch.name.str().c_str());
  return machine;
}

/// Puts text into a section that takes part in no segment: loaders skip it, and
/// the linker keeps it. Every byte is escaped, so that no text can end the
/// directive.
static void embedMetadata(llvm::Module &module, llvm::StringRef metadata) {
  if (metadata.empty())
    return;
  std::string text = ".section .rowmill,\"\",@progbits\n.ascii \"";
  llvm::raw_string_ostream os(text);
  for (unsigned char c : metadata)
    os << '\\' << char('0' + (c >> 6)) << char('0' + (c >> 3 & 7))
       << char('0' + (c & 7));
  os << "\"\n.text\n";
  module.appendModuleInlineAsm(text);
}

void rowmill::optimize(llvm::Module &module, llvm::TargetMachine &machine,
                       llvm::StringRef metadata) {
  module.setTargetTriple(machine.getTargetTriple());
  module.setDataLayout(machine.createDataLayout());
  embedMetadata(module, metadata);

  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(&machine);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O3)
      .run(module, modules);
}

namespace {

/// Collects the errors of LLVM, which else would end the process.
class ErrorCollector : public llvm::DiagnosticHandler {
public:
  explicit ErrorCollector(std::string &errors) : errors(errors) {}

  bool handleDiagnostics(const llvm::DiagnosticInfo &info) override {
    if (info.getSeverity() != llvm::DS_Error)
      return true;
    llvm::raw_string_ostream os(errors);
    os << (errors.empty() ? "" : "; ");
    llvm::DiagnosticPrinterRawOStream printer(os);
    info.print(printer);
    return true;
  }

private:
  std::string &errors;
};

} // namespace

llvm::Expected<std::string> rowmill::generate(llvm::Module &module,
                                              llvm::TargetMachine &machine,
                                              CodeGenFile file) {
  llvm::SmallString<0> buffer;
  llvm::raw_svector_ostream os(buffer);
  llvm::legacy::PassManager passes;
  auto kind = file == CodeGenFile::Assembly
                  ? llvm::CodeGenFileType::AssemblyFile
                  : llvm::CodeGenFileType::ObjectFile;
  if (machine.addPassesToEmitFile(passes, os, nullptr, kind))
    return llvm::createStringError("the code generator cannot emit this file");
  std::string errors;
  module.getContext().setDiagnosticHandler(
      std::make_unique<ErrorCollector>(errors));
  passes.run(module);
  module.getContext().setDiagnosticHandler(nullptr);
  if (!errors.empty())
    return llvm::createStringError("cannot generate code: " + errors);
  return std::string(buffer);
}
