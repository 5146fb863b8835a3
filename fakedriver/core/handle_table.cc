// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/core/handle_table.h"

#include <sched.h>
#include <sys/mman.h>

#include <cstdio>
#include <cstdlib>

#include "fakedriver/core/address_space_limit.h"
#include "fakedriver/core/context.h"

namespace culprit::fakedriver {
namespace {

// Where the arena is asked for, so that handles are the same in every run. A hint only.
constexpr uint64_t kArenaHint = 0x300000000000;
// Under an address-space limit the arena must not eat what the program needs.
constexpr uint64_t kSmallArena = 8 << 20;

// The cell of a primary context is its own for good.
bool IsPrimary(const Object& object) {
  return object.kind() == ObjectKind::kContext && static_cast<const Context&>(object).primary();
}

}  // namespace

// A few instructions long wherever it is held.
class HandleTable::SlotLock {
 public:
  explicit SlotLock(Slot& slot) : slot_(slot) {
    for (int spins = 0; slot_.busy.test_and_set(std::memory_order_acquire); ++spins) {
      if (spins > 64) sched_yield();
    }
  }
  ~SlotLock() { slot_.busy.clear(std::memory_order_release); }
  SlotLock(const SlotLock&) = delete;
  SlotLock& operator=(const SlotLock&) = delete;

