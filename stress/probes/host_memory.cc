// SPDX-License-Identifier: Apache-2.0
// Host memory that the device can reach: allocated pinned, and the caller's own, registered.
#include <sys/mman.h>

#include "stress/probes/probes.h"

namespace culprit::stress {
namespace {

constexpr size_t kBytes = 256 << 10;

class PinnedMemory final : public Workload {
 public:
  explicit PinnedMemory(Session& session) : Workload(session) {
    AddPair(
        "cuMemHostAlloc", [this] { return driver().cuMemHostAlloc(&memory_, kBytes, 0); },
        "cuMemFreeHost", [this] { return driver().cuMemFreeHost(memory_); });
  }

 private:
  void* memory_ = nullptr;
};

// A fresh mapping each cycle, because one range cannot be registered twice.
class RegisteredMemory final : public Workload {
 public:
  explicit RegisteredMemory(Session& session) : Workload(session) {
    AddPair(
        "cuMemHostRegister",
        [this] {
          memory_ =
              mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
          if (memory_ == MAP_FAILED) return Outcome::Failed("mmap failed");
          return driver().cuMemHostRegister(memory_, kBytes, 0);
        },
        "cuMemHostUnregister",
        [this] {
          Outcome undone = driver().cuMemHostUnregister(memory_);
          if (undone.ok()) munmap(memory_, kBytes);
          return undone;
        });
  }

 private:
  void* memory_ = nullptr;
};

}  // namespace

const ProbeInfo kPinnedMemory{
    .name = "pinned_memory",
    .summary = "allocate and free 256 KiB of pinned host memory",
    .object = "256 KiB of pinned memory",
    .cycles = 1000,
    .make = MakeWorkload<PinnedMemory>,
};

const ProbeInfo kRegisteredMemory{
    .name = "registered_memory",
    .summary = "register and unregister 256 KiB of the caller's memory",
    .object = "one registration and its 256 KiB",
    .cycles = 1000,
    .make = MakeWorkload<RegisteredMemory>,
};

}  // namespace culprit::stress
