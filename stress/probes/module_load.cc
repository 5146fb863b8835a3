// SPDX-License-Identifier: Apache-2.0
// One image, loaded and unloaded: the cycle of a library that is opened and closed over and over.
// Once as the driver chooses, once with its code loaded lazily and once eagerly.
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
          Outcome loaded = driver().cuModuleLoadData(&module_, image_.c_str());
          if (!loaded.ok()) return loaded;
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
    .cycles = 6000,
    .control_cycles = 4000,
    .make = MakeWorkload<ModuleLoad>,
};

const ProbeInfo kModuleLoadLazy{
    .name = "module_load_lazy",
    .summary = "the same with CUDA_MODULE_LOADING=LAZY",
    .object = "one module",
    .cycles = 6000,
    .control_cycles = 4000,
    .environment = {{"CUDA_MODULE_LOADING", "LAZY"}},
    .make = MakeWorkload<ModuleLoad>,
};

const ProbeInfo kModuleLoadEager{
    .name = "module_load_eager",
    .summary = "the same with CUDA_MODULE_LOADING=EAGER",
    .object = "one module",
    .cycles = 6000,
    .control_cycles = 4000,
    .environment = {{"CUDA_MODULE_LOADING", "EAGER"}},
    .make = MakeWorkload<ModuleLoad>,
};

}  // namespace culprit::stress
