// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/exec/decode/kernel_lowering.h"

#include <algorithm>
#include <utility>

#include "fakedriver/exec/decode/block_order.h"

namespace culprit::exec {
namespace {

uint32_t Definition(const ModuleText& module, uint32_t function) {
  // A declaration may stand for a definition, an alias for either.
  for (int hops = 0; hops < 8 && module.functions[function].definition != kNone; ++hops) {
    function = module.functions[function].definition;
  }
  return function;
}

template <typename Visit>
void ForEachOperand(const ModuleText& module, const FunctionText& function, Visit visit) {
  for (uint32_t n = function.first_operand; n < function.operand_end; ++n)
    visit(module.operands[n]);
}

bool CallsIndirectly(const ModuleText& module, const FunctionText& function) {
  for (uint32_t n = 0; n < function.instruction_count; ++n) {
    const InstructionText& i = module.instructions[function.first_instruction + n];
    if (i.opcode != Opcode::kCall) continue;
    for (uint32_t o = 0; o < i.operand_count; ++o) {
      if (module.operands[i.first_operand + o].kind == Operand::Kind::kRegister) return true;
    }
  }
  return false;
}

}  // namespace

std::vector<uint32_t> ReachableFunctions(const ModuleText& module, uint32_t entry) {
  std::vector<uint32_t> reached{entry};
  std::vector<bool> seen(module.functions.size());
  seen[entry] = true;
  auto reach = [&](uint32_t function) {
    function = Definition(module, function);
    if (!seen[function]) {
      seen[function] = true;
      reached.push_back(function);
    }
  };
  bool indirect = false;
  for (size_t n = 0; n < reached.size(); ++n) {
    const FunctionText& function = module.functions[reached[n]];
    ForEachOperand(module, function, [&](const Operand& operand) {
      if (operand.kind == Operand::Kind::kFunction) reach(operand.index);
      if (operand.kind == Operand::Kind::kTargets) {
        for (uint32_t target : module.target_lists[operand.index].targets) {
          // Branch targets are instructions; taking one for a function only makes too much
          // reachable.
          if (target < module.functions.size() && !module.functions[target].entry) reach(target);
        }
      }
    });
    if (!indirect && CallsIndirectly(module, function)) {
      indirect = true;
      for (uint32_t f = 0; f < module.functions.size(); ++f) {
        if (!module.functions[f].entry && module.functions[f].has_body) reach(f);
      }
    }
  }
  return reached;
}

std::vector<uint32_t> PlaceSharedVariables(const ModuleText& module,
                                           const std::vector<uint32_t>& functions, uint32_t* end,
                                           bool* dynamic) {
  std::vector<uint32_t> offsets(module.variables.size(), kNone);
  std::vector<uint32_t> dynamic_variables;
  uint32_t at = 0;
  uint32_t dynamic_align = 1;
  for (uint32_t f : functions) {
    ForEachOperand(module, module.functions[f], [&](const Operand& operand) {
      bool names =
          operand.kind == Operand::Kind::kVariable ||
          (operand.kind == Operand::Kind::kAddress && operand.base == Operand::Base::kVariable);
      if (!names) return;
      uint32_t index = operand.index;
      const Variable& variable = module.variables[index];
      if (variable.space != StateSpace::kShared || offsets[index] != kNone) return;
      if (variable.dynamic) {
        offsets[index] = 0;
        dynamic_variables.push_back(index);
        dynamic_align = std::max(dynamic_align, variable.align);
        return;
      }
      at = (at + variable.align - 1) / variable.align * variable.align;
      offsets[index] = at;
      at += static_cast<uint32_t>(std::min<uint64_t>(variable.size, 1u << 24));
    });
  }
  if (!dynamic_variables.empty()) at = (at + dynamic_align - 1) / dynamic_align * dynamic_align;
  for (uint32_t index : dynamic_variables) offsets[index] = at;
  *end = at;
  *dynamic = !dynamic_variables.empty();
  return offsets;
}

std::unique_ptr<KernelCode> LowerKernel(const ModuleText& module, uint32_t entry,
                                        const LoweringTable& table) {
  auto kernel = std::make_unique<KernelCode>();
  kernel->module = &module;
  kernel->by_number.resize(module.functions.size());
  std::vector<uint32_t> functions = ReachableFunctions(module, entry);
  bool dynamic = false;
  kernel->shared_offsets =
      PlaceSharedVariables(module, functions, &kernel->static_shared_bytes, &dynamic);
  for (uint32_t f : functions) {
    auto code = std::make_unique<FunctionCode>();
    code->text = &module.functions[f];
    code->number = f;
    kernel->by_number[f] = code.get();
    kernel->functions.push_back(std::move(code));
  }
  // Names that stand for a definition elsewhere lead to the same code.
  for (uint32_t f = 0; f < module.functions.size(); ++f) {
    if (kernel->by_number[f] == nullptr)
      kernel->by_number[f] = kernel->by_number[Definition(module, f)];
  }
  kernel->entry = kernel->functions.front().get();
  try {
    for (auto& code : kernel->functions) {
      // What the machine provides itself (printf, malloc) shows in which order blocks run.
      kernel->order_sensitive |= !code->text->has_body;
      kernel->orders_blocks |= OrdersBlocks(module, *code->text);
      kernel->may_wait |= MayWait(module, *code->text);
      if (!code->text->has_body) continue;
      Lowering(module, *kernel, *code, table).Run();
      kernel->order_sensitive |= IsOrderSensitive(module, *code->text);
    }
  } catch (const LoweringError& error) {
    kernel->error_line = error.line;
    kernel->error = error.message;
    kernel->invalid = error.invalid;
  }
  return kernel;
}

}  // namespace culprit::exec
