// SPDX-License-Identifier: Apache-2.0
//
// A lowered instruction: what to call and where its operands are. The handler returns the
// instruction to go on with, or null when the warp has to leave the loop (barrier, end, fault, time
// slice over).
//
// An operand is a 32-bit place: the upper two bits choose an area, the rest is a byte offset into
// it. All areas hold values of 32 lanes side by side, so that one instruction over a warp is a
// short loop over arrays. Predicates are the exception: one bit a lane, 32 bits a warp.
#ifndef FAKEDRIVER_EXEC_MACHINE_INSTRUCTION_H_
#define FAKEDRIVER_EXEC_MACHINE_INSTRUCTION_H_

#include <cstdint>

namespace culprit::exec {

struct Warp;
struct Instruction;
using Handler = const Instruction* (*)(Warp&, const Instruction*);

using Place = uint32_t;

enum Area : uint32_t {
  kRegisterArea = 0,  // the current frame
  kWarpArea = 1,      // %tid, %ctaid, %laneid and the like
  kConstantArea = 2,  // literals, parameters, addresses; the same for the whole launch
  kAreaCount = 4,
};

constexpr Place MakePlace(Area area, uint32_t offset) { return area << 30 | offset; }

inline constexpr uint32_t kLanes = 32;

struct Instruction {
  Handler handler = nullptr;
  Place d = 0;
  Place a = 0;
  Place b = 0;
  Place c = 0;
  union {
    int64_t immediate = 0;      // address offsets, bit counts
    const Instruction* target;  // branches
  };
  uint32_t extra = 0;  // what the handler says: a memory site, an index into a side table, flags
  uint32_t text = 0;   // which instruction of the function's text this came from
};

}  // namespace culprit::exec

#endif  // FAKEDRIVER_EXEC_MACHINE_INSTRUCTION_H_
