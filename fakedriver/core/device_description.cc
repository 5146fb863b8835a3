// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/core/device_description.h"

#include "fakedriver/abi/cuda_api.h"

namespace culprit::fakedriver {
namespace {

DeviceDescription MakeH200() {
  DeviceDescription device;
#define DEVICE_TEXT(field, value) device.field = value;
#define DEVICE_NUMBER(field, value) device.field = value;
#define DEVICE_ATTRIBUTE(attribute, value) device.attributes[attribute] = value;
#define DEVICE_LIMIT(limit, value) device.limits[limit] = value;
#include "fakedriver/devices/h200.def"
  return device;
}

}  // namespace

const DeviceDescription& H200() {
  static const DeviceDescription* h200 = new DeviceDescription(MakeH200());
  return *h200;
}

bool DescribeDevices(const std::string& setting, std::vector<DeviceDescription>* devices,
                     std::string* error) {
  if (setting.empty()) {
    devices->push_back(H200());
    return true;
  }
  if (setting.size() == 1 && setting[0] >= '1' && setting[0] <= '8') {
    devices->assign(static_cast<size_t>(setting[0] - '0'), H200());
    return true;
  }
  return ReadDescriptionFile(setting, devices, error);
}

}  // namespace culprit::fakedriver
