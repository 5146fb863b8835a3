// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/handlers/device_clock.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

#include "fakedriver/core/settings.h"
#include "fakedriver/core/timeline.h"

namespace culprit::fakedriver::handlers {
namespace {

// Virtual time: how far a look at the clock moves it, in nanoseconds.
constexpr uint64_t kLook = 10'000;
constexpr uint64_t kLongestNap = 100'000;

std::atomic<uint64_t> virtual_now{0};

}  // namespace

DeviceClock::DeviceClock(const Device& device)
    : cycles_per_microsecond_(1000), on_host_time_(CurrentSettings().policy == Policy::kTimed) {
  int kilohertz = 0;
  if (device.Attribute(CU_DEVICE_ATTRIBUTE_CLOCK_RATE, &kilohertz) && kilohertz > 0) {
    cycles_per_microsecond_ = std::max<uint64_t>(1, static_cast<uint64_t>(kilohertz) / 1000);
  }
}

uint64_t DeviceClock::Nanoseconds() {
  if (on_host_time_) return Timeline::Now();
  return virtual_now.fetch_add(kLook, std::memory_order_relaxed) + kLook;
}

uint64_t DeviceClock::Cycles() { return Nanoseconds() * cycles_per_microsecond_ / 1000; }

void DeviceClock::Sleep(uint64_t nanoseconds) {
  if (on_host_time_) {
    std::this_thread::sleep_for(std::chrono::nanoseconds(std::min(nanoseconds, kLongestNap)));
  } else {
    virtual_now.fetch_add(nanoseconds, std::memory_order_relaxed);
  }
}

}  // namespace culprit::fakedriver::handlers
