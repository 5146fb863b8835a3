// SPDX-License-Identifier: Apache-2.0
//
// Whether anybody watches calls: one relaxed load decides whether a call takes the short path or
// the one on which faults, call log and trace are looked at.
#ifndef FAKEDRIVER_CORE_WATCHING_H_
#define FAKEDRIVER_CORE_WATCHING_H_

#include <atomic>
#include <cstdint>

namespace culprit::fakedriver {

enum class Watcher : uint32_t { kFaults = 1, kCallLog = 2, kTrace = 4, kBeforeCall = 8 };

namespace watching_internal {
extern std::atomic<uint32_t> watchers;
}

inline bool AnybodyWatches() noexcept {
  return watching_internal::watchers.load(std::memory_order_relaxed) != 0;
}
inline bool Watches(Watcher watcher) noexcept {
  return (watching_internal::watchers.load(std::memory_order_acquire) &
          static_cast<uint32_t>(watcher)) != 0;
}
inline void SetWatching(Watcher watcher, bool on) noexcept {
  const auto bit = static_cast<uint32_t>(watcher);
  if (on) {
    watching_internal::watchers.fetch_or(bit, std::memory_order_release);
  } else {
    watching_internal::watchers.fetch_and(~bit, std::memory_order_release);
  }
}

}  // namespace culprit::fakedriver

#endif  // FAKEDRIVER_CORE_WATCHING_H_
