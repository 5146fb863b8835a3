// SPDX-License-Identifier: Apache-2.0
//
// Runs cases inside a child: one life cycle each, judged where it happened. The driver is reset
// between them, so that many share a child.
#ifndef SUITES_RUNNER_CASE_RUNNER_H_
#define SUITES_RUNNER_CASE_RUNNER_H_

#include <memory>
#include <vector>

#include "suites/runner/black_box.h"
#include "suites/runner/case_result.h"
#include "suites/runner/driver_calls.h"
#include "suites/runner/life_cycle.h"
#include "suites/runner/oracle.h"
#include "suites/runner/step_threads.h"
#include "suites/runner/teardown_sites.h"

namespace culprit::suites {

// What all cases of one scenario under one setting share.
struct CaseContext {
  const PortLibrary& port;
  const DriverUnderTest& driver;
  const Clip& clip;
  const Scenario& scenario;
  const Settings& settings;
  Promises promises;
  const std::vector<ScoreSeries>* baseline = nullptr;
  const std::vector<ScoreSeries>* expected = nullptr;
  bool reuse_launches = true;  // of kernels whose inputs were seen before
};

// What is kept of a case beside its result.
struct Keep {
  bool log = false;       // the driver's calls
  bool stacks = false;    // who made its teardown calls and those that a fault hit; needs the log
  bool describe = false;  // the calls before a finding, in the finding
};

class CaseRunner {
 public:
  // Configures the driver for the settings. Throws std::runtime_error when it refuses.
  CaseRunner(const CaseContext& context, BlackBox& box);

  CaseResult Run(uint32_t index, const std::vector<Fault>& faults, const Keep& keep);

  // Of the last case. The log is empty unless it was kept.
  const LifeCycleRecord& record() const { return record_; }
  const std::vector<DriverCall>& log() const { return log_; }
  // Over all cases that ran with stacks on.
  const TeardownSites& sites() const { return sites_; }
  // Whether the last case left something that the next one would start with: threads, open files,
  // an owner that could not be released.
  bool LeftSomething() const;

 private:
  uint64_t EndState(const CaseResult& result) const;

  const CaseContext& context_;
  BlackBox& box_;
  StepThreads threads_;
  LifeCycleRecord record_;
  std::vector<DriverCall> log_;
  TeardownSites sites_;
  int free_file_ = -1;
};

// Makes `settings` the driver's. Throws std::runtime_error.
void Configure(const culprit_control_table& control, const Settings& settings, bool reuse_launches);

}  // namespace culprit::suites

#endif  // SUITES_RUNNER_CASE_RUNNER_H_
