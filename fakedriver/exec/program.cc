// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/exec/program.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <unordered_map>
#include <utility>

#include "fakedriver/exec/decode/code_cache.h"
#include "fakedriver/exec/decode/kernel_lowering.h"
#include "fakedriver/exec/launch.h"
#include "fakedriver/exec/machine/address_windows.h"
#include "fakedriver/exec/machine/external_functions.h"
#include "fakedriver/exec/reader/module_text.h"
#include "fakedriver/exec/reader/parser.h"

namespace culprit::exec {

// Turns parsed texts into a Program.
class ProgramBuilder {
 public:
  static LoadResult Build(std::span<const std::string_view> texts, const LoadOptions& options) {
    LoadResult result;
    auto program = std::shared_ptr<Program>(new Program);
    program->text_ = std::make_unique<ModuleText>();
    try {
      for (std::string_view text : texts) Parse(text, options, *program->text_);
      ResolveExternals(*program->text_);
      Describe(*program);
    } catch (const ParseError& error) {
      result.error = {static_cast<LoadErrorKind>(error.kind), error.line, error.message};
      return result;
    }
    program->code_ = std::make_unique<CodeCache>(*program->text_, BestLoweringTable());
    if (!LowerSmall(*program, texts, &result.error)) return result;
    result.program = std::move(program);
    return result;
  }

 private:
  static void Parse(std::string_view text, const LoadOptions& options, ModuleText& module) {
    text = text.substr(0, text.find('\0'));
    module.storage.emplace_back(text);
    Parser(module.storage.back(), options, module).ParseModule();
  }

  // Operands of the wrong size come to light when a kernel is lowered. For texts of ordinary size
  // that is done at once, so that loading refuses them as a compiler would; larger ones are lowered
  // kernel by kernel when launched.
  static bool LowerSmall(const Program& program, std::span<const std::string_view> texts,
                         LoadError* error) {
    constexpr size_t kSmall = 128 * 1024;
    size_t size = 0;
    for (std::string_view text : texts) size += text.size();
    if (size > kSmall) return true;
    for (uint32_t n = 0; n < program.kernels().size(); ++n) {
      const KernelCode& kernel = program.code().Get(n);
      if (!kernel.invalid) continue;
      *error = {LoadErrorKind::kInvalidPtx, kernel.error_line, kernel.error};
      return false;
    }
    return true;
  }

  [[noreturn]] static void FailUnresolved(uint32_t line, std::string_view name) {
    throw ParseError{line, "Unresolved extern function '" + std::string(name) + "'",
                     static_cast<uint8_t>(LoadErrorKind::kUnresolvedSymbol)};
  }

  // Declarations find the definitions that other texts, or later lines, make visible.
  static void ResolveExternals(ModuleText& module) {
    std::unordered_map<std::string_view, uint32_t> functions;
    std::unordered_map<std::string_view, uint32_t> variables;
    for (uint32_t f = 0; f < module.functions.size(); ++f) {
      const FunctionText& function = module.functions[f];
      if (function.has_body && function.linkage != Linkage::kInternal)
        functions.emplace(function.name, f);
    }
    for (uint32_t v = 0; v < module.variables.size(); ++v) {
      const Variable& variable = module.variables[v];
      bool visible = variable.linkage != Linkage::kInternal && variable.linkage != Linkage::kExtern;
      if (variable.function == kNone && visible) variables.emplace(variable.name, v);
    }
    for (uint32_t f = 0; f < module.functions.size(); ++f) {
      FunctionText& function = module.functions[f];
      if (function.has_body || function.definition != kNone) continue;
      if (auto it = functions.find(function.name); it != functions.end()) {
        function.definition = it->second;
      } else if (ExternalFunction(function.name) == nullptr && IsUsed(module, f)) {
        FailUnresolved(function.line, function.name);
      }
    }
    for (Variable& variable : module.variables) {
      if (variable.function != kNone || variable.linkage != Linkage::kExtern || variable.dynamic)
        continue;
      if (auto it = variables.find(variable.name); it != variables.end()) {
        variable.definition = it->second;
      } else {
        throw ParseError{variable.line,
                         "Unresolved extern variable '" + std::string(variable.name) + "'",
                         static_cast<uint8_t>(LoadErrorKind::kUnresolvedSymbol)};
      }
    }
  }

