// SPDX-License-Identifier: Apache-2.0
#include "tools/culprit/passed_on_signals.h"

#include <atomic>
#include <cerrno>

namespace culprit::tools {
namespace {

std::atomic<pid_t> started{0};

void PassOn(int number) {
  const int saved = errno;
  kill(started, number);
  errno = saved;
}

sigset_t Ending() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGHUP);
  return signals;
}

// What is ignored, by `nohup` for example, stays so.
void HandleUnlessIgnored(int number, struct sigaction* before) {
  struct sigaction action {};
  action.sa_handler = PassOn;
  sigemptyset(&action.sa_mask);
  sigaction(number, nullptr, before);
  if (before->sa_handler != SIG_IGN) sigaction(number, &action, nullptr);
}

}  // namespace

PassedOnSignals::PassedOnSignals() : terminate_{}, hang_up_{}, interrupt_{} {
  const sigset_t ending = Ending();
  pthread_sigmask(SIG_BLOCK, &ending, &mask_);
}

void PassedOnSignals::Begin(pid_t program) {
  started = program;
  HandleUnlessIgnored(SIGTERM, &terminate_);
  HandleUnlessIgnored(SIGHUP, &hang_up_);
  struct sigaction ignored {};
  ignored.sa_handler = SIG_IGN;
  sigaction(SIGINT, &ignored, &interrupt_);
  pthread_sigmask(SIG_SETMASK, &mask_, nullptr);
}

PassedOnSignals::~PassedOnSignals() {
  if (started.exchange(0) != 0) {
    sigaction(SIGTERM, &terminate_, nullptr);
    sigaction(SIGHUP, &hang_up_, nullptr);
    sigaction(SIGINT, &interrupt_, nullptr);
  }
  pthread_sigmask(SIG_SETMASK, &mask_, nullptr);
}

}  // namespace culprit::tools
