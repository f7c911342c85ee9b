// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// From the llvm and rocdl dialects to LLVM IR, assembly and code objects.

#ifndef ROWMILL_TARGET_CODEGEN_H
#define ROWMILL_TARGET_CODEGEN_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "rowmill/Target/Arch.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <string>

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace rowmill {

/// Registers what translateToLLVMIR needs.
void registerTargetTranslations(mlir::DialectRegistry &registry);

/// The launch metadata of the module's kernels as JSON, and nothing of it left
/// in the module. docs/KernelABI.md describes the format.
std::string takeMetadata(mlir::gpu::GPUModuleOp module, const Arch &arch);

/// Translates a lowered gpu.module; null after an error was reported.
std::unique_ptr<llvm::Module> translateToLLVMIR(mlir::gpu::GPUModuleOp module,
                                                llvm::LLVMContext &context);

/// The code generator of an arch.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
createTargetMachine(const Arch &arch);

/// Makes `module` one for the machine, with `metadata` in a section of its own,
/// and optimises it.
void optimize(llvm::Module &module, llvm::TargetMachine &machine,
              llvm::StringRef metadata);

enum class CodeGenFile { Assembly, Object };

/// Generates code. The module is used up.
llvm::Expected<std::string>
generate(llvm::Module &module, llvm::TargetMachine &machine, CodeGenFile file);

/// Links one object into a code object that a HIP runtime loads. Safe to call
/// from several threads.
llvm::Expected<std::string> link(llvm::StringRef object);

} // namespace rowmill

#endif // ROWMILL_TARGET_CODEGEN_H
