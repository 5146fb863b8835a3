// SPDX-License-Identifier: Apache-2.0
#ifndef FAKEDRIVER_CORE_ADDRESS_SPACE_LIMIT_H_
#define FAKEDRIVER_CORE_ADDRESS_SPACE_LIMIT_H_

#include <sys/resource.h>

#include <cstdint>
#include <limits>

namespace culprit::fakedriver {

constexpr uint64_t kNoAddressSpaceLimit = std::numeric_limits<uint64_t>::max();

// Bytes of addresses that the process may have (RLIMIT_AS). Under a limit the fake takes a small
// share, so that the program still gets what it asks for.
inline uint64_t AddressSpaceLimit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) {
    return kNoAddressSpaceLimit;
  }
  return limit.rlim_cur;
}

}  // namespace culprit::fakedriver

#endif  // FAKEDRIVER_CORE_ADDRESS_SPACE_LIMIT_H_
