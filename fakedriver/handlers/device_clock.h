// SPDX-License-Identifier: Apache-2.0
//
// Time as kernels see it. Under the timed policy it is the host's, so that a kernel which spins for
// a number of cycles takes as long as on a device. Under the other policies nobody waits for the
// host's clock: every look at it moves it on.
#ifndef FAKEDRIVER_HANDLERS_DEVICE_CLOCK_H_
#define FAKEDRIVER_HANDLERS_DEVICE_CLOCK_H_

#include <cstdint>

#include "fakedriver/core/device.h"
#include "fakedriver/exec/launch.h"

namespace culprit::fakedriver::handlers {

class DeviceClock final : public exec::DeviceClock {
 public:
  explicit DeviceClock(const Device& device);

  uint64_t Cycles() override;
  uint64_t Nanoseconds() override;
  void Sleep(uint64_t nanoseconds) override;

 private:
  uint64_t cycles_per_microsecond_;
  bool on_host_time_;
};

}  // namespace culprit::fakedriver::handlers

#endif  // FAKEDRIVER_HANDLERS_DEVICE_CLOCK_H_
