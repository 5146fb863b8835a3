// SPDX-License-Identifier: Apache-2.0
//
// Virtual memory management: ranges of addresses without memory, memory without addresses, and
// mappings of one to the other. A mapping can be accessed once access was given.
#ifndef FAKEDRIVER_CORE_VIRTUAL_MEMORY_H_
#define FAKEDRIVER_CORE_VIRTUAL_MEMORY_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "fakedriver/core/allocation.h"
#include "fakedriver/core/object.h"

namespace culprit::fakedriver {

class Device;

// Memory. It lives as long as its handle, every retained handle, and every mapping.
class PhysicalMemory final : public Object {
 public:
  static constexpr ObjectKind kKind = ObjectKind::kPhysical;

  // Null when the device or the process has no room. `shareable`: other processes may import it.
  static Ref<PhysicalMemory> Create(const Device& device, uint64_t size, bool shareable);
  // Memory that another process shares through the file; takes the file over. Null: no such file.
  static Ref<PhysicalMemory> Import(const Device& device, int file);
  ~PhysicalMemory() override;

  const Device& device() const { return device_; }
  uint64_t size() const { return size_; }
  std::byte* backing() const { return backing_; }
  int file() const { return file_; }  // -1: not shareable
  uint64_t bytes() const override { return size_; }

  // cuMemRetainAllocationHandle and cuMemRelease; the handle dies with the last.
  void Retain() { handles_.fetch_add(1, std::memory_order_relaxed); }
  bool ReleaseIsLast() { return handles_.fetch_sub(1, std::memory_order_acq_rel) == 1; }

 private:
  PhysicalMemory(const Device& device, uint64_t size, std::byte* backing, int file, bool charged);

  const Device& device_;
  const uint64_t size_;
  std::byte* const backing_;
  const int file_;
  const bool charged_;
  const uint64_t life_;
  std::atomic<uint32_t> handles_{1};
};

// A range of addresses and what is mapped there.
class Reservation final : public Object {
 public:
  static constexpr ObjectKind kKind = ObjectKind::kReservation;

  Reservation(uint64_t base, uint64_t size)
      : Object(ObjectKind::kReservation, nullptr), base_(base), size_(size) {}

  uint64_t base() const { return base_; }
  uint64_t size() const { return size_; }
  bool Contains(uint64_t address, uint64_t bytes) const {
    return address >= base_ && bytes <= size_ && address - base_ <= size_ - bytes;
  }

  // False when something is mapped there already.
  bool Map(uint64_t address, uint64_t size, const Ref<PhysicalMemory>& memory, uint64_t offset);
  // Takes whole mappings out of the range and returns what was accessible of them; false when the
  // range cuts a mapping.
  bool Unmap(uint64_t address, uint64_t size, std::vector<Ref<Allocation>>* removed);
  // What can be accessed of the mappings that lie in the range.
  std::vector<Ref<Allocation>> Accessible(uint64_t address, uint64_t size) const;
  bool empty() const;

  // Access of the owning device to whole mappings, which must fill the range.
  bool SetAccess(uint64_t address, uint64_t size, unsigned flags);
  // Of the mapping at the address; CU_MEM_ACCESS_FLAGS_PROT_NONE when nothing is there.
  unsigned AccessAt(uint64_t address) const;
  Ref<PhysicalMemory> MemoryAt(uint64_t address) const;

 private:
  struct Mapping {
    uint64_t size = 0;
    Ref<PhysicalMemory> memory;
    uint64_t offset = 0;
    unsigned access = 0;
    Ref<Allocation> accessible;  // null without access
  };

  // The mappings that lie in the range; false when one lies across its edge.
  bool Whole(uint64_t address, uint64_t size, std::vector<std::pair<uint64_t, Mapping*>>* inside);

  const uint64_t base_;
  const uint64_t size_;
  mutable std::mutex mutex_;  // guards mappings_
  std::map<uint64_t, Mapping> mappings_;
};

// All reservations of the process.
class Reservations {
 public:
  static Reservations& Get();

  // Null: the process has no addresses left.
  Ref<Reservation> Reserve(uint64_t size, uint64_t alignment);
  Ref<Reservation> Find(uint64_t address) const;
  // Forgets it and gives the addresses back.
  void Release(const Ref<Reservation>& reservation);

 private:
  mutable std::mutex mutex_;  // guards what follows
  uint64_t life_ = 0;
  std::map<uint64_t, Ref<Reservation>> by_base_;
};

}  // namespace culprit::fakedriver

#endif  // FAKEDRIVER_CORE_VIRTUAL_MEMORY_H_
