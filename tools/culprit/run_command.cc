// SPDX-License-Identifier: Apache-2.0
#include "tools/culprit/run_command.h"

#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "tools/culprit/exit_code.h"
#include "tools/culprit/host_process.h"
#include "tools/culprit/report/report_files.h"
#include "tools/culprit/report/source_line.h"
#include "tools/culprit/report/terminal.h"

namespace culprit::tools {
namespace {

namespace fs = std::filesystem;

// A folder for the reports of the program and of the processes it starts.
class ReportFolder {
 public:
  ReportFolder() {
    char path[] = "/tmp/culprit-run-XXXXXX";
    if (mkdtemp(path) == nullptr) throw std::runtime_error("no temporary folder for the report");
    path_ = path;
  }
  ~ReportFolder() {
    std::error_code error;
    fs::remove_all(path_, error);
  }
  ReportFolder(const ReportFolder&) = delete;
  ReportFolder& operator=(const ReportFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

struct Ended {
  int code = 0;  // as a shell would say it
  std::string how;
};

Ended Spawn(std::vector<std::string> program, std::vector<std::string> environment) {
  std::vector<char*> arguments;
  for (std::string& argument : program) arguments.push_back(argument.data());
  arguments.push_back(nullptr);
  std::vector<char*> variables;
  for (std::string& variable : environment) variables.push_back(variable.data());
  variables.push_back(nullptr);
  pid_t process = -1;
  const int error =
      posix_spawnp(&process, arguments[0], nullptr, nullptr, arguments.data(), variables.data());
  if (error != 0) throw std::runtime_error(fmt::format("{}: {}", program[0], strerror(error)));
  // Interrupts are the program's to handle; this process must live to report.
  signal(SIGINT, SIG_IGN);
  int status = 0;
  while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(status)) {
    return {128 + WTERMSIG(status), fmt::format("was killed by signal {} ({})", WTERMSIG(status),
                                                strsignal(WTERMSIG(status)))};
  }
  return {WEXITSTATUS(status), fmt::format("exited with {}", WEXITSTATUS(status))};
}

std::vector<std::pair<std::string, std::string>> Variables(const RunOptions& options,
                                                           const std::string& report) {
  std::vector<std::pair<std::string, std::string>> variables = {{"CULPRIT_REPORT", report}};
  if (!options.profile.empty()) variables.emplace_back("CULPRIT_PROFILE", options.profile);
  variables.emplace_back("CULPRIT_POLICY", options.policy.empty() ? "timed" : options.policy);
  if (!options.plan.empty()) variables.emplace_back("CULPRIT_PLAN", fs::absolute(options.plan));
  if (!options.trace.empty()) variables.emplace_back("CULPRIT_TRACE", fs::absolute(options.trace));
  return variables;
}

suites::Finding FindingFrom(const nlohmann::json& raw) {
  suites::Finding finding;
  finding.id = raw.value("rule", "driver.unnamed");
  finding.severity = raw.value("severity", "error");
  finding.message = raw.value("message", "");
  finding.details = raw;
  return finding;
}

// Where the objects that are left were made: leak findings name them by handle.
void AddCreatingCalls(const nlohmann::json& report, nlohmann::json* findings) {
  for (nlohmann::json& finding : *findings) {
    for (const nlohmann::json& object : report.value("live_objects", nlohmann::json::array())) {
      if (object.value("handle", "") == finding.value("handle", "-")) {
        finding["created_by"] = object.at("created_by");
      }
    }
  }
}

struct Tally {
  uint64_t calls = 0;
  uint64_t errors = 0;
  nlohmann::json reports = nlohmann::json::array();
};

Tally ReadReports(const std::string& folder) {
  Tally tally;
  for (const auto& entry : fs::directory_iterator(folder)) {
    nlohmann::json report = nlohmann::json::parse(ReadTextFile(entry.path()));
    tally.calls += report.value("calls", uint64_t{0});
    AddCreatingCalls(report, &report["findings"]);
    ResolveLocations(&report["findings"]);
    for (const nlohmann::json& finding : report["findings"]) {
      tally.errors += finding.value("severity", "") == "error" ? 1 : 0;
    }
    tally.reports.push_back(std::move(report));
  }
  return tally;
}

void PrintTally(const Tally& tally, const RunOptions& options, const Ended& ended) {
  fmt::print(stderr, "\nculprit: {} {}; {} driver calls\n", options.program[0], ended.how,
             tally.calls);
  for (const nlohmann::json& report : tally.reports) {
    for (const nlohmann::json& raw : report.at("findings")) {
      const suites::Finding finding = FindingFrom(raw);
      if (finding.severity == "note" && !options.notes) continue;
      fmt::print(stderr, "{}", FindingText(finding));
    }
    for (const nlohmann::json& missing : report.value("not_modelled", nlohmann::json::array())) {
      fmt::print(stderr, "    not modelled: {} ({} calls answered CUDA_ERROR_NOT_SUPPORTED)\n",
                 missing.value("entry", ""), missing.value("calls", 0));
    }
  }
  if (tally.calls == 0) {
    fmt::print(
        stderr,
        "culprit: NOT ONE DRIVER CALL WAS SEEN. Nothing is proved. The program may be linked "
        "against another libcuda.so.1 by an absolute path or RPATH, may have chosen not to use "
        "CUDA, or ended before its first call.\n");
  } else {
    fmt::print(stderr, "culprit: {}\n",
               tally.errors == 0 ? "no errors found" : fmt::format("{} errors", tally.errors));
  }
}

}  // namespace

int RunProgram(const Installation& installation, const RunOptions& options) {
  try {
    const ReportFolder folder;
    const Ended ended = Spawn(
        options.program, EnvironmentWithDriver(installation.driver_folder,
                                               Variables(options, folder.path() + "/%p.json")));
    const Tally tally = ReadReports(folder.path());
    if (!options.report.empty()) WriteTextFile(options.report, tally.reports.dump(2) + "\n");
    if (options.json) {
      fmt::print("{}\n", nlohmann::json{{"exit_code", ended.code},
                                        {"calls", tally.calls},
                                        {"errors", tally.errors},
                                        {"reports", tally.reports}}
                             .dump(2));
    } else {
      PrintTally(tally, options, ended);
    }
    if (ended.code != 0) return ended.code;
    if (tally.calls == 0) return kNothingProved;
    return tally.errors != 0 ? kFindings : kFine;
  } catch (const std::exception& error) {
    fmt::print(stderr, "culprit: {}\n", error.what());
    return kCannotRun;
  }
}

}  // namespace culprit::tools
