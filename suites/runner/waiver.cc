// SPDX-License-Identifier: Apache-2.0
#include "suites/runner/waiver.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

namespace culprit::suites {
namespace {

constexpr std::array kLists = {WaiverList::kNeverSupported, WaiverList::kExpectedToFail};

bool AnyOr(const std::string& wanted, const std::string& is) {
  return wanted.empty() || wanted == is;
}

// The fields that are texts, for reading and writing alike.
using Field = std::pair<const char*, std::string Waiver::*>;
constexpr std::array<Field, 9> kFields = {{{"suite", &Waiver::suite},
                                           {"scenario", &Waiver::scenario},
                                           {"profile", &Waiver::profile},
                                           {"policy", &Waiver::policy},
                                           {"extractor", &Waiver::extractor},
                                           {"finding", &Waiver::finding},
                                           {"entry", &Waiver::entry},
                                           {"reason", &Waiver::reason},
                                           {"expires", &Waiver::expires}}};

}  // namespace

const char* NameOf(WaiverList list) {
  return list == WaiverList::kNeverSupported ? "never_supported" : "expected_to_fail";
}

bool Waiver::Covers(const std::string& of_suite, const std::string& of_scenario,
                    const Settings& settings) const {
  const std::vector<std::string>& used = settings.extractors;
  return suite == of_suite && AnyOr(scenario, of_scenario) && AnyOr(profile, settings.profile) &&
         AnyOr(policy, settings.policy) &&
         (extractor.empty() || std::find(used.begin(), used.end(), extractor) != used.end());
}

bool Waiver::Covers(const Finding& made) const {
  const auto named = made.details.find("entry");
  const std::string of =
      named != made.details.end() && named->is_string() ? named->get<std::string>() : "";
  return finding == made.id && (entry.empty() || SameEntry(entry, of));
}

std::string Waiver::What() const {
  std::vector<std::string> parts;
  for (const auto& [name, field] : kFields) {
    const std::string& value = this->*field;
    if (field == &Waiver::suite || field == &Waiver::reason || field == &Waiver::expires) continue;
    if (!value.empty()) parts.push_back(fmt::format("{} {}", name, value));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

Skip Waiver::AsSkip() const { return {suite, What(), "never supported: " + reason}; }

nlohmann::json ToJson(const Waiver& waiver) {
  nlohmann::json json = {{"list", NameOf(waiver.list)}};
  if (waiver.where.line != 0) json["line"] = waiver.where.line;
  for (const auto& [name, field] : kFields) {
    if (!(waiver.*field).empty()) json[name] = waiver.*field;
  }
  return json;
}

Waiver WaiverFromJson(const nlohmann::json& json) {
  Waiver waiver;
  const auto list = json.at("list").get<std::string>();
  const auto known = std::find_if(kLists.begin(), kLists.end(),
                                  [&](WaiverList one) { return list == NameOf(one); });
  if (known == kLists.end()) throw std::invalid_argument("list '" + list + "'");
  waiver.list = *known;
  waiver.where.line = json.value("line", 0);
  for (const auto& [name, field] : kFields) waiver.*field = json.value(name, "");
  return waiver;
}

}  // namespace culprit::suites
