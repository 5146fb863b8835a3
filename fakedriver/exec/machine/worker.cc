// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <utility>

#include "fakedriver/exec/machine/findings.h"
#include "fakedriver/exec/machine/grid.h"

namespace culprit::exec {

Worker::Worker(LaunchState& state) : launch(state), hints(state.code.memory_sites) {}

Worker::~Worker() {
  blocks_.clear();
  for (auto& [bytes, frames] : free_frames_) {
    for (Frame* frame : frames) {
      AlignedBytes(frame->slots).reset();
      delete frame;
    }
  }
}

Frame* Worker::NewFrame(uint32_t slot_bytes) {
  std::vector<Frame*>& free = free_frames_[slot_bytes];
  if (!free.empty()) {
    Frame* frame = free.back();
    free.pop_back();
    return frame;
  }
  Frame* frame = new Frame;
  frame->slots = NewAlignedBytes(slot_bytes).release();
  return frame;
}

void Worker::FreeFrame(Frame* frame) { free_frames_[frame->code->slot_bytes].push_back(frame); }

bool Worker::StartBlock() {
  if (blocks_.size() >= launch.environment.device.max_resident_blocks) return false;
  if (launch.stop.load(std::memory_order_relaxed)) return false;
  uint64_t number = launch.next_block.fetch_add(1, std::memory_order_relaxed);
  if (number >= launch.block_count() ||
      number > launch.faulted_block.load(std::memory_order_relaxed))
    return false;
  blocks_.push_back(std::make_unique<Block>(launch, *this, number));
  return true;
}

// One turn of one block. Blocks that only spin make room for others, which may be the ones they
// wait for.
bool Worker::RunSome() {
  if (blocks_.empty() && !StartBlock()) return false;
  std::unique_ptr<Block> block = std::move(blocks_.front());
  blocks_.pop_front();
  switch (block->Run()) {
    case BlockState::kRunning:
      if (block->spinning && !block->progressed) {
        StartBlock();
        blocks_.push_back(std::move(block));
      } else {
        blocks_.push_front(std::move(block));
      }
      return true;
    case BlockState::kDeadlock: {
      for (auto& warp : block->warps) {
        if (warp->waiting.empty()) continue;
        const Split& split = warp->waiting.front();
        warp->frame = split.frame;
        uint32_t lane = static_cast<uint32_t>(__builtin_ctz(split.mask));
        Fault(*warp, split.pc == nullptr ? nullptr : split.pc - 1, FaultKind::kDeadlock, lane,
              "Every thread of the block waits at a barrier that cannot complete");
        break;
      }
      break;
    }
    case BlockState::kDone:
    case BlockState::kStopped:
      break;
  }
  Collect(*block);
  return true;
}

void Worker::Collect(Block& block) {
  uint64_t instructions = 0;
  uint64_t lane_instructions = 0;
  for (auto& warp : block.warps) {
    instructions += warp->instructions;
    lane_instructions += warp->lane_instructions;
  }
  launch.warp_instructions.fetch_add(instructions, std::memory_order_relaxed);
  launch.lane_instructions.fetch_add(lane_instructions, std::memory_order_relaxed);
}

bool Worker::ShouldStop(Warp& w) {
  if (launch.stop.load(std::memory_order_relaxed)) return true;
  if (w.block->number > launch.faulted_block.load(std::memory_order_relaxed)) return true;
  const Limits& limits = launch.environment.limits;
  auto give_up = [&](FaultKind kind, const char* message) {
    Fault(w, nullptr, kind, 0, message);
    launch.stop.store(true, std::memory_order_relaxed);
    return true;
  };
  if (limits.cancelled != nullptr && limits.cancelled->load(std::memory_order_relaxed)) {
    return give_up(FaultKind::kCancelled, "The launch was cancelled");
  }
  if (limits.instructions != 0 &&
      launch.warp_instructions.load(std::memory_order_relaxed) + w.instructions >
          limits.instructions) {
    return give_up(FaultKind::kInstructionLimit, "The launch used up its instruction limit");
  }
  if (limits.nanoseconds != 0 && std::chrono::steady_clock::now() > launch.deadline) {
    return give_up(FaultKind::kTimeLimit, "The launch used up its time limit");
  }
  return false;
}

void Worker::NoteWarpSyncAlone(Warp& w) {
  if (!launch.environment.checks.barrier_divergence) return;
  for (const Split& split : w.waiting) {
    if (!split.alone) continue;
    MemoryFinding finding;
    finding.kind = FindingKind::kBarrierDivergence;
    Frame* frame = std::exchange(w.frame, split.frame);
    finding.where = Locate(w, split.pc);
    w.frame = frame;
    finding.who = PositionOf(w, static_cast<uint32_t>(__builtin_ctz(split.mask)));
    launch.findings.Report(w.block->number, split.pc, std::move(finding));
  }
}

}  // namespace culprit::exec
