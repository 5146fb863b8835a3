// SPDX-License-Identifier: Apache-2.0
#ifndef TOOLS_CULPRIT_SWEEP_COMMAND_H_
#define TOOLS_CULPRIT_SWEEP_COMMAND_H_

#include <cstdint>
#include <string>
#include <vector>

#include "tools/culprit/installation.h"

namespace culprit::tools {

struct SweepOptions {
  std::vector<std::string> program;  // and its arguments
  std::string profile;
  std::string policy = "timed";
  std::string results = "one";  // for each call: "one" documented result, or "documented": all
  std::vector<std::string> when = {"before"};
  std::vector<std::string> span = {"once"};
  std::string folder = "sweep";  // replay files and the table as JSON
  double limit_s = 0;            // of one run; 0: from the run without a fault
  uint32_t jobs = 0;             // 0: one a processor
  bool json = false;
};

// Runs a program once for each driver call that it makes, with that call failing, and tells what
// became of it. kFindings when it crashed, hung, leaked or misused the driver; kNothingProved when
// it made no driver call. Throws InputError.
int RunSweep(const Installation& installation, const SweepOptions& options);

}  // namespace culprit::tools

#endif  // TOOLS_CULPRIT_SWEEP_COMMAND_H_
