// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "inventory/runs/coverage.h"

namespace culprit::inventory {
namespace {

std::string_view Lacks(const CoveredSite& covered) {
  if (covered.runs == 0) return "never run";
  if (covered.failed == 0) return "never failed";
  return covered.retried == 0 ? "never retried" : "";
}

size_t Count(const Coverage& coverage, uint64_t CoveredSite::*seen) {
  return static_cast<size_t>(
      std::count_if(coverage.sites.begin(), coverage.sites.end(),
                    [&](const CoveredSite& covered) { return covered.*seen != 0; }));
}

std::string Place(std::string_view path, uint32_t line) { return fmt::format("{}:{}", path, line); }

}  // namespace

void WriteCoverage(const Coverage& coverage, std::ostream& out) {
  const bool any_lacks =
      std::any_of(coverage.sites.begin(), coverage.sites.end(),
                  [](const CoveredSite& covered) { return !covered.complete(); });
  if (any_lacks) {
    out << fmt::format("{:<48} {:<26} {:<28} {:>8} {:>8} {:>8}\n", "teardown site", "entry",
                       "function", "runs", "failed", "retried");
  }
  for (const CoveredSite& covered : coverage.sites) {
    if (covered.complete()) continue;
    out << fmt::format("{:<48} {:<26} {:<28} {:>8} {:>8} {:>8}  {}\n",
                       Place(covered.site.where.path, covered.site.where.begin.line),
                       covered.site.entry, covered.site.function, covered.runs, covered.failed,
                       covered.retried, Lacks(covered));
  }
  out << fmt::format("{} teardown sites: {} run, {} failed, {} retried\n", coverage.sites.size(),
                     Count(coverage, &CoveredSite::runs), Count(coverage, &CoveredSite::failed),
                     Count(coverage, &CoveredSite::retried));
  for (const RunSite& run : coverage.unknown) {
    out << fmt::format("not in these sources: {} {} {}, {} runs\n",
                       Place(run.frames[0].file, run.frames[0].line), run.entry->lookup,
                       run.frames[0].function, run.runs);
  }
}

nlohmann::json ToJson(const Coverage& coverage) {
  nlohmann::json json = {{"sites", nlohmann::json::array()}, {"unknown", nlohmann::json::array()}};
  for (const CoveredSite& covered : coverage.sites) {
    json["sites"].push_back({{"entry", covered.site.entry},
                             {"file", covered.site.where.path},
                             {"line", covered.site.where.begin.line},
                             {"function", covered.site.function},
                             {"runs", covered.runs},
                             {"failed", covered.failed},
                             {"retried", covered.retried}});
  }
  for (const RunSite& run : coverage.unknown) {
    json["unknown"].push_back({{"entry", run.entry->lookup},
                               {"file", run.frames[0].file},
                               {"line", run.frames[0].line},
                               {"function", run.frames[0].function},
                               {"runs", run.runs},
                               {"failed", run.failed},
                               {"retried", run.retried}});
  }
  return json;
}

}  // namespace culprit::inventory
