// SPDX-License-Identifier: Apache-2.0
//
// Device memory as one launch sees it. What it has handed out counts as in use until the launch
// ends, so that nobody unmaps host memory under a running kernel.
#ifndef FAKEDRIVER_HANDLERS_LAUNCH_MEMORY_H_
#define FAKEDRIVER_HANDLERS_LAUNCH_MEMORY_H_

#include <mutex>
#include <vector>

#include "fakedriver/core/allocation.h"
#include "fakedriver/core/context.h"
#include "fakedriver/core/memory.h"
#include "fakedriver/core/memory_use.h"
#include "fakedriver/exec/device_memory.h"
#include "fakedriver/handlers/launch_reuse.h"

namespace culprit::fakedriver::handlers {

class LaunchMemory final : public exec::DeviceMemory {
 public:
  LaunchMemory(Context& context, LaunchReuse& reuse)
      : context_(context),
        memory_(Memory::Get()),
        reuse_(reuse),
        launched_(RecordOfCall().sequence) {}
  ~LaunchMemory() override;

  exec::MemoryRange Find(uint64_t address) override;
  uint64_t HeapAllocate(uint64_t size) override;
  bool HeapFree(uint64_t address) override;

 private:
  // False: another thread has unmapped it.
  bool Hold(const Ref<Allocation>& allocation);
  void NoteDependence();

  Context& context_;
  Memory& memory_;
  LaunchReuse& reuse_;
  const uint64_t launched_;  // number of the launching call
  std::mutex mutex_;         // guards held_ and reuse_
  std::vector<MemoryUse> held_;
};

}  // namespace culprit::fakedriver::handlers

#endif  // FAKEDRIVER_HANDLERS_LAUNCH_MEMORY_H_
