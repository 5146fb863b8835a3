// SPDX-License-Identifier: Apache-2.0
#include "inventory/suppress/baseline.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "input/day.h"
#include "input/json_object.h"

namespace culprit::inventory {
namespace {

constexpr uint64_t kFormatVersion = 1;

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

Baseline ParseBaseline(const std::string& text, const std::string& path) {
  const JsonObject document(ParseJson(text, path), path, "the baseline");
  if (document.Number("version") != kFormatVersion)
    document.Fail("version", std::to_string(kFormatVersion));
  Baseline baseline{path, {}};
  LineFinder lines(text);
  for (const JsonObject& entry : document.Objects("entries", "entry")) {
    const auto optional = [&](const char* key) {
      return entry.Has(key) ? entry.Text(key) : std::string();
    };
    BaselineEntry read{entry.NotEmpty("fingerprint"),
                       optional("rule"),
                       optional("path"),
                       optional("message"),
                       entry.NotEmpty("reason"),
                       optional("expires"),
                       0};
    if (!read.expires.empty() && !IsDay(read.expires))
      entry.Fail("expires", "a day such as 2027-01-31, which exists");
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
