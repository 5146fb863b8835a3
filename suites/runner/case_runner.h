// SPDX-License-Identifier: Apache-2.0
//
// Runs cases inside a child: one life cycle each, judged where it happened.
#ifndef SUITES_RUNNER_CASE_RUNNER_H_
#define SUITES_RUNNER_CASE_RUNNER_H_

#include <memory>
#include <vector>

#include "suites/runner/black_box.h"
#include "suites/runner/case_result.h"
#include "suites/runner/life_cycle.h"
#include "suites/runner/oracle.h"
#include "suites/runner/step_threads.h"
#include "suites/runner/sweep.h"

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
};

class CaseRunner {
 public:
  // Configures the driver for the settings. Throws std::runtime_error when it refuses.
  CaseRunner(const CaseContext& context, BlackBox& box);

  // `log_calls` keeps the call log, which a sweep is planned from and a report of a failure shows.
  CaseResult Run(uint32_t index, const std::vector<Fault>& faults, bool log_calls);

  const LifeCycleRecord& record() const { return record_; }
  std::vector<SweptCall> swept_calls() const;
  // Whether threads of the subject outlived its last life cycle.
  bool ThreadsLeft() const;

 private:
  const CaseContext& context_;
  BlackBox& box_;
  StepThreads threads_;
  LifeCycleRecord record_;
};

// Makes `settings` the driver's. Throws std::runtime_error.
void Configure(const culprit_control_table& control, const Settings& settings);

}  // namespace culprit::suites

#endif  // SUITES_RUNNER_CASE_RUNNER_H_
