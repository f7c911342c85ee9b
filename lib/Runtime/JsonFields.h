// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Takes typed fields out of JSON objects, with a message for the first problem.
#ifndef ROWMILL_LIB_RUNTIME_JSONFIELDS_H
#define ROWMILL_LIB_RUNTIME_JSONFIELDS_H

#include "rowmill/Runtime/KernelInfo.h"
#include "llvm/Support/JSON.h"

namespace rowmill {

/// Each method returns false after it has noted the first problem in `failure`.
class JsonFields {
public:
  bool fail(const llvm::Twine &message);
  bool getInteger(const llvm::json::Value *value, const llvm::Twine &what,
                  int64_t min, int64_t max, int64_t &result);
  bool getUnsigned(const llvm::json::Object &object, llvm::StringRef key,
                   int64_t min, int64_t max, unsigned &result);
  bool getString(const llvm::json::Object &object, llvm::StringRef key,
                 std::string &result);
  bool getArray(const llvm::json::Object &object, llvm::StringRef key,
                const llvm::json::Array *&result);

  /// The kernel and argument being read, for messages.
  std::string where;
  std::string failure;
};

std::string quote(llvm::StringRef text);

/// Reads the `variants` of a kernel whose other fields are known.
bool parseVariants(JsonFields &fields, const llvm::json::Object &object,
                   KernelInfo &kernel);

/// Reads what a kernel demands of sizes: `equal` and `minimum`.
bool parseSizeRules(JsonFields &fields, const llvm::json::Object &object,
                    KernelInfo &kernel);

} // namespace rowmill

#endif // ROWMILL_LIB_RUNTIME_JSONFIELDS_H