 private:
  Slot& slot_;
};

HandleTable::HandleTable() {
  uint64_t bytes = uint64_t{kMaxChunks} * kCellsPerChunk * kCellBytes;
  if (AddressSpaceLimit() != kNoAddressSpaceLimit) bytes = kSmallArena;
  void* arena = mmap(reinterpret_cast<void*>(kArenaHint), bytes, PROT_NONE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (arena == MAP_FAILED) {
    std::fputs("culprit: no address space for handles\n", stderr);
    std::abort();
  }
  base_ = reinterpret_cast<uint64_t>(arena);
  capacity_ = static_cast<uint32_t>(bytes / kCellBytes);
}

HandleTable::~HandleTable() {
  Reset();
  for (auto& chunk : chunks_) delete chunk.load();
  munmap(reinterpret_cast<void*>(base_), uint64_t{capacity_} * kCellBytes);
}

HandleTable::Slot& HandleTable::SlotAt(uint32_t cell) const {
  Chunk* chunk = chunks_[cell / kCellsPerChunk].load(std::memory_order_acquire);
  return (*chunk)[cell % kCellsPerChunk];
}

HandleTable::Slot* HandleTable::SlotOf(uint64_t handle) const {
  const uint64_t offset = handle - base_;  // wraps for handles below the arena
  const uint64_t cell = offset / kCellBytes;
  if (cell >= capacity_ || offset % kCellBytes != 0) return nullptr;
  Chunk* chunk = chunks_[cell / kCellsPerChunk].load(std::memory_order_acquire);
  return chunk == nullptr ? nullptr : &(*chunk)[cell % kCellsPerChunk];
}

uint32_t HandleTable::TakeCell() {
  std::lock_guard lock(mutex_);
  if (!free_cells_.empty()) {
    const uint32_t cell = free_cells_.back();
    free_cells_.pop_back();
    return cell;
  }
  if (next_cell_ < capacity_) {
    auto& chunk = chunks_[next_cell_ / kCellsPerChunk];
    if (chunk.load(std::memory_order_relaxed) == nullptr) {
      chunk.store(new Chunk, std::memory_order_release);
    }
    return next_cell_++;
  }
  for (uint32_t searched = 0; searched < capacity_; ++searched) {
    const uint32_t cell = hand_;
    hand_ = (hand_ + 1) % capacity_;
    Slot& slot = SlotAt(cell);
    SlotLock slot_lock(slot);
    if (slot.state != State::kDead || (slot.object != nullptr && IsPrimary(*slot.object))) continue;
    slot.state = State::kUnused;
    return cell;
  }
  std::fputs("culprit: more live handles than the fake driver can name\n", stderr);
  std::abort();
}

uint64_t HandleTable::Insert(const Ref<Object>& object) {
  const uint32_t cell = TakeCell();
  const uint64_t handle = base_ + uint64_t{cell} * kCellBytes;
  object->set_handle(handle);
  object->AddReference();
  Slot& slot = SlotAt(cell);
  SlotLock lock(slot);
  if (slot.object != nullptr) slot.object->DropReference();  // a dead context
  slot.object = object.get();
  slot.state = State::kLive;
  return handle;
}

Object* HandleTable::Acquire(uint64_t handle, ObjectKind kind, Liveness* liveness,
                             ObjectRecord* record) {
  Slot* slot = SlotOf(handle);
  *liveness = Liveness::kForeign;
  if (slot == nullptr) return nullptr;
  SlotLock lock(*slot);
  switch (slot->state) {
    case State::kUnused:
      return nullptr;
    case State::kDead:
      *record = slot->record;
      *liveness = record->kind == kind ? Liveness::kDestroyed : Liveness::kWrongKind;
      return nullptr;
    case State::kLive:
      break;
  }
  if (slot->object->kind() != kind) {
    *record = slot->object->record();
    *liveness = Liveness::kWrongKind;
    return nullptr;
  }
  *liveness = Liveness::kLive;
  slot->object->AddReference();
  return slot->object;
}

Context* HandleTable::PeekContext(const void* handle, Liveness* liveness) {
  Slot* slot = SlotOf(reinterpret_cast<uint64_t>(handle));
  *liveness = Liveness::kForeign;
  if (slot == nullptr) return nullptr;
  SlotLock lock(*slot);
  if (slot->state == State::kUnused) return nullptr;
  Object* object = slot->object;
  if (object == nullptr || object->kind() != ObjectKind::kContext) {
    *liveness = Liveness::kWrongKind;
    return nullptr;
  }
  *liveness = slot->state == State::kLive ? Liveness::kLive : Liveness::kDestroyed;
  return static_cast<Context*>(object);
}

std::optional<ObjectRecord> HandleTable::Record(uint64_t handle) {
  Slot* slot = SlotOf(handle);
  if (slot == nullptr) return std::nullopt;
  SlotLock lock(*slot);
  if (slot->state == State::kUnused) return std::nullopt;
  return slot->state == State::kLive ? slot->object->record() : slot->record;
}

Ref<Object> HandleTable::Remove(const Ref<Object>& object, bool with_context) {
  const uint64_t handle = object->handle();
  Slot* slot = SlotOf(handle);
  if (slot == nullptr) return object->MarkDestroyed(with_context) ? object : Ref<Object>();
  const bool keep = object->kind() == ObjectKind::kContext;
  {
    SlotLock lock(*slot);
    if (!object->MarkDestroyed(with_context)) return {};
    slot->record = object->record();
    slot->state = State::kDead;
    if (!keep) slot->object = nullptr;
  }
  if (!keep) object->DropReference();
  if (!reusing_.load(std::memory_order_relaxed) || IsPrimary(*object)) return object;
  std::lock_guard lock(mutex_);
  free_cells_.push_back(static_cast<uint32_t>((handle - base_) / kCellBytes));
  return object;
}

void HandleTable::Revive(uint64_t handle) {
  Slot* slot = SlotOf(handle);
  if (slot == nullptr) return;
  SlotLock lock(*slot);
  slot->state = State::kLive;
}

void HandleTable::Kill(uint64_t handle) {
  Slot* slot = SlotOf(handle);
  if (slot == nullptr) return;
  SlotLock lock(*slot);
  slot->record = slot->object->record();
  slot->state = State::kDead;
}

void HandleTable::MarkAmbiguous(uint64_t handle) {
  Slot* slot = SlotOf(handle);
  if (slot == nullptr) return;
  SlotLock lock(*slot);
  if (slot->state == State::kDead) slot->record.ambiguous = true;
}

bool HandleTable::TakeAmbiguous(uint64_t handle) {
  Slot* slot = SlotOf(handle);
  if (slot == nullptr) return false;
  SlotLock lock(*slot);
  if (slot->state != State::kDead || !slot->record.ambiguous) return false;
  slot->record.ambiguous = false;
  slot->record.destroyed = RecordOfCall();  // so that hiding this success, too, leaves it ambiguous
  return true;
}

void HandleTable::SetReuse(HandleReuse order) {
  std::lock_guard lock(mutex_);
  reusing_.store(order == HandleReuse::kNewestFirst, std::memory_order_relaxed);
  free_cells_.clear();
}

void HandleTable::ForEachDead(const std::function<void(ObjectRecord&)>& visit) {
  uint32_t cells = 0;
  {
    std::lock_guard lock(mutex_);
    cells = next_cell_;
  }
  for (uint32_t cell = 0; cell < cells; ++cell) {
    Slot& slot = SlotAt(cell);
    SlotLock lock(slot);
    if (slot.state == State::kDead) visit(slot.record);
  }
}

void HandleTable::Reset() {
  std::lock_guard lock(mutex_);
  for (uint32_t cell = 0; cell < next_cell_; ++cell) {
    Slot& slot = SlotAt(cell);
    if (slot.object != nullptr) slot.object->DropReference();
    slot.object = nullptr;
    slot.state = State::kUnused;
  }
  next_cell_ = 0;
  hand_ = 0;
  free_cells_.clear();
}

}  // namespace culprit::fakedriver
