// SPDX-License-Identifier: Apache-2.0
//
// A piece of memory that a device can address, whatever made it.
#ifndef FAKEDRIVER_CORE_ALLOCATION_H_
#define FAKEDRIVER_CORE_ALLOCATION_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>

#include "fakedriver/core/access_history.h"
#include "fakedriver/core/object.h"
#include "fakedriver/core/sparse_bytes.h"

namespace culprit::fakedriver {

class ExportRecord;  // core/shared_memory.h

enum class MemoryKind : uint8_t {
  kDevice,      // cuMemAlloc, cuMemAllocPitch
  kPool,        // cuMemAllocAsync and relatives
  kManaged,     // cuMemAllocManaged: host and device address are the same
  kPinned,      // cuMemHostAlloc, likewise
  kRegistered,  // cuMemHostRegister: the application's own memory
  kGlobal,      // a variable of a module
  kHeap,        // malloc in a kernel
  kMapped,      // a physical allocation mapped with cuMemMap
  kImported,    // memory of another process
  kArray,       // texels of an array: no device pointer names them
  kGraph,       // what a node of a graph allocates, in one launch (core/graph_memory.h)
};

const char* Name(MemoryKind kind);

constexpr bool IsHostAccessible(MemoryKind kind) {
  return kind == MemoryKind::kManaged || kind == MemoryKind::kPinned ||
         kind == MemoryKind::kRegistered;
}

// Stream-ordered memory belongs to a device, not to a context.
constexpr bool OfDevice(MemoryKind kind) {
  return kind == MemoryKind::kPool || kind == MemoryKind::kGraph;
}

// What a program said about managed memory (cuMemAdvise). Devices by ordinal, the host is -1,
// nobody is -2, as in the interface.
struct MemoryAdvice {
  std::atomic<bool> read_mostly{false};
  std::atomic<int> preferred_location{-2};
  std::atomic<int> last_prefetch{-2};
};

// Bytes, where they are, and whose. The numbers do not change once the allocation is placed.
class Allocation final : public Object {
 public:
  static constexpr ObjectKind kKind = ObjectKind::kAllocation;

  // `context` null: belongs to the process (host memory without a context, a device heap).
  Allocation(MemoryKind kind, Context* context, int device, uint64_t size);

  MemoryKind memory() const { return memory_; }
  int device() const { return device_; }
  uint64_t owner() const { return owner_; }  // small allocations of one owner share granules
  uint64_t size() const { return size_; }
  uint64_t base() const { return base_; }
  uint64_t end() const { return base_ + size_; }
  std::byte* backing() const { return backing_; }
  // Host memory: the end of its last page, which a device can reach too. Else 0.
  uint64_t mapped_end() const { return mapped_end_; }
  // One byte for each byte: 0 until it was written. Null when initialisation is not tracked.
  uint8_t* written() const { return written_.get(); }

  bool Contains(uint64_t address) const { return address - base_ < size_; }
  bool Contains(uint64_t address, uint64_t bytes) const {
    return address >= base_ && bytes <= size_ && address - base_ <= size_ - bytes;
  }
  std::byte* At(uint64_t address) const { return backing_ + (address - base_); }
  // Memory of a graph: where it is in every launch. One allocation stands for the place itself,
  // whether or not memory is there.
  uint64_t place() const { return place_; }
  bool stands_for_place() const { return place_ != 0 && place_ == buffer_id; }
  void set_place(uint64_t place) { place_ = place; }

  void MarkWritten(uint64_t address, uint64_t bytes) const {
    if (written()) std::memset(written() + (address - base_), 1, bytes);
  }

  void SetPlace(uint64_t base, std::byte* backing, uint64_t mapped_end = 0);
  // Not when the process has no addresses for it: then nothing is said about initialisation.
  void TrackWrites() { written_.Make(size_); }

  // An injected error hid that `call` freed it: one more free is no misuse, and that one's success
  // may be hidden, too.
  void AllowAnotherFreeAfter(uint64_t call);
  bool TakeAllowedFree();

  // Queued operations that use it and have not ended.
  std::atomic<uint32_t> pending{0};

  // What it was made from and keeps alive until it is released: a pool, a physical allocation, the
  // memory of another process. Null afterwards, and for what was made from nothing. Whoever uses
  // the bytes of such memory while it may be released holds this.
  Ref<Object> parent() const;
  void set_parent(Ref<Object> parent);
  Ref<Object> TakeParent();
  // Its bytes are the parent's and may be unmapped with it.
  bool lends_bytes() const {
    return memory_ == MemoryKind::kMapped || memory_ == MemoryKind::kImported;
  }

  // Memory of cuMemAlloc that cuMemFreeAsync gave up: it lasts until the program waits for the
  // stream (Context::GiveUp). The object is dead, the bytes and the addresses are there.
  std::atomic<bool> given_up{false};

  // Which processes have it open, once it was exported to others. Set once, by one thread.
  std::shared_ptr<const ExportRecord> exported() const;
  void set_exported(std::shared_ptr<const ExportRecord> record);

  // Guarded by HappensBefore's lock. Null until operations of more than one stream are followed.
  mutable std::unique_ptr<AccessHistory> accesses;

  bool read_only = false;  // a store faults
  unsigned flags = 0;      // of cuMemHostAlloc, cuMemHostRegister, cuMemAllocManaged
  uint64_t buffer_id = 0;  // unique in the process, as CU_POINTER_ATTRIBUTE_BUFFER_ID
  std::atomic<bool> sync_operations{false};
  MemoryAdvice advice;

  void OnContextGone() override;
  // As recorded: memory of a pool is its device's, and can be used and freed under any context.
  // The same is guessed for memory of graphs.
  bool OutlivesContext() const override { return OfDevice(memory_); }
  uint64_t bytes() const override { return size_; }

 private:
  const MemoryKind memory_;
  const int device_;
  const uint64_t owner_;
  const uint64_t size_;
  uint64_t base_ = 0;
  std::byte* backing_ = nullptr;
  uint64_t mapped_end_ = 0;
  uint64_t place_ = 0;
  SparseBytes written_;
  std::atomic<uint64_t> freed_again_{0};  // number of the call
  std::atomic<bool> another_free_{false};
  mutable std::mutex parent_mutex_;  // guards what follows
  Ref<Object> parent_;
  std::shared_ptr<const ExportRecord> exported_;
};

}  // namespace culprit::fakedriver

#endif  // FAKEDRIVER_CORE_ALLOCATION_H_
