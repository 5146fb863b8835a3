// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/exec/decode/control_flow.h"

#include <algorithm>

namespace culprit::exec {
namespace {

bool IsJump(const InstructionText& i) {
  return i.opcode == Opcode::kBra || i.opcode == Opcode::kBrx || i.opcode == Opcode::kRet;
}

bool EndsBlock(const InstructionText& i) { return IsJump(i) || !FallsThrough(i); }

// Post-order of the reversed graph from the exit, without recursion.
std::vector<uint32_t> ReversePostOrder(const std::vector<std::vector<uint32_t>>& predecessors,
                                       uint32_t exit) {
  std::vector<uint32_t> order;
  std::vector<bool> seen(predecessors.size());
  std::vector<std::pair<uint32_t, size_t>> stack{{exit, 0}};
  seen[exit] = true;
  while (!stack.empty()) {
    auto& [block, next] = stack.back();
    if (next < predecessors[block].size()) {
      uint32_t before = predecessors[block][next++];
      if (!seen[before]) {
        seen[before] = true;
        stack.emplace_back(before, 0);
      }
    } else {
      order.push_back(block);
      stack.pop_back();
    }
  }
  std::reverse(order.begin(), order.end());
  return order;
}

// Immediate post-dominators by iteration to a fixed point over the reversed graph (Cooper, Harvey
// and Kennedy's method).
void FindMeetings(ControlFlow& flow) {
  const uint32_t count = static_cast<uint32_t>(flow.blocks.size());
  std::vector<std::vector<uint32_t>> predecessors(count);
  for (uint32_t b = 0; b < count; ++b) {
    for (uint32_t s : flow.blocks[b].successors) predecessors[s].push_back(b);
  }
  std::vector<uint32_t> order = ReversePostOrder(predecessors, flow.exit());
  std::vector<uint32_t> rank(count, kNone);
  for (uint32_t n = 0; n < order.size(); ++n) rank[order[n]] = n;
  std::vector<uint32_t> meeting(count, kNone);
  meeting[flow.exit()] = flow.exit();
  auto intersect = [&](uint32_t a, uint32_t b) {
    while (a != b) {
      while (rank[a] > rank[b]) a = meeting[a];
      while (rank[b] > rank[a]) b = meeting[b];
    }
    return a;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t b : order) {
      if (b == flow.exit()) continue;
      uint32_t best = kNone;
      for (uint32_t s : flow.blocks[b].successors) {
        if (meeting[s] == kNone) continue;
        best = best == kNone ? s : intersect(s, best);
      }
      if (best != meeting[b]) {
        meeting[b] = best;
        changed = true;
      }
    }
  }
  for (uint32_t b = 0; b < count; ++b) {
    BasicBlock& block = flow.blocks[b];
    if (!block.may_diverge || meeting[b] == kNone) continue;
    block.meeting = meeting[b];
    flow.blocks[meeting[b]].is_meeting = true;
  }
}

}  // namespace

bool FallsThrough(const InstructionText& i) {
  switch (i.opcode) {
    case Opcode::kBra:
    case Opcode::kRet:
    case Opcode::kExit:
    case Opcode::kTrap:
      return i.guard != kNone;
    case Opcode::kBrx:
      return i.guard != kNone;
    default:
      return true;
  }
}

std::vector<uint32_t> JumpTargets(const ModuleText& module, const InstructionText& i,
                                  uint32_t end) {
  if (i.opcode == Opcode::kRet) return {end};
  if (i.opcode == Opcode::kBra) {
    const Operand& label = module.operands[i.first_operand];
    return label.kind == Operand::Kind::kLabel ? std::vector<uint32_t>{label.index}
                                               : std::vector<uint32_t>{};
  }
  if (i.opcode == Opcode::kBrx) {
    const Operand& list = module.operands[i.first_operand + 1];
    if (list.kind == Operand::Kind::kTargets) return module.target_lists[list.index].targets;
  }
  return {};
}

ControlFlow AnalyseControlFlow(const ModuleText& module, const FunctionText& function) {
  const uint32_t end = function.instruction_count;
  const InstructionText* text = module.instructions.data() + function.first_instruction;
  std::vector<bool> leads(end + 1);
  leads[0] = leads[end] = true;
  for (uint32_t n = 0; n < end; ++n) {
    if (!EndsBlock(text[n])) continue;
    leads[n + 1] = true;
    for (uint32_t target : JumpTargets(module, text[n], end)) leads[target] = true;
  }
  ControlFlow flow;
  flow.block_of.resize(end + 1);
  for (uint32_t n = 0; n <= end; ++n) {
    if (leads[n]) {
      if (!flow.blocks.empty()) flow.blocks.back().end = n;
      flow.blocks.emplace_back();
      flow.blocks.back().begin = flow.blocks.back().end = n;
    }
    flow.block_of[n] = static_cast<uint32_t>(flow.blocks.size() - 1);
  }
  for (BasicBlock& block : flow.blocks) {
    if (block.begin == block.end) continue;
    const InstructionText& last = text[block.end - 1];
    if (FallsThrough(last)) block.successors.push_back(flow.block_of[block.end]);
    for (uint32_t target : JumpTargets(module, last, end)) {
      uint32_t successor = flow.block_of[target];
      if (std::find(block.successors.begin(), block.successors.end(), successor) ==
          block.successors.end()) {
        block.successors.push_back(successor);
      }
    }
    block.may_diverge = IsJump(last) && block.successors.size() > 1;
  }
  FindMeetings(flow);
  return flow;
}

}  // namespace culprit::exec
