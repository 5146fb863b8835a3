// SPDX-License-Identifier: Apache-2.0
//
// Uses of memory by operations of different streams that nothing orders
// (memory.race_between_streams). Whoever runs an operation says what it has touched;
// core/happens_before.h says what is ordered. So the race is named whether or not the policy let
// the two meet.
#ifndef FAKEDRIVER_HANDLERS_STREAM_RACES_H_
#define FAKEDRIVER_HANDLERS_STREAM_RACES_H_

#include <string>
#include <vector>

#include "fakedriver/core/access_history.h"
#include "fakedriver/core/allocation.h"
#include "fakedriver/handlers/copy_submission.h"

namespace culprit::fakedriver::handlers {

// What a launch touched in one allocation.
struct LaunchAccess {
  Ref<Allocation> allocation;
  TouchedBytes bytes;
};

// Whether the operation that this thread runs is followed, so that it pays to find out what it
// touches.
bool FollowsAccesses();

void NoteTransfer(const Transfer& transfer);
// CUDA driver API, cuMemAllocAsync: only work behind the allocation in stream order may use the
// memory. Takes a place in the stream.
void NoteAllocation(Stream& stream, const Allocation& allocation);
// The same for memory that comes with the operation that this thread runs.
void NoteArrival(const Allocation& allocation);
void NoteLaunch(const std::vector<LaunchAccess>& accesses, const std::string& kernel);

// Whether nothing orders the operation that this thread runs with one that has used the memory.
bool UsedApart(const Allocation& allocation);
// Raises memory.freed_busy when stream-ordered memory goes while work that nothing orders before
// that uses it. To be asked when the free has its turn: what it is ordered after is done by then.
void RaiseIfUsedElsewhere(const Allocation& allocation);

}  // namespace culprit::fakedriver::handlers

#endif  // FAKEDRIVER_HANDLERS_STREAM_RACES_H_
