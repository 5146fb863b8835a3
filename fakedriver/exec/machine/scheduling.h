// SPDX-License-Identifier: Apache-2.0
//
// What handlers do to the splits of a warp: diverge, meet, end, wait, give way.
#ifndef FAKEDRIVER_EXEC_MACHINE_SCHEDULING_H_
#define FAKEDRIVER_EXEC_MACHINE_SCHEDULING_H_

#include <cstdint>

#include "fakedriver/exec/machine/warp.h"

namespace culprit::exec {

// Those that return an instruction are the last act of a handler.

// Lanes in `taken` go to `target`, the others to `next`; the two meet again at `reconvergence`.
const Instruction* Diverge(Warp& w, const Instruction* target, const Instruction* next,
                           uint32_t taken, const Instruction* reconvergence);
// The split has reached a meeting point.
const Instruction* Converge(Warp& w, const Instruction* i);
// The lanes end; the rest of the split goes on at `next`.
const Instruction* EndLanes(Warp& w, uint32_t lanes, const Instruction* next);
// Puts the split aside in `state` with `pc` as its place and turns to another one.
const Instruction* Park(Warp& w, const Instruction* pc, Split::State state, uint8_t barrier = 0);
// The slice ran out at a branch to `target`.
const Instruction* SliceOver(Warp& w, const Instruction* target);
// Takes the next ready split, or leaves the loop.
const Instruction* TurnToNext(Warp& w);
const Instruction* Leave(Warp& w, WarpEvent event, const Instruction* pc);
// When a block would otherwise wait for ever: lanes at meeting points go on alone. False if there
// are none.
bool BreakMeetings(Warp& w);

void OpenRecord(Warp& w, const Instruction* at, uint32_t expected);
void EnterFrame(Warp& w, Frame* frame);
Frame* NewFrame(Warp& w, const FunctionCode& code, Frame* caller, uint32_t lanes);
void LeaveFrame(Warp& w, Frame* frame, uint32_t lanes);
// Brings lane_instructions up to date; before any change of the mask.
void CountLanes(Warp& w);

// Runs until the warp leaves the loop; the reason is in w.event.
void RunWarp(Warp& w);

}  // namespace culprit::exec

#endif  // FAKEDRIVER_EXEC_MACHINE_SCHEDULING_H_
