// SPDX-License-Identifier: Apache-2.0
#ifndef TOOLS_CULPRIT_PASSED_ON_SIGNALS_H_
#define TOOLS_CULPRIT_PASSED_ON_SIGNALS_H_

#include <signal.h>
#include <sys/types.h>

namespace culprit::tools {

// While one is there, the program that the command started gets what ends the command (SIGTERM,
// SIGHUP), and what a terminal sends to both (SIGINT) is the program's alone to handle: the command
// lives to report, and leaves no program behind. One at a time.
class PassedOnSignals {
 public:
  // Before the program is started: nothing is lost until Begin.
  PassedOnSignals();
  ~PassedOnSignals();
  PassedOnSignals(const PassedOnSignals&) = delete;
  PassedOnSignals& operator=(const PassedOnSignals&) = delete;

  void Begin(pid_t program);
  // What the program is to be started with.
  const sigset_t& mask() const { return mask_; }

 private:
  sigset_t mask_;  // as it was before
  struct sigaction terminate_, hang_up_, interrupt_;
};

}  // namespace culprit::tools

#endif  // TOOLS_CULPRIT_PASSED_ON_SIGNALS_H_
