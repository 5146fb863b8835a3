// SPDX-License-Identifier: Apache-2.0
//
// Basic blocks of a function, and for each block the one where diverged lanes meet again: its
// immediate post-dominator. Returns lead to one common exit block. Blocks that end in `exit` or
// `trap` lead nowhere, so that a lane which ends early does not keep the others from meeting.
#ifndef FAKEDRIVER_EXEC_DECODE_CONTROL_FLOW_H_
#define FAKEDRIVER_EXEC_DECODE_CONTROL_FLOW_H_

#include <cstdint>
#include <span>
#include <vector>

#include "fakedriver/exec/reader/module_text.h"

namespace culprit::exec {

struct BasicBlock {
  uint32_t begin = 0;  // instructions of the function
  uint32_t end = 0;
  std::vector<uint32_t> successors;
  uint32_t meeting = kNone;  // block; kNone when paths never meet again
  bool may_diverge = false;  // ends in a branch that lanes may take differently
  bool is_meeting = false;   // of some block that may diverge
};

struct ControlFlow {
  std::vector<BasicBlock> blocks;  // in the order of the text; the last one is the exit, empty
  std::vector<uint32_t> block_of;  // by instruction, one past the last included

  uint32_t exit() const { return static_cast<uint32_t>(blocks.size() - 1); }
};

ControlFlow AnalyseControlFlow(const ModuleText& module, const FunctionText& function);

// Whether control may go on to the next instruction.
bool FallsThrough(const InstructionText& instruction);
// Instructions that `instruction` may jump to; `end` stands for the exit.
std::vector<uint32_t> JumpTargets(const ModuleText& module, const InstructionText& instruction,
                                  uint32_t end);

}  // namespace culprit::exec

#endif  // FAKEDRIVER_EXEC_DECODE_CONTROL_FLOW_H_
