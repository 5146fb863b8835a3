// SPDX-License-Identifier: Apache-2.0
//
// What a device says about itself, read from a description file (fakedriver/devices/*.yaml).
#ifndef FAKEDRIVER_CORE_DEVICE_DESCRIPTION_H_
#define FAKEDRIVER_CORE_DEVICE_DESCRIPTION_H_

#include <cstdint>
#include <map>
#include <string>

namespace culprit::fakedriver {

struct DeviceDescription {
  std::string name;
  std::string source;  // where the numbers come from
  uint64_t total_memory = 0;
  std::map<int, int> attributes;   // CUdevice_attribute to value
  std::map<int, uint64_t> limits;  // CUlimit to the value in a new context
  int least_priority = 0;
  int greatest_priority = 0;
};

// The device that the fake shows unless told otherwise.
const DeviceDescription& H200();

}  // namespace culprit::fakedriver

#endif  // FAKEDRIVER_CORE_DEVICE_DESCRIPTION_H_
