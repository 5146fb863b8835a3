// SPDX-License-Identifier: Apache-2.0
#ifndef SUITES_RUNNER_CASE_GROUP_H_
#define SUITES_RUNNER_CASE_GROUP_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "suites/runner/child_answers.h"
#include "suites/runner/clip.h"
#include "suites/runner/golden.h"
#include "suites/runner/group_result.h"
#include "suites/runner/sweep.h"

namespace culprit::suites {

// One scenario under one setting while it is run. Case 0 is the scenario itself; the singles of its
// sweep follow, then the pairs.
struct CaseGroup {
  uint32_t number = 0;
  const Suite* suite = nullptr;
  Scenario scenario;
  Settings settings;
  const Clip* clip = nullptr;
  const Golden* golden = nullptr;
  std::vector<ScoreSeries> baseline;
  std::vector<ScoreSeries> expected;
  std::vector<CallMade> calls;
  uint64_t calls_outside_steps = 0;
  bool undisturbed_done = false;
  bool undisturbed_passed = false;

  SinglesPlan singles;
  PairsPlan pairs;
  bool pairs_planned = false;
  std::vector<std::vector<Fault>> replayed;  // in place of the plans
  std::map<uint64_t, FaultClass> classes;    // by behaviour

  size_t outstanding = 0;  // cases started and not final
  bool finished = false;
  uint32_t hangs = 0;
  std::string abandoned;

  std::vector<Fault> FaultsOf(uint32_t index) const;
  bool IsSingle(uint32_t index) const { return index >= 1 && index <= singles.size(); }
  uint64_t planned() const { return 1 + singles.size() + pairs.size(); }
  // A run with one fault, the `index`th case, went on like this.
  void Classify(uint32_t index, const Sequel& sequel);
  // All singles are final.
  void PlanPairs(const EntryTable& entries);
  GroupResult Result() const;
};

}  // namespace culprit::suites

#endif  // SUITES_RUNNER_CASE_GROUP_H_
