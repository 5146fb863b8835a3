// SPDX-License-Identifier: Apache-2.0
#ifndef FAKEDRIVER_CORE_LAST_NOT_ABOVE_H_
#define FAKEDRIVER_CORE_LAST_NOT_ABOVE_H_

#include <cstdint>
#include <iterator>

namespace culprit::fakedriver {

// In a map by first address: the entry that can contain the address. end(): all begin above it.
template <typename Map>
auto LastNotAbove(Map& map, uint64_t address) {
  auto after = map.upper_bound(address);
  return after == map.begin() ? map.end() : std::prev(after);
}

}  // namespace culprit::fakedriver

#endif  // FAKEDRIVER_CORE_LAST_NOT_ABOVE_H_
