// SPDX-License-Identifier: Apache-2.0
#include "suites/runner/tally.h"

namespace culprit::suites {
namespace {

void AddRemark(const Finding& finding, uint64_t count, std::map<std::string, Remark>* remarks) {
  const auto entry = finding.details.find("entry");
  const std::string of =
      entry != finding.details.end() && entry->is_string() ? entry->get<std::string>() : "";
  Remark& remark = (*remarks)[finding.id + "|" + finding.severity + "|" + finding.step + "|" + of];
  if (remark.count == 0) remark.example = finding;
  remark.count += count;
}

}  // namespace

void Tally::Add(const CaseResult& result) {
  ++cases;
  const bool passed = result.passed();
  failed += passed ? 0 : 1;
  unreached += result.index != 0 && result.fired_total() == 0 && passed ? 1 : 0;
  driver_calls += result.driver_calls;
  faults_fired += result.fired_total();
  launches += result.launches;
  launches_reused += result.launches_reused;
  end_states.insert(result.end_state);
  for (const Finding& finding : result.findings) {
    if (!finding.IsError()) AddRemark(finding, 1, &remarks);
  }
}

void Tally::Add(const Tally& other) {
  cases += other.cases;
  failed += other.failed;
  unreached += other.unreached;
  driver_calls += other.driver_calls;
  faults_fired += other.faults_fired;
  launches += other.launches;
  launches_reused += other.launches_reused;
  end_states.insert(other.end_states.begin(), other.end_states.end());
  for (const auto& [key, remark] : other.remarks) {
    AddRemark(remark.example, remark.count, &remarks);
  }
}

}  // namespace culprit::suites
