// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// The compiler as a library: text in, any stage out.

#ifndef ROWMILL_PIPELINE_COMPILER_H
#define ROWMILL_PIPELINE_COMPILER_H

#include "rowmill/Dialect/Row/Transforms/Partition.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace mlir {
class DialectRegistry;
}

namespace rowmill {

/// Where compilation stops. The stages up to LLVM and Asm are text, the others
/// are ELF files.
enum class Stage { Row, Tiled, Distributed, Rocdl, Llvm, Asm, Obj, Hsaco };

/// "row", "tiled", ... as tools spell them, in order.
llvm::ArrayRef<llvm::StringRef> getStageNames();
std::optional<Stage> parseStage(llvm::StringRef name);
bool isTextStage(Stage stage);

struct CompileOptions {
  std::string target; ///< such as "gfx950"; Stage::Row needs none
  row::PartitionRequest partition;
  Stage emit = Stage::Hsaco;
  bool explain = false; ///< remarks on the compiler's choices
};

/// Wall time in seconds.
struct CompileTiming {
  double parse = 0;
  double passes = 0;
  double llvm = 0;
  double link = 0;
};

struct CompileResult {
  std::string output;
  /// Errors, warnings and remarks as `file:line:column: error: message` with
  /// the line of the source, a blank for none.
  std::string diagnostics;
  CompileTiming timing;
};

/// Compiles a module of row kernels. Returns false, with errors in
/// `result.diagnostics`, if it cannot. Shares no state between calls, which may
/// come from several threads.
bool compile(llvm::StringRef source, llvm::StringRef filename,
             const CompileOptions &options, CompileResult &result);

/// Registers the dialects that kernels are written in, and no others.
void registerKernelDialects(mlir::DialectRegistry &registry);

} // namespace rowmill

#endif // ROWMILL_PIPELINE_COMPILER_H
