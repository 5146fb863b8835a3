// SPDX-License-Identifier: Apache-2.0
//
// A launch in progress, and the threads ("workers") that run its blocks.
#ifndef FAKEDRIVER_EXEC_MACHINE_GRID_H_
#define FAKEDRIVER_EXEC_MACHINE_GRID_H_

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "fakedriver/exec/launch.h"
#include "fakedriver/exec/machine/aligned_bytes.h"
#include "fakedriver/exec/machine/block.h"
#include "fakedriver/exec/machine/block_races.h"
#include "fakedriver/exec/machine/code.h"
#include "fakedriver/exec/machine/findings.h"

namespace culprit::exec {

struct LaunchState {
  const Program& program;
  const KernelCode& code;
  const LaunchConfig& config;
  const Environment& environment;
  const ModuleState& module;
  std::span<const std::byte> parameters;
  AlignedBytes constants;
  uint32_t shared_bytes = 0;
  uint64_t grid_workspace = 0;
  std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();

  std::atomic<uint64_t> next_block{0};
  // Blocks above this one stop: it has faulted. Those below go on, so that the fault reported is
  // always that of the lowest block, whatever the number of workers.
  std::atomic<uint64_t> faulted_block{UINT64_MAX};
  std::atomic<bool> stop{false};  // everything stops: a limit was reached
  std::atomic<uint64_t> warp_instructions{0};
  std::atomic<uint64_t> lane_instructions{0};
  Findings findings;
  std::unique_ptr<BlockRaces> block_races{};  // null unless they are looked for
  std::mutex print_mutex;

  uint64_t block_count() const { return config.grid.Count(); }
};

struct Worker {
  // Backward branches before a warp gives way. Instructions that programs spin on (volatile loads,
  // atomics, clocks) use up kSpinCost at once.
  static constexpr int64_t kSlice = 1 << 16;
  static constexpr int64_t kSpinCost = 1 << 10;

  explicit Worker(LaunchState& launch);
  ~Worker();

  // Runs blocks until there are none left to take and all taken ones are done. The first worker of
  // a launch calls `after_block` now and then; it may start more workers.
  template <typename AfterBlock>
  void Run(AfterBlock after_block) {
    while (RunSome()) after_block();
  }

  Frame* NewFrame(uint32_t slot_bytes);
  void FreeFrame(Frame* frame);
  bool ShouldStop(Warp& w);
  void NoteWarpSyncAlone(Warp& w);

  LaunchState& launch;
  std::vector<RangeHint> hints;
  std::vector<MemoryRange> ranges;  // answers of DeviceMemory, most recent last

 private:
  bool RunSome();
  bool StartBlock();
  void Collect(Block& block);

  std::deque<std::unique_ptr<Block>> blocks_;
  std::map<uint32_t, std::vector<Frame*>> free_frames_;
};

}  // namespace culprit::exec

#endif  // FAKEDRIVER_EXEC_MACHINE_GRID_H_
