// SPDX-License-Identifier: Apache-2.0
#include "suites/runner/failure_trace.h"

#include <deque>
#include <fstream>
#include <map>
#include <string>

#include "suites/runner/driver_result.h"
#include "suites/runner/host_address.h"

namespace culprit::suites {
namespace {

constexpr size_t kMostCalls = 400;

// Gives each host address a number, by order of appearance.
class HostNames {
 public:
  void Name(nlohmann::json* values) {
    for (nlohmann::json& value : *values) {
      if (value.is_structured()) {
        Name(&value);
      } else if (value.is_string() && IsHostAddress(value.get_ref<const std::string&>())) {
        const size_t next = names_.size() + 1;
        value = "host " + std::to_string(names_.try_emplace(value, next).first->second);
      }
    }
  }

 private:
  std::map<std::string, size_t> names_;
};

}  // namespace

void FailureTrace::Begin(const culprit_control_table& control) const {
  if (file_.path().empty()) return;
  control.reset();
  control.configure(nlohmann::json{{"trace", file_.path()}}.dump().c_str());
}

nlohmann::json FailureTrace::Timeline(nlohmann::json steps) const {
  std::deque<nlohmann::json> calls;
  std::ifstream file(file_.path());
  for (std::string line; std::getline(file, line);) {
    // Zero bytes follow the last line of a file that was never closed.
    const auto call = nlohmann::json::parse(line, nullptr, false);
    if (call.is_discarded() || !call.contains("seq") || call.value("harness", false)) continue;
    calls.push_back(call);
    if (calls.size() > kMostCalls) calls.pop_front();
  }
  HostNames names;
  for (nlohmann::json& call : calls) names.Name(&call);
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
