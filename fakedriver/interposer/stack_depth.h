// SPDX-License-Identifier: Apache-2.0
//
// The depth of the calling thread's context stack, which no driver tells. It is counted from the
// calls that change it, by the rules measured on driver 580: setting replaces the top or, on an
// empty stack, pushes; setting null pops; destroying a context pops it where the calling thread has
// it on top.
#ifndef FAKEDRIVER_INTERPOSER_STACK_DEPTH_H_
#define FAKEDRIVER_INTERPOSER_STACK_DEPTH_H_

#include <span>

#include "fakedriver/core/api.h"
#include "fakedriver/trace/argument.h"

namespace culprit::fakedriver::interposer {

bool ChangesStack(ApiId id);

// Asks the vendor's driver for the current context, before a call that may change it.
void NoteCurrentContext();
uint64_t NotedContext();

// After a call that changes the stack succeeded.
void FollowStack(ApiId id, std::span<const trace::Argument> arguments);

}  // namespace culprit::fakedriver::interposer

#endif  // FAKEDRIVER_INTERPOSER_STACK_DEPTH_H_
