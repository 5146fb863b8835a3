// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/exec/machine/block.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "fakedriver/exec/machine/grid.h"
#include "fakedriver/exec/machine/scheduling.h"

namespace culprit::exec {
namespace {

void Broadcast(std::byte* area, SpecialRegister r, uint32_t value) {
  uint32_t* lanes = reinterpret_cast<uint32_t*>(area + static_cast<size_t>(r) * kLaneValueBytes);
  std::fill_n(lanes, kLanes, value);
}

}  // namespace

Block::Block(LaunchState& launch_state, Worker& running_worker, uint64_t block_number)
    : launch(launch_state),
      worker(running_worker),
      number(block_number),
      shared_races(launch_state.environment.checks.shared_races ? launch_state.shared_bytes : 0) {
  const Dim3& grid = launch.config.grid;
  index = {static_cast<uint32_t>(number % grid.x), static_cast<uint32_t>(number / grid.x % grid.y),
           static_cast<uint32_t>(number / grid.x / grid.y)};
  live_threads = static_cast<uint32_t>(launch.config.block.Count());
  shared.resize(launch.shared_bytes);
  if (launch.environment.checks.uninitialised) shared_written.resize(launch.shared_bytes);
  uint32_t warp_count = (live_threads + kLanes - 1) / kLanes;
  warp_areas_ = NewAlignedBytes(size_t{warp_count} * kWarpAreaBytes);
  for (uint32_t n = 0; n < warp_count; ++n) {
    warps.push_back(std::make_unique<Warp>());
    warps.back()->index = n;
  }
}

// Whatever is left of frames after a fault goes back to the worker.
Block::~Block() {
  for (auto& warp : warps) {
    std::vector<Frame*> frames;
    auto add = [&](Frame* frame) {
      for (; frame != nullptr; frame = frame->caller) {
        if (frame->lanes != 0 && std::find(frames.begin(), frames.end(), frame) == frames.end()) {
          frames.push_back(frame);
        }
      }
    };
    if (warp->live == 0) continue;
    add(warp->frame);
    for (const Split& split : warp->waiting) add(split.frame);
    for (const Record& record : warp->records) {
      if (record.expected != 0) add(record.frame);
    }
    for (Frame* frame : frames) worker.FreeFrame(frame);
  }
}

void Block::StartWarp(Warp& w, std::byte* area) {
  const LaunchConfig& config = launch.config;
  uint32_t threads = static_cast<uint32_t>(config.block.Count());
  uint32_t first = w.index * kLanes;
  uint32_t lanes = std::min(kLanes, threads - first);
  w.live = lanes == kLanes ? UINT32_MAX : (1u << lanes) - 1;
  SetMask(w, w.live);
  w.slice = Worker::kSlice;
  w.worker = &worker;
  w.block = this;
  w.hints = worker.hints.data();
  w.shared = shared.data();
  w.shared_bytes = static_cast<uint32_t>(shared.size());
  w.plain_shared =
      !launch.environment.checks.uninitialised && !launch.environment.checks.shared_races;
  w.areas[kWarpArea] = area;
  w.areas[kConstantArea] = launch.constants.get();
  auto lane_value = [&](SpecialRegister r, uint32_t lane) -> uint32_t& {
    return reinterpret_cast<uint32_t*>(area + static_cast<size_t>(r) * kLaneValueBytes)[lane];
  };
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    uint32_t thread = first + lane;
    lane_value(SpecialRegister::kTidX, lane) = thread % config.block.x;
    lane_value(SpecialRegister::kTidY, lane) = thread / config.block.x % config.block.y;
    lane_value(SpecialRegister::kTidZ, lane) = thread / config.block.x / config.block.y;
    lane_value(SpecialRegister::kTidW, lane) = 0;
    lane_value(SpecialRegister::kLaneid, lane) = lane;
    uint32_t bit = 1u << lane;
    lane_value(SpecialRegister::kLanemaskEq, lane) = bit;
    lane_value(SpecialRegister::kLanemaskLt, lane) = bit - 1;
    lane_value(SpecialRegister::kLanemaskLe, lane) = bit | (bit - 1);
    lane_value(SpecialRegister::kLanemaskGt, lane) = ~(bit | (bit - 1));
    lane_value(SpecialRegister::kLanemaskGe, lane) = ~(bit - 1);
  }
  const Dim3& cluster = config.cluster;
  uint32_t in_cluster[3] = {index[0] % cluster.x, index[1] % cluster.y, index[2] % cluster.z};
  Broadcast(area, SpecialRegister::kWarpid, w.index);
  Broadcast(area, SpecialRegister::kSmid,
            static_cast<uint32_t>(number % std::max(1u, launch.environment.device.sm_count)));
  Broadcast(area, SpecialRegister::kCtaidX, index[0]);
  Broadcast(area, SpecialRegister::kCtaidY, index[1]);
  Broadcast(area, SpecialRegister::kCtaidZ, index[2]);
  Broadcast(area, SpecialRegister::kCtaidW, 0);
  Broadcast(area, SpecialRegister::kClusteridX, index[0] / cluster.x);
  Broadcast(area, SpecialRegister::kClusteridY, index[1] / cluster.y);
  Broadcast(area, SpecialRegister::kClusteridZ, index[2] / cluster.z);
  Broadcast(area, SpecialRegister::kClusterCtaidX, in_cluster[0]);
  Broadcast(area, SpecialRegister::kClusterCtaidY, in_cluster[1]);
  Broadcast(area, SpecialRegister::kClusterCtaidZ, in_cluster[2]);
  Broadcast(area, SpecialRegister::kClusterCtarank,
            in_cluster[0] + cluster.x * (in_cluster[1] + cluster.y * in_cluster[2]));
  EnterFrame(w, NewFrame(w, *launch.code.entry, nullptr, w.live));
  w.pc = launch.code.entry->instructions.data();
}

