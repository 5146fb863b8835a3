// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/exec/decode/block_order.h"

#include <algorithm>
#include <span>
#include <vector>

#include "fakedriver/exec/decode/register_places.h"

namespace culprit::exec {
namespace {

std::span<const InstructionText> InstructionsOf(const ModuleText& module,
                                                const FunctionText& function) {
  return std::span(module.instructions)
      .subspan(function.first_instruction, function.instruction_count);
}

bool InSharedMemory(const InstructionText& i) {
  return i.Has(Modifier::kShared) || i.Has(Modifier::kSharedCta);
}

bool IsGlobalAtomic(const InstructionText& i) {
  return (i.opcode == Opcode::kAtom || i.opcode == Opcode::kRed) && !InSharedMemory(i);
}

bool HasOrder(const InstructionText& i) {
  for (Modifier order : {Modifier::kVolatile, Modifier::kRelaxed, Modifier::kAcquire,
                         Modifier::kRelease, Modifier::kAcqRel, Modifier::kSc, Modifier::kMmio}) {
    if (i.Has(order)) return true;
  }
  return false;
}

bool OrdersBeyondTheBlock(const InstructionText& i) {
  if (i.Has(Modifier::kCta) || InSharedMemory(i)) return false;
  if (i.opcode == Opcode::kMembar || i.opcode == Opcode::kFence) return true;
  if (IsGlobalAtomic(i)) {
    return i.Has(Modifier::kAcquire) || i.Has(Modifier::kRelease) || i.Has(Modifier::kAcqRel);
  }
  return HasOrder(i);
}

std::vector<uint32_t> OldValues(const ModuleText& module, const FunctionText& function) {
  std::vector<uint32_t> olds;
  for (const InstructionText& i : InstructionsOf(module, function)) {
    if (i.opcode != Opcode::kAtom || InSharedMemory(i)) continue;
    const Operand& old = module.operands[i.first_operand];
    if (old.kind == Operand::Kind::kRegister) olds.push_back(old.index);
  }
  return olds;
}

bool ReadsOldValues(const ModuleText& module, const FunctionText& function) {
  const std::vector<uint32_t> olds = OldValues(module, function);
  if (olds.empty()) return false;
  bool read = false;
  for (const InstructionText& i : InstructionsOf(module, function)) {
    ForEachRegister(module, i, [&](uint32_t r, bool written) {
      read |= !written && std::find(olds.begin(), olds.end(), r) != olds.end();
    });
  }
  return read;
}

// By instruction of the function: whether a branch behind it leads back before it.
std::vector<bool> InLoops(const ModuleText& module, const FunctionText& function) {
  std::vector<bool> in_loop(function.instruction_count);
  const std::span<const InstructionText> all = InstructionsOf(module, function);
  const auto back = [&](size_t from, uint32_t to) {
    for (size_t n = to; n <= from && n < in_loop.size(); ++n) in_loop[n] = true;
  };
  for (size_t at = 0; at < all.size(); ++at) {
    if (all[at].opcode != Opcode::kBra && all[at].opcode != Opcode::kBrx) continue;
    for (uint32_t n = 0; n < all[at].operand_count; ++n) {
      const Operand& operand = module.operands[all[at].first_operand + n];
      if (operand.kind == Operand::Kind::kLabel) back(at, operand.index);
      if (operand.kind != Operand::Kind::kTargets) continue;
      for (uint32_t target : module.target_lists[operand.index].targets) back(at, target);
    }
  }
  return in_loop;
}

}  // namespace

bool IsOrderSensitive(const ModuleText& module, const FunctionText& function) {
  for (const InstructionText& i : InstructionsOf(module, function)) {
    if (!IsGlobalAtomic(i)) continue;
    if (i.Has(Modifier::kExch) || i.Has(Modifier::kCas) || i.Has(Modifier::kInc) ||
        i.Has(Modifier::kDec))
      return true;
    const TypeFamily family = Info(i.LastType()).family;
    if (i.Has(Modifier::kAdd) && (family == TypeFamily::kFloat || family == TypeFamily::kPacked))
      return true;
  }
  return ReadsOldValues(module, function);
}

bool OrdersBlocks(const ModuleText& module, const FunctionText& function) {
  if (!function.has_body) return function.name != "vprintf" && function.name != "__assertfail";
  for (const InstructionText& i : InstructionsOf(module, function)) {
    if (OrdersBeyondTheBlock(i)) return true;
  }
  return ReadsOldValues(module, function);
}

bool MayWait(const ModuleText& module, const FunctionText& function) {
  if (!function.has_body) return false;
  const std::span<const InstructionText> all = InstructionsOf(module, function);
  for (const InstructionText& i : all) {
    if (i.opcode == Opcode::kLd && HasOrder(i) && !InSharedMemory(i)) return true;
  }
  if (!ReadsOldValues(module, function)) return false;
  if (!function.entry) return true;
  const std::vector<bool> in_loop = InLoops(module, function);
  for (size_t n = 0; n < all.size(); ++n) {
    if (in_loop[n] && all[n].opcode == Opcode::kAtom && !InSharedMemory(all[n])) return true;
  }
  return false;
}

}  // namespace culprit::exec
