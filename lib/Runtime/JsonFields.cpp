// Part of Rowmill, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// Typed fields of JSON objects.
#include "JsonFields.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace rowmill;

bool JsonFields::fail(const Twine &message) {
  failure = (where.empty() ? message : where + ": " + message).str();
  return false;
}

std::string rowmill::quote(StringRef text) { return ("'" + text + "'").str(); }

bool JsonFields::getInteger(const json::Value *value, const Twine &what,
                            int64_t min, int64_t max, int64_t &result) {
  std::optional<int64_t> number;
  if (value)
    number = value->getAsInteger();
  if (!number)
    return fail(what + (value ? " is not an integer" : " is missing"));
  if (*number < min || *number > max)
    return fail(what + " is " + Twine(*number) + ", outside of " + Twine(min) +
                " to " + Twine(max));
  result = *number;
  return true;
}

bool JsonFields::getUnsigned(const json::Object &object, StringRef key,
                             int64_t min, int64_t max, unsigned &result) {
  int64_t number;
  if (!getInteger(object.get(key), quote(key), min, max, number))
    return false;
  result = static_cast<unsigned>(number);
  return true;
}

bool JsonFields::getString(const json::Object &object, StringRef key,
                           std::string &result) {
  std::optional<StringRef> text = object.getString(key);
  if (!text || text->empty())
    return fail(quote(key) + (object.get(key) ? " is not a non-empty string"
                                              : " is missing"));
  // Names go into one-line messages.
  if (!all_of(*text, [](char c) { return isPrint(c); }))
    return fail(quote(key) + " has unprintable characters");
  result = text->str();
  return true;
}

bool JsonFields::getArray(const json::Object &object, StringRef key,
                          const json::Array *&result) {
  result = object.getArray(key);
  if (!result)
    return fail(quote(key) +
                (object.get(key) ? " is not an array" : " is missing"));
  return true;
}
