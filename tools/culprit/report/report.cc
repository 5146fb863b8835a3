// SPDX-License-Identifier: Apache-2.0
#include "tools/culprit/report/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace culprit::tools {

namespace {

// A scenario that fails as expected leaves its sweep out, which is no reason to object.
bool LeftOutAsExpected(const suites::GroupResult& group) {
  return group.abandoned == suites::kSweepNotRun && group.tally.failed == 0;
}

bool HasFindingOf(const MinimalCase& minimal, const FailureKind& kind) {
  const std::vector<suites::Finding>& findings = minimal.result.findings;
  return std::any_of(findings.begin(), findings.end(), [&](const suites::Finding& finding) {
    return finding.id == kind.finding->id;
  });
}

bool ComeToOneCase(const Report& report, const FailureKind& a, const FailureKind& b) {
  const MinimalCase* of_a = MinimalOf(report, a);
  const MinimalCase* of_b = MinimalOf(report, b);
  if (of_a == nullptr || of_b == nullptr) return false;
  return a.first.group->suite == b.first.group->suite &&
         a.first.group->scenario == b.first.group->scenario && of_a->settings == of_b->settings &&
         of_a->faults == of_b->faults && of_a->limit == of_b->limit && HasFindingOf(*of_a, b) &&
         HasFindingOf(*of_b, a);
}

}  // namespace

bool Report::Objects(const suites::GroupResult& group) const {
  return !group.abandoned.empty() && !LeftOutAsExpected(group);
}

std::vector<suites::Skip> Report::NotRun() const {
  std::vector<suites::Skip> list = skips;
  for (const suites::GroupResult& group : groups) {
    if (!LeftOutAsExpected(group)) continue;
    list.push_back({group.suite,
                    fmt::format("the sweep of {}, {} {}", group.scenario, group.settings.profile,
                                group.settings.Name()),
                    "the run without faults fails as expected"});
  }
  return list;
}

std::vector<std::string> Report::Objections() const {
  std::vector<std::string> objections;
  if (!host_failure.empty()) objections.push_back(host_failure);
  uint64_t cases = 0;
  uint64_t failed = 0;
  uint64_t calls = 0;
  for (const suites::GroupResult& group : groups) {
    cases += group.tally.cases;
    failed += group.tally.failed;
    calls += group.tally.driver_calls;
    if (Objects(group)) {
      objections.push_back(fmt::format("{}/{} ({}) was abandoned: {}", group.suite, group.scenario,
                                       group.settings.Name(), group.abandoned));
    }
  }
  if (failed != 0) objections.push_back(fmt::format("{} of {} cases failed", failed, cases));
  if (cases == 0) objections.push_back("no case was run");
  if (cases != 0 && calls == 0) objections.push_back("not one driver call was seen");
  for (std::string& objection : ExpectationObjections(*this)) {
    objections.push_back(std::move(objection));
  }
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
    row.cases += group.tally.cases;
    row.failed += group.tally.failed;
    row.passed = row.cases - row.failed;
    row.unreached += group.tally.unreached;
    row.calls += group.tally.driver_calls;
    row.fired += group.tally.faults_fired;
    row.launches += group.tally.launches;
    row.launches_reused += group.tally.launches_reused;
  }
  return rows;
}

std::vector<Failure> FailuresOf(const Report& report) {
  std::vector<Failure> failures;
  std::map<std::string, int> numbers;
  for (const suites::GroupResult& group : report.groups) {
    for (const suites::CaseResult& result : group.failures) {
      const int number = ++numbers[group.suite];
      failures.push_back(
          {&group, &result, fmt::format("replays/{}-{:04}.json", group.suite, number)});
    }
  }
  return failures;
}

std::string MinimalReplayOf(const std::string& replay) {
  return replay.substr(0, replay.rfind(".json")) + ".min.json";
}

std::string TestCaseFileOf(const std::string& replay) {
  return replay.substr(0, replay.rfind(".json")) + "_test.cc";
}

std::vector<FailureKind> KindsOfFailures(const Report& report) {
  std::vector<FailureKind> kinds;
  std::map<std::string, size_t> places;
  for (const Failure& failure : FailuresOf(report)) {
    for (const suites::Finding& finding : failure.result->findings) {
      if (!finding.IsError()) continue;
      const auto entry = finding.details.find("entry");
      const std::string of = entry != finding.details.end() && entry->is_string()
                                 ? entry->get<std::string>()
                                 : std::string();
      const std::string key =
          failure.group->suite + "/" + finding.id + "/" + finding.step + "/" + of;
      const auto [place, added] = places.emplace(key, kinds.size());
      if (added) kinds.push_back({failure, &finding});
      ++kinds[place->second].cases;
    }
  }
  return kinds;
}

const MinimalCase* MinimalOf(const Report& report, const FailureKind& kind) {
  const auto found = report.minimal.find(kind.first.replay);
  const bool has = found != report.minimal.end() && HasFindingOf(found->second, kind);
  return has ? &found->second : nullptr;
}

std::vector<std::vector<FailureKind>> KindsByCase(const Report& report) {
  std::vector<std::vector<FailureKind>> together;
  for (const FailureKind& kind : KindsOfFailures(report)) {
    const auto same = std::find_if(together.begin(), together.end(), [&](const auto& others) {
      return ComeToOneCase(report, others.front(), kind);
    });
    if (same != together.end()) {
      same->push_back(kind);
    } else {
      together.push_back({kind});
    }
  }
  return together;
}

std::vector<Coverage> CoverageOf(const Report& report) {
  std::vector<Coverage> coverage;
  for (const suites::GroupResult& group : report.groups) {
    if (!group.space || group.space->singles == 0) continue;
    Coverage& one = coverage.emplace_back();
    one.group = &group;
    one.singles_left_out = group.space->singles_left_out;
    one.pairs_left_out = group.space->pairs_left_out;
    if (group.tally.cases < group.planned) {
      const std::string reason =
          group.abandoned.empty() ? "another shard runs them" : group.abandoned;
      one.singles_left_out.push_back({"runs", reason, group.planned - group.tally.cases});
    }
    if (group.tally.unreached != 0) {
      one.singles_left_out.push_back(
          {"runs", "the fault was planned and its call was not reached", group.tally.unreached});
    }
  }
  return coverage;
}

}  // namespace culprit::tools
