// SPDX-License-Identifier: Apache-2.0
//
// The objects that the vendor's driver made for the program, as far as the calls that make and end
// them tell: enough to count what is alive and to name what leaked.
#ifndef FAKEDRIVER_INTERPOSER_TRACKED_OBJECTS_H_
#define FAKEDRIVER_INTERPOSER_TRACKED_OBJECTS_H_

#include <span>

#include "fakedriver/core/api.h"
#include "fakedriver/trace/argument.h"

namespace culprit::fakedriver::interposer {

// Whether anything is to be learnt from a call of the entry.
bool IsTracked(ApiId id);

// After the call succeeded. `context` was current before it.
void Track(ApiId id, std::span<const trace::Argument> arguments, uint64_t context);

// True once for a handle whose destruction was reported as a failure: the repeated call must not
// reach the driver, for which the handle is gone.
bool TakeAmbiguous(ApiId id, std::span<const trace::Argument> arguments);

// Nothing is tracked any more.
void ForgetObjects();

}  // namespace culprit::fakedriver::interposer

#endif  // FAKEDRIVER_INTERPOSER_TRACKED_OBJECTS_H_
