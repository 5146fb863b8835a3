// SPDX-License-Identifier: Apache-2.0
//
// one_life_cycle PORT: the process-per-fault alternative. It knows nothing of faults; the fake
// driver reads its plan from the environment.
#include "suites/runner/benchmark/motion_life_cycle.h"

int main(int argc, char** argv) {
  const culprit_port* port = argc == 2 ? culprit::suites::LoadPort(argv[1]) : nullptr;
  if (port == nullptr) return 2;
  return culprit::suites::RunMotionLifeCycle(*port) != 0 ? 1 : 0;
}
