// SPDX-License-Identifier: Apache-2.0
//
// Device description files: JSON, a list of devices, each what the built-in H200 is but for what it
// says.
//
//   [{"count": 2},
//    {"name": "Small device", "total_memory": 4294967296,
//     "attributes": {"CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT": 16}, "limits":
//     {"CU_LIMIT_STACK_SIZE": 2048}}]
#include <cstdio>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>

#include "fakedriver/abi/cuda_api.h"
#include "fakedriver/core/device_description.h"
#include "input/json_object.h"
#include "input/text_file.h"

namespace culprit::fakedriver {
namespace {

using Json = nlohmann::json;

constexpr size_t kMostDevices = 8;

struct Named {
  const char* name;
  int value;
};

constexpr Named kAttributes[] = {
#define DEVICE_TEXT(field, value)
#define DEVICE_NUMBER(field, value)
#define DEVICE_LIMIT(limit, value)
#define DEVICE_ATTRIBUTE(attribute, value) {#attribute, attribute},
#include "fakedriver/devices/h200.def"
};

constexpr Named kLimits[] = {
#define DEVICE_TEXT(field, value)
#define DEVICE_NUMBER(field, value)
#define DEVICE_LIMIT(limit, value) {#limit, limit},
#define DEVICE_ATTRIBUTE(attribute, value)
#include "fakedriver/devices/h200.def"
};

template <size_t N>
int ValueOf(const Named (&names)[N], const std::string& name, const char* what) {
  for (const Named& known : names) {
    if (name == known.name) return known.value;
  }
  throw std::runtime_error("unknown " + std::string(what) + " '" + name + "'");
}

void ReadDevice(const Json& text, std::vector<DeviceDescription>* devices) {
  if (!text.is_object()) throw std::runtime_error("a device is not an object");
  DeviceDescription device = H200();
  int64_t count = 1;
  for (const auto& [key, value] : text.items()) {
    if (key == "name") {
      device.name = value.get<std::string>();
    } else if (key == "total_memory") {
      device.total_memory = value.get<uint64_t>();
    } else if (key == "count") {
      count = value.get<int64_t>();
    } else if (key == "attributes") {
      for (const auto& [name, number] : value.items()) {
        device.attributes[ValueOf(kAttributes, name, "attribute")] = number.get<int>();
      }
    } else if (key == "limits") {
      for (const auto& [name, number] : value.items()) {
        device.limits[ValueOf(kLimits, name, "limit")] = number.get<uint64_t>();
      }
    } else {
      throw std::runtime_error("unknown key '" + key + "'");
    }
  }
  if (count < 1 || devices->size() + static_cast<uint64_t>(count) > kMostDevices) {
    throw std::runtime_error("there must be 1 to 8 devices");
  }
  devices->insert(devices->end(), static_cast<size_t>(count), device);
}

}  // namespace

bool ReadDescriptionFile(const std::string& path, std::vector<DeviceDescription>* devices,
                         std::string* error) {
  try {
    const Json text = ParseJson(ReadTextFile(path), path);
    if (!text.is_array() || text.empty()) throw std::runtime_error("not a list of devices");
    for (const Json& device : text) ReadDevice(device, devices);
  } catch (const InputError& refusal) {
    *error = refusal.what();
    return false;
  } catch (const Json::exception&) {
    *error = path + ": a value has the wrong type";
    return false;
  } catch (const std::exception& reason) {
    *error = path + ": " + reason.what();
    return false;
  }
  return true;
}

}  // namespace culprit::fakedriver
