// SPDX-License-Identifier: Apache-2.0
#include "input/json_object.h"

#include <algorithm>
#include <utility>

namespace culprit {
namespace {

// Copies of deeper values would use up the stack.
constexpr int kDeepest = 200;

// Looks at brackets outside of strings only, so that it may be asked of what is no JSON.
bool IsTooDeep(const std::string& text) {
  int depth = 0;
  bool quoted = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c == '\\') ++i;
      quoted = c != '"';
    } else if (c == '"') {
      quoted = true;
    } else if (c == '[' || c == '{') {
      if (++depth > kDeepest) return true;
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
  return false;
}

}  // namespace

template <typename Json>
Json ParseJson(const std::string& text, const std::string& file) {
  if (IsTooDeep(text)) throw InputError(file + ": is nested too deeply");
  try {
    return Json::parse(text);
  } catch (const typename Json::parse_error& error) {
    const auto byte = static_cast<ptrdiff_t>(std::min(text.size(), error.byte));
    const auto line = 1 + std::count(text.begin(), text.begin() + byte, '\n');
    throw InputError(text.empty() ? file + ": is empty"
                                  : file + ":" + std::to_string(line) + ": not JSON");
  } catch (const typename Json::out_of_range&) {
    throw InputError(file + ": holds a number that is too large");
  }
}

template nlohmann::json ParseJson(const std::string&, const std::string&);
template nlohmann::ordered_json ParseJson(const std::string&, const std::string&);

JsonObject::JsonObject(nlohmann::json object, const std::string& file, const std::string& name)
    : object_(std::move(object)), file_(file), name_(name) {
  if (!object_.is_object()) throw InputError(where() + " must be an object");
}

JsonObject::JsonObject(nlohmann::json object, const JsonObject& parent, const std::string& name)
    : JsonObject(std::move(object), parent.file_,
                 parent.whole_ ? name : parent.name_ + ": " + name) {
  whole_ = false;
}

void JsonObject::Fail(const char* key, const std::string& wanted) const {
  throw InputError(where() + " needs '" + key + "', " + wanted);
}

const nlohmann::json& JsonObject::Find(const char* key, const std::string& wanted,
                                       bool (nlohmann::json::*is)() const noexcept) const {
  const auto found = object_.find(key);
  if (found == object_.end() || !((*found).*is)()) Fail(key, wanted);
  return *found;
}

std::string JsonObject::Text(const char* key) const {
  return Find(key, "a string", &nlohmann::json::is_string).get<std::string>();
}

std::string JsonObject::NotEmpty(const char* key) const {
  std::string text = Text(key);
  if (text.empty()) Fail(key, "a string that is not empty");
  return text;
}

bool JsonObject::Flag(const char* key) const {
  return Find(key, "true or false", &nlohmann::json::is_boolean).get<bool>();
}

uint64_t JsonObject::Number(const char* key, uint64_t least, uint64_t most) const {
  std::string wanted = "a number from " + std::to_string(least);
  if (most != std::numeric_limits<uint64_t>::max()) wanted += " to " + std::to_string(most);
  const auto value = Find(key, wanted, &nlohmann::json::is_number_unsigned).get<uint64_t>();
  if (value < least || value > most) Fail(key, wanted);
  return value;
}

std::vector<std::string> JsonObject::Texts(const char* key) const {
  std::vector<std::string> texts;
  for (const nlohmann::json& item : Find(key, "a list of strings", &nlohmann::json::is_array)) {
    if (!item.is_string()) Fail(key, "a list of strings");
    texts.push_back(item.get<std::string>());
  }
  return texts;
}

JsonObject JsonObject::Object(const char* key) const {
  return {Find(key, "an object", &nlohmann::json::is_object), *this, key};
}

std::vector<JsonObject> JsonObject::Objects(const char* key, const std::string& one) const {
  std::vector<JsonObject> objects;
  for (const nlohmann::json& item : Find(key, "a list", &nlohmann::json::is_array)) {
    objects.push_back({item, *this, one + " " + std::to_string(objects.size() + 1)});
  }
  return objects;
}

}  // namespace culprit
