// SPDX-License-Identifier: Apache-2.0
#include "suites/runner/clip_files.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <set>
#include <string_view>

namespace culprit::suites {
namespace {

constexpr std::string_view kReference = "_ref.yuv";

std::set<std::string> ClipsIn(const std::string& folder) {
  std::set<std::string> names;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    const std::string file = entry.path().filename();
    if (file.ends_with(kReference)) names.insert(file.substr(0, file.size() - kReference.size()));
  }
  return names;
}

}  // namespace

void DemandClips(const Suite& suite, const std::string& folder) {
  const auto demand = [&](const ClipChoice& clip) {
    if (clip.name.empty()) return;
    const std::set<std::string> known = ClipsIn(folder);
    if (known.contains(clip.name)) return;
    throw SuiteError(clip.where, fmt::format("there is no clip '{}'; there are: {}", clip.name,
                                             fmt::join(known, ", ")));
  };
  demand(suite.clip);
  for (const Scenario& scenario : suite.scenarios) {
    if (scenario.clip) demand(*scenario.clip);
  }
}

}  // namespace culprit::suites
