// SPDX-License-Identifier: Apache-2.0
//
// How the lanes of one access lie to each other and to memory, found in one pass of ORs over the 32
// addresses.
#ifndef FAKEDRIVER_EXEC_LANES_MEMORY_ACCESS_H_
#define FAKEDRIVER_EXEC_LANES_MEMORY_ACCESS_H_

#include "fakedriver/exec/lanes/lanes.h"
#include "fakedriver/exec/machine/address_windows.h"
#include "fakedriver/exec/machine/memory.h"

namespace culprit::exec::CULPRIT_LANES {

// Addresses of all lanes; those of lanes that do not run are replaced by one that does, so that
// reading them is harmless.
CULPRIT_INLINE void GatherAddresses(const Warp& w, const Instruction* i, uint64_t* addresses) {
  const uint64_t* base = Lanes<uint64_t>(w, i->a);
  const uint64_t offset = static_cast<uint64_t>(i->immediate);
  if (__builtin_expect(w.full, 1)) {
    CULPRIT_EACH_LANE { addresses[l] = base[l] + offset; }
  } else {
    const uint32_t mask = w.mask;
    const uint64_t some = base[__builtin_ctz(mask)] + offset;
    CULPRIT_EACH_LANE { addresses[l] = (mask >> l & 1) != 0 ? base[l] + offset : some; }
  }
}

struct Survey {
  uint64_t bits;     // OR of the addresses: alignment
  uint64_t differ;   // 0: all lanes have the same address
  uint64_t strided;  // 0: lane l is at the first address plus l * stride
  uint64_t outside;  // 0: all inside [base, base + size - bytes]
};

CULPRIT_INLINE Survey Look(const uint64_t* addresses, uint64_t base, uint64_t size, uint64_t bytes,
                           uint64_t stride) {
  Survey s{0, 0, 0, 0};
  const uint64_t first = addresses[0];
  const uint64_t limit = size - bytes;
  CULPRIT_EACH_LANE {
    uint64_t address = addresses[l];
    s.bits |= address;
    s.differ |= address ^ first;
    s.strided |= (address - first) ^ (l * stride);
    s.outside |= address - base > limit ? uint64_t{1} : uint64_t{0};
  }
  if (size < bytes) s.outside = 1;
  return s;
}

// Which window all addresses are in: 0 device memory, 1 shared, 2 local, or another number when
// they differ.
CULPRIT_INLINE uint64_t CommonWindow(const uint64_t* addresses) {
  uint64_t differ = 0;
  CULPRIT_EACH_LANE { differ |= addresses[l] ^ addresses[0]; }
  return differ >> 56 != 0 ? 255 : addresses[0] >> 56;
}

}  // namespace culprit::exec::CULPRIT_LANES

#endif  // FAKEDRIVER_EXEC_LANES_MEMORY_ACCESS_H_
