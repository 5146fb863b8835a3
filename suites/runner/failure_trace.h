// SPDX-License-Identifier: Apache-2.0
//
// The driver calls of a case that failed, with arguments and contexts, for the timeline of a
// report. The driver writes them to a file that survives the child, whatever becomes of it.
#ifndef SUITES_RUNNER_FAILURE_TRACE_H_
#define SUITES_RUNNER_FAILURE_TRACE_H_

#include <nlohmann/json.hpp>

#include "suites/runner/driver_under_test.h"
#include "suites/runner/life_cycle.h"
#include "suites/runner/temporary_file.h"

namespace culprit::suites {

class FailureTrace {
 public:
  // In the child, before the case: the driver traces from here on.
  void Begin(const culprit_control_table& control) const;
  // In the parent, after it: {"calls": as traced, "steps": what StepsOf gave}. Of a longer life
  // cycle its end.
  nlohmann::json Timeline(nlohmann::json steps) const;

 private:
  TemporaryFile file_{"culprit-trace"};
};

// The calls into the port by driver calls: {"name","from","to","failed","status"}.
nlohmann::json StepsOf(const LifeCycleRecord& record);

}  // namespace culprit::suites

#endif  // SUITES_RUNNER_FAILURE_TRACE_H_
