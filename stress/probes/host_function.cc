// SPDX-License-Identifier: Apache-2.0
// A host function on a stream that frees the block it was given. The driver hands nothing out here;
// what can leak is the payload of a callback that does not clean up.
#include <cstdlib>

#include "stress/probes/probes.h"

namespace culprit::stress {
namespace {

constexpr size_t kPayload = 1024;

class HostFunction final : public Workload {
 public:
  explicit HostFunction(Session& session) : Workload(session) {
    AddPair(
        "malloc",
        [this] {
          payload_ = std::malloc(kPayload);
          return payload_ != nullptr ? Outcome{} : Outcome::Failed("malloc failed");
        },
        "cuLaunchHostFunc that frees",
        [this] {
          if (Outcome queued = driver().cuLaunchHostFunc(stream_, std::free, payload_);
              !queued.ok()) {
            return queued;
          }
          return driver().cuStreamSynchronize(stream_);
        });
  }

  Outcome Setup() override { return driver().cuStreamCreate(&stream_, CU_STREAM_NON_BLOCKING); }
  Outcome Teardown() override { return driver().cuStreamDestroy(stream_); }

 private:
  CUstream stream_ = nullptr;
  void* payload_ = nullptr;
};

}  // namespace

const ProbeInfo kHostFunction{
    .name = "host_function",
    .summary = "a host function that frees its payload",
    .object = "1 KiB that a callback did not free",
    .make = MakeWorkload<HostFunction>,
};

}  // namespace culprit::stress
