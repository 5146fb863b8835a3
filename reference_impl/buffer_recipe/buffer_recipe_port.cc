// SPDX-License-Identifier: Apache-2.0
//
// Owning buffers as a subject; buffer_bench.h says what each operation takes.
#include "reference_impl/buffer_recipe/buffer_bench.h"
#include "reference_impl/port/operation_table.h"

namespace culprit::reference {
namespace {

template <Status (BufferBench::*Step)(const Options&)>
culprit_status With(BufferBench& bench, const Options& arguments) {
  return StatusOf((bench.*Step)(arguments));
}

template <Status (BufferBench::*Step)()>
culprit_status Plain(BufferBench& bench, const Options&) {
  return StatusOf((bench.*Step)());
}

constexpr Operation<BufferBench> kOperations[] = {
    {"allocate", &With<&BufferBench::Allocate>},
    {"import", &With<&BufferBench::Import>},
    {"use", &With<&BufferBench::Use>},
    {"drop", &With<&BufferBench::Drop>},
    {"attach", &With<&BufferBench::Attach>},
    {"launch_graph", &Plain<&BufferBench::LaunchGraph>},
    {"destroy_graph", &Plain<&BufferBench::DestroyGraph>},
    {"drain", &Plain<&BufferBench::Drain>},
    {"free_arrived", &Plain<&BufferBench::FreeArrived>},
    {"expect_warnings", &With<&BufferBench::ExpectWarnings>},
    {"release", &Plain<&BufferBench::Release>},
};

constexpr culprit_lifetime kLifetimes[] = {
    {"best_effort_rollback", "allocate",
     "a buffer that was never handed out is freed once; it has no owner to retry"},
};

}  // namespace

const culprit_port& BufferRecipePort() {
  static const char* const kNames[] = {"allocate",     "import",          "use",           "drop",
                                       "attach",       "launch_graph",    "destroy_graph", "drain",
                                       "free_arrived", "expect_warnings", "release",       nullptr};
  static const culprit_port port = [] {
    culprit_port made = OperatingPort(kNames);
    made.lifetimes = kLifetimes;
    made.lifetime_count = std::size(kLifetimes);
    made.operate = [](void** instance, const char* name, const culprit_option* arguments,
                      uint32_t count, culprit_status* status) {
      return Operate(kOperations, instance, name, arguments, count, status);
    };
    return made;
  }();
  return port;
}

}  // namespace culprit::reference
