// SPDX-License-Identifier: Apache-2.0
#include "inventory/runs/run_sites.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

namespace culprit::inventory {
namespace {

constexpr char kSchema[] = "culprit.sites/1";

// One object of the file, and how an error names it.
class Fields {
 public:
  Fields(const nlohmann::json& object, std::string where)
      : object_(object), where_(std::move(where)) {
    if (!object.is_object()) throw InputError(where_ + " must be an object");
  }

  std::string String(const char* key) const {
    const auto value = object_.find(key);
    if (value == object_.end() || !value->is_string()) Fail(key, "a string");
    return value->get<std::string>();
  }

  uint64_t Count(const char* key, uint64_t most = std::numeric_limits<uint64_t>::max()) const {
    const auto value = object_.find(key);
    if (value == object_.end() || !value->is_number_unsigned() || value->get<uint64_t>() > most)
      Fail(key, "a number from 0");
    return value->get<uint64_t>();
  }

  [[noreturn]] void Fail(const char* key, std::string_view type) const {
    throw InputError(fmt::format("{} needs '{}', {}", where_, key, type));
  }

 private:
  const nlohmann::json& object_;
  std::string where_;
};

nlohmann::json ParseJson(const std::string& text, const std::string& path) {
  try {
    return nlohmann::json::parse(text);
  } catch (const nlohmann::json::parse_error& error) {
    const size_t byte = std::min(text.size(), error.byte);
    const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<long>(byte), '\n');
    throw InputError(fmt::format("{}:{}: not JSON", path, line));
  }
}

Frame ReadFrame(const Fields& fields) {
  return {fields.String("file"),
          static_cast<uint32_t>(fields.Count("line", std::numeric_limits<uint32_t>::max())),
          fields.String("function")};
}

RunSite ReadSite(const nlohmann::json& object, const std::string& where) {
  const Fields fields(object, where);
  const std::string name = fields.String("entry");
  RunSite site;
  site.entry = FindEntry(name);
  if (!site.entry)
    throw InputError(fmt::format("{}: '{}' is no entry of the driver API", where, name));
  site.frames.push_back(ReadFrame(fields));
  if (const auto callers = object.find("callers"); callers != object.end()) {
    if (!callers->is_array()) fields.Fail("callers", "a list");
    for (const nlohmann::json& caller : *callers)
      site.frames.push_back(ReadFrame(Fields(caller, where + ": a caller")));
  }
  site.runs = fields.Count("runs");
  site.failed = fields.Count("failed");
  site.retried = fields.Count("retried");
  return site;
}

}  // namespace

std::vector<RunSite> ParseRunSites(const std::string& text, const std::string& path) {
  const nlohmann::json document = ParseJson(text, path);
  const Fields fields(document, path + ": the file");
  if (fields.String("schema") != kSchema)
    throw InputError(fmt::format("{}: the schema must be \"{}\"", path, kSchema));
  const auto list = document.find("sites");
  if (list == document.end() || !list->is_array()) fields.Fail("sites", "a list");
  std::vector<RunSite> sites;
  for (const nlohmann::json& object : *list)
    sites.push_back(ReadSite(object, fmt::format("{}: site {}", path, sites.size() + 1)));
  return sites;
}

}  // namespace culprit::inventory
