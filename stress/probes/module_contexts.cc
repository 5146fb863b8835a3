// SPDX-License-Identifier: Apache-2.0
// One image in three contexts of one device at once. A module belongs to the context it was loaded
// into, and must be unloaded in each.
#include <array>

#include "stress/probes/context_scope.h"
#include "stress/probes/probes.h"
#include "stress/probes/ptx.h"

namespace culprit::stress {
namespace {

constexpr size_t kContexts = 3;

class ModuleContexts final : public Workload {
 public:
  explicit ModuleContexts(Session& session) : Workload(session), image_(SmallModule()) {
    for (size_t i = 0; i < kContexts; ++i) {
      AddPair(
          "cuModuleLoadData in context " + std::to_string(i),
          [this, i] {
            return InContext(driver(), contexts_[i], [this, i] {
              return driver().cuModuleLoadData(&modules_[i], image_.c_str());
            });
          },
          "cuModuleUnload",
          [this, i] {
            return InContext(driver(), contexts_[i],
                             [this, i] { return driver().cuModuleUnload(modules_[i]); });
          });
    }
    SetControl(kContexts - 1);
  }

  Outcome Setup() override {
    contexts_[0] = session().context();
    for (size_t i = 1; i < kContexts; ++i) {
      if (Outcome made = driver().CreateContext(&contexts_[i], 0, session().device()); !made.ok()) {
        return made;
      }
      CUcontext popped = nullptr;
      if (Outcome left = driver().cuCtxPopCurrent(&popped); !left.ok()) return left;
    }
    return {};
  }

 private:
  const std::string image_;
  std::array<CUcontext, kContexts> contexts_{};
  std::array<CUmodule, kContexts> modules_{};
};

}  // namespace

const ProbeInfo kModuleContexts{
    .name = "module_contexts",
    .summary = "load and unload one PTX image in three contexts",
    .object = "one module of the third context",
    .cycles = 6000,
    .control_cycles = 2000,
    .make = MakeWorkload<ModuleContexts>,
};

}  // namespace culprit::stress
