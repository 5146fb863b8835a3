// SPDX-License-Identifier: Apache-2.0
//
// Handlers that are the same for every instruction set: control flow, frames, clocks.
#ifndef FAKEDRIVER_EXEC_MACHINE_CONTROL_H_
#define FAKEDRIVER_EXEC_MACHINE_CONTROL_H_

#include <cstdint>

#include "fakedriver/exec/machine/warp.h"

namespace culprit::exec::machine {

// Runs the `extra` instructions that follow under the lanes of predicate `a` only. They must not
// put lanes aside.
const Instruction* Guard(Warp& w, const Instruction* i);
const Instruction* GuardNot(Warp& w, const Instruction* i);

// A meeting point of diverged lanes.
const Instruction* Meet(Warp& w, const Instruction* i);
const Instruction* Jump(Warp& w, const Instruction* i);
const Instruction* JumpBack(Warp& w, const Instruction* i);
// To `target` where predicate `a` holds; `extra` is the BranchInfo.
Handler BranchHandler(bool negated, bool back);
// To the target that `a` numbers.
const Instruction* BranchIndexed(Warp& w, const Instruction* i);

const Instruction* EndKernel(Warp& w, const Instruction* i);
const Instruction* Return(Warp& w, const Instruction* i);
const Instruction* Unsupported(Warp& w, const Instruction* i);

// The address of `immediate` bytes into the current frame's local memory.
const Instruction* FrameAddress32(Warp& w, const Instruction* i);
const Instruction* FrameAddress64(Warp& w, const Instruction* i);
// Special register `extra`, one of the clocks.
const Instruction* ReadClock(Warp& w, const Instruction* i);

// Comes before a volatile access or one with a memory order. Programs spin on such, so it uses up
// the slice quickly.
const Instruction* OrderedAccess(Warp& w, const Instruction* i);

}  // namespace culprit::exec::machine

#endif  // FAKEDRIVER_EXEC_MACHINE_CONTROL_H_
