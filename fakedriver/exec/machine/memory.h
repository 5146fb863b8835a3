// SPDX-License-Identifier: Apache-2.0
//
// Memory accesses lane by lane, with every check. The vector code in lanes/ handles the common case
// (all lanes inside one live allocation, aligned) by itself and comes here for everything else.
#ifndef FAKEDRIVER_EXEC_MACHINE_MEMORY_H_
#define FAKEDRIVER_EXEC_MACHINE_MEMORY_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "fakedriver/exec/device_memory.h"
#include "fakedriver/exec/machine/warp.h"
#include "fakedriver/exec/program.h"

namespace culprit::exec {

enum class AccessKind : uint8_t { kLoad, kStore, kAtomic };

// One access of one lane.
struct Access {
  const Instruction* at = nullptr;
  StateSpace space = StateSpace::kGlobal;  // kGlobal (also .const), kShared, kLocal or kGeneric
  AccessKind kind = AccessKind::kLoad;
  uint32_t bytes = 4;
  uint32_t align = 4;  // of the whole instruction, which is more than `bytes` for vectors
  uint32_t lane = 0;
  uint64_t address = 0;
};

// Where the bytes of an access are. Not all of them need exist: `valid` bytes from `skip` on do,
// the others read as zeros and are not written.
struct AccessTarget {
  bool ok = false;            // false: a fault was reported, the warp has left the loop
  bool local = false;         // in the warp's local memory, at `offset`
  bool global = false;        // in device memory
  std::byte* host = nullptr;  // null: none of the bytes exist
  uint32_t offset = 0;
  uint32_t valid = 0;
};

AccessTarget Resolve(Warp& w, const Access& access);

// Reads or writes `bytes` of each running lane, lane l at data + l * stride. False after a fault.
bool LoadLanes(Warp& w, const Access& prototype, const uint64_t* addresses, std::byte* data,
               uint32_t stride);
bool StoreLanes(Warp& w, const Access& prototype, const uint64_t* addresses, const std::byte* data,
                uint32_t stride);

// One byte of generic memory for the machine's own functions; false if it cannot be read.
bool ReadByte(Warp& w, const Instruction* i, uint32_t lane, uint64_t address, std::byte* value);

// What the owner of the memory says stands at an address.
const MemoryRange& RangeOf(const Warp& w, uint64_t address);

void ReadLocal(const Warp& w, uint32_t offset, uint32_t lane, void* data, uint32_t bytes);
void WriteLocal(Warp& w, uint32_t offset, uint32_t lane, const void* data, uint32_t bytes);

// Makes a range's answer the hint of a memory site.
void Remember(Warp& w, uint32_t site, uint64_t address);

}  // namespace culprit::exec

#endif  // FAKEDRIVER_EXEC_MACHINE_MEMORY_H_
