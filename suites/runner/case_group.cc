// SPDX-License-Identifier: Apache-2.0
#include "suites/runner/case_group.h"

#include <algorithm>
#include <utility>

namespace culprit::suites {

std::vector<Fault> CaseGroup::FaultsOf(uint32_t index) const {
  if (index == 0) return scenario.faults;
  if (!replayed.empty()) return replayed[index - 1];
  return IsSingle(index) ? singles.At(index - 1) : pairs.At(index - 1 - singles.size());
}

void CaseGroup::Classify(uint32_t index, const Sequel& sequel) {
  FaultClass& fault_class = classes[sequel.behaviour];
  const uint64_t single = index - 1;
  if (sequel.after && (fault_class.members == 0 || single < fault_class.first)) {
    fault_class.first = single;
    fault_class.after = *sequel.after;
  }
  ++fault_class.members;
}

void CaseGroup::PlanPairs(const EntryTable& entries) {
  std::vector<FaultClass> ordered;
  for (auto& [behaviour, fault_class] : classes) ordered.push_back(std::move(fault_class));
  classes.clear();
  std::sort(ordered.begin(), ordered.end(),
            [](const FaultClass& a, const FaultClass& b) { return a.first < b.first; });
  pairs = PairsPlan(singles, std::move(ordered), *scenario.sweep, entries);
  pairs_planned = true;
}

GroupResult CaseGroup::Result() const {
  GroupResult result;
  result.number = number;
  result.suite = suite->name;
  result.suite_version = suite->version;
  result.scenario = scenario.name;
  result.settings = settings;
  result.planned = replayed.empty() ? planned() : 1 + replayed.size();
  result.abandoned = abandoned;
  if (scenario.sweep && abandoned.empty() && undisturbed_done && !undisturbed_passed) {
    result.abandoned = kSweepNotRun;
  }
  if (!scenario.sweep || !replayed.empty()) return result;
  FaultSpace& space = result.space.emplace();
  space.calls = singles.calls();
  space.sites = singles.sites();
  space.singles = singles.size();
  space.singles_left_out = singles.left_out();
  space.pairs_wanted = scenario.sweep->pairs;
  space.pairs = pairs.size();
  space.classes = pairs.classes();
  space.first_faults = pairs.first_faults();
  if (space.pairs_wanted) {
    space.pairs_left_out = space.singles_left_out;
    if (!pairs_planned) {
      space.pairs_left_out.push_back({"pairs", "the runs with one fault did not all end", 1});
    } else if (pairs.first_faults() < singles.size()) {
      space.pairs_left_out.push_back({"first faults",
                                      "the run with it came to no end or it never fired",
                                      singles.size() - pairs.first_faults()});
    }
  }
  return result;
}

}  // namespace culprit::suites
