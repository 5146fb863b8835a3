// SPDX-License-Identifier: Apache-2.0
#include "tools/culprit/report/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace culprit::tools {

std::vector<std::string> Report::Objections() const {
  std::vector<std::string> objections;
  if (!host_failure.empty()) objections.push_back(host_failure);
  uint64_t cases = 0;
  uint64_t failed = 0;
  uint64_t calls = 0;
  for (const suites::GroupResult& group : groups) {
    cases += group.cases.size();
    failed += group.failed();
    calls += group.driver_calls();
    if (!group.abandoned.empty()) {
      objections.push_back(fmt::format("{}/{} ({}) was abandoned: {}", group.suite, group.scenario,
                                       group.settings.Name(), group.abandoned));
    }
  }
  if (failed != 0) objections.push_back(fmt::format("{} of {} cases failed", failed, cases));
  if (cases == 0) objections.push_back("no case was run");
  if (cases != 0 && calls == 0) objections.push_back("not one driver call was seen");
  return objections;
}

std::vector<Row> RowsOf(const Report& report) {
  std::vector<Row> rows;
  for (const suites::GroupResult& group : report.groups) {
    const auto found = std::find_if(rows.begin(), rows.end(), [&](const Row& row) {
      return row.suite == group.suite && row.profile == group.settings.profile;
    });
    Row& row = found != rows.end() ? *found : rows.emplace_back();
    row.suite = group.suite;
    row.profile = group.settings.profile;
    row.cases += group.cases.size();
    row.failed += group.failed();
    row.passed = row.cases - row.failed;
    row.unreached += group.unreached;
    row.calls += group.driver_calls();
    row.fired += group.faults_fired();
  }
  return rows;
}

std::vector<Failure> FailuresOf(const Report& report) {
  std::vector<Failure> failures;
  std::map<std::string, int> numbers;
  for (const suites::GroupResult& group : report.groups) {
    for (const suites::CaseResult& result : group.cases) {
      if (result.passed()) continue;
      const int number = ++numbers[group.suite];
      failures.push_back(
          {&group, &result, fmt::format("replays/{}-{:04}.json", group.suite, number)});
    }
  }
  return failures;
}

}  // namespace culprit::tools
