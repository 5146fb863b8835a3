// SPDX-License-Identifier: Apache-2.0
//
// Notes which bytes a launch touches (TouchedBits in exec/device_memory.h). Threads of a launch
// share the bits; most accesses find theirs set already and write nothing.
#ifndef FAKEDRIVER_EXEC_MACHINE_TOUCHED_BITS_H_
#define FAKEDRIVER_EXEC_MACHINE_TOUCHED_BITS_H_

#include <cstdint>

namespace culprit::exec {

// The address that the first bit stands for.
constexpr uint64_t FirstTouched(uint64_t base) { return base & ~uint64_t{63}; }

// Accesses of the same width that were noted: at `first`, and `step` further on again and again as
// far as `last`.
struct NotedRow {
  uint64_t first = 0;
  uint64_t last = 0;
  uint64_t step = 0;  // 0: none
};

// One run of bytes, from `offset` on.
void Touch(uint64_t* bits, uint64_t offset, uint64_t bytes);

// `bytes` (at most 32, a power of two) at the address of each lane in `mask`, aligned to their
// size.
void TouchLanes(uint64_t* bits, uint64_t first, const uint64_t* addresses, uint32_t mask,
                uint32_t bytes);

// The same where all lanes run, and those of each half lie evenly. A window that a loop moves along
// is noted where it is new: `noted`, one for each half, is what the accesses of one instruction
// have come to.
void TouchHalves(uint64_t* bits, uint64_t first, NotedRow* noted, const uint64_t* addresses,
                 uint32_t bytes);

}  // namespace culprit::exec

#endif  // FAKEDRIVER_EXEC_MACHINE_TOUCHED_BITS_H_
