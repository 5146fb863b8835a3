// SPDX-License-Identifier: Apache-2.0
// Plain device memory: whole chunks, small pieces that share a chunk, and pitched rows.
#include "stress/probes/probes.h"

namespace culprit::stress {
namespace {

template <size_t kBytes>
class DeviceMemory final : public Workload {
 public:
  explicit DeviceMemory(Session& session) : Workload(session) {
    AddPair(
        "cuMemAlloc", [this] { return driver().cuMemAlloc(&memory_, kBytes); }, "cuMemFree",
        [this] { return driver().cuMemFree(memory_); });
  }

 private:
  CUdeviceptr memory_ = 0;
};

class PitchedMemory final : public Workload {
 public:
  explicit PitchedMemory(Session& session) : Workload(session) {
    AddPair(
        "cuMemAllocPitch",
        [this] {
          size_t pitch = 0;
          return driver().cuMemAllocPitch(&memory_, &pitch, 3840, 1080, 4);
        },
        "cuMemFree", [this] { return driver().cuMemFree(memory_); });
  }

 private:
  CUdeviceptr memory_ = 0;
};

constexpr size_t kWhole = 2 << 20;
constexpr size_t kSmall = 16 << 10;

}  // namespace

const ProbeInfo kDeviceMemory{
    .name = "device_memory",
    .summary = "allocate and free 2 MiB of device memory",
    .object = "2 MiB of device memory",
    .planted_device_bytes = kWhole,
    .make = MakeWorkload<DeviceMemory<kWhole>>,
};

const ProbeInfo kDeviceMemorySmall{
    .name = "device_memory_small",
    .summary = "allocate and free 16 KiB of device memory, 128 to a chunk",
    .object = "16 KiB of device memory",
    .cycles = 4000,
    .control_cycles = 4000,
    .planted_device_bytes = kSmall,
    .make = MakeWorkload<DeviceMemory<kSmall>>,
};

const ProbeInfo kPitchedMemory{
    .name = "pitched_memory",
    .summary = "allocate and free 3840 by 1080 bytes of pitched memory",
    .object = "one pitched plane",
    .make = MakeWorkload<PitchedMemory>,
};

}  // namespace culprit::stress
