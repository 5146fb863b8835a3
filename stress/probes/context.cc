// SPDX-License-Identifier: Apache-2.0
// A context of its own, made and destroyed. Each holds hundreds of MiB, so its loops are short.
#include "stress/probes/probes.h"

namespace culprit::stress {
namespace {

class Context final : public Workload {
 public:
  explicit Context(Session& session) : Workload(session) {
    AddPair(
        "cuCtxCreate",
        [this] {
          Outcome made = driver().CreateContext(&context_, 0, this->session().device());
          if (!made.ok()) return made;
          CUcontext popped = nullptr;
          return driver().cuCtxPopCurrent(&popped);
        },
        "cuCtxDestroy", [this] { return driver().cuCtxDestroy(context_); });
  }

 private:
  CUcontext context_ = nullptr;
};

}  // namespace

const ProbeInfo kContext{
    .name = "context",
    .summary = "create and destroy a context",
    .object = "one context",
    .cycles = 80,
    .control_cycles = 24,
    .context = ContextPlan::kOwn,
    .make = MakeWorkload<Context>,
};

}  // namespace culprit::stress
