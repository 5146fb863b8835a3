// SPDX-License-Identifier: Apache-2.0
#include "inventory/suppress/baseline.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>

#include "inventory/contract/input_error.h"

namespace culprit::inventory {
namespace {

constexpr int kFormatVersion = 1;

std::string Text(const nlohmann::json& entry, const char* key, const std::string& path,
                 size_t number, bool required) {
  const auto value = entry.find(key);
  if (value == entry.end() && !required) return {};
  if (value == entry.end() || !value->is_string() ||
      (required && value->get<std::string>().empty())) {
    throw InputError(
        fmt::format("{}: entry {} needs '{}', a string that is not empty", path, number, key));
  }
  return value->get<std::string>();
}

// Lines of the entries, which a file has in the order in which they are asked for: each search goes
// on where the last one ended, so that a long baseline is read once.
class LineFinder {
 public:
  explicit LineFinder(const std::string& text) : text_(text) {}

  unsigned LineOf(const std::string& fingerprint) {
    const size_t at = text_.find('"' + fingerprint + '"', at_);
    if (at == std::string::npos) return 1;
    line_ += static_cast<unsigned>(std::count(text_.begin() + static_cast<long>(at_),
                                              text_.begin() + static_cast<long>(at), '\n'));
    at_ = at;
    return line_;
  }

 private:
  const std::string& text_;
  size_t at_ = 0;
  unsigned line_ = 1;
};

}  // namespace

bool IsDate(std::string_view text) {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return false;
  for (const size_t i : {0, 1, 2, 3, 5, 6, 8, 9}) {
    if (!std::isdigit(static_cast<unsigned char>(text[i]))) return false;
  }
  const int month = (text[5] - '0') * 10 + text[6] - '0',
            day = (text[8] - '0') * 10 + text[9] - '0';
  return month >= 1 && month <= 12 && day >= 1 && day <= 31;
}

Baseline ParseBaseline(const std::string& text, const std::string& path) {
  const auto document = nlohmann::json::parse(text, nullptr, false);
  if (document.is_discarded()) throw InputError(path + ": not JSON");
  if (!document.is_object() || !document.contains("version") ||
      document["version"] != kFormatVersion) {
    throw InputError(fmt::format("{}: a baseline needs \"version\": {}", path, kFormatVersion));
  }
  Baseline baseline{path, {}};
  if (!document.contains("entries") || !document["entries"].is_array())
    throw InputError(path + ": a baseline needs \"entries\", a list");
  size_t number = 0;
  LineFinder lines(text);
  for (const auto& entry : document["entries"]) {
    ++number;
    if (!entry.is_object())
      throw InputError(fmt::format("{}: entry {} is no object", path, number));
    BaselineEntry read{Text(entry, "fingerprint", path, number, true),
                       Text(entry, "rule", path, number, false),
                       Text(entry, "path", path, number, false),
                       Text(entry, "message", path, number, false),
                       Text(entry, "reason", path, number, true),
                       Text(entry, "expires", path, number, false),
                       0};
    if (!read.expires.empty() && !IsDate(read.expires)) {
      throw InputError(fmt::format("{}: entry {}: '{}' is no date such as 2027-01-31", path, number,
                                   read.expires));
    }
    read.line = lines.LineOf(read.fingerprint);
    baseline.entries.push_back(std::move(read));
  }
  return baseline;
}

std::string WriteBaseline(const std::vector<Finding>& findings, const Baseline& old,
                          const std::string& reason, const std::string& expires) {
  nlohmann::ordered_json document = {{"version", kFormatVersion},
                                     {"entries", nlohmann::ordered_json::array()}};
  for (const Finding& finding : findings) {
    if (finding.standing == Standing::kSuppressed) continue;
    const auto known = std::find_if(
        old.entries.begin(), old.entries.end(),
        [&](const BaselineEntry& entry) { return entry.fingerprint == finding.fingerprint; });
    const bool keep = known != old.entries.end();
    nlohmann::ordered_json entry = {{"fingerprint", finding.fingerprint},
                                    {"rule", InfoOf(finding.rule).name},
                                    {"path", finding.where.path},
                                    {"message", finding.message},
                                    {"reason", keep ? known->reason : reason}};
    const std::string date = keep ? known->expires : expires;
    if (!date.empty()) entry["expires"] = date;
    document["entries"].push_back(std::move(entry));
  }
  return document.dump(2) + "\n";
}

}  // namespace culprit::inventory
