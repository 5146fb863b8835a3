// SPDX-License-Identifier: Apache-2.0
#ifndef TOOLS_CULPRIT_REPLAY_COMMAND_H_
#define TOOLS_CULPRIT_REPLAY_COMMAND_H_

#include <string>

#include "tools/culprit/installation.h"

namespace culprit::tools {

struct ReplayOptions {
  std::string file;
  std::string port;  // another build of the port; empty: the one in the file
  bool json = false;
};

// Runs the case of a replay file again and prints its findings. Returns kFindings when the recorded
// ones came again, kFine when the case passes now. Throws InputError for a file or
// a port that cannot be used.
int RunReplay(const Installation& installation, const ReplayOptions& options);

}  // namespace culprit::tools

#endif  // TOOLS_CULPRIT_REPLAY_COMMAND_H_
