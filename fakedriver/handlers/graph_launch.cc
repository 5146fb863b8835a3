// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/handlers/graph_launch.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "fakedriver/core/context.h"
#include "fakedriver/core/driver.h"
#include "fakedriver/core/memory.h"
#include "fakedriver/handlers/memory_object.h"
#include "fakedriver/handlers/stream_races.h"

namespace culprit::fakedriver::handlers {
namespace {

using Memories = std::vector<Ref<GraphMemory>>;

bool Has(const Memories& memories, const GraphMemory& memory) {
  return std::any_of(memories.begin(), memories.end(),
                     [&](const Ref<GraphMemory>& one) { return one.get() == &memory; });
}

// What the program may name at the place: an allocation that a launch left and nobody freed.
Ref<Allocation> LeftAt(const GraphMemory& memory) {
  return Memory::Get().addresses().Find(memory.base());
}

// The memory of one launch. Whatever becomes of the launch, what it took is given back: work that a
// context's end drops, or that a device error skips, runs none of its nodes.
class LaunchedMemory {
 public:
  explicit LaunchedMemory(std::shared_ptr<const MemoryOfWork> memory)
      : memory_(std::move(memory)) {}
  ~LaunchedMemory() {
    for (const Ref<Allocation>& allocation : passing_) Memory::Get().Release(*allocation);
    for (const Ref<Allocation>& allocation : freed_) Memory::Get().Release(*allocation);
  }
  LaunchedMemory(const LaunchedMemory&) = delete;
  LaunchedMemory& operator=(const LaunchedMemory&) = delete;

  const Memories& allocated() const { return memory_->allocated; }
  const Memories& freed() const { return memory_->freed; }

  CUresult Take(Stream& stream, bool frees_before);
  CUresult Charge(const Stream& stream) const;
  std::vector<Completion> Predecessors() const;
  void Queued(const Stream& stream, const Completion& launch) const;

  CUresult Run(const GraphExec::Plan& plan) const;
  Ref<Allocation> Of(const GraphMemory& memory) const;

  // That of the launch that this thread runs.
  static thread_local const LaunchedMemory* current;

