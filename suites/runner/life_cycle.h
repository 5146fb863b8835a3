// SPDX-License-Identifier: Apache-2.0
//
// One life cycle of a subject: the steps of a scenario, run against a port, under settings and
// planned faults. It only runs and records; what the record means is the oracles' business.
//
// After a failed step the remaining work is left out and the teardown still runs. A release that
// fails is repeated: twice with the faults as they are, then the sticky faults that have fired are
// lifted, and so on until it succeeds or no fault can be the reason any more.
#ifndef SUITES_RUNNER_LIFE_CYCLE_H_
#define SUITES_RUNNER_LIFE_CYCLE_H_

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "suites/runner/caller_contexts.h"
#include "suites/runner/clip.h"
#include "suites/runner/driver_under_test.h"
#include "suites/runner/host_use.h"
#include "suites/runner/port_library.h"
#include "suites/runner/suite.h"

namespace culprit::suites {

class StepThreads;

// One call into the port.
struct PortCall {
  StepKind kind = StepKind::kOpen;
  uint32_t step = 0;     // index into the scenario's steps
  uint32_t frame = 0;    // submit and fetch
  uint32_t attempt = 1;  // of a repeated release
  std::string subject;   // extractor or operation
  int returned = 0;
  culprit_status status{};
  uint64_t calls_before = 0;  // driver calls of the subject so far
  uint64_t calls_after = 0;
  std::vector<uint64_t> fired_before;  // for each planned fault
  std::vector<uint64_t> fired_after;
  std::optional<size_t> sticky_in_force;  // when it began: the first such fault of the plan
  ContextStack before;
  ContextStack after;
  bool expected_to_fail = false;
  std::string
      broken_promise;  // of the port ABI itself, for example an out-parameter written on failure

  bool failed() const { return returned != 0; }
  // "submit of frame 3", "second attempt of close".
  std::string Name() const;
};

struct ScoreSeries {
  std::string key;
  std::vector<std::optional<double>> values;  // by frame index

  bool operator==(const ScoreSeries&) const;  // bit for bit
};

struct LifeCycleRecord {
  std::vector<PortCall> calls;
  std::vector<ScoreSeries> scores;
  bool scores_read = false;
  bool completed = true;  // no step was left out
  std::vector<culprit_live> live_after_cycle;
  std::vector<HostUse> host_use_after_cycle;  // only where the scenario asks for steady cycles
  uint64_t locked_mutexes = 0;                // destroyed while locked
  culprit_live live{};                        // at the end, harness objects excluded
  std::vector<int> fault_ids;                 // of each planned fault, as the call log names them
  std::vector<uint64_t> fired;                // for each planned fault
  uint64_t driver_calls = 0;
  bool owner_left = false;  // a state, session or instance could not be released
};

struct LifeCycleInput {
  const PortLibrary& port;
  const DriverUnderTest& driver;
  const Clip& clip;
  const Scenario& scenario;
  const Settings& settings;
  const std::vector<Fault>& faults;
  // Told what is about to run, for the report of a crash.
  std::function<void(const PortCall&)> announce;
};

// Resets the driver, plans the faults, runs the steps and lets the driver audit what is left.
// `threads` holds the harness's further threads and is kept between life cycles. Throws
// std::runtime_error when the harness itself cannot go on.
LifeCycleRecord RunLifeCycle(const LifeCycleInput& input, StepThreads& threads);

}  // namespace culprit::suites

#endif  // SUITES_RUNNER_LIFE_CYCLE_H_
