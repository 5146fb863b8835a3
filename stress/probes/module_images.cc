// SPDX-License-Identifier: Apache-2.0
// Sixteen different images in turn, so that no cache keyed by content can serve every load.
#include <vector>

#include "stress/probes/probes.h"
#include "stress/probes/ptx.h"

namespace culprit::stress {
namespace {

constexpr int kImages = 16;

class ModuleImages final : public Workload {
 public:
  explicit ModuleImages(Session& session) : Workload(session) {
    for (int addend = 1; addend <= kImages; ++addend) images_.push_back(SmallModule(addend));
    AddPair(
        "cuModuleLoadData",
        [this] { return driver().cuModuleLoadData(&module_, images_[cycle() % kImages].c_str()); },
        "cuModuleUnload", [this] { return driver().cuModuleUnload(module_); });
  }

 private:
  std::vector<std::string> images_;
  CUmodule module_ = nullptr;
};

}  // namespace

const ProbeInfo kModuleImages{
    .name = "module_images",
    .summary = "load and unload sixteen different PTX images in turn",
    .object = "one module",
    .cycles = 6000,
    .control_cycles = 4000,
    .make = MakeWorkload<ModuleImages>,
};

}  // namespace culprit::stress
