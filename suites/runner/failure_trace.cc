// SPDX-License-Identifier: Apache-2.0
#include "suites/runner/failure_trace.h"

#include <stdlib.h>
#include <unistd.h>

#include <deque>
#include <filesystem>
#include <fstream>

#include "suites/runner/driver_result.h"

namespace culprit::suites {
namespace {

constexpr size_t kMostCalls = 400;

}  // namespace

FailureTrace::FailureTrace() {
  std::string path = (std::filesystem::temp_directory_path() / "culprit-trace-XXXXXX").string();
  const int file = mkstemp(path.data());
  if (file < 0) return;
  close(file);
  path_ = path;
}

FailureTrace::~FailureTrace() {
  if (!path_.empty()) unlink(path_.c_str());
}

void FailureTrace::Begin(const culprit_control_table& control) const {
  if (path_.empty()) return;
  control.reset();
  control.configure(nlohmann::json{{"trace", path_}}.dump().c_str());
}

nlohmann::json FailureTrace::Timeline(nlohmann::json steps) const {
  std::deque<nlohmann::json> calls;
  std::ifstream file(path_);
  for (std::string line; std::getline(file, line);) {
    // Zero bytes follow the last line of a file that was never closed.
    const auto call = nlohmann::json::parse(line, nullptr, false);
    if (call.is_discarded() || !call.contains("seq") || call.value("harness", false)) continue;
    calls.push_back(call);
    if (calls.size() > kMostCalls) calls.pop_front();
  }
  return {{"calls", calls}, {"steps", std::move(steps)}};
}

nlohmann::json StepsOf(const LifeCycleRecord& record) {
  nlohmann::json steps = nlohmann::json::array();
  for (const PortCall& call : record.calls) {
    nlohmann::json step = {{"name", call.Name()},
                           {"from", call.calls_before},
                           {"to", call.calls_after},
                           {"failed", call.failed()}};
    if (call.failed()) {
      step["status"] = call.status.cu_result != 0
                           ? DriverResultName(call.status.cu_result) + " " + call.status.entry
                           : std::string(call.status.message);
    }
    steps.push_back(std::move(step));
  }
  return steps;
}

}  // namespace culprit::suites
