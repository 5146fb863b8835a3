// SPDX-License-Identifier: Apache-2.0
#include "suites/runner/case_runner.h"

#include <fmt/format.h>

#include <cstring>
#include <filesystem>
#include <stdexcept>

#include "suites/runner/live_objects.h"

namespace culprit::suites {
namespace {

constexpr size_t kTailOfCalls = 12;

// The last calls before the end of the life cycle, for the report of a failure.
nlohmann::json Tail(const nlohmann::json& log, uint64_t around) {
  nlohmann::json tail = nlohmann::json::array();
  for (const nlohmann::json& line : log) {
    const uint64_t sequence = line.value("seq", uint64_t{0});
    if (sequence > around) break;
    if (sequence + kTailOfCalls > around) tail.push_back(line);
  }
  return tail;
}

// Tells each finding about an object which call of which thread created it.
void AddCreatingCalls(const nlohmann::json& live_objects, nlohmann::json* findings) {
  for (nlohmann::json& finding : *findings) {
    for (const nlohmann::json& object : live_objects) {
      if (object.at("handle") == finding.at("handle"))
        finding["created_by"] = object.at("created_by");
    }
  }
}

uint64_t FirstFaultedCall(const nlohmann::json& log) {
  for (const nlohmann::json& line : log) {
    const auto fault = line.find("fault");
    if (fault != line.end() && fault->is_number() && *fault != 0) {
      return line.value("seq", uint64_t{0});
    }
  }
  return 0;
}

}  // namespace

void Configure(const culprit_control_table& control, const Settings& settings) {
  const nlohmann::json wanted = {{"profile", settings.profile},
                                 {"policy", settings.policy},
                                 {"seed", settings.seed},
                                 {"certify", true}};
  if (control.reset() != 0 || control.configure(wanted.dump().c_str()) != 0) {
    throw std::runtime_error(
        fmt::format("the driver refused the settings {}: {}", wanted.dump(), control.last_error()));
  }
}

CaseRunner::CaseRunner(const CaseContext& context, BlackBox& box) : context_(context), box_(box) {
  Configure(context_.driver.control(), context_.settings);
}

CaseResult CaseRunner::Run(uint32_t index, const std::vector<Fault>& faults, bool log_calls) {
  const culprit_control_table& control = context_.driver.control();
  box_.BeginCase(static_cast<int32_t>(index));
  // Which of two faults came first, and what came after a fault, only the log can tell.
  const bool keep_log =
      log_calls || faults.size() > 1 || !context_.scenario.expect.calls.after_fault_only.empty();
  control.log_calls(keep_log ? 1 : 0);
  const LifeCycleInput input{context_.port,
                             context_.driver,
                             context_.clip,
                             context_.scenario,
                             context_.settings,
                             faults,
                             [this](const PortCall& call) {
                               const std::string name = call.Name();
                               strncpy(box_.doing, name.c_str(), sizeof(box_.doing) - 1);
                               box_.doing[std::min(name.size(), sizeof(box_.doing) - 1)] = '\0';
                             }};
  record_ = RunLifeCycle(input, threads_);

  nlohmann::json driver_findings = nlohmann::json::array();
  if (control.finding_count(0) != 0) {
    driver_findings = nlohmann::json::parse(control.findings());
    AddCreatingCalls(nlohmann::json::parse(control.live_objects()), &driver_findings);
  }
  Observation seen{.scenario = context_.scenario,
                   .settings = context_.settings,
                   .faults = faults,
                   .swept = index != 0,
                   .promises = context_.promises,
                   .record = record_,
                   .driver_findings = driver_findings,
                   .baseline = index != 0 ? context_.baseline : nullptr,
                   .expected = context_.expected,
                   .call_log = {}};
  if (keep_log) seen.call_log = [&control] { return nlohmann::json::parse(control.call_log()); };
  CaseResult result;
  result.index = index;
  result.faults = faults;
  result.driver_calls = record_.driver_calls;
  result.fired = record_.fired;
  result.live = LiveText(record_.live);
  result.findings = Judge(seen);
  if (log_calls && !result.passed()) {
    const nlohmann::json log = seen.call_log();
    const uint64_t faulted = FirstFaultedCall(log);
    for (Finding& finding : result.findings) {
      const uint64_t call = finding.details.value("call", uint64_t{0});
      const uint64_t around = call != 0 ? call : faulted;
      if (around != 0) finding.details["calls_before"] = Tail(log, around);
    }
  }
  return result;
}

std::vector<SweptCall> CaseRunner::swept_calls() const {
  return ReadSweptCalls(nlohmann::json::parse(context_.driver.control().call_log()), record_);
}

bool CaseRunner::ThreadsLeft() const {
  size_t threads = 0;
  std::error_code error;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task", error)) {
    threads += task.exists(error) ? 1 : 0;
  }
  return threads > 1 + threads_.count();
}

}  // namespace culprit::suites
