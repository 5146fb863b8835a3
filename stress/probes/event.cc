// SPDX-License-Identifier: Apache-2.0
// An event, made, recorded, waited for and destroyed.
#include "stress/probes/probes.h"

namespace culprit::stress {
namespace {

class Event final : public Workload {
 public:
  explicit Event(Session& session) : Workload(session) {
    AddPair(
        "cuEventCreate",
        [this] {
          Outcome made = driver().cuEventCreate(&event_, CU_EVENT_DISABLE_TIMING);
          if (!made.ok()) return made;
          if (Outcome recorded = driver().cuEventRecord(event_, stream_); !recorded.ok()) {
            return recorded;
          }
          return driver().cuEventSynchronize(event_);
        },
        "cuEventDestroy", [this] { return driver().cuEventDestroy(event_); });
  }

  Outcome Setup() override { return driver().cuStreamCreate(&stream_, CU_STREAM_NON_BLOCKING); }
  Outcome Teardown() override { return driver().cuStreamDestroy(stream_); }

 private:
  CUstream stream_ = nullptr;
  CUevent event_ = nullptr;
};

}  // namespace

const ProbeInfo kEvent{
    .name = "event",
    .summary = "create, record and destroy an event",
    .object = "one event",
    .cycles = 20000,
    .control_cycles = 4000,
    .make = MakeWorkload<Event>,
};

}  // namespace culprit::stress
