// SPDX-License-Identifier: Apache-2.0
//
// The planned faults of this process, and what they do to the call at hand.
//
// Deciding takes the engine's lock, and only for entries that some fault names. Nothing is done
// while the lock is held: the call path carries the decision out.
#ifndef FAKEDRIVER_FAULT_ENGINE_H_
#define FAKEDRIVER_FAULT_ENGINE_H_

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "fakedriver/core/calling_thread.h"
#include "fakedriver/fault/fault.h"

namespace culprit::fakedriver::fault {

// What happens to one call. All faults that fire on it together: the first that has an error
// decides the error.
struct Decision {
  int fault = 0;  // whose error it is, or the first that fired; 0: none did
  std::optional<CUresult> before;
  std::optional<CUresult> after;
  std::optional<CUresult> lose_contexts;
  int block = 0;  // wait until this fault is lifted
  bool kill = false;
  std::chrono::nanoseconds delay{0};
};

// Counts the call for every fault it matches. `may_fire` is false when the gate refuses the call
// anyway.
Decision Decide(const CallInProgress& call, uint32_t thread, bool may_fire);

// The handler failed by itself, so that the error after it never came to be: the firing is taken
// back.
void TakeBack(int fault);

void WaitUntilLifted(int fault);

// Plans a fault and returns its id, from 1. The fault must be one without Objection.
int Plan(Fault fault);

// Negative: no such fault.
int64_t TimesFired(int id);
bool Lift(int id);
void Clear();

// Planned, not optional, never fired and not lifted away by the harness after firing.
struct Unfired {
  int id;
  std::string name;
  uint64_t matched;  // calls that matched its site
};
std::vector<Unfired> UnfiredFaults();

}  // namespace culprit::fakedriver::fault

#endif  // FAKEDRIVER_FAULT_ENGINE_H_
