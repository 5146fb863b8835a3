// SPDX-License-Identifier: Apache-2.0
//
// What a child leaves behind when it cannot say anything any more: a page of memory shared with its
// parent, written before every call into the port and by the handlers of fatal signals, which may
// use nothing that is not async-signal-safe.
#ifndef SUITES_RUNNER_BLACK_BOX_H_
#define SUITES_RUNNER_BLACK_BOX_H_

#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "fakedriver/control/control.h"

namespace culprit::suites {

struct RecordedStack {
  pid_t thread = 0;
  uint32_t depth = 0;
  uintptr_t interrupted_at = 0;  // where the signal came; 0: the stack was taken in a plain call
  void* frames[48] = {};
};

struct BlackBox {
  std::atomic<int64_t> case_started_ns{0};
  std::atomic<int32_t> case_index{-1};
  std::atomic<bool> finished{false};  // the child came to its own end

  std::atomic<bool> harness_failed{false};

  char doing[256] = {};  // the call into the port that is in progress, or why the harness failed

  std::atomic<int32_t> signal{0};
  std::atomic<uintptr_t> fault_address{0};
  std::atomic<bool> exiting{false};  // exit() was called in the child
  std::atomic<uint32_t> stack_count{0};
  RecordedStack stacks[16];
  char last_driver_call[256] = {};
  char maps[1 << 18] = {};  // /proc/self/maps at that moment

  void BeginCase(int32_t index);
};

// Zeroed memory that this process and its future children share; lives until Unmap.
BlackBox* MapBlackBox();
void UnmapBlackBox(BlackBox* box);

// In the child: fatal signals, exit() and the parent's request for stacks (SIGQUIT) are written to
// `box` from here on. `control` may be NULL; its call log, when kept, gives the last driver call.
void InstallRecorder(BlackBox* box, const culprit_control_table* control);

// In the parent, once the child is dead: the stacks as text, innermost frame first and no further
// than the subject's. Stacks without the subject only where no other was taken.
std::vector<std::vector<std::string>> DescribeStacks(const BlackBox& box);

}  // namespace culprit::suites

#endif  // SUITES_RUNNER_BLACK_BOX_H_
