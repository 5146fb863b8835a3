// SPDX-License-Identifier: Apache-2.0
#include "tools/culprit/program_run.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <thread>

#include "input/input_error.h"
#include "input/scratch_folder.h"
#include "input/text_file.h"
#include "suites/runner/run_delay.h"
#include "tools/culprit/host_process.h"
#include "tools/culprit/passed_on_signals.h"
#include "tools/culprit/report/report_files.h"
#include "tools/culprit/report/source_line.h"

namespace culprit::tools {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

std::vector<std::pair<std::string, std::string>> Variables(const ProgramOptions& options,
                                                           const std::string& report) {
  std::vector<std::pair<std::string, std::string>> variables = {{"CULPRIT_REPORT", report}};
  if (!options.real) variables.emplace_back("CULPRIT_POLICY", options.policy);
  if (!options.profile.empty()) variables.emplace_back("CULPRIT_PROFILE", options.profile);
  if (!options.plan.empty()) variables.emplace_back("CULPRIT_PLAN", fs::absolute(options.plan));
  if (!options.trace.empty()) variables.emplace_back("CULPRIT_TRACE", fs::absolute(options.trace));
  return variables;
}

pid_t Start(std::vector<std::string> program, std::vector<std::string> environment,
            const ProgramOptions& options, const sigset_t* mask) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  if (mask != nullptr) {
    posix_spawnattr_setsigmask(&attributes, mask);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  }
  if (!options.output.empty()) {
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, options.output.c_str(),
                                     O_WRONLY | O_CREAT | O_TRUNC, 0644);
    posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
    // A group of its own, so that what it starts can be ended with it.
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  }
  pid_t process = -1;
  const int error = posix_spawnp(&process, program[0].c_str(), &actions, &attributes,
                                 Pointers(program).data(), Pointers(environment).data());
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (error != 0) {
    throw InputError(fmt::format("{}: cannot be started: {}", program[0], strerror(error)));
  }
  return process;
}

int WaitFor(pid_t process, const ProgramOptions& options, bool* hung) {
  const auto begin = Clock::now();
  suites::TimeLimit limit;
  int status = 0;
  bool told = options.notice.count() == 0;
  for (;;) {
    const bool limited = options.limit.count() != 0 && !*hung;
    const pid_t ended = waitpid(process, &status, limited || !told ? WNOHANG : 0);
    if (ended == process) return status;
    if (ended < 0 && errno != EINTR) throw std::runtime_error("the program was lost");
    if (ended != 0) continue;
    if (!told && Clock::now() - begin > options.notice) {
      told = true;
      fmt::print(stderr, "culprit: {} still runs after {:g} s{}\n", options.program[0],
                 std::chrono::duration<double>(options.notice).count(),
                 options.limit.count() != 0 ? "" : "; --timeout SECONDS ends one that hangs");
    }
    if (limited && limit.IsOver(process, begin, options.limit)) {
      *hung = true;
      kill(options.output.empty() ? process : -process, SIGKILL);
    } else {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
  }
}

// Where the objects that are left were made: leak findings name them by handle.
void AddCreatingCalls(nlohmann::json* report) {
  for (nlohmann::json& finding : report->at("findings")) {
    for (const nlohmann::json& object : report->value("live_objects", nlohmann::json::array())) {
      if (object.value("handle", "") == finding.value("handle", "-")) {
        finding["created_by"] = object.at("created_by");
      }
    }
  }
}

void ReadReports(const std::string& folder, ProgramRun* run) {
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() != ".json") continue;
    nlohmann::json report = nlohmann::json::parse(ReadTextFile(entry.path()), nullptr, false);
    if (!report.is_object() || report.contains("unfinished")) {
      ++run->unfinished;
      continue;
    }
    if (report.contains("refused")) {
      run->refused = report.at("refused");
      continue;
    }
    run->calls += report.value("calls", uint64_t{0});
    AddCreatingCalls(&report);
    ResolveLocations(&report["findings"]);
    run->reports.push_back(std::move(report));
  }
}

}  // namespace

std::string ProgramRun::How() const {
  if (hung) return "did not end in time";
  if (signal != 0) return fmt::format("was killed by signal {} ({})", signal, strsignal(signal));
  return fmt::format("exited with {}", code);
}

uint64_t ProgramRun::errors() const {
  uint64_t errors = 0;
  for (const nlohmann::json& report : reports) {
    for (const nlohmann::json& finding : report.at("findings")) {
      errors += finding.value("severity", "") == "error" ? 1 : 0;
    }
  }
  return errors;
}

ProgramRun RunOnDriver(const Installation& installation, const ProgramOptions& options) {
  const ScratchFolder folder;
  ProgramRun run;
  const auto begin = Clock::now();
  std::optional<PassedOnSignals> signals;
  if (options.output.empty()) signals.emplace();  // one program, in front of whoever started it
  const pid_t process = Start(options.program,
                              EnvironmentWithDriver(installation.DriverFolder(options.real),
                                                    Variables(options, folder / "%p.json")),
                              options, signals ? &signals->mask() : nullptr);
  if (signals) signals->Begin(process);
  const int status = WaitFor(process, options, &run.hung);
  run.took = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - begin);
  run.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  run.code = run.signal != 0 ? 128 + run.signal : WEXITSTATUS(status);
  ReadReports(folder.path(), &run);
  return run;
}

std::vector<suites::Finding> FindingsOf(const ProgramRun& run) {
  std::vector<suites::Finding> findings;
  for (const nlohmann::json& report : run.reports) {
    for (const nlohmann::json& raw : report.at("findings")) {
      findings.push_back(FindingFromReport(raw));
    }
  }
  return findings;
}

std::vector<suites::Finding> ErrorsOf(const ProgramRun& run) {
  std::vector<suites::Finding> errors = FindingsOf(run);
  std::erase_if(errors, [](const suites::Finding& finding) { return !finding.IsError(); });
  return errors;
}

suites::Finding FindingFromReport(const nlohmann::json& raw) {
  suites::Finding finding;
  finding.id = raw.value("rule", "driver.unnamed");
  finding.severity = raw.value("severity", "error");
  finding.message = raw.value("message", "");
  finding.details = raw;
  return finding;
}

}  // namespace culprit::tools
