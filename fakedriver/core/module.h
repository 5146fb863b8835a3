// SPDX-License-Identifier: Apache-2.0
//
// A program loaded into a context: where its variables live, and the functions asked for so far.
#ifndef FAKEDRIVER_CORE_MODULE_H_
#define FAKEDRIVER_CORE_MODULE_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "fakedriver/core/allocation.h"
#include "fakedriver/core/function.h"
#include "fakedriver/core/object.h"

namespace culprit::exec {
class Program;
struct ModuleState;
}  // namespace culprit::exec

namespace culprit::fakedriver {

// A program with what the driver needs to know beside it. Immutable and shared by modules.
struct LoadedProgram {
  std::shared_ptr<const exec::Program> program;
  // One for each kernel: it may take time by design (reads a clock, sleeps, polls memory).
  std::vector<bool> takes_time;
  // What a program told the compiler to keep to, for each thread; 0: nothing.
  uint32_t register_limit = 0;
};

class Module final : public Object {
 public:
  static constexpr ObjectKind kKind = ObjectKind::kModule;

  Module(Context& context, std::shared_ptr<const LoadedProgram> loaded);
  ~Module() override;

  const exec::Program& program() const { return *loaded_->program; }
  const LoadedProgram& loaded() const { return *loaded_; }

  // One for each variable of the program; null for textures, surfaces and empty ones.
  const std::vector<Ref<Allocation>>& variables() const { return variables_; }
  const exec::ModuleState& state() const { return *state_; }
  void SetVariables(std::vector<Ref<Allocation>> variables,
                    std::shared_ptr<const exec::ModuleState> state);

  // The function object of a kernel, made on first use.
  Ref<Function> FunctionOf(uint32_t kernel);
  std::vector<Ref<Function>> functions() const;

  // A module of a library is unloaded with it, and not by cuModuleUnload.
  bool of_library() const { return of_library_; }
  void set_of_library() {
    of_library_ = true;
    record().internal = true;
  }

  // Gives up the variables' memory and ends the functions. Once, after MarkDestroyed.
  void TearDown();
  void OnContextGone() override { TearDown(); }

  // Launches of its kernels that are queued or running.
  std::atomic<uint32_t> pending{0};

 private:
  const std::shared_ptr<const LoadedProgram> loaded_;
  std::vector<Ref<Allocation>> variables_;
  std::shared_ptr<const exec::ModuleState> state_;
  bool of_library_ = false;
  mutable std::mutex mutex_;  // guards what follows
  std::vector<Ref<Function>> functions_;
};

}  // namespace culprit::fakedriver

#endif  // FAKEDRIVER_CORE_MODULE_H_
