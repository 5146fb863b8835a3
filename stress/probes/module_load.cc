// SPDX-License-Identifier: Apache-2.0
// One image, loaded and unloaded: the cycle of a library that is opened and closed over and over.
#include "stress/probes/probes.h"
#include "stress/probes/ptx.h"

namespace culprit::stress {
namespace {

class ModuleLoad final : public Workload {
 public:
  explicit ModuleLoad(Session& session) : Workload(session), image_(SmallModule()) {
    AddPair(
        "cuModuleLoadData",
        [this] {
          if (Outcome loaded = driver().cuModuleLoadData(&module_, image_.c_str()); !loaded.ok()) {
            return loaded;
          }
          CUfunction function = nullptr;
          return driver().cuModuleGetFunction(&function, module_, kSmallKernel);
        },
        "cuModuleUnload", [this] { return driver().cuModuleUnload(module_); });
  }

 private:
  const std::string image_;
  CUmodule module_ = nullptr;
};

}  // namespace

const ProbeInfo kModuleLoad{
    .name = "module_load",
    .summary = "load and unload one PTX image",
    .object = "one module",
    .make = [](Session& session) -> std::unique_ptr<Workload> {
      return std::make_unique<ModuleLoad>(session);
    },
};

}  // namespace culprit::stress
