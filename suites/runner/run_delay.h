// SPDX-License-Identifier: Apache-2.0
//
// Telling a process that hangs from one that is not given a processor: a busy machine must not make
// a hang of correct code.
#ifndef SUITES_RUNNER_RUN_DELAY_H_
#define SUITES_RUNNER_RUN_DELAY_H_

#include <sys/types.h>

#include <chrono>
#include <cstdint>

namespace culprit::suites {

// How long the living threads of a process have waited for a processor so far, together
// (/proc/PID/task/TID/schedstat). Zero where the system does not count it or the process is gone.
std::chrono::nanoseconds RunDelay(pid_t process);

// Time that a process had for something, less the time it spent waiting for a processor.
class TimeLimit {
 public:
  using Clock = std::chrono::steady_clock;

  // Says whether what the process began at `started` has taken longer than the limit. To be asked
  // now and then: the delay is looked at first when a tenth of the limit has gone by. After ten
  // times the limit by the clock the answer is yes whatever the machine was doing.
  bool IsOver(pid_t process, Clock::time_point started, std::chrono::nanoseconds limit);

 private:
  Clock::time_point started_{};
  bool looked_ = false;
  std::chrono::nanoseconds delay_before_{0};
};

}  // namespace culprit::suites

#endif  // SUITES_RUNNER_RUN_DELAY_H_
