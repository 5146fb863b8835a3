// SPDX-License-Identifier: Apache-2.0
#ifndef FAKEDRIVER_CORE_POOL_NUMBERS_H_
#define FAKEDRIVER_CORE_POOL_NUMBERS_H_

#include <algorithm>
#include <cstdint>

namespace culprit::fakedriver {

// Bytes that a pool has given out, and bytes that it holds of its device, each with its high mark.
struct PoolNumbers {
  uint64_t used = 0;
  uint64_t used_high = 0;
  uint64_t reserved = 0;
  uint64_t reserved_high = 0;

  void SetUsed(uint64_t bytes) {
    used = bytes;
    used_high = std::max(used_high, used);
  }
  void SetReserved(uint64_t bytes) {
    reserved = bytes;
    reserved_high = std::max(reserved_high, reserved);
  }
  void ResetHighMarks(bool of_used, bool of_reserved) {
    if (of_used) used_high = used;
    if (of_reserved) reserved_high = reserved;
  }
};

}  // namespace culprit::fakedriver

#endif  // FAKEDRIVER_CORE_POOL_NUMBERS_H_
