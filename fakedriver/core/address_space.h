// SPDX-License-Identifier: Apache-2.0
//
// Which addresses mean what, for all devices of the process (one address is one thing, as with
// unified addressing).
//
// Device memory lies in granules of 2 MiB, as real devices map it: a big allocation has its own,
// the small ones of one context share some. That decides what an access beside an allocation meets:
// a mapped granule, where a real device goes on unnoticed, or nothing, where it faults.
//
// Freed addresses are not given out again while the quarantine has room, so a stale pointer is
// named for certain and never means somebody else's new memory. With a quarantine of zero bytes
// they are reused at once, newest first, as real drivers do.
//
// Threads: every method may be called from any thread. Lookups share a lock, changes exclude them.
// A backing stays mapped after its allocation is gone (its bytes become zeros), because a launch on
// another thread may still hold its address.
#ifndef FAKEDRIVER_CORE_ADDRESS_SPACE_H_
#define FAKEDRIVER_CORE_ADDRESS_SPACE_H_

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <shared_mutex>
#include <unordered_map>
#include <vector>

#include "fakedriver/core/address_runs.h"
#include "fakedriver/core/allocation.h"
#include "fakedriver/core/shared_file.h"

namespace culprit::fakedriver {

struct AddressSpaceSettings {
  uint64_t chunk_bytes = 0;  // address space reserved at a time; 0: from the process's limit
  std::optional<uint64_t> quarantine_bytes;  // freed addresses kept aside; unset: from the limit
  bool track_writes = false;                 // Allocation::written
  std::optional<uint8_t> fresh_byte;         // what new memory is filled with; unset: zeros
};

class AddressSpace {
 public:
  enum class State : uint8_t { kUnmapped, kLive, kFreed, kPadding };

  // What stands at an address: [base, base + size) is of one state and contains it.
  struct Located {
    State state = State::kUnmapped;
    uint64_t base = 0;
    uint64_t size = 0;
    Ref<Allocation> allocation;  // it, the freed one, or the nearest; may be null
  };

  explicit AddressSpace(AddressSpaceSettings settings = {});

  // Gives device memory of allocation->size() bytes an address (512-byte aligned) and a backing,
  // and makes it known. False when the process's address space is exhausted.
  bool Place(const Ref<Allocation>& allocation);

  // Makes known what has its address and backing from elsewhere: host memory, mappings. Others may
  // write there too, so initialisation is not tracked.
  void Add(const Ref<Allocation>& allocation);

  // A place for memory that comes and goes at one address (core/graph_memory.h): gives
  // `stand_in` an address. Nothing is live there, and what is mapped there stays mapped, until
  // LeavePlace. False as in Place.
  bool KeepPlace(const Ref<Allocation>& stand_in);
  void LeavePlace(uint64_t base);
  // Memory of a launch will be at its place: the program may name it from now on, and work finds it
  // there after Arrive.
  void Expect(const Ref<Allocation>& allocation);
  void Arrive(const Ref<Allocation>& allocation);
  // It is there no longer, or will not come; false when that is so already.
  bool Vacate(const Allocation& allocation);

  // Forgets the live allocation that begins at `base`, and remembers it as freed. Null: none does.
  Ref<Allocation> Remove(uint64_t base);

  // The allocation that contains the address and belongs to the program, or did until it gave it
  // up.
  Ref<Allocation> Find(uint64_t address) const;
  // The newest one that contained it and was freed, its memory gone or about to go.
  Ref<Allocation> FindFreed(uint64_t address) const;
  Located Locate(uint64_t address) const;
  // Any live allocation that shares a byte with [base, base + size).
  Ref<Allocation> FindOverlap(uint64_t base, uint64_t size) const;

  void ForEachLive(const std::function<void(Allocation&)>& visit);
  void ForEachFreed(const std::function<void(Allocation&)>& visit);

  // Inside the range that device pointers come from, whether something is there or not.
  bool IsDeviceAddress(uint64_t address) const;

  // Addresses without memory, for virtual memory management. 0: exhausted.
  uint64_t Reserve(uint64_t size, uint64_t alignment);
  void Unreserve(uint64_t base, uint64_t size);
  // Memory without addresses that a program could use. Null: exhausted.
  std::byte* TakeBacking(uint64_t size);
  void ReturnBacking(std::byte* backing, uint64_t size);

  // Bytes that another process can map: a file that stands for the whole run of granules, and
  // where in it the address is.
  struct Shared {
    SharedFileName file;
    uint64_t offset = 0;
  };
  // Puts the run of granules that holds the address on a file, with what it contains, while nobody
  // holds bytes in place (core/bytes_in_place.h). Nothing when the system refuses or no memory is
  // there.
  std::optional<Shared> Share(uint64_t address);

  // The owner's context is gone: nothing more is placed for it.
  void ForgetOwner(uint64_t owner);

  uint64_t reserved_bytes() const;
  const AddressSpaceSettings& settings() const { return settings_; }

 private:
  struct Granules {  // one run of granules
    uint64_t size = 0;
    uint64_t live = 0;                   // allocations in it
    uint64_t next = 0;                   // small ones: first address not given out yet
    uint64_t owner = 0;                  // small ones: whose
    bool shared = false;                 // holds small allocations
    bool kept = false;                   // a place: mapped whatever is in it
    std::shared_ptr<SharedFile> file{};  // what other processes may have mapped, else null
  };
  using GranulesMap = std::map<uint64_t, Granules>;
  using AllocationMap = std::map<uint64_t, Ref<Allocation>>;
  struct Slab {
    uint64_t current = 0;  // granule that small allocations come from; 0: none
    std::map<uint64_t, std::vector<uint64_t>> holes;  // by size, for reuse newest first
  };
  uint64_t PlaceSmall(const Allocation& allocation);
  void Quarantine(GranulesMap::iterator granules);
  void ForgetFreed(const AddressRun& run);
  // Gives the run private pages again; who has the file mapped keeps its bytes.
  void LeaveFile(Granules& granules, uint64_t base);
  GranulesMap::const_iterator GranulesAt(uint64_t address) const;

  AddressSpaceSettings settings_;
  mutable std::shared_mutex mutex_;
  AddressRuns runs_;
  AllocationMap live_;
  AllocationMap freed_;
  AllocationMap expected_;
  GranulesMap granules_;
  std::unordered_map<uint64_t, Slab> slabs_;
};

}  // namespace culprit::fakedriver

#endif  // FAKEDRIVER_CORE_ADDRESS_SPACE_H_
