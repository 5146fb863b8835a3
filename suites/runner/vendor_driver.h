// SPDX-License-Identifier: Apache-2.0
//
// What is different where a life cycle runs on a vendor's driver, through the interposer.
#ifndef SUITES_RUNNER_VENDOR_DRIVER_H_
#define SUITES_RUNNER_VENDOR_DRIVER_H_

#include <string_view>

#include "suites/runner/settings.h"

namespace culprit::suites {

// In the place of profile and policy: results and time are the driver's own.
inline constexpr const char* kOfVendor = "real";

inline bool OnVendorsDriver(const Settings& settings) { return settings.profile == kOfVendor; }

// Whether the interposer can count that kind of culprit_live; sizes and user objects it cannot.
inline bool CountedOnVendorsDriver(std::string_view kind) {
  return kind != "device_bytes" && kind != "host_bytes" && kind != "user_objects";
}

}  // namespace culprit::suites

#endif  // SUITES_RUNNER_VENDOR_DRIVER_H_
