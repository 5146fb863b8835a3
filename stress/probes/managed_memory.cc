// SPDX-License-Identifier: Apache-2.0
// Managed memory, touched by the host so that it exists. Small, for it may live on either side.
#include <cstring>

#include "stress/probes/probes.h"

namespace culprit::stress {
namespace {

constexpr size_t kBytes = 256 << 10;

class ManagedMemory final : public Workload {
 public:
  explicit ManagedMemory(Session& session) : Workload(session) {
    AddPair(
        "cuMemAllocManaged",
        [this] {
          Outcome made = driver().cuMemAllocManaged(&memory_, kBytes, CU_MEM_ATTACH_GLOBAL);
          if (made.ok()) std::memset(reinterpret_cast<void*>(memory_), 1, kBytes);
          return made;
        },
        "cuMemFree", [this] { return driver().cuMemFree(memory_); });
  }

  Outcome Setup() override {
    int managed = 0;
    Outcome asked = driver().cuDeviceGetAttribute(&managed, CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY,
                                                  session().device());
    if (asked.ok() && managed == 0) return Outcome::Unsupported("the device has no managed memory");
    return asked;
  }

 private:
  CUdeviceptr memory_ = 0;
};

}  // namespace

const ProbeInfo kManagedMemory{
    .name = "managed_memory",
    .summary = "allocate, touch and free 256 KiB of managed memory",
    .object = "256 KiB of managed memory",
    .cycles = 1000,
    .make = MakeWorkload<ManagedMemory>,
};

}  // namespace culprit::stress
