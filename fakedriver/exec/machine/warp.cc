// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/exec/machine/warp.h"

#include <bit>
#include <cstring>

#include "fakedriver/exec/machine/block.h"
#include "fakedriver/exec/machine/grid.h"
#include "fakedriver/exec/machine/scheduling.h"

namespace culprit::exec {
namespace {

// Slices during which spinning lanes wait for lanes at a meeting point before those are let ahead.
constexpr uint32_t kPatience = 4;

Split Current(const Warp& w, const Instruction* pc) {
  return {pc, w.frame, w.mask, w.record, Split::State::kReady, 0, false};
}

const Instruction* Become(Warp& w, const Split& split) {
  w.record = split.record;
  w.alone = split.alone;
  SetMask(w, split.mask);
  EnterFrame(w, split.frame);
  return split.pc;
}

void FreeRecord(Warp& w, uint32_t index) {
  w.records[index] = Record{};
  w.free_records.push_back(index);
}

bool IsOpen(const Record& record) { return record.expected != 0; }

// The lanes that wait at a meeting point go on without the others.
bool LetAhead(Warp& w, Record& record) {
  if (record.arrived == 0) return false;
  w.waiting.push_back(
      {record.at, record.frame, record.arrived, record.parent, Split::State::kReady, 0, false});
  record.expected &= ~record.arrived;
  record.arrived = 0;
  return true;
}

}  // namespace

void CountLanes(Warp& w) {
  w.lane_instructions +=
      (w.instructions - w.counted) * static_cast<uint64_t>(std::popcount(w.mask));
  w.counted = w.instructions;
}

void EnterFrame(Warp& w, Frame* frame) {
  w.frame = frame;
  w.areas[kRegisterArea] = frame->slots;
}

Frame* NewFrame(Warp& w, const FunctionCode& code, Frame* caller, uint32_t lanes) {
  Frame* frame = w.worker->NewFrame(code.slot_bytes);
  frame->caller = caller;
  frame->code = &code;
  frame->return_to = nullptr;
  frame->call = nullptr;
  frame->depth = 0;
  frame->lanes = lanes;
  frame->local_base = caller == nullptr ? 0 : caller->local_base + caller->local_bytes;
  frame->local_bytes = code.frame_bytes;
  for (uint32_t offset : code.zeroed) std::memset(frame->slots + offset, 0, 64);
  size_t words = (size_t{frame->local_base} + frame->local_bytes) / 4 * kLanes;
  if (w.local.size() < words) w.local.resize(words);
  return frame;
}

void LeaveFrame(Warp& w, Frame* frame, uint32_t lanes) {
  frame->lanes &= ~lanes;
  if (frame->lanes == 0) w.worker->FreeFrame(frame);
}

void OpenRecord(Warp& w, const Instruction* at, uint32_t expected) {
  uint32_t index;
  if (w.free_records.empty()) {
    index = static_cast<uint32_t>(w.records.size());
    w.records.emplace_back();
  } else {
    index = w.free_records.back();
    w.free_records.pop_back();
  }
  w.records[index] = {at, w.frame, w.record, expected, 0};
  w.record = index;
}

const Instruction* Diverge(Warp& w, const Instruction* target, const Instruction* next,
                           uint32_t taken, const Instruction* reconvergence) {
  CountLanes(w);
  if (reconvergence != nullptr) {
    bool open = w.record != kNoRecord && w.records[w.record].at == reconvergence &&
                w.records[w.record].frame == w.frame;
    if (!open) OpenRecord(w, reconvergence, w.mask);
  }
  uint32_t rest = w.mask & ~taken;
  if (target == reconvergence) {
    w.records[w.record].arrived |= taken;
    SetMask(w, rest);
    return next;
  }
  if (next == reconvergence) {
    w.records[w.record].arrived |= rest;
    SetMask(w, taken);
    return target;
  }
  Split other = Current(w, target);
  other.mask = taken;
  w.waiting.push_back(other);
  SetMask(w, rest);
  return next;
}

const Instruction* Converge(Warp& w, const Instruction* i) {
  while (w.record != kNoRecord) {
    Record& record = w.records[w.record];
    if (record.at != i || record.frame != w.frame) return i + 1;
    CountLanes(w);
    record.arrived |= w.mask;
    if (record.arrived != record.expected) return TurnToNext(w);
    uint32_t done = w.record;
    SetMask(w, record.expected);
    w.record = record.parent;
    FreeRecord(w, done);
  }
  return i + 1;
}

const Instruction* EndLanes(Warp& w, uint32_t lanes, const Instruction* next) {
  CountLanes(w);
  w.live &= ~lanes;
  for (Frame* frame = w.frame; frame != nullptr;) {
    Frame* caller = frame->caller;
    LeaveFrame(w, frame, lanes);
    frame = caller;
  }
  for (uint32_t index = 0; index < w.records.size(); ++index) {
    Record& record = w.records[index];
    if (!IsOpen(record)) continue;
    record.expected &= ~lanes;
    if (record.expected == 0) {
      FreeRecord(w, index);
    } else if (record.arrived == record.expected) {
      w.waiting.push_back({record.at, record.frame, record.expected, record.parent,
                           Split::State::kReady, 0, false});
      FreeRecord(w, index);
    }
  }
  w.block->ThreadsEnded(static_cast<uint32_t>(std::popcount(lanes)));
  uint32_t rest = w.mask & ~lanes;
  if (rest != 0) {
    SetMask(w, rest);
    return next;
  }
  return TurnToNext(w);
}

const Instruction* Park(Warp& w, const Instruction* pc, Split::State state, uint8_t barrier) {
  CountLanes(w);
  Split split = Current(w, pc);
  split.state = state;
  split.barrier = barrier;
  w.waiting.push_back(split);
  return TurnToNext(w);
}

const Instruction* TurnToNext(Warp& w) {
  for (size_t n = w.waiting.size(); n-- > 0;) {
    if (w.waiting[n].state != Split::State::kReady) continue;
    Split split = w.waiting[n];
    w.waiting.erase(w.waiting.begin() + static_cast<long>(n));
    return Become(w, split);
  }
  w.mask = 0;
  w.full = 0;
  if (w.live == 0) return Leave(w, WarpEvent::kDone, nullptr);
  bool at_sync = false;
  for (Split& split : w.waiting) at_sync |= split.state == Split::State::kAtWarpSync;
  if (at_sync) {
    // Nobody else will come: the groups stand at different instructions that synchronise the warp.
    // Let them go on with the lanes that are there.
    for (Split& split : w.waiting) {
      if (split.state != Split::State::kAtWarpSync) continue;
      split.state = Split::State::kReady;
      split.alone = true;
    }
    w.worker->NoteWarpSyncAlone(w);
    return TurnToNext(w);
  }
  return Leave(w, WarpEvent::kBlocked, nullptr);
}

const Instruction* SliceOver(Warp& w, const Instruction* target) {
  CountLanes(w);
  w.slice = Worker::kSlice;
  if (w.worker->ShouldStop(w)) return Leave(w, WarpEvent::kStopped, target);
  // Someone of the warp who is ready goes first, and the split queues up behind all others.
  for (size_t n = 0; n < w.waiting.size(); ++n) {
    if (w.waiting[n].state != Split::State::kReady) continue;
    Split next = w.waiting[n];
    w.waiting.erase(w.waiting.begin() + static_cast<long>(n));
    w.waiting.push_back(Current(w, target));
    return Become(w, next);
  }
  bool someone_arrived = false;
  for (uint32_t r = w.record; r != kNoRecord; r = w.records[r].parent) {
    someone_arrived |= w.records[r].arrived != 0;
  }
  if (someone_arrived && ++w.patience >= kPatience) {
    w.patience = 0;
    for (uint32_t r = w.record; r != kNoRecord; r = w.records[r].parent) {
      if (LetAhead(w, w.records[r])) break;
    }
    return SliceOver(w, target);
  }
  return Leave(w, WarpEvent::kSlice, target);
}

bool BreakMeetings(Warp& w) {
  bool any = false;
  for (Record& record : w.records) any |= IsOpen(record) && LetAhead(w, record);
  return any;
}

const Instruction* Leave(Warp& w, WarpEvent event, const Instruction* pc) {
  CountLanes(w);
  w.event = event;
  w.pc = pc;
  return nullptr;
}

void RunWarp(Warp& w) {
  w.event = WarpEvent::kNone;
  const Instruction* i = w.pc != nullptr ? w.pc : TurnToNext(w);
  w.pc = nullptr;
  while (i != nullptr) {
    ++w.instructions;
    i = i->handler(w, i);
  }
}

}  // namespace culprit::exec
