// SPDX-License-Identifier: Apache-2.0
//
// What a handle means. The caller holds the address of a cell in an arena that nobody can read or
// write; whatever value comes back is looked up here, never dereferenced, and the answer says why a
// handle is bad.
//
// A cell is given out once (HandleReuse::kNever), so that stale use is named for certain, or again
// as soon as possible (kNewestFirst), as vendor drivers do. When the arena is used up, the oldest
// cells are given out again.
#ifndef FAKEDRIVER_CORE_HANDLE_TABLE_H_
#define FAKEDRIVER_CORE_HANDLE_TABLE_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <vector>

#include "fakedriver/core/object.h"
#include "fakedriver/core/settings.h"

namespace culprit::fakedriver {

enum class Liveness : uint8_t { kLive, kDestroyed, kWrongKind, kForeign };

template <typename T>
struct Found {
  Liveness liveness = Liveness::kForeign;
  Ref<T> object;        // only when live
  ObjectRecord record;  // only when destroyed or of another kind

  explicit operator bool() const { return liveness == Liveness::kLive; }
  T* operator->() const { return object.get(); }
};

class HandleTable {
 public:
  HandleTable();
  ~HandleTable();
  HandleTable(const HandleTable&) = delete;
  HandleTable& operator=(const HandleTable&) = delete;

  // Gives the object a cell and returns its address. The table holds one reference until Remove.
  uint64_t Insert(const Ref<Object>& object);

  // T names its kind in T::kKind.
  template <typename T>
  Found<T> Find(const void* handle) {
    Found<T> found;
    Object* object =
        Acquire(reinterpret_cast<uint64_t>(handle), T::kKind, &found.liveness, &found.record);
    found.object = Ref<T>::Adopt(static_cast<T*>(object));
    return found;
  }

  // As Find, without a reference: contexts stay allocated until Reset. A dead context is found,
  // too: only null, other kinds and unknown values are not.
  Context* PeekContext(const void* handle, Liveness* liveness);

  // A primary context is alive again; it starts out dead.
  void Revive(uint64_t handle);
  void Kill(uint64_t handle);

  // What is known of a handle of any kind, dead or alive.
  std::optional<ObjectRecord> Record(uint64_t handle);

  // Ends the object: marks it destroyed by the call in progress and forgets it. Null when another
  // thread was faster. The caller of Remove tears the object down; its record stays.
  Ref<Object> Remove(const Ref<Object>& object, bool with_context = false);

  // An injected error hid that the call succeeded: one more destroy of the handle is no misuse.
  void MarkAmbiguous(uint64_t handle);
  // True once after MarkAmbiguous.
  bool TakeAmbiguous(uint64_t handle);
  // Calls `visit` with the record of every dead object.
  void ForEachDead(const std::function<void(ObjectRecord&)>& visit);

  void SetReuse(HandleReuse order);

  // Forgets everything. No other thread may be in the driver.
  void Reset();

 private:
  static constexpr uint64_t kCellBytes = 32;
  static constexpr uint32_t kCellsPerChunk = 4096;
  static constexpr uint32_t kMaxChunks = 512;

  enum class State : uint8_t { kUnused, kLive, kDead };

  struct Slot {
    std::atomic_flag busy;  // guards the fields below
    State state = State::kUnused;
    Object* object = nullptr;  // when live; dead contexts too
    ObjectRecord record;       // when dead
  };
  using Chunk = std::array<Slot, kCellsPerChunk>;
  class SlotLock;

  Slot* SlotOf(uint64_t handle) const;
  Slot& SlotAt(uint32_t cell) const;
  Object* Acquire(uint64_t handle, ObjectKind kind, Liveness* liveness, ObjectRecord* record);
  uint32_t TakeCell();

  uint64_t base_ = 0;
  uint32_t capacity_ = 0;  // in cells
  std::array<std::atomic<Chunk*>, kMaxChunks> chunks_{};
  std::atomic<bool> reusing_{false};
  std::mutex mutex_;  // guards what follows
  uint32_t next_cell_ = 0;
  uint32_t hand_ = 0;  // where the search for the oldest dead cell goes on
  std::vector<uint32_t> free_cells_;
};

}  // namespace culprit::fakedriver

#endif  // FAKEDRIVER_CORE_HANDLE_TABLE_H_