  static bool IsUsed(const ModuleText& module, uint32_t function) {
    return std::any_of(module.operands.begin(), module.operands.end(), [&](const Operand& operand) {
      return operand.kind == Operand::Kind::kFunction && operand.index == function;
    });
  }

  static void Describe(Program& program) {
    ModuleText& module = *program.text_;
    program.ptx_version_ = module.version;
    program.target_sm_ = module.target_sm;
    for (GlobalInfo& global : module.globals) {
      // The reader leaves numbers of variables in relocations; from here on they are numbers of
      // globals.
      for (Relocation& relocation : global.relocations) {
        if (relocation.target != Relocation::Target::kGlobal) continue;
        const Variable* variable = &module.variables[relocation.index];
        if (variable->definition != kNone) variable = &module.variables[variable->definition];
        if (variable->global == kNone) {
          throw ParseError{global.line, "Initial value of '" + global.name +
                                            "' is not the address of a global variable"};
        }
        relocation.index = variable->global;
      }
    }
    program.globals_ = std::move(module.globals);
    module.globals.clear();
    for (uint32_t f = 0; f < module.functions.size(); ++f) {
      const FunctionText& function = module.functions[f];
      if (!function.entry || !function.has_body) continue;
      module.entries.push_back(f);
      program.kernels_.push_back(DescribeKernel(module, f));
    }
  }

  static KernelInfo DescribeKernel(const ModuleText& module, uint32_t f) {
    const FunctionText& function = module.functions[f];
    KernelInfo kernel;
    kernel.name = function.name;
    kernel.line = function.line;
    kernel.required_threads = function.required_threads;
    kernel.maximum_threads = function.maximum_threads;
    kernel.local_bytes = function.local_bytes;
    for (uint32_t v : function.parameters) {
      const Variable& variable = module.variables[v];
      uint32_t size = static_cast<uint32_t>(variable.size);
      kernel.parameters.push_back(
          {std::string(variable.name), variable.offset, size, variable.align});
      kernel.parameter_bytes = variable.offset + size;
    }
    PlaceSharedVariables(module, ReachableFunctions(module, f), &kernel.static_shared_bytes,
                         &kernel.uses_dynamic_shared);
    // Virtual registers are written about once; a compiler keeps some tens of them alive. The
    // number only has to be plausible and the same for the same text.
    uint32_t words = 0;
    for (Type type : function.registers) words += Bits(type) == 64 ? 2 : 1;
    kernel.registers = std::clamp(16 + words / 16, 8u, 255u) / 8 * 8;
    return kernel;
  }
};

Program::Program() = default;
Program::~Program() = default;

LoadResult Program::Load(std::string_view ptx, const LoadOptions& options) {
  return ProgramBuilder::Build(std::span(&ptx, 1), options);
}

LoadResult Program::Link(std::span<const std::string_view> texts, const LoadOptions& options) {
  return ProgramBuilder::Build(texts, options);
}

std::optional<uint32_t> Program::FindKernel(std::string_view name) const {
  for (uint32_t n = 0; n < kernels_.size(); ++n) {
    if (kernels_[n].name == name) return n;
  }
  return std::nullopt;
}

std::optional<uint32_t> Program::FindGlobal(std::string_view name) const {
  for (uint32_t n = 0; n < globals_.size(); ++n) {
    if (globals_[n].name == name) return n;
  }
  return std::nullopt;
}

std::vector<std::byte> Program::InitialBytes(uint32_t index, const ModuleState& state) const {
  const GlobalInfo& global = globals_[index];
  std::vector<std::byte> bytes = global.initial;
  bytes.resize(global.size);
  for (const Relocation& relocation : global.relocations) {
    uint64_t address = relocation.target == Relocation::Target::kFunction
                           ? kCodeWindow + (uint64_t{relocation.index} + 1) * kCodeStep
                           : state.global_addresses.at(relocation.index);
    address += static_cast<uint64_t>(relocation.addend);
    if (relocation.offset + relocation.size <= bytes.size()) {
      std::memcpy(&bytes[relocation.offset], &address, relocation.size);
    }
  }
  return bytes;
}

}  // namespace culprit::exec
