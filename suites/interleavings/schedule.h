// SPDX-License-Identifier: Apache-2.0
//
// A schedule: which thread went on at each point where more than one could. It is all that a run
// depends on beside its input, so the same schedule is the same run.
#ifndef SUITES_INTERLEAVINGS_SCHEDULE_H_
#define SUITES_INTERLEAVINGS_SCHEDULE_H_

#include <cstdint>
#include <string>
#include <vector>

namespace culprit::interleavings {

using ThreadId = uint32_t;  // 0: the thread that runs the life cycle; then in order of creation

// Which driver calls are points where a thread can be exchanged; more and more.
enum class CallPoints : uint8_t { kNone, kBeyondOwnStack, kAll };

struct Schedule {
  std::vector<ThreadId> choices;
  CallPoints call_points = CallPoints::kNone;

  // "0*12 1 0*3", "calls 0*12 1", "every-call 0*12 1"
  std::string Text() const;
  // Throws InputError.
  static Schedule Parse(const std::string& text);

  bool operator==(const Schedule&) const = default;
};

// A point where more than one thread can go on.
struct Decision {
  std::vector<ThreadId> runnable;  // ascending, at least two
  ThreadId current = 0;            // who came to this point
  bool current_can_go_on = false;  // then choosing another one preempts it
};

}  // namespace culprit::interleavings

#endif  // SUITES_INTERLEAVINGS_SCHEDULE_H_
