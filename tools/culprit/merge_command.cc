// SPDX-License-Identifier: Apache-2.0
#include "tools/culprit/merge_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <stdexcept>

#include "tools/culprit/exit_code.h"
#include "tools/culprit/report/certificate.h"
#include "tools/culprit/report/report_files.h"
#include "tools/culprit/report/terminal.h"

namespace culprit::tools {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void Refuse(const std::string& why) { throw std::runtime_error(why); }

nlohmann::json WithoutShard(nlohmann::json selection) {
  selection.erase("shard");
  return selection;
}

// Cases of a scenario that did not depend on the shard are in every part; the rest must not repeat.
void AddCases(const suites::GroupResult& part, suites::GroupResult* whole) {
  for (const suites::CaseResult& result : part.cases) {
    const auto same = std::find_if(whole->cases.begin(), whole->cases.end(),
                                   [&](const auto& known) { return known.index == result.index; });
    if (same == whole->cases.end()) {
      whole->cases.push_back(result);
    } else if (result.index != 0) {
      Refuse(
          fmt::format("{}/{}: case {} is in two reports", part.suite, part.scenario, result.index));
    } else if (!result.passed()) {
      *same = result;
    }
  }
  whole->unreached += part.unreached;
  if (whole->abandoned.empty()) whole->abandoned = part.abandoned;
}

void DemandNoGap(suites::GroupResult* group) {
  std::sort(group->cases.begin(), group->cases.end(),
            [](const auto& a, const auto& b) { return a.index < b.index; });
  if (!group->abandoned.empty()) return;
  for (uint64_t index = 0; index < group->planned; ++index) {
    if (index >= group->cases.size() || group->cases[index].index != index) {
      Refuse(fmt::format("{}/{} ({}): case {} of {} is missing", group->suite, group->scenario,
                         group->settings.Name(), index, group->planned));
    }
  }
}

Report Merge(const std::vector<std::string>& folders) {
  Report whole;
  for (const std::string& folder : folders) {
    Report part = ReportFromRawResults(ReadTextFile(fs::path(folder) / "results.jsonl"));
    if (whole.identity.is_null()) {
      whole = std::move(part);
      continue;
    }
    if (part.identity != whole.identity) Refuse(folder + ": another port or driver");
    if (WithoutShard(part.selection) != WithoutShard(whole.selection) ||
        part.groups.size() != whole.groups.size()) {
      Refuse(folder + ": another selection of suites, profiles or policies");
    }
    for (size_t i = 0; i < part.groups.size(); ++i) {
      const suites::GroupResult& from = part.groups[i];
      suites::GroupResult& to = whole.groups[i];
      if (from.suite != to.suite || from.scenario != to.scenario || from.settings != to.settings ||
          from.planned != to.planned) {
        Refuse(fmt::format("{}: {}/{} is another plan", folder, from.suite, from.scenario));
      }
      AddCases(from, &to);
    }
    if (whole.host_failure.empty()) whole.host_failure = part.host_failure;
  }
  for (suites::GroupResult& group : whole.groups) DemandNoGap(&group);
  whole.selection["shard"] = "1/1";
  return whole;
}

}  // namespace

int RunMerge(const std::vector<std::string>& reports, const std::string& into) {
  try {
    const Report whole = Merge(reports);
    WriteReportFiles(whole, into);
    fmt::print("{}{}\nreport: {}\n", TableOf(whole),
               whole.certified() ? "\ncertified" : FailuresText(whole, 10) + "\nnot certified",
               into);
    return whole.certified() ? kFine : kFindings;
  } catch (const std::exception& error) {
    fmt::print(stderr, "culprit: merge: {}\n", error.what());
    return kUsage;
  }
}

}  // namespace culprit::tools
