// SPDX-License-Identifier: Apache-2.0
//
// The fake without a harness: what `culprit run` and a user's shell tell it through the environment
// when it is loaded, and the report it leaves when the process exits.
//
//   CULPRIT_SETTINGS  settings as a JSON object, as configure takes them
//   CULPRIT_PROFILE, CULPRIT_POLICY, CULPRIT_TRACE   single settings, which win over the former
//   CULPRIT_PLAN      path of a fault plan
//   CULPRIT_REPORT    path of the report, "%p" standing for the process id
//
// A mistake in any of them ends the process at once: a test that runs on other settings than it
// asked for is worse than none. The report then says no more than what was refused. A process that
// never called the driver leaves no report, so that the children of a program do not overwrite its
// own. Under a path of its own ("%p") a process has from the start a report that says "unfinished",
// which is what is left of one that crashes.
//
// A fake behind the interposer, in a vendor's place, takes the settings alone: the plan, the trace
// and the report are the interposer's.
#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "fakedriver/audit/end_of_life.h"
#include "fakedriver/audit/finding.h"
#include "fakedriver/control/control.h"
#include "fakedriver/control/report.h"
#include "fakedriver/control/settings_json.h"
#include "fakedriver/control/unattended.h"
#include "fakedriver/core/calling_thread.h"
#include "fakedriver/core/inspect.h"
#include "fakedriver/fault/engine.h"
#include "fakedriver/fault/plan.h"
#include "fakedriver/trace/trace_file.h"
#include "input/input_error.h"
#include "input/text_file.h"

namespace culprit::fakedriver::control {
namespace {

// The process that loaded the library; its forked children report only to a path of their own.
pid_t loading_process = 0;

bool behind_interposer = false;

// Faults up to this id were planned through the environment, where nobody lifts them.
int last_unattended_fault = 0;

constexpr const char* kProcessId = "%p";

const char* Variable(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0' ? value : nullptr;
}

// Another library of ours was loaded first under the name that both have.
bool StandsBehindInterposer() {
  void* first = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
  if (first == nullptr) return false;
  void* control = dlsym(first, CULPRIT_CONTROL_SYMBOL);
  Dl_info its{};
  Dl_info own{};
  const bool another = control != nullptr && dladdr(control, &its) != 0 &&
                       dladdr(&loading_process, &own) != 0 && its.dli_fbase != own.dli_fbase;
  dlclose(first);
  return another;
}

// Empty: this process leaves none.
std::string ReportPath() {
  const char* variable = behind_interposer ? nullptr : Variable("CULPRIT_REPORT");
  std::string path = variable != nullptr ? variable : "";
  const size_t at = path.find(kProcessId);
  if (at != std::string::npos) return path.replace(at, 2, std::to_string(getpid()));
  return getpid() == loading_process ? path : "";
}

void WriteReport(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << text;
  file.close();
  if (!file) std::fprintf(stderr, "culprit: CULPRIT_REPORT: %s: cannot be written\n", path.c_str());
}

// A report of a process of which no more is known than this.
std::string ReportThatSays(const char* key, const nlohmann::json& value) {
  return nlohmann::json{{"culprit_report", 1},
                        {key, value},
                        {"calls", 0},
                        {"findings", nlohmann::json::array()}}
             .dump(1, ' ', false, nlohmann::json::error_handler_t::replace) +
         "\n";
}

[[noreturn]] void Refuse(const char* variable, const std::string& reason) {
  const std::string why = std::string(variable) + ": " + reason;
  std::fprintf(stderr, "culprit: %s\n", why.c_str());
  std::fflush(stderr);
  if (const std::string path = ReportPath(); !path.empty()) {
    WriteReport(path, ReportThatSays("refused", why));
  }
  _exit(2);
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
  const char* trace = Variable("CULPRIT_TRACE");
  if (trace != nullptr && !behind_interposer) settings.trace = trace;
  return settings;
}

void PlanFromEnvironment() {
  const char* path = Variable("CULPRIT_PLAN");
  if (path == nullptr || behind_interposer) return;
  std::string text;
  try {
    text = ReadTextFile(path);
  } catch (const InputError& error) {
    Refuse("CULPRIT_PLAN", error.what());
  }
  std::string error;
  auto faults = fault::ParsePlan(text, path, &error);
  if (!faults) Refuse("CULPRIT_PLAN", error);
  for (fault::Fault& fault : *faults) last_unattended_fault = fault::Plan(std::move(fault));
}

void RaiseUnfiredFaults() {
  for (const fault::Unfired& fault : fault::UnfiredFaults()) {
    audit::Raise(audit::Rule::kFaultNotFired,
                 {.object = fault.name, .more = {{"matched", std::to_string(fault.matched)}}});
  }
}

bool NamesProcess(const char* path) {
  return path != nullptr && std::strstr(path, kProcessId) != nullptr;
}

void LeaveReport() {
  const std::string path = ReportPath();
  if (path.empty()) return;
  if (CallsSinceReset() == 0) {
    // The unfinished one. A path without the process's number may hold another process's report.
    if (NamesProcess(Variable("CULPRIT_REPORT"))) unlink(path.c_str());
    return;
  }
  audit::AuditEndOfLife();
  RaiseUnfiredFaults();
  WriteReport(path, ReportAsJson());
}

__attribute__((constructor)) void OnLoad() {
  loading_process = getpid();
  behind_interposer = StandsBehindInterposer();
  if (!behind_interposer && NamesProcess(Variable("CULPRIT_REPORT"))) {
    WriteReport(ReportPath(), ReportThatSays("unfinished", true));
  }
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
  const std::string lost = trace::CloseTrace();
  if (!lost.empty()) std::fprintf(stderr, "culprit: the trace lacks calls: %s\n", lost.c_str());
  LeaveReport();
}

}  // namespace

void ReportBeforeKill() {
  if (const std::string path = ReportPath(); !path.empty()) WriteReport(path, ReportAsJson());
}

void AnnounceBlock(const CallInProgress& call, int fault) {
  if (fault > last_unattended_fault) return;
  std::fprintf(stderr,
               "culprit: a fault of the plan blocks %s, call %llu, until the process is ended: "
               "nobody lifts it\n",
               Info(call.api).symbol, static_cast<unsigned long long>(call.sequence));
}

}  // namespace culprit::fakedriver::control
