// SPDX-License-Identifier: Apache-2.0
//
// Where the other state spaces appear in generic addresses. Device memory lies below 2^47; the
// windows lie above anything a process can map, so that no allocation ever meets them.
#ifndef FAKEDRIVER_EXEC_MACHINE_ADDRESS_WINDOWS_H_
#define FAKEDRIVER_EXEC_MACHINE_ADDRESS_WINDOWS_H_

#include <cstdint>

namespace culprit::exec {

inline constexpr uint64_t kWindowSize = uint64_t{1} << 32;
inline constexpr uint64_t kSharedWindow = uint64_t{1} << 56;
inline constexpr uint64_t kLocalWindow = uint64_t{2} << 56;
inline constexpr uint64_t kParamWindow = uint64_t{3} << 56;
// Addresses of functions, kCodeStep apart, by number in the module; 0 stays free.
inline constexpr uint64_t kCodeWindow = uint64_t{4} << 56;
inline constexpr uint64_t kCodeStep = 16;

constexpr bool InWindow(uint64_t address, uint64_t window) {
  return address - window < kWindowSize;
}

}  // namespace culprit::exec

#endif  // FAKEDRIVER_EXEC_MACHINE_ADDRESS_WINDOWS_H_
