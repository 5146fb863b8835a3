// SPDX-License-Identifier: Apache-2.0
#ifndef FAKEDRIVER_CORE_LIFE_H_
#define FAKEDRIVER_CORE_LIFE_H_

#include <atomic>
#include <cstdint>

namespace culprit::fakedriver {

namespace life_internal {
extern std::atomic<uint64_t> number;
}

// Number of the driver's life: counts resets. What a thread keeps from an older life means nothing.
inline uint64_t DriverLife() { return life_internal::number.load(std::memory_order_relaxed); }

}  // namespace culprit::fakedriver

#endif  // FAKEDRIVER_CORE_LIFE_H_
