// SPDX-License-Identifier: Apache-2.0
//
// The fake without a harness: what `culprit run` and a user's shell tell it through the environment
// when it is loaded, and the report it leaves when the process exits.
//
//   CULPRIT_SETTINGS  settings as a JSON object, as configure takes them
//   CULPRIT_PROFILE, CULPRIT_POLICY, CULPRIT_TRACE   single settings, which win over
//   CULPRIT_SETTINGS CULPRIT_PLAN      path of a fault plan CULPRIT_REPORT    path of the report,
//   "%p" standing for the process id
//
// A mistake in any of them ends the process at once: a test that runs on other settings than it
// asked for is worse than none. A process that never called the driver leaves no report, so that
// the children of a program do not overwrite its own.
#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include "fakedriver/audit/end_of_life.h"
#include "fakedriver/audit/finding.h"
#include "fakedriver/control/report.h"
#include "fakedriver/control/settings_json.h"
#include "fakedriver/core/calling_thread.h"
#include "fakedriver/core/inspect.h"
#include "fakedriver/fault/engine.h"
#include "fakedriver/fault/plan.h"
#include "fakedriver/trace/trace_file.h"

namespace culprit::fakedriver::control {
namespace {

// The process that loaded the library; its forked children report only to a path of their own.
pid_t loading_process = 0;

[[noreturn]] void Refuse(const char* variable, const std::string& reason) {
  std::fprintf(stderr, "culprit: %s: %s\n", variable, reason.c_str());
  std::fflush(stderr);
  _exit(2);
}

const char* Variable(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0' ? value : nullptr;
}

Settings SettingsFromEnvironment() {
  Settings settings;
  if (const char* json = Variable("CULPRIT_SETTINGS")) {
    std::string error;
    auto parsed = ParseSettings(json, settings, &error);
    if (!parsed) Refuse("CULPRIT_SETTINGS", error);
    settings = *parsed;
  }
  const char* profile = Variable("CULPRIT_PROFILE");
  if (profile != nullptr && !SetProfile(profile, &settings)) {
    Refuse("CULPRIT_PROFILE", "must be one of r580, strict, strict-submit");
  }
  const char* policy = Variable("CULPRIT_POLICY");
  if (policy != nullptr && !SetPolicy(policy, &settings)) {
    Refuse("CULPRIT_POLICY", "must be one of eager, timed, lazy, random");
  }
  if (const char* trace = Variable("CULPRIT_TRACE")) settings.trace = trace;
  return settings;
}

void PlanFromEnvironment() {
  const char* path = Variable("CULPRIT_PLAN");
  if (path == nullptr) return;
  std::ifstream file(path, std::ios::binary);
  if (!file) Refuse("CULPRIT_PLAN", std::string(path) + ": cannot be read");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  std::string error;
  auto faults = fault::ParsePlan(text, path, &error);
  if (!faults) Refuse("CULPRIT_PLAN", error);
  for (fault::Fault& fault : *faults) fault::Plan(std::move(fault));
}

void RaiseUnfiredFaults() {
  for (const fault::Unfired& fault : fault::UnfiredFaults()) {
    audit::Raise(audit::Rule::kFaultNotFired,
                 {.object = fault.name, .more = {{"matched", std::to_string(fault.matched)}}});
  }
}

void WriteReport(std::string path) {
  const size_t at = path.find("%p");
  if (at != std::string::npos) {
    path.replace(at, 2, std::to_string(getpid()));
  } else if (getpid() != loading_process) {
    return;
  }
  if (CallsSinceReset() == 0) return;
  audit::AuditEndOfLife();
  RaiseUnfiredFaults();
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << ReportAsJson();
  file.close();
  if (!file) std::fprintf(stderr, "culprit: CULPRIT_REPORT: %s: cannot be written\n", path.c_str());
}

__attribute__((constructor)) void OnLoad() {
  loading_process = getpid();
  const Settings settings = SettingsFromEnvironment();
  ChangeSettings(settings);
  audit::SetCertifying(settings.certify);
  const std::string error = trace::OpenTrace(settings.trace);
  if (!error.empty()) Refuse("CULPRIT_TRACE", error);
  PlanFromEnvironment();
}

// Runs after the exit handlers and static destructors of the program and of the libraries that need
// this one.
__attribute__((destructor)) void OnExit() {
  trace::CloseTrace();
  if (const char* path = Variable("CULPRIT_REPORT")) WriteReport(path);
}

}  // namespace
}  // namespace culprit::fakedriver::control
