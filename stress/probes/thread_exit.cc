// SPDX-License-Identifier: Apache-2.0
// A thread that binds the context, makes an event and ends. Drivers keep state per thread; a pool
// that starts threads for each job shows whether they drop it again.
#include <thread>

#include "stress/probes/probes.h"

namespace culprit::stress {
namespace {

class ThreadExit final : public Workload {
 public:
  explicit ThreadExit(Session& session) : Workload(session) {
    AddPair(
        "cuEventCreate in a thread that ends",
        [this] {
          Outcome outcome;
          std::thread([this, &outcome] {
            outcome = driver().cuCtxSetCurrent(this->session().context());
            if (outcome.ok()) outcome = driver().cuEventCreate(&event_, CU_EVENT_DISABLE_TIMING);
          }).join();
          return outcome;
        },
        "cuEventDestroy", [this] { return driver().cuEventDestroy(event_); });
  }

 private:
  CUevent event_ = nullptr;
};

}  // namespace

const ProbeInfo kThreadExit{
    .name = "thread_exit",
    .summary = "a thread that binds the context, makes an event and ends",
    .object = "one event",
    .make = MakeWorkload<ThreadExit>,
};

}  // namespace culprit::stress
