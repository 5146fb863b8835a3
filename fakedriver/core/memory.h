// SPDX-License-Identifier: Apache-2.0
//
// All memory of the pretend machine: the address space, and how much of each device is in use.
//
// cuMemGetInfo counts in granules: the small allocations of a context together, each big one for
// itself, and what objects of other kinds cost the device (MemoryCosts in core/settings.h).
#ifndef FAKEDRIVER_CORE_MEMORY_H_
#define FAKEDRIVER_CORE_MEMORY_H_

#include <cstdint>
#include <list>
#include <map>
#include <mutex>
#include <utility>

#include "fakedriver/core/address_space.h"
#include "fakedriver/core/allocation.h"
#include "fakedriver/core/host_pages.h"

namespace culprit::fakedriver {

class Device;

// Ends what cuMemFreeAsync gave up, unless somebody else has.
void ReleaseGivenUp(Allocation& allocation);

class Memory {
 public:
  // Of the driver's present life: a reset of the driver leaves all memory behind.
  static Memory& Get();

  AddressSpace& addresses() { return addresses_; }

  // Charges the device and places the allocation. CUDA_ERROR_OUT_OF_MEMORY when the device is full,
  // the injected budget is used up, or the process has no addresses left.
  CUresult Place(const Ref<Allocation>& allocation, const Device& device);

  // Host memory with pages of its own; charged to no device.
  CUresult PlaceHost(const Ref<Allocation>& allocation);
  // Small pinned allocations of a context share blocks, write-combined ones apart from the others,
  // and each says the flags of the one that the block was made for (recorded on driver 580). Call
  // it once for each; Release takes it out.
  unsigned JoinPinned(const Allocation& allocation);
  // The same as PlaceHost, charged to the device.
  CUresult PlaceManaged(const Ref<Allocation>& allocation, const Device& device);

  // Forgets the allocation's addresses and gives the device its bytes back.
  void Release(Allocation& allocation);

  // An injected error hid that call number `sequence` freed memory: one more free of it is no
  // misuse.
  void AllowAnotherFree(uint64_t sequence);
  // True once after that.
  bool TakeAmbiguous(uint64_t base);

  // malloc and free of kernels. 0: the context's heap of `limit` bytes is exhausted.
  uint64_t HeapAllocate(Context& context, uint64_t size, uint64_t limit);
  bool HeapFree(Context& context, uint64_t base);

  // What cuMemGetInfo says.
  uint64_t FreeBytes(Device& device);

  // Memory that is counted here and placed elsewhere (pools, virtual memory management): bytes of
  // the device, and how many of them the program asked for.
  CUresult Charge(const Device& device, uint64_t bytes, uint64_t requested);
  void Discharge(int device, uint64_t bytes, uint64_t requested);

 private:
  Memory();
  ~Memory();

  struct Use {
    std::map<uint64_t, uint64_t> small;  // bytes of small allocations by owner
    uint64_t big = 0;                    // bytes of granules of big ones
    uint64_t requested = 0;              // bytes asked for, which an injected budget limits
    uint64_t Granules() const;
  };

  bool Fits(const Device& device, const Use& use, uint64_t bytes, uint64_t requested) const;
  void Uncharge(const Allocation& allocation);

  struct PinnedBlock {
    uint64_t used = 0;  // bytes
    unsigned flags = 0;
  };

  void LeavePinned(const Allocation& allocation);
  void UnmapHost(const Allocation& allocation);

  AddressSpace addresses_;
  HostPages host_pages_;
  std::mutex mutex_;  // guards what follows
  std::map<int, Use> uses_;
  // By owner; write-combined or not. A block that holds nothing is forgotten.
  std::map<std::pair<uint64_t, bool>, std::list<PinnedBlock>> pinned_;
  std::map<uint64_t, std::list<PinnedBlock>::iterator> pinned_block_;  // by base of the allocation

  struct Heap {  // of one context, in one of its lives
    uint32_t epoch = 0;
    uint64_t used = 0;
    std::map<uint64_t, Ref<Allocation>> blocks;
  };
  std::mutex heap_mutex_;  // guards heaps_
  std::map<Context*, Heap> heaps_;
};

}  // namespace culprit::fakedriver

#endif  // FAKEDRIVER_CORE_MEMORY_H_
