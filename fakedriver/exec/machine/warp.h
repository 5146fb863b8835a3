// SPDX-License-Identifier: Apache-2.0
//
// A warp: 32 lanes, the registers of its frames, and the groups ("splits") it has diverged into.
//
// One split runs at a time; its state is in the fields at the top. When lanes of a split disagree
// at a branch, a record of where the two sides meet is opened, one side runs on and the other waits
// as a ready split. A split that reaches the meeting point of its innermost record waits there
// until all lanes the record expects have come or ended. So lanes reconverge at post-dominators,
// calls included, because a function has one common return.
//
// Lanes that spin on a backward branch use up a time slice; then another split, warp or block goes
// on. If the lanes they wait for stand at a meeting point, the record is broken up and those run
// ahead (independent thread scheduling).
#ifndef FAKEDRIVER_EXEC_MACHINE_WARP_H_
#define FAKEDRIVER_EXEC_MACHINE_WARP_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "fakedriver/exec/machine/code.h"
#include "fakedriver/exec/machine/instruction.h"
#include "fakedriver/exec/machine/touched_bits.h"

namespace culprit::exec {

struct Block;
struct Worker;

struct Frame {
  std::byte* slots = nullptr;  // 64-byte aligned, owned by the warp's frame pool
  Frame* caller = nullptr;
  const FunctionCode* code = nullptr;
  const Instruction* return_to = nullptr;  // in the caller, the instruction after the call
  const CallInfo* call = nullptr;
  uint32_t local_base = 0;  // where this frame's local memory starts in each lane's
  uint32_t local_bytes = 0;
  uint32_t depth = 0;
  uint32_t lanes = 0;  // that are in this frame or in one called from it
};

enum class WarpEvent : uint8_t {
  kNone,
  kBlocked,  // no split is ready: all wait at barriers of the block
  kSlice,    // the time slice is over; some split is ready
  kDone,     // every lane has ended
  kStopped,  // a fault, here or elsewhere
};

inline constexpr uint32_t kNoRecord = UINT32_MAX;

struct Split {
  enum class State : uint8_t { kReady, kAtBlockBarrier, kAtWarpSync };
  const Instruction* pc = nullptr;
  Frame* frame = nullptr;
  uint32_t mask = 0;
  uint32_t record = kNoRecord;
  State state = State::kReady;
  uint8_t barrier = 0;
  bool alone =
      false;  // need not wait for the other lanes of a warp-level instruction: they will not come
};

// What a memory instruction found the last time. A miss costs a look into the range table, nothing
// else.
struct RangeHint {
  uint64_t base = 1;
  uint64_t end = 0;
  std::byte* origin =
      nullptr;  // host address of device address 0, so that origin + address is the byte
  uint64_t* read_bits = nullptr;  // TouchedBits of the range
  uint64_t* written_bits = nullptr;
  std::array<NotedRow, 2> noted;  // there, by half of the warp
  bool plain_load = false;        // nothing to note or forbid about loads
  bool plain_store = false;
};

struct Record {
  const Instruction* at = nullptr;
  Frame* frame = nullptr;
  uint32_t parent = kNoRecord;
  uint32_t expected = 0;
  uint32_t arrived = 0;
};

struct Warp {
  // The running split.
  std::array<std::byte*, kAreaCount> areas{};
  uint32_t mask = 0;
  uint32_t full = 0;  // 1 when the split is all lanes that have not ended: nothing needs masking
  uint32_t live = 0;  // lanes that have not ended
  uint32_t record = kNoRecord;
  int64_t slice = 0;  // backward branches left before others get a turn
  Frame* frame = nullptr;
  Worker* worker = nullptr;
  Block* block = nullptr;
  uint32_t carry = 0;  // condition code of add.cc and the like, a bit a lane
  bool alone = false;  // Split::alone of the running split

  // Memory as the fast paths want it.
  RangeHint* hints = nullptr;  // by memory site
  std::byte* shared = nullptr;
  uint32_t shared_bytes = 0;
  bool plain_shared = true;  // nothing to note about accesses to shared memory

  // Local memory, in words: word w of lane l is local[w * 32 + l].
  std::vector<uint32_t> local;

  WarpEvent event = WarpEvent::kNone;
  const Instruction* pc = nullptr;  // where to go on
  uint32_t index = 0;               // in the block
  bool spun = false;                // since the slice began, by instructions that programs spin on
  uint32_t patience = 0;            // slices used up while other lanes stood at a meeting point
  uint64_t instructions = 0;
  uint64_t lane_instructions = 0;
  uint64_t counted = 0;  // instructions already in lane_instructions

  std::vector<Split> waiting;
  std::vector<Record> records;
  std::vector<uint32_t> free_records;
  std::vector<Frame*> free_frames;
};

inline std::byte* At(const Warp& w, Place place) {
  return w.areas[place >> 30] + (place & 0x3fffffff);
}

inline void SetMask(Warp& w, uint32_t mask) {
  w.mask = mask;
  w.full = mask == w.live;
}

}  // namespace culprit::exec

#endif  // FAKEDRIVER_EXEC_MACHINE_WARP_H_
