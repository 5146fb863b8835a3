// SPDX-License-Identifier: Apache-2.0
//
// The plan of a sweep: from the calls of a run without faults to the faults to try, one life cycle
// each. A pure function, so that a plan can be split over machines by index.
//
// Singles first: every call of a step that the sweep is about, times results, moments and spans.
// Then, where they are asked for, pairs: a first fault and a second one at any call that the run
// with the first went on to make, clean-up included. First faults after which the run went on in
// the same way form a class, and one of them stands for all.
#ifndef SUITES_RUNNER_SWEEP_H_
#define SUITES_RUNNER_SWEEP_H_

#include <cstdint>
#include <vector>

#include "suites/runner/driver_calls.h"
#include "suites/runner/entry_table.h"
#include "suites/runner/fault_space.h"
#include "suites/runner/suite.h"

namespace culprit::suites {

// The results that a call of the entry is made to fail with: all that are documented for it, or the
// one that stands for them. Never empty.
std::vector<int32_t> ResultsOf(uint32_t entry, Sweep::Results which, const EntryTable& entries);

class SinglesPlan {
 public:
  SinglesPlan() = default;
  // `threads`: the run has worker threads. Then a cut-short run may end before the nth call of an
  // entry, and the calls come in another order each time, so the plan does not follow it: the parts
  // that machines share and cases that are run again need the same plan. `outside`: calls that no
  // step made.
  SinglesPlan(const Sweep& sweep, const std::vector<CallMade>& calls, const EntryTable& entries,
              bool threads, uint64_t outside);

  uint64_t size() const { return cases_.size(); }
  // One fault, or one and the fault that follows it.
  const std::vector<Fault>& At(uint64_t i) const { return cases_[i]; }
  uint64_t calls() const { return calls_; }  // of the run without faults
  uint64_t sites() const { return sites_; }  // calls among them that are made to fail
  const std::vector<LeftOut>& left_out() const { return left_out_; }

 private:
  void OrderByCall();

  std::vector<std::vector<Fault>> cases_;
  std::vector<LeftOut> left_out_;
  uint64_t calls_ = 0;
  uint64_t sites_ = 0;
};

// First faults after which the subject went on in the same way.
struct FaultClass {
  uint64_t first = 0;  // index into the singles of the one that stands for all: the lowest
  uint64_t members = 0;
  std::vector<CallMade> after;  // what was called after it
};

class PairsPlan {
 public:
  PairsPlan() = default;
  PairsPlan(const SinglesPlan& singles, std::vector<FaultClass> classes, const Sweep& sweep,
            const EntryTable& entries);

  uint64_t size() const { return starts_.empty() ? 0 : starts_.back(); }
  std::vector<Fault> At(uint64_t i) const;
  uint64_t classes() const { return classes_.size(); }
  uint64_t first_faults() const { return first_faults_; }

 private:
  // The second faults at one call.
  struct Seconds {
    uint32_t of_class = 0;
    uint32_t call = 0;  // index into FaultClass::after
  };

  const SinglesPlan* singles_ = nullptr;
  const EntryTable* entries_ = nullptr;
  Sweep sweep_;
  std::vector<FaultClass> classes_;
  std::vector<Seconds> seconds_;
  std::vector<uint64_t> starts_;  // starts_[k + 1] is where the plan goes on after seconds_[k]
  uint64_t first_faults_ = 0;
};

}  // namespace culprit::suites

#endif  // SUITES_RUNNER_SWEEP_H_
