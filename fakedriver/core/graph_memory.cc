// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/core/graph_memory.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "fakedriver/core/device.h"
#include "fakedriver/core/driver.h"
#include "fakedriver/core/graph.h"
#include "fakedriver/core/last_not_above.h"
#include "fakedriver/core/life.h"
#include "fakedriver/core/memory.h"
#include "fakedriver/core/pool.h"
#include "fakedriver/core/settings.h"

namespace culprit::fakedriver {
namespace {

// Where which memory is. It holds none of it.
struct Places {
  std::mutex mutex;  // guards what follows
  std::map<uint64_t, GraphMemory*> by_base;

  static Places& Get() {
    static Places* places = new Places;
    return *places;
  }
};

}  // namespace

GraphMemory::GraphMemory(Ref<Allocation> stand_in)
    : Object(ObjectKind::kOther, nullptr), stand_in_(std::move(stand_in)), life_(DriverLife()) {
  Places& places = Places::Get();
  std::lock_guard lock(places.mutex);
  places.by_base[base()] = this;
}

GraphMemory::~GraphMemory() {
  {
    Places& places = Places::Get();
    std::lock_guard lock(places.mutex);
    const auto mine = places.by_base.find(base());
    if (mine != places.by_base.end() && mine->second == this) places.by_base.erase(mine);
  }
  if (life_ == DriverLife()) Memory::Get().addresses().LeavePlace(base());
}

Ref<GraphMemory> GraphMemory::Reserve(const Device& device, uint64_t size) {
  auto stand_in = Make<Allocation>(MemoryKind::kGraph, nullptr, device.ordinal(), size);
  stand_in->set_place(stand_in->buffer_id);
  if (!Memory::Get().addresses().KeepPlace(stand_in)) return nullptr;
  return Make<GraphMemory>(std::move(stand_in));
}

Ref<GraphMemory> GraphMemory::At(uint64_t address) {
  Places& places = Places::Get();
  std::lock_guard lock(places.mutex);
  const auto found = LastNotAbove(places.by_base, address);
  if (found == places.by_base.end()) return nullptr;
  GraphMemory* memory = found->second;
  if (!memory->stand_in_->Contains(address) || !memory->AddReferenceIfHeld()) return nullptr;
  return Ref<GraphMemory>::Adopt(memory);
}

Ref<Allocation> GraphMemory::NewAllocation(Context& context) {
  auto made = Make<Allocation>(MemoryKind::kGraph, &context, device(), size());
  made->SetPlace(base(), stand_in_->backing());
  made->set_place(stand_in_->place());
  made->set_parent(Ref<Object>(this));
  if (CurrentSettings().checks.uninitialized) made->TrackWrites();
  return made;
}

void GraphMemory::set_owner(const Graph& graph) {
  std::lock_guard lock(mutex_);
  owner_ = graph.serial();
}

uint64_t GraphMemory::ClaimFree(const Graph& graph) {
  const uint64_t by = graph.serial();
  std::lock_guard lock(mutex_);
  for (const auto& [number, claim] : claims_) {
    if (claim.known && (by == owner_ || claim.graph == owner_ || claim.graph == by)) return 0;
  }
  claims_[++last_claim_] = Claim{.graph = by, .call = RecordOfCall().sequence};
  return last_claim_;
}

void GraphMemory::DropClaim(uint64_t claim) {
  std::lock_guard lock(mutex_);
  claims_.erase(claim);
}

template <typename Which>
void GraphMemory::ForgetClaimsIf(Which which) {
  Places& places = Places::Get();
  std::lock_guard lock(places.mutex);
  for (const auto& [base, memory] : places.by_base) {
    std::lock_guard memory_lock(memory->mutex_);
    for (auto& [number, claim] : memory->claims_) claim.known &= !which(claim);
  }
}

void GraphMemory::ForgetClaims(uint64_t call) {
  ForgetClaimsIf([call](const Claim& claim) { return claim.call == call; });
}

void GraphMemory::ForgetClaimsOf(const Graph& graph) {
  ForgetClaimsIf([by = graph.serial()](const Claim& claim) { return claim.graph == by; });
}

// What was there goes after the lock: it may hold the last reference to other such memory.
void GraphMemory::Arrives(Completion launch) {
  std::lock_guard lock(mutex_);
  std::swap(arrival_, launch);
}

void GraphMemory::Leaves(Completion free) {
  std::lock_guard lock(mutex_);
  std::swap(departure_, free);
}

Completion GraphMemory::arrival() const {
  std::lock_guard lock(mutex_);
  return arrival_;
}

Completion GraphMemory::departure() const {
  std::lock_guard lock(mutex_);
  return departure_;
}

GraphPool& GraphPool::Of(int device) {
  static std::mutex mutex;
  static auto* pools = new std::map<int, std::unique_ptr<GraphPool>>;
  static uint64_t life = 0;
  std::lock_guard lock(mutex);
  if (std::exchange(life, DriverLife()) != DriverLife()) pools->clear();
  std::unique_ptr<GraphPool>& pool = (*pools)[device];
  if (!pool) pool = std::make_unique<GraphPool>(device);
  return *pool;
}

CUresult GraphPool::Take(const Stream& stream, const std::vector<Need>& by_device) {
  std::vector<Charged> charged(by_device.size());
  std::vector<std::unique_lock<std::mutex>> locks;
  for (size_t device = 0; device < by_device.size(); ++device)
    locks.emplace_back(Of(static_cast<int>(device)).mutex_);
  for (size_t device = 0; device < by_device.size(); ++device) {
    const CUresult result =
        Of(static_cast<int>(device)).Charge(stream, by_device[device], &charged[device]);
    if (result == CUDA_SUCCESS) continue;
    while (device-- > 0) Of(static_cast<int>(device)).Uncharge(charged[device]);
    return result;
  }
  for (size_t device = 0; device < by_device.size(); ++device)
    Of(static_cast<int>(device)).Note(stream, by_device[device], charged[device]);
  return CUDA_SUCCESS;
}

CUresult GraphPool::Charge(const Stream& stream, const Need& need, Charged* charged) {
  const auto shared = passing_.find(stream.id());
  const uint64_t had = shared == passing_.end() ? 0 : shared->second.bytes;
  uint64_t used = numbers_.used;
  for (const Ref<Allocation>& allocation : need.leaving) {
    if (staying_.contains(allocation->buffer_id)) used -= allocation->size();
  }
  bool fits = !__builtin_add_overflow(used, need.passing - std::min(need.passing, had), &used);
  for (const Ref<Allocation>& allocation : need.staying)
    fits = fits && !__builtin_add_overflow(used, allocation->size(), &used);
  const uint64_t wanted = std::max(numbers_.reserved, RoundUp(used, kPoolPiece));
  if (!fits || wanted < used) return CUDA_ERROR_OUT_OF_MEMORY;
  *charged = {.used = used, .reserved = wanted, .more = used - std::min(used, numbers_.used)};
  return Memory::Get().Charge(*Driver::Get().device(device_), wanted - numbers_.reserved,
                              charged->more);
}

void GraphPool::Uncharge(const Charged& charged) {
  Memory::Get().Discharge(device_, charged.reserved - numbers_.reserved, charged.more);
}

void GraphPool::Note(const Stream& stream, const Need& need, const Charged& charged) {
  Memory::Get().Discharge(device_, 0, numbers_.used + charged.more - charged.used);
  if (need.passing > 0) {
    Passing& shared = passing_[stream.id()];
    shared.bytes = std::max(shared.bytes, need.passing);
  }
  for (const Ref<Allocation>& allocation : need.leaving) staying_.erase(allocation->buffer_id);
  for (const Ref<Allocation>& allocation : need.staying) staying_.insert(allocation->buffer_id);
  numbers_.SetUsed(charged.used);
  numbers_.SetReserved(charged.reserved);
}

void GraphPool::Launched(const Stream& stream, Completion launch) {
  std::lock_guard lock(mutex_);
  const auto shared = passing_.find(stream.id());
  if (shared != passing_.end()) shared->second.launch = std::move(launch);
}

void GraphPool::Drop(uint64_t bytes) {
  numbers_.used -= bytes;
  Memory::Get().Discharge(device_, 0, bytes);
}

void GraphPool::GiveBack(const Allocation& allocation) {
  std::lock_guard lock(mutex_);
  if (staying_.erase(allocation.buffer_id) != 0) Drop(allocation.size());
}

void GraphPool::Trim() {
  std::lock_guard lock(mutex_);
  std::erase_if(passing_, [this](const auto& entry) {
    if (!IsDone(entry.second.launch)) return false;
    Drop(entry.second.bytes);
    return true;
  });
  const uint64_t kept = RoundUp(numbers_.used, kPoolPiece);
  if (kept >= numbers_.reserved) return;
  Memory::Get().Discharge(device_, numbers_.reserved - kept, 0);
  numbers_.SetReserved(kept);
}

PoolNumbers GraphPool::numbers() const {
  std::lock_guard lock(mutex_);
  return numbers_;
}

void GraphPool::ResetHighMarks(bool used, bool reserved) {
  std::lock_guard lock(mutex_);
  numbers_.ResetHighMarks(used, reserved);
}

}  // namespace culprit::fakedriver
