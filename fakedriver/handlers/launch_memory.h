// SPDX-License-Identifier: Apache-2.0
//
// Device memory as one launch sees it. What it has handed out counts as in use until the launch
// ends, so that nobody unmaps host memory under a running kernel.
#ifndef FAKEDRIVER_HANDLERS_LAUNCH_MEMORY_H_
#define FAKEDRIVER_HANDLERS_LAUNCH_MEMORY_H_

#include <cstdlib>
#include <memory>
#include <mutex>
#include <vector>

#include "fakedriver/core/allocation.h"
#include "fakedriver/core/context.h"
#include "fakedriver/core/memory.h"
#include "fakedriver/core/memory_use.h"
#include "fakedriver/exec/device_memory.h"
#include "fakedriver/handlers/launch_reuse.h"
#include "fakedriver/handlers/stream_races.h"

namespace culprit::fakedriver::handlers {

class LaunchMemory final : public exec::DeviceMemory {
 public:
  LaunchMemory(Context& context, LaunchReuse& reuse)
      : context_(context),
        memory_(Memory::Get()),
        reuse_(reuse),
        launched_(RecordOfCall().sequence),
        followed_(FollowsAccesses()) {}
  ~LaunchMemory() override;

  exec::MemoryRange Find(uint64_t address) override;
  // What the launch has touched so far, when somebody follows it (handlers/stream_races.h).
  std::vector<LaunchAccess> Accesses() const;

  uint64_t HeapAllocate(uint64_t size) override;
  bool HeapFree(uint64_t address) override;

 private:
  // Bits for one allocation, the three ways of touching behind each other.
  struct Noted {
    Ref<Allocation> allocation;
    std::unique_ptr<uint64_t[], decltype(&std::free)> bits{nullptr, &std::free};
    uint64_t words = 0;  // of each
  };

  // False: another thread has unmapped it.
  bool Hold(const Ref<Allocation>& allocation);
  exec::TouchedBits BitsOf(const Ref<Allocation>& allocation);
  void NoteDependence();

  Context& context_;
  Memory& memory_;
  LaunchReuse& reuse_;
  const uint64_t launched_;  // number of the launching call
  const bool followed_;
  std::mutex mutex_;  // guards reuse_ and what follows
  std::vector<MemoryUse> held_;
  std::vector<Noted> noted_;
};

}  // namespace culprit::fakedriver::handlers

#endif  // FAKEDRIVER_HANDLERS_LAUNCH_MEMORY_H_
