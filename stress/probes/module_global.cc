// SPDX-License-Identifier: Apache-2.0
// A module with 1 MiB of global memory, whose address is asked for, so that it has to exist on the
// device even where code is loaded lazily.
#include "stress/probes/probes.h"
#include "stress/probes/ptx.h"

namespace culprit::stress {
namespace {

constexpr size_t kTable = 1 << 20;

class ModuleGlobal final : public Workload {
 public:
  explicit ModuleGlobal(Session& session) : Workload(session), image_(SmallModule(1, kTable)) {
    AddPair(
        "cuModuleLoadData",
        [this] {
          Outcome loaded = driver().cuModuleLoadData(&module_, image_.c_str());
          if (!loaded.ok()) return loaded;
          CUdeviceptr table = 0;
          size_t bytes = 0;
          return driver().cuModuleGetGlobal(&table, &bytes, module_, kSmallTable);
        },
        "cuModuleUnload", [this] { return driver().cuModuleUnload(module_); });
  }

 private:
  const std::string image_;
  CUmodule module_ = nullptr;
};

}  // namespace

const ProbeInfo kModuleGlobal{
    .name = "module_global",
    .summary = "load and unload a PTX image with 1 MiB of global memory",
    .object = "one module with 1 MiB of globals",
    .make = MakeWorkload<ModuleGlobal>,
};

}  // namespace culprit::stress
