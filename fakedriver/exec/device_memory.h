// SPDX-License-Identifier: Apache-2.0
//
// Device memory as the machine sees it: ranges of addresses, each with the host memory behind it.
//
// The machine asks once for the range of an address, remembers the answer, and then reads and
// writes the backing directly. So an answer must hold until the launch that got it returns: whoever
// frees memory meanwhile changes what Find() says from then on but keeps the backing mapped until
// no launch is in flight.
#ifndef FAKEDRIVER_EXEC_DEVICE_MEMORY_H_
#define FAKEDRIVER_EXEC_DEVICE_MEMORY_H_

#include <cstddef>
#include <cstdint>

namespace culprit::exec {

// One bit for each byte from the range's base, rounded down to a multiple of 64, on: set where the
// launch loaded, stored or changed atomically. All three or none.
struct TouchedBits {
  uint64_t* read = nullptr;
  uint64_t* written = nullptr;
  uint64_t* atomic = nullptr;
};

// What stands at an address.
enum class RangeState : uint8_t {
  kUnmapped,  // a real device faults here
  kLive,      // inside a live allocation
  kFreed,     // inside an allocation that was freed and whose addresses were not given out again
  kPadding,   // no allocation, but a real device has the page mapped (rest of a granule): goes on
              // unnoticed there
};

struct MemoryRange {
  RangeState state = RangeState::kUnmapped;
  uint64_t base =
      0;  // [base, base + size) is of one state and one allocation; contains the address asked for
  uint64_t size = 0;  // 0 is allowed for kUnmapped only
  // Host address of `base`, for reading and writing, and aligned as `base` is (up to 16 bytes).
  // Null: reads give zeros and writes vanish (kFreed, kPadding).
  std::byte* backing = nullptr;
  // Names the allocation in findings. For kPadding and kUnmapped: the nearest one, and its extent,
  // when there is one.
  uint64_t allocation = 0;
  uint64_t allocation_base = 0;
  uint64_t allocation_size = 0;
  bool read_only = false;  // a store faults
  // One byte for each byte of the range, 0 until it was written; null when initialisation is not
  // tracked. The machine reads it for uninitialised-read findings and sets it on stores.
  uint8_t* written = nullptr;
  // Where to note what is touched; null when nobody asks.
  TouchedBits touched;
};

// Called from several threads at once during a launch; implementations lock where they must.
class DeviceMemory {
 public:
  virtual ~DeviceMemory() = default;

  virtual MemoryRange Find(uint64_t address) = 0;

  // Device-side malloc and free. 0 means that the heap is exhausted. Free answers false for a
  // pointer that malloc did not give or that was freed before.
  virtual uint64_t HeapAllocate(uint64_t size) = 0;
  virtual bool HeapFree(uint64_t address) = 0;
};

}  // namespace culprit::exec

#endif  // FAKEDRIVER_EXEC_DEVICE_MEMORY_H_
