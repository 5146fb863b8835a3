// SPDX-License-Identifier: Apache-2.0
#include "suites/runner/case_runner.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <bit>
#include <cstring>
#include <stdexcept>

#include "suites/runner/code_address.h"
#include "suites/runner/hash.h"
#include "suites/runner/live_objects.h"
#include "suites/runner/vendor_driver.h"

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

// Where the call was made whose error was swallowed, as the driver names code in its own findings.
void AddSourceOfSwallowed(const culprit_control_table& control, Findings* findings) {
  for (Finding& finding : *findings) {
    if (finding.id != "port.error_swallowed" || !finding.details.contains("call")) continue;
    const void* returns_to = nullptr;
    if (control.logged_stack(finding.details.at("call"), &returns_to, 1) == 0) continue;
    finding.details["location"] = CodeAt(returns_to);
  }
}

// The number of threads of this process: each is a folder below this one.
size_t ThreadsOfProcess() {
  struct stat folder {};
  return stat("/proc/self/task", &folder) == 0 ? folder.st_nlink - 2 : 1;
}

// A file that was left open takes the lowest free number.
int LowestFreeFile() {
  const int file = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0);
  if (file >= 0) close(file);
  return file;
}

culprit_launches LaunchesSoFar(const culprit_control_table& control) {
  culprit_launches launches{};
  launches.size = sizeof(launches);
  control.launches(&launches);
  return launches;
}

}  // namespace

void Configure(const culprit_control_table& control, const Settings& settings,
               bool reuse_launches) {
  nlohmann::json wanted = {{"seed", settings.seed}, {"certify", true}};
  if (!OnVendorsDriver(settings)) {
    wanted["profile"] = settings.profile;
    wanted["policy"] = settings.policy;
  }
  if (control.reset() != 0 || control.configure(wanted.dump().c_str()) != 0) {
    throw std::runtime_error(
        fmt::format("the driver refused the settings {}: {}", wanted.dump(), control.last_error()));
  }
  control.reuse_launches(reuse_launches ? 1 : 0);
}

CaseRunner::CaseRunner(const CaseContext& context, BlackBox& box) : context_(context), box_(box) {
  Configure(context_.driver.control(), context_.settings, context_.reuse_launches);
  free_file_ = LowestFreeFile();
}

CaseResult CaseRunner::Run(uint32_t index, const std::vector<Fault>& faults, const Keep& keep) {
  const culprit_control_table& control = context_.driver.control();
  box_.BeginCase(static_cast<int32_t>(index));
  // Which of two faults came first, and what came after a fault, only the log can tell.
  const bool keep_log = keep.log || keep.stacks || keep.describe || faults.size() > 1 ||
                        !context_.scenario.expect.calls.after_fault_only.empty();
  control.log_calls(keep_log ? 1 : 0);
  control.log_stacks(keep.stacks ? 1 : 0);
  const culprit_launches before = LaunchesSoFar(control);
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
  log_ = keep_log ? ReadDriverCalls(control) : std::vector<DriverCall>();
  if (keep.stacks) sites_.Add(control, context_.driver.table(), log_, record_);

  nlohmann::json driver_findings = nlohmann::json::array();
  if (control.finding_count(0) != 0) {
    driver_findings = nlohmann::json::parse(control.findings());
    AddCreatingCalls(nlohmann::json::parse(control.live_objects()), &driver_findings);
  }
  const Observation seen{.scenario = context_.scenario,
                         .settings = context_.settings,
                         .faults = faults,
                         .swept = index != 0,
                         .promises = context_.promises,
                         .record = record_,
                         .driver_findings = driver_findings,
                         .baseline = index != 0 ? context_.baseline : nullptr,
                         .expected = context_.expected,
                         .call_log = keep_log ? &log_ : nullptr,
                         .entries = &context_.driver.table()};
  CaseResult result;
  result.index = index;
  result.faults = faults;
  result.driver_calls = record_.driver_calls;
  result.fired = record_.fired;
  result.live = LiveText(record_.live);
  result.findings = Judge(seen);
  if (keep.stacks) AddSourceOfSwallowed(control, &result.findings);
  result.end_state = EndState(result);
  const culprit_launches after = LaunchesSoFar(control);
  result.launches = after.all - before.all;
  result.launches_reused = after.reused - before.reused;
  if (keep.describe && !result.passed()) {
    const auto text = nlohmann::json::parse(control.call_log());
    for (Finding& finding : result.findings) {
      const uint64_t call = finding.details.value("call", uint64_t{0});
      const uint64_t around = call != 0 ? call : FirstFaulted(log_);
      if (around != 0) finding.details["calls_before"] = Tail(text, around);
    }
  }
  return result;
}

uint64_t CaseRunner::EndState(const CaseResult& result) const {
  Hash hash;
  for (const PortCall& call : record_.calls) {
    hash.Add(static_cast<uint64_t>(call.kind)).Add(call.frame).Add(call.attempt).Add(call.subject);
    hash.Add(static_cast<uint32_t>(call.returned)).Add(static_cast<uint32_t>(call.status.domain));
    hash.Add(static_cast<uint32_t>(call.status.cu_result)).Add(call.status.entry);
  }
  for (const ScoreSeries& series : record_.scores) {
    hash.Add(series.key);
    for (const std::optional<double>& value : series.values) {
      hash.Add(value ? std::bit_cast<uint64_t>(*value) : 0);
    }
  }
  hash.Add(result.live).Add(record_.completed ? 1 : 0).Add(record_.owner_left ? 1 : 0);
  for (const Finding& finding : result.findings) hash.Add(finding.id);
  return hash.value();
}

bool CaseRunner::LeftSomething() const {
  return record_.owner_left || ThreadsOfProcess() > 1 + threads_.count() ||
         LowestFreeFile() != free_file_;
}

}  // namespace culprit::suites
