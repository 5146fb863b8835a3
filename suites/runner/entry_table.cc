// SPDX-License-Identifier: Apache-2.0
#include "suites/runner/entry_table.h"

#include <cuda.h>

#include <algorithm>

#include "suites/runner/driver_result.h"
#include "suites/runner/fault.h"

namespace culprit::suites {
namespace {

bool IsFailureOfTheCall(int32_t result) {
  return result != CUDA_SUCCESS && result != CUDA_ERROR_NOT_READY &&
         result != CUDA_ERROR_DEINITIALIZED;
}

std::vector<int32_t> FailuresOf(const nlohmann::json& entry) {
  std::vector<int32_t> results;
  for (const nlohmann::json& result : entry.value("results", nlohmann::json::array())) {
    const auto value = result.is_number() ? std::optional(result.get<int32_t>())
                                          : DriverResultValue(result.get<std::string>());
    if (value && IsFailureOfTheCall(*value)) results.push_back(*value);
  }
  return results;
}

}  // namespace

EntryTable EntryTable::Read(const nlohmann::json& api_table) {
  EntryTable table;
  std::map<std::string, uint32_t> numbers;
  for (const nlohmann::json& entry : api_table) {
    numbers.emplace(entry.at("symbol"), static_cast<uint32_t>(table.names.size()));
    table.names.push_back(entry.at("symbol"));
    table.results.push_back(FailuresOf(entry));
    const std::string effect = entry.value("effect", "");
    table.destroys.push_back(effect == "destroys");
    table.creates.push_back(effect == "creates");
    const std::string needs = entry.value("needs", "nothing");
    table.needs_context.push_back(needs != "nothing" && needs != "initialized");
  }
  for (uint32_t i = 0; i < table.names.size(); ++i) {
    const auto lookup = numbers.find(LookupName(table.names[i]));
    table.lookups.push_back(lookup != numbers.end() ? lookup->second : i);
  }
  return table;
}

bool EntryTable::Says(const std::vector<bool>& claim, const std::string& symbol) const {
  const auto found = std::find(names.begin(), names.end(), symbol);
  return found != names.end() && claim[static_cast<size_t>(found - names.begin())];
}

}  // namespace culprit::suites
