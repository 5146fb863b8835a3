// SPDX-License-Identifier: Apache-2.0
#include "stress/report/known_growth.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace culprit::stress {
namespace {

using Json = nlohmann::json;

KnownGrowth ReadEntry(const Json& json) {
  KnownGrowth entry;
  const auto resource = json.at("resource").get<std::string>();
  const auto info =
      std::find_if(kResources.begin(), kResources.end(),
                   [&](const ResourceInfo& candidate) { return candidate.name == resource; });
  if (info == kResources.end()) {
    throw std::invalid_argument(fmt::format("no resource is called '{}'", resource));
  }
  entry.resource = info->resource;
  json.at("driver").get_to(entry.driver);
  json.at("probe").get_to(entry.probe);
  json.at("per_cycle").get_to(entry.per_cycle);
  json.at("reason").get_to(entry.reason);
  if (entry.per_cycle <= 0) throw std::invalid_argument("per_cycle must be above zero");
  if (entry.reason.empty()) throw std::invalid_argument("a reason is missing");
  return entry;
}

}  // namespace

bool ReadKnownGrowth(const std::string& text, const std::string& file,
                     std::vector<KnownGrowth>* known, std::string* error) {
  size_t at = 0;
  try {
    const Json json = Json::parse(text);
    if (json.at("schema") != "culprit.known_growth/1") {
      *error = fmt::format("{}: the schema is not culprit.known_growth/1", file);
      return false;
    }
    for (const Json& entry : json.at("entries")) {
      known->push_back(ReadEntry(entry));
      ++at;
    }
  } catch (const Json::parse_error& failure) {
    *error = fmt::format("{}: {}", file, failure.what());
    return false;
  } catch (const std::exception& failure) {
    *error = fmt::format("{}: entry {}: {}", file, at, failure.what());
    return false;
  }
  return true;
}

const KnownGrowth* FindKnownGrowth(const std::vector<KnownGrowth>& known,
                                   const std::string& driver_version, std::string_view probe,
                                   Resource resource) {
  const auto found = std::find_if(known.begin(), known.end(), [&](const KnownGrowth& entry) {
    return entry.probe == probe && entry.resource == resource && !entry.driver.empty() &&
           driver_version.compare(0, entry.driver.size(), entry.driver) == 0;
  });
  return found == known.end() ? nullptr : &*found;
}

}  // namespace culprit::stress
