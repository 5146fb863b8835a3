// SPDX-License-Identifier: Apache-2.0
#include "tools/culprit/run_command.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>

#include "input/text_file.h"
#include "tools/culprit/exit_code.h"
#include "tools/culprit/fault_plan.h"
#include "tools/culprit/program_run.h"
#include "tools/culprit/report/report_files.h"
#include "tools/culprit/report/terminal.h"

namespace culprit::tools {
namespace {

void Print(const ProgramRun& run, const RunOptions& options) {
  fmt::print(stderr, "\nculprit: {} {}; {} driver calls\n", options.program[0], run.How(),
             run.calls);
  for (const nlohmann::json& report : run.reports) {
    for (const nlohmann::json& raw : report.at("findings")) {
      const suites::Finding finding = FindingFromReport(raw);
      if (finding.severity == "note" && !options.notes) continue;
      fmt::print(stderr, "{}", FindingText(finding));
    }
    for (const nlohmann::json& missing : report.value("not_modelled", nlohmann::json::array())) {
      fmt::print(stderr, "    not modelled: {} ({} calls answered CUDA_ERROR_NOT_SUPPORTED)\n",
                 missing.value("entry", ""), missing.value("calls", 0));
    }
  }
  if (run.unfinished != 0) {
    fmt::print(stderr,
               "culprit: {} of its processes ended without letting the driver report: by a signal, "
               "_exit or exec. What they did to the driver is not known.\n",
               run.unfinished);
  }
  if (run.calls != 0) {
    fmt::print(stderr, "culprit: {}\n",
               run.errors() == 0 ? "no errors found" : fmt::format("{} errors", run.errors()));
  } else if (run.unfinished == 0) {
    fmt::print(
        stderr,
        "culprit: NOT ONE DRIVER CALL WAS SEEN. Nothing is proved. The program may be linked "
        "against another libcuda.so.1 by an absolute path or RPATH, may have chosen not to use "
        "CUDA, or ended before its first call.\n");
  }
}

}  // namespace

int RunProgram(const Installation& installation, const RunOptions& options) {
  if (!options.plan.empty()) DemandPlan(ReadTextFile(options.plan), options.plan);
  if (!options.report.empty()) DemandWritable(options.report);
  if (!options.trace.empty() && options.trace.find("%p") == std::string::npos) {
    DemandWritable(options.trace);
  }
  const ProgramRun run = RunOnDriver(
      installation, {.program = options.program,
                     .real = options.real,
                     .profile = options.profile,
                     .policy = options.policy.empty() ? "timed" : options.policy,
                     .plan = options.plan,
                     .trace = options.trace,
                     .output = {},
                     .limit = std::chrono::milliseconds(std::llround(options.limit_s * 1000)),
                     .notice = kProgramNotice});
  if (!run.refused.empty()) return kUsage;  // the driver has said why
  if (!options.report.empty()) WriteTextFile(options.report, run.reports.dump(2) + "\n");
  if (options.json) {
    fmt::print("{}\n", nlohmann::json{{"exit_code", run.code},
                                      {"calls", run.calls},
                                      {"unfinished", run.unfinished},
                                      {"errors", run.errors()},
                                      {"reports", run.reports}}
                           .dump(2));
  } else {
    Print(run, options);
  }
  if (run.code != 0) return run.code;
  if (run.calls == 0) return kNothingProved;
  return run.errors() != 0 ? kFindings : kFine;
}

}  // namespace culprit::tools