 private:
  const std::shared_ptr<const MemoryOfWork> memory_;
  std::vector<Ref<Allocation>> freed_before_;  // left by the last launch; freed at the start
  std::vector<Ref<Allocation>> freed_;         // those included
  std::vector<Ref<Allocation>> passing_;       // allocated and freed in this launch
  std::vector<Ref<Allocation>> staying_;
};

thread_local const LaunchedMemory* LaunchedMemory::current = nullptr;

// All or nothing.
CUresult LaunchedMemory::Take(Stream& stream, bool frees_before) {
  for (const Ref<GraphMemory>& memory : memory_->allocated) {
    Ref<Allocation> left = LeftAt(*memory);
    if (!left) continue;
    // CUDA driver API, cuGraphLaunch. That memory left by another executable of the same graph
    // counts as well is guessed: it is at the same address.
    if (!frees_before) return CUDA_ERROR_INVALID_VALUE;
    freed_before_.push_back(std::move(left));
  }
  std::vector<Ref<Allocation>> freed = freed_before_;
  for (const Ref<GraphMemory>& memory : memory_->freed) {
    if (Has(memory_->allocated, *memory)) continue;
    Ref<Allocation> left = LeftAt(*memory);
    if (left) {
      freed.push_back(std::move(left));
      continue;
    }
    // Guessed, as are the result and that nothing of the launch takes place. Success: an injected
    // error hid an earlier free, and there is nothing left to do.
    if (CUresult result = RefuseFree(memory->base(), "hGraphExec")) return result;
  }
  for (const Ref<GraphMemory>& memory : memory_->allocated) {
    const bool passes = Has(memory_->freed, *memory);
    (passes ? passing_ : staying_).push_back(memory->NewAllocation(*stream.context()));
  }
  if (CUresult result = Charge(stream)) return result;
  for (Ref<Allocation>& allocation : freed) {
    if (!Unregister(allocation)) continue;  // another thread was faster
    GraphPool::Of(allocation->device()).GiveBack(*allocation);
    freed_.push_back(std::move(allocation));
  }
  for (const auto* made : {&passing_, &staying_}) {
    for (const Ref<Allocation>& allocation : *made) {
      RegisterWithoutCell(allocation, allocation->base());
      Memory::Get().addresses().Expect(allocation);
    }
  }
  for (const Ref<Allocation>& allocation : passing_) Unregister(allocation);
  return CUDA_SUCCESS;
}

CUresult LaunchedMemory::Charge(const Stream& stream) const {
  std::vector<GraphPool::Need> by_device(Driver::Get().device_count());
  const auto at = [&](const Ref<Allocation>& allocation) -> GraphPool::Need& {
    return by_device.at(static_cast<size_t>(allocation->device()));
  };
  for (const Ref<Allocation>& allocation : passing_) at(allocation).passing += allocation->size();
  for (const Ref<Allocation>& allocation : staying_) at(allocation).staying.push_back(allocation);
  for (const Ref<Allocation>& allocation : freed_before_)
    at(allocation).leaving.push_back(allocation);
  return GraphPool::Take(stream, by_device);
}

std::vector<Completion> LaunchedMemory::Predecessors() const {
  std::vector<Completion> ends;
  for (const Ref<GraphMemory>& memory : memory_->allocated) ends.push_back(memory->departure());
  for (const Ref<GraphMemory>& memory : memory_->freed) ends.push_back(memory->arrival());
  return ends;
}

void LaunchedMemory::Queued(const Stream& stream, const Completion& launch) const {
  for (const Ref<GraphMemory>& memory : memory_->allocated) memory->Arrives(launch);
  for (const Ref<GraphMemory>& memory : memory_->freed) memory->Leaves(launch);
  for (const Ref<Allocation>& allocation : passing_)
    GraphPool::Of(allocation->device()).Launched(stream, launch);
}

CUresult LaunchedMemory::Run(const GraphExec::Plan& plan) const {
  for (const Ref<Allocation>& allocation : freed_before_) {
    RaiseIfUsedElsewhere(*allocation);
    Memory::Get().Release(*allocation);
  }
  const LaunchedMemory* outer = std::exchange(current, this);
  const CUresult result = RunPlan(plan);
  current = outer;
  return result;
}

Ref<Allocation> LaunchedMemory::Of(const GraphMemory& memory) const {
  for (const auto* made : {&passing_, &staying_}) {
    for (const Ref<Allocation>& allocation : *made) {
      if (allocation->base() == memory.base()) return allocation;
    }
  }
  return nullptr;
}

}  // namespace

CUresult Launch(GraphExec& exec, Stream& stream) {
  const std::shared_ptr<const GraphExec::Plan> plan = exec.plan();
  if (plan->memory == nullptr) {
    exec.Launch(stream, plan, {}, [plan] { return RunPlan(*plan); });
    return CUDA_SUCCESS;
  }
  auto memory = std::make_shared<LaunchedMemory>(plan->memory);
  const bool frees_before = (exec.flags() & CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH) != 0;
  if (CUresult result = memory->Take(stream, frees_before)) return result;
  const Completion launch = exec.Launch(stream, plan, memory->Predecessors(),
                                        [plan, memory] { return memory->Run(*plan); });
  memory->Queued(stream, launch);
  return CUDA_SUCCESS;
}

CUresult RunAllocation(const GraphMemory& memory) {
  const Ref<Allocation> allocation = LaunchedMemory::current->Of(memory);
  Memory::Get().addresses().Arrive(allocation);
  NoteArrival(*allocation);
  return CUDA_SUCCESS;
}

CUresult RunFree(const GraphMemory& memory) {
  const AddressSpace::Located located = Memory::Get().addresses().Locate(memory.base());
  if (located.state != AddressSpace::State::kLive) return CUDA_SUCCESS;
  const Ref<Allocation>& allocation = located.allocation;
  RaiseIfUsedElsewhere(*allocation);
  Memory::Get().Release(*allocation);
  return CUDA_SUCCESS;
}

}  // namespace culprit::fakedriver::handlers