BlockState Block::Run() {
  progressed = false;
  spinning = false;
  bool running = false;
  bool any_live = false;
  for (auto& warp : warps) {
    Warp& w = *warp;
    if (w.block == nullptr) StartWarp(w, warp_areas_.get() + size_t{w.index} * kWarpAreaBytes);
    if (w.event == WarpEvent::kDone) continue;
    RunWarp(w);
    if (w.event == WarpEvent::kStopped) return BlockState::kStopped;
    progressed |= w.event == WarpEvent::kDone;
    any_live |= w.event != WarpEvent::kDone;
    running |= w.event == WarpEvent::kSlice;
    spinning |= w.event == WarpEvent::kSlice && w.spun;
    w.spun = false;
  }
  if (!any_live) return BlockState::kDone;
  if (running || progressed) return BlockState::kRunning;
  bool freed = false;
  for (auto& warp : warps) freed |= BreakMeetings(*warp);
  if (freed) return BlockState::kRunning;
  return BlockState::kDeadlock;
}

bool Block::Arrive(uint32_t barrier, uint32_t threads, uint32_t expected) {
  BlockBarrier& b = barriers[barrier];
  b.arrived += threads;
  b.expected = expected;
  if (b.arrived < (expected == 0 ? live_threads : expected)) return false;
  Complete(barrier);
  return true;
}

void Block::ThreadsEnded(uint32_t threads) {
  live_threads -= threads;
  for (uint32_t n = 0; n < barriers.size(); ++n) {
    BlockBarrier& b = barriers[n];
    if (b.arrived != 0 && b.expected == 0 && live_threads != 0 && b.arrived >= live_threads)
      Complete(n);
  }
}

void Block::Complete(uint32_t barrier) {
  BlockBarrier& b = barriers[barrier];
  b.result_true = b.true_count;
  b.result_false = b.false_count;
  b.arrived = b.expected = b.true_count = b.false_count = 0;
  progressed = true;
  shared_races.NextPhase();
  for (auto& warp : warps) {
    for (Split& split : warp->waiting) {
      if (split.state == Split::State::kAtBlockBarrier && split.barrier == barrier) {
        split.state = Split::State::kReady;
      }
    }
  }
}

}  // namespace culprit::exec
