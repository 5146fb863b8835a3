// SPDX-License-Identifier: Apache-2.0
#include "tools/culprit/replay_differences.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>

#include "input/input_error.h"
#include "suites/runner/digest.h"

namespace culprit::tools {
namespace {

constexpr size_t kDigitsShown = 12;

bool Has(const std::vector<std::string>& list, const std::string& one) {
  return std::find(list.begin(), list.end(), one) != list.end();
}

std::string ListOf(const std::vector<std::string>& names) {
  return names.empty() ? "nothing" : fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

std::vector<std::string> SuiteDifferences(const JsonObject& replay, const std::string& suite_file) {
  const std::string recorded = replay.Text("suite_sha256");
  const std::string now = suites::Sha256OfFile(suite_file);
  if (recorded.empty() || recorded == now) return {};
  return {fmt::format("{} is not the suite that was recorded (SHA-256 {}..., recorded {}...)",
                      suite_file, now.substr(0, kDigitsShown), recorded.substr(0, kDigitsShown))};
}

std::vector<std::string> PortDifferences(const JsonObject& replay, const suites::Settings& settings,
                                         const nlohmann::json& port) {
  const auto can = port.at("abilities").get<std::vector<std::string>>();
  std::vector<std::string> differences;
  if (replay.Has("abilities")) {
    std::vector<std::string> recorded = replay.Texts("abilities");
    if (!std::is_permutation(recorded.begin(), recorded.end(), can.begin(), can.end())) {
      differences.push_back(fmt::format("the port declares {}, recorded was one that declares {}",
                                        ListOf(can), ListOf(recorded)));
    }
  }
  const std::pair<bool, const char*> needs[] = {
      {settings.threads != 0, "threads"},
      {settings.preallocate != 0, "preallocate"},
      {settings.state == suites::StateContext::kGiven, "foreign_context"}};
  for (const auto& [needed, ability] : needs) {
    if (needed && !Has(can, ability)) {
      differences.push_back(
          fmt::format("the settings need '{}', which the port does not declare", ability));
    }
  }
  return differences;
}

void DemandNoDifference(const JsonObject& replay, const std::vector<std::string>& differences,
                        bool accepted) {
  if (differences.empty()) return;
  if (!accepted) {
    throw InputError(fmt::format("{}: {}; --changed runs the case all the same", replay.where(),
                                 fmt::join(differences, "; ")));
  }
  for (const std::string& difference : differences) {
    fmt::print(stderr, "culprit: note: {}\n", difference);
  }
}

}  // namespace culprit::tools
