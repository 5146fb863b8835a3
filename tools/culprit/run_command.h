// SPDX-License-Identifier: Apache-2.0
#ifndef TOOLS_CULPRIT_RUN_COMMAND_H_
#define TOOLS_CULPRIT_RUN_COMMAND_H_

#include <string>
#include <vector>

#include "tools/culprit/installation.h"

namespace culprit::tools {

struct RunOptions {
  std::vector<std::string> program;  // and its arguments
  bool real = false;                 // on this machine's driver, through the interposer
  std::string profile;
  std::string policy;
  std::string plan;    // a fault plan
  std::string trace;   // path of a trace
  std::string report;  // path of the driver's report to keep; empty: none is kept
  double limit_s = 0;  // of its own time, then it is killed; 0: none
  bool json = false;
  bool notes = false;  // print notes too
};

// Runs an unmodified program on the fake driver, or on this machine's, and prints what the driver
// found, with source lines. Returns the program's own exit code when that is not zero, else
// kFindings for errors, kNothingProved when no driver call was seen, kFine. Throws InputError for a
// program, plan or file that cannot be used.
int RunProgram(const Installation& installation, const RunOptions& options);

}  // namespace culprit::tools

#endif  // TOOLS_CULPRIT_RUN_COMMAND_H_
