// SPDX-License-Identifier: Apache-2.0
// A stream, made, used once and destroyed. Streams own channels and device memory.
#include "stress/probes/probes.h"

namespace culprit::stress {
namespace {

class Stream final : public Workload {
 public:
  explicit Stream(Session& session) : Workload(session) {
    AddPair(
        "cuStreamCreate",
        [this] {
          Outcome made = driver().cuStreamCreate(&stream_, CU_STREAM_NON_BLOCKING);
          if (!made.ok()) return made;
          return driver().cuStreamSynchronize(stream_);
        },
        "cuStreamDestroy", [this] { return driver().cuStreamDestroy(stream_); });
  }

 private:
  CUstream stream_ = nullptr;
};

}  // namespace

const ProbeInfo kStream{
    .name = "stream",
    .summary = "create and destroy a non-blocking stream",
    .object = "one stream",
    .cycles = 5000,
    .make = MakeWorkload<Stream>,
};

}  // namespace culprit::stress
