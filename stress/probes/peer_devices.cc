// SPDX-License-Identifier: Apache-2.0
// Two devices: memory on both, each context let into the other's memory and out again, a copy
// across.
#include <array>

#include "stress/probes/context_scope.h"
#include "stress/probes/probes.h"

namespace culprit::stress {
namespace {

constexpr size_t kBytes = 2 << 20;

class PeerDevices final : public Workload {
 public:
  explicit PeerDevices(Session& session) : Workload(session) {
    std::array<size_t, 2> memory{};
    for (size_t i = 0; i < 2; ++i) {
      memory[i] = AddPair(
          "cuMemAlloc on device " + std::to_string(i),
          [this, i] {
            return InContext(driver(), contexts_[i],
                             [this, i] { return driver().cuMemAlloc(&memory_[i], kBytes); });
          },
          "cuMemFree", [this, i] { return driver().cuMemFree(memory_[i]); });
    }
    AddPair(
        "cuCtxEnablePeerAccess",
        [this] {
          return InContext(driver(), contexts_[0], [this] {
            if (Outcome let = driver().cuCtxEnablePeerAccess(contexts_[1], 0); !let.ok())
              return let;
            return driver().cuMemcpyPeer(memory_[0], contexts_[0], memory_[1], contexts_[1],
                                         kBytes);
          });
        },
        "cuCtxDisablePeerAccess",
        [this] {
          return InContext(driver(), contexts_[0],
                           [this] { return driver().cuCtxDisablePeerAccess(contexts_[1]); });
        },
        {memory[0], memory[1]});
  }

  Outcome Setup() override {
    int possible = 0;
    Outcome asked =
        driver().cuDeviceCanAccessPeer(&possible, session().device(0), session().device(1));
    if (!asked.ok()) return asked;
    if (possible == 0) return Outcome::Unsupported("the two devices cannot reach each other");
    contexts_[0] = session().context();
    return driver().cuDevicePrimaryCtxRetain(&contexts_[1], session().device(1));
  }
  Outcome Teardown() override { return driver().cuDevicePrimaryCtxRelease(session().device(1)); }

 private:
  std::array<CUcontext, 2> contexts_{};
  std::array<CUdeviceptr, 2> memory_{};
};

}  // namespace

const ProbeInfo kPeerDevices{
    .name = "peer_devices",
    .summary = "memory on two devices, peer access, a copy across",
    .object = "2 MiB on the first device",
    .cycles = 500,
    .devices = 2,
    .planted_device_bytes = kBytes,
    .make = MakeWorkload<PeerDevices>,
};

}  // namespace culprit::stress
