// SPDX-License-Identifier: Apache-2.0
//
// What the fake owes a program that runs on it without a harness (environment.cc).
#ifndef FAKEDRIVER_CONTROL_UNATTENDED_H_
#define FAKEDRIVER_CONTROL_UNATTENDED_H_

#include "fakedriver/core/calling_thread.h"

namespace culprit::fakedriver::control {

// A fault is about to kill the process: its report is left now, without what is only known at an
// end of its own, such as leaks.
void ReportBeforeKill();

// A fault is about to block the call. Says so on standard error when it came from the environment,
// because then nobody will lift it.
void AnnounceBlock(const CallInProgress& call, int fault);

}  // namespace culprit::fakedriver::control

#endif  // FAKEDRIVER_CONTROL_UNATTENDED_H_
