// SPDX-License-Identifier: Apache-2.0
//
// A block: its warps, its shared memory, its barriers. It runs on one thread at a time and can be
// left and taken up again whenever its warps have used up their slices, so blocks that wait for
// each other make progress.
#ifndef FAKEDRIVER_EXEC_MACHINE_BLOCK_H_
#define FAKEDRIVER_EXEC_MACHINE_BLOCK_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "fakedriver/exec/machine/aligned_bytes.h"
#include "fakedriver/exec/machine/shared_races.h"
#include "fakedriver/exec/machine/warp.h"

namespace culprit::exec {

struct LaunchState;
struct Worker;

// bar.red: what the arriving lanes bring, and what the last completed phase came to.
struct BlockBarrier {
  uint32_t arrived = 0;   // threads
  uint32_t expected = 0;  // threads, 0: all that have not ended
  uint32_t true_count = 0;
  uint32_t false_count = 0;
  uint32_t result_true = 0;
  uint32_t result_false = 0;
};

enum class BlockState : uint8_t { kRunning, kDone, kDeadlock, kStopped };

struct Block {
  Block(LaunchState& launch, Worker& worker, uint64_t number);
  ~Block();
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;

  // One turn: every warp runs until it waits, ends or has used up its slice.
  BlockState Run();

  // `threads` more have come to the barrier, which completes when `expected` have (0: all). True if
  // it just did.
  bool Arrive(uint32_t barrier, uint32_t threads, uint32_t expected);
  void ThreadsEnded(uint32_t threads);
  // Whether a barrier completed, or a warp ended, since the turn began: the block is not merely
  // spinning.
  bool progressed = false;
  // Whether a warp that used up its slice did so with instructions that programs spin on.
  bool spinning = false;

  LaunchState& launch;
  Worker& worker;
  uint64_t number;
  std::array<uint32_t, 3> index{};
  uint32_t live_threads = 0;
  std::array<BlockBarrier, 16> barriers;
  std::vector<std::byte> shared;
  std::vector<uint8_t> shared_written;  // one a byte, when uninitialised reads are looked for
  SharedRaces shared_races;             // empty unless races are looked for
  std::vector<std::unique_ptr<Warp>> warps;

 private:
  void StartWarp(Warp& w, std::byte* area);
  void Complete(uint32_t barrier);

  AlignedBytes warp_areas_;
};

}  // namespace culprit::exec

#endif  // FAKEDRIVER_EXEC_MACHINE_BLOCK_H_
