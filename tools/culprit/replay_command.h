// SPDX-License-Identifier: Apache-2.0
#ifndef TOOLS_CULPRIT_REPLAY_COMMAND_H_
#define TOOLS_CULPRIT_REPLAY_COMMAND_H_

#include <cstdint>
#include <string>

#include "tools/culprit/installation.h"

namespace culprit::tools {

struct ReplayOptions {
  std::string file;
  std::string port;  // another build of the port; empty: the one in the file
  // How often to run the case until the recorded findings come again. 0: once, or kTriesWithThreads
  // times where the life cycle has worker threads, whose calls come in another order each time.
  uint32_t tries = 0;
  bool changed = false;  // also with another suite, or on a port with other abilities
  bool json = false;
};

inline constexpr uint32_t kTriesWithThreads = 50;
inline constexpr uint32_t kMostTries = 1'000'000;

// Runs the case of a replay file again and prints its findings. Returns kFindings when the recorded
// ones came again, or only others did, kFine when the case passed every time. Throws InputError for
// a file or a port that cannot be used.
int RunReplay(const Installation& installation, const ReplayOptions& options);

}  // namespace culprit::tools

#endif  // TOOLS_CULPRIT_REPLAY_COMMAND_H_
