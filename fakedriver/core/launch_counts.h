// SPDX-License-Identifier: Apache-2.0
#ifndef FAKEDRIVER_CORE_LAUNCH_COUNTS_H_
#define FAKEDRIVER_CORE_LAUNCH_COUNTS_H_

#include <atomic>
#include <cstdint>

namespace culprit::fakedriver {

// Kernel launches that were run since the process began: all of them, and those whose outcome was
// known from an earlier launch with the same inputs and was not computed again.
struct LaunchCounts {
  std::atomic<uint64_t> all{0};
  std::atomic<uint64_t> reused{0};
  // PTX instructions times the lanes that ran them, of those that were computed.
  std::atomic<uint64_t> lane_instructions{0};
  // Whether outcomes are kept and used again. Off by default; the harness's choice.
  std::atomic<bool> reuse{false};
};

namespace launch_counts_internal {
extern LaunchCounts counts;
}

inline LaunchCounts& CountedLaunches() noexcept { return launch_counts_internal::counts; }

}  // namespace culprit::fakedriver

#endif  // FAKEDRIVER_CORE_LAUNCH_COUNTS_H_
