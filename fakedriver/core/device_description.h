// SPDX-License-Identifier: Apache-2.0
//
// What a device says about itself.
#ifndef FAKEDRIVER_CORE_DEVICE_DESCRIPTION_H_
#define FAKEDRIVER_CORE_DEVICE_DESCRIPTION_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace culprit::fakedriver {

struct DeviceDescription {
  std::string name;
  uint64_t total_memory = 0;
  std::map<int, int> attributes;   // CUdevice_attribute to value
  std::map<int, uint64_t> limits;  // CUlimit to the value in a new context
  int least_priority = 0;
  int greatest_priority = 0;
};

// The device that the fake shows unless told otherwise.
const DeviceDescription& H200();

// The devices that a setting names: nothing means one H200, a digit so many of them, anything else
// is the path of a description file (core/device_file.cc). False, with the reason, when that is
// none.
bool DescribeDevices(const std::string& setting, std::vector<DeviceDescription>* devices,
                     std::string* error);
bool ReadDescriptionFile(const std::string& path, std::vector<DeviceDescription>* devices,
                         std::string* error);

}  // namespace culprit::fakedriver

#endif  // FAKEDRIVER_CORE_DEVICE_DESCRIPTION_H_
