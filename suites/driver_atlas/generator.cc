// SPDX-License-Identifier: Apache-2.0
#include "suites/driver_atlas/generator.h"

#include <string>
#include <utility>
#include <vector>

#include "suites/driver_atlas/draw.h"
#include "suites/driver_atlas/known_slots.h"
#include "suites/driver_atlas/operations.h"
#include "suites/driver_atlas/random.h"

namespace culprit::atlas {
namespace {

// Streams are kept synchronous enough that no answer depends on time: no query of a busy stream, no
// host function that sleeps.
class Generator {
 public:
  Generator(uint64_t seed, const GeneratorOptions& options)
      : random_(seed), options_(options), known_(options.contexts) {
    sequence_.name = "random/" + std::to_string(seed);
  }

  Sequence Run() {
    const std::string primary = Make(Kind::kContext);
    Add("primary", {primary});
    known_.RememberPrimary(primary);
    for (int i = 0; i < options_.steps; ++i) One();
    CleanUp();
    return std::move(sequence_);
  }

 private:
  void Add(const std::string& operation, std::vector<std::string> operands) {
    sequence_.steps.push_back({0, "", operation, std::move(operands)});
  }

  std::string Make(Kind kind) {
    return std::string(1, static_cast<char>(kind)) + std::to_string(counter_++);
  }

  void One() {
    const std::string name = DrawOperation(random_, options_.contexts);
    const Operation* operation = FindOperation(name);
    std::vector<std::string> operands;
    for (size_t i = 0; i < operation->operands.size(); ++i) {
      const OperandSpec& spec = operation->operands[i];
      std::string operand;
      if (spec.out) {
        operand = Make(spec.kind);
      } else if (spec.kind == Kind::kNumber || spec.kind == Kind::kDevice) {
        operand = DrawNumber(random_, name, i);
      } else if (spec.kind == Kind::kText) {
        operand = DrawText(random_, name);
      } else {
        operand = known_.Use(random_, spec.kind);
        if (operand.empty()) return;
      }
      operands.push_back(operand);
    }
    if (!known_.Tame(name, &operands)) return;
    const bool looks = name == "cuEventElapsedTime" || name == "download" || name == "cuMemcpyDtoD";
    if (looks || known_.FreesPoolMemory(name, operands)) Add("cuCtxSynchronize", {});
    Add(name, operands);
    known_.Remember(*operation, operands);
  }

  void CleanUp() {
    static const std::pair<Kind, const char*> kDestroyers[] = {
        {Kind::kGraphExec, "cuGraphExecDestroy"}, {Kind::kGraph, "cuGraphDestroy"},
        {Kind::kModule, "cuModuleUnload"},        {Kind::kEvent, "cuEventDestroy"},
        {Kind::kStream, "cuStreamDestroy"},       {Kind::kPointer, "cuMemFree"},
        {Kind::kHost, "cuMemFreeHost"},
    };
    if (known_.MadePoolMemory()) Add("cuCtxSynchronize", {});
    for (const auto& [kind, destroyer] : kDestroyers) {
      for (const std::string& name : known_.Left(kind)) Add(destroyer, {name});
    }
    // Popped first: a destroyed context below others would stay on the thread's stack.
    for (int i = 0; i < known_.most_stack_entries(); ++i) {
      Add("cuCtxPopCurrent", {Make(Kind::kContext)});
    }
    for (const std::string& context : known_.contexts_made()) Add("cuCtxDestroy", {context});
    Add("cuCtxSetCurrent", {"nil"});
  }

  Random random_;
  GeneratorOptions options_;
  Sequence sequence_;
  int counter_ = 0;
  KnownSlots known_;
};

}  // namespace

Sequence Generate(uint64_t seed, const GeneratorOptions& options) {
  return Generator(seed, options).Run();
}

}  // namespace culprit::atlas
