// SPDX-License-Identifier: Apache-2.0
#include "tools/culprit/sweep_replay.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "input/scratch_folder.h"
#include "suites/runner/settings.h"
#include "tools/culprit/exit_code.h"
#include "tools/culprit/fault_plan.h"
#include "tools/culprit/program_run.h"
#include "tools/culprit/report/report_files.h"
#include "tools/culprit/report/terminal.h"

namespace culprit::tools {
namespace {

constexpr const char* kVersion = "culprit_sweep_replay";
constexpr uint64_t kMostMilliseconds = 24 * 3600 * 1000;

// What the file says, looked at before anything is run.
struct Recorded {
  ProgramOptions options;
  std::string plan;
  std::string folder;
  std::string consequence;
  std::string ended;
  std::vector<std::string> new_errors;  // rules that it broke under the fault only
};

template <typename Names>
std::string OneOf(const JsonObject& replay, const char* key, const Names& names) {
  std::string text = replay.Text(key);
  if (std::find(names.begin(), names.end(), text) == names.end()) {
    replay.Fail(key, fmt::format("one of: {}", fmt::join(names, ", ")));
  }
  return text;
}

Recorded Read(const JsonObject& replay) {
  replay.Number(kVersion, 1, 1);
  Recorded recorded;
  recorded.options.program = replay.Texts("program");
  if (recorded.options.program.empty() || recorded.options.program.front().empty()) {
    replay.Fail("program", "the program and its arguments");
  }
  // None: the driver's own default.
  if (!replay.Text("profile").empty()) {
    recorded.options.profile = OneOf(replay, "profile", suites::kProfiles);
  }
  recorded.options.policy = OneOf(replay, "policy", suites::kPolicies);
  recorded.options.limit =
      std::chrono::milliseconds(replay.Number("limit_ms", 1, kMostMilliseconds));
  recorded.plan = replay.Object("plan").json().dump();
  DemandPlan(recorded.plan, replay.where() + ": plan");
  recorded.folder = replay.NotEmpty("folder");
  if (!std::filesystem::is_directory(recorded.folder)) {
    replay.Fail("folder", "a folder that is there; " + recorded.folder + " is not");
  }
  recorded.consequence = replay.Text("consequence");
  recorded.ended = replay.Text("ended");
  recorded.new_errors = replay.Texts("new_errors");
  return recorded;
}

// Whether it ended as recorded and broke what it broke then.
bool IsAsRecorded(const ProgramRun& run, const Recorded& recorded) {
  const std::vector<suites::Finding> errors = ErrorsOf(run);
  return run.How() == recorded.ended &&
         std::all_of(
             recorded.new_errors.begin(), recorded.new_errors.end(), [&](const std::string& rule) {
               return std::any_of(errors.begin(), errors.end(),
                                  [&](const suites::Finding& error) { return error.id == rule; });
             });
}

}  // namespace

bool IsSweepReplay(const JsonObject& replay) { return replay.Has(kVersion); }

int ReplaySweep(const Installation& installation, const JsonObject& replay, uint32_t tries,
                bool json) {
  Recorded recorded = Read(replay);
  const ScratchFolder scratch;
  recorded.options.plan = scratch / "plan.json";
  WriteTextFile(recorded.options.plan, recorded.plan);
  std::filesystem::current_path(recorded.folder);
  ProgramRun run;
  uint32_t tried = 0;
  bool reproduced = false;
  do {
    run = RunOnDriver(installation, recorded.options);
    if (!run.refused.empty()) return kUsage;  // the driver has said why
    reproduced = IsAsRecorded(run, recorded);
  } while (++tried < tries && !reproduced);
  if (json) {
    fmt::print("{}\n", nlohmann::json{{"reproduced", reproduced},
                                      {"tries", tried},
                                      {"ended", run.How()},
                                      {"errors", run.errors()},
                                      {"reports", run.reports}}
                           .dump(2));
  } else {
    fmt::print("the program {}{}; recorded: {}, {}\n", run.How(),
               tried > 1 ? fmt::format(" at try {}", tried) : "", recorded.consequence,
               recorded.ended);
    for (const suites::Finding& finding : ErrorsOf(run)) fmt::print("{}", FindingText(finding));
  }
  return run.hung || run.signal != 0 || run.errors() != 0 ? kFindings : kFine;
}

}  // namespace culprit::tools
