// SPDX-License-Identifier: Apache-2.0
// Primary contexts. Their last release, and a reset, reclaim whatever was left inside, so a library
// that forgets its memory looks clean to a process in which nobody else holds the context. These
// cycles rely on that on purpose: memory is taken and never freed by hand. The controls leave out
// the release or the reset; what was inside then stays, cycle after cycle.
#include "stress/probes/context_scope.h"
#include "stress/probes/probes.h"

namespace culprit::stress {
namespace {

constexpr size_t kInside = 2 << 20;

class PrimaryRelease final : public Workload {
 public:
  explicit PrimaryRelease(Session& session) : Workload(session) {
    AddPair(
        "cuDevicePrimaryCtxRetain",
        [this] {
          Outcome held = driver().cuDevicePrimaryCtxRetain(&context_, this->session().device());
          if (!held.ok()) return held;
          return InContext(driver(), context_,
                           [this] { return driver().cuMemAlloc(&memory_, kInside); });
        },
        "cuDevicePrimaryCtxRelease",
        [this] { return driver().cuDevicePrimaryCtxRelease(this->session().device()); });
  }

 private:
  CUcontext context_ = nullptr;
  CUdeviceptr memory_ = 0;
};

// A reset destroys the context under its holders, whose retains stay counted.
class PrimaryReset final : public Workload {
 public:
  explicit PrimaryReset(Session& session) : Workload(session) {
    AddPair(
        "cuDevicePrimaryCtxRetain",
        [this] {
          Outcome held = driver().cuDevicePrimaryCtxRetain(&context_, this->session().device());
          if (!held.ok()) return held;
          return InContext(driver(), context_,
                           [this] { return driver().cuMemAlloc(&memory_, kInside); });
        },
        "cuDevicePrimaryCtxReset and cuDevicePrimaryCtxRelease",
        [this] {
          Outcome reset = driver().cuDevicePrimaryCtxReset(this->session().device());
          if (!reset.ok()) return reset;
          return driver().cuDevicePrimaryCtxRelease(this->session().device());
        });
  }

 private:
  CUcontext context_ = nullptr;
  CUdeviceptr memory_ = 0;
};

}  // namespace

const ProbeInfo kPrimaryRelease{
    .name = "primary_release",
    .summary = "retain the primary context, fill it, release it to zero",
    .object = "one release, and the 2 MiB it would reclaim",
    .cycles = 80,
    .control_cycles = 200,
    .context = ContextPlan::kOwn,
    .planted_device_bytes = kInside,
    .make = MakeWorkload<PrimaryRelease>,
};

const ProbeInfo kPrimaryReset{
    .name = "primary_reset",
    .summary = "retain the primary context, fill it, reset and release it",
    .object = "one reset, and the 2 MiB it would reclaim",
    .cycles = 80,
    .control_cycles = 200,
    .context = ContextPlan::kOwn,
    .planted_device_bytes = kInside,
    .make = MakeWorkload<PrimaryReset>,
};

}  // namespace culprit::stress
