// SPDX-License-Identifier: Apache-2.0
//
// JSON files that a user hands in, or that were written long ago and perhaps edited since: every
// field is looked at before it is taken, and an error names the file, the place and the type that
// is wanted.
#ifndef INPUT_JSON_OBJECT_H_
#define INPUT_JSON_OBJECT_H_

#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "input/input_error.h"

namespace culprit {

// Throws InputError with the line when the text is no JSON, or is nested too deeply to be a file of
// ours. `Json` is nlohmann::json or nlohmann::ordered_json.
template <typename Json = nlohmann::json>
Json ParseJson(const std::string& text, const std::string& file);

// An object, and how an error names it. All methods throw InputError:
// "failure.json: settings needs 'bits', a number from 8 to 16".
class JsonObject {
 public:
  // Of the file as a whole; `name` is what errors call it: "the replay".
  JsonObject(nlohmann::json object, const std::string& file, const std::string& name = "the file");

  bool Has(const char* key) const { return object_.contains(key); }
  std::string Text(const char* key) const;      // may be empty
  std::string NotEmpty(const char* key) const;  // a text that is not
  bool Flag(const char* key) const;
  uint64_t Number(const char* key, uint64_t least = 0,
                  uint64_t most = std::numeric_limits<uint64_t>::max()) const;
  std::vector<std::string> Texts(const char* key) const;
  JsonObject Object(const char* key) const;
  // `one` is what an error calls one of them, before its number: "site".
  std::vector<JsonObject> Objects(const char* key, const std::string& one) const;

  // What is wrong with a value: "failure.json: the replay needs 'port', a path".
  [[noreturn]] void Fail(const char* key, const std::string& wanted) const;
  const nlohmann::json& json() const { return object_; }
  // "sites.json: site 3"
  std::string where() const { return file_ + ": " + name_; }

 private:
  JsonObject(nlohmann::json object, const JsonObject& parent, const std::string& name);
  const nlohmann::json& Find(const char* key, const std::string& wanted,
                             bool (nlohmann::json::*is)() const noexcept) const;

  nlohmann::json object_;
  std::string file_;
  std::string name_;
  bool whole_ = true;  // not a part of another object
};

}  // namespace culprit

#endif  // INPUT_JSON_OBJECT_H_
