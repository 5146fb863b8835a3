// SPDX-License-Identifier: Apache-2.0
#include "suites/runner/run_delay.h"

#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>

namespace culprit::suites {

std::chrono::nanoseconds RunDelay(pid_t process) {
  const std::filesystem::path tasks = "/proc/" + std::to_string(process) + "/task";
  uint64_t sum = 0;
  std::error_code error;
  for (std::filesystem::directory_iterator task(tasks, error), end; !error && task != end;
       task.increment(error)) {
    std::ifstream file(task->path() / "schedstat");
    uint64_t on_processor = 0;
    uint64_t waiting = 0;
    if (file >> on_processor >> waiting) sum += waiting;
  }
  return std::chrono::nanoseconds(sum);
}

bool TimeLimit::IsOver(pid_t process, Clock::time_point started, std::chrono::nanoseconds limit) {
  if (started != started_) {
    started_ = started;
    looked_ = false;
  }
  const auto elapsed = Clock::now() - started;
  if (elapsed < limit / 10) return false;
  if (!looked_) {
    looked_ = true;
    delay_before_ = RunDelay(process);
  }
  if (elapsed < limit) return false;
  return elapsed >= 10 * limit || elapsed - (RunDelay(process) - delay_before_) >= limit;
}

}  // namespace culprit::suites
