// SPDX-License-Identifier: Apache-2.0
//
// One run of an unmodified program on the fake driver, or on a vendor's through the interposer,
// with what the driver left in its reports.
#ifndef TOOLS_CULPRIT_PROGRAM_RUN_H_
#define TOOLS_CULPRIT_PROGRAM_RUN_H_

#include <chrono>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "suites/runner/finding.h"
#include "tools/culprit/installation.h"

namespace culprit::tools {

// A program that takes longer may hang, and somebody may wait for it.
inline constexpr std::chrono::milliseconds kProgramNotice{15000};

struct ProgramOptions {
  std::vector<std::string> program;  // and its arguments
  bool real = false;                 // on a vendor's driver; profile and policy do not apply
  std::string profile;               // empty: the fake's default
  std::string policy = "timed";
  std::string plan;    // path of a fault plan; empty: none
  std::string trace;   // path; "%p" stands for the process id; empty: none
  std::string output;  // file that standard output and error go to; empty: this process's own
  std::chrono::milliseconds limit{0};   // then it is killed; 0: none
  std::chrono::milliseconds notice{0};  // then standard error says that it still runs; 0: never
};

struct ProgramRun {
  int code = 0;       // as a shell would say it
  int signal = 0;     // that ended it; 0: it exited
  bool hung = false;  // it was killed at the limit, which is of its own time (suites::TimeLimit)
  std::chrono::milliseconds took{0};
  uint64_t calls = 0;       // driver calls of all its processes
  uint64_t unfinished = 0;  // processes that ended without letting the driver report
  std::string refused;      // why the driver let none begin: a setting, plan or trace; or empty
  nlohmann::json reports = nlohmann::json::array();  // of the driver, one for each process

  std::string How() const;  // "exited with 3"
  uint64_t errors() const;
};

// Throws InputError when the program cannot be started.
ProgramRun RunOnDriver(const Installation& installation, const ProgramOptions& options);

// A finding of a report, with source lines resolved.
suites::Finding FindingFromReport(const nlohmann::json& raw);
// Of all its reports.
std::vector<suites::Finding> FindingsOf(const ProgramRun& run);
std::vector<suites::Finding> ErrorsOf(const ProgramRun& run);

}  // namespace culprit::tools

#endif  // TOOLS_CULPRIT_PROGRAM_RUN_H_
