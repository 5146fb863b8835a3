// SPDX-License-Identifier: Apache-2.0
#include "inventory/runs/coverage.h"

#include <algorithm>
#include <map>
#include <string_view>

namespace culprit::inventory {
namespace {

using SitesOfEntry = std::map<std::string_view, std::vector<CoveredSite*>>;

// How many folders and names two paths have in common at their end, when one of them ends with the
// other as a whole or with everything that this tree knows of it.
size_t CommonEnd(std::string_view a, std::string_view b) {
  size_t components = 0;
  while (!a.empty() && !b.empty()) {
    const size_t slash_a = a.rfind('/'), slash_b = b.rfind('/');
    const auto last = [](std::string_view path, size_t slash) {
      return slash == std::string_view::npos ? path : path.substr(slash + 1);
    };
    if (last(a, slash_a) != last(b, slash_b)) return 0;
    ++components;
    a = slash_a == std::string_view::npos ? std::string_view() : a.substr(0, slash_a);
    b = slash_b == std::string_view::npos ? std::string_view() : b.substr(0, slash_b);
  }
  return components;
}

// "Unload" of "culprit::(anonymous namespace)::Unload<int>(CUmodule)".
std::string_view PlainName(std::string_view function) {
  constexpr std::string_view kUnnamed = "(anonymous namespace)::";
  for (size_t at = function.rfind(kUnnamed); at != std::string_view::npos;) {
    function.remove_prefix(at + kUnnamed.size());
    at = function.rfind(kUnnamed);
  }
  function = function.substr(0, function.find_first_of("(<"));
  const size_t qualifier = function.rfind("::");
  return qualifier == std::string_view::npos ? function : function.substr(qualifier + 2);
}

// Keeps the sites that `rank` likes best; none when it likes none.
template <typename Rank>
std::vector<CoveredSite*> Best(const std::vector<CoveredSite*>& sites, const Rank& rank) {
  std::vector<CoveredSite*> best;
  size_t highest = 0;
  for (CoveredSite* site : sites) {
    const size_t value = rank(*site);
    if (value == 0 || value < highest) continue;
    if (value > highest) best.clear();
    highest = value;
    best.push_back(site);
  }
  return best;
}

// All sites of one statement share what its runs have seen: a line does not tell them apart.
std::vector<CoveredSite*> SitesOf(const Frame& frame, const std::vector<CoveredSite*>& candidates) {
  const auto in_file = Best(candidates, [&](const CoveredSite& covered) {
    return CommonEnd(covered.site.where.path, frame.file);
  });
  const auto on_line = Best(in_file, [&](const CoveredSite& covered) -> size_t {
    if (frame.line == covered.site.where.begin.line) return 2;
    return frame.line >= covered.site.first_line && frame.line <= covered.site.last_line ? 1 : 0;
  });
  if (!on_line.empty()) return on_line;
  const auto in_function = Best(in_file, [&](const CoveredSite& covered) -> size_t {
    return !frame.function.empty() && PlainName(covered.site.function) == PlainName(frame.function);
  });
  return in_function.size() == 1 ? in_function : std::vector<CoveredSite*>();
}

std::vector<CoveredSite*> SitesOf(const RunSite& run, const std::vector<CoveredSite*>& candidates) {
  for (const Frame& frame : run.frames) {
    auto sites = SitesOf(frame, candidates);
    if (!sites.empty()) return sites;
  }
  return {};
}

}  // namespace

Coverage CoverageOf(const std::vector<FileFacts>& files, const std::vector<RunSite>& runs) {
  Coverage coverage;
  for (const FileFacts& file : files) {
    for (const TeardownSite& site : file.teardowns) coverage.sites.push_back({site});
  }
  SitesOfEntry by_entry;
  for (CoveredSite& covered : coverage.sites) by_entry[covered.site.entry].push_back(&covered);
  for (const RunSite& run : runs) {
    if (run.entry->role != Role::kDestroys) continue;
    const auto owners = SitesOf(run, by_entry[run.entry->lookup]);
    if (owners.empty()) coverage.unknown.push_back(run);
    for (CoveredSite* covered : owners) {
      covered->runs += run.runs;
      covered->failed += run.failed;
      covered->retried += run.retried;
    }
  }
  return coverage;
}

}  // namespace culprit::inventory
