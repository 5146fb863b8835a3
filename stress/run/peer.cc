// SPDX-License-Identifier: Apache-2.0
#include "stress/run/peer.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

namespace culprit::stress {

int StartPeer(const ProbeInfo& probe, const SessionPlan& plan, int not_for_peer) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return -1;
  const pid_t peer = fork();
  if (peer == 0) {
    if (not_for_peer >= 0) close(not_for_peer);
    close(ends[0]);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    probe.peer({.driver = plan.driver, .device = plan.device}, ends[1]);
    _exit(0);
  }
  close(ends[1]);
  if (peer > 0) return ends[0];
  close(ends[0]);
  return -1;
}

}  // namespace culprit::stress
