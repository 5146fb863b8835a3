// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace culprit::stress {

// What a process can use up, as seen from outside the code under test.
enum class Resource : uint8_t {
  kDeviceMemory,         // cuMemGetInfo: total minus free, of all processes on the device
  kProcessDeviceMemory,  // NVML: what this process holds; often withheld inside containers
  kResidentMemory,       // pages in RAM
  kHeap,                 // bytes that malloc has handed out
  kMappings,             // lines of /proc/self/maps
  kFileDescriptors,
  kThreads,
  kHandles,  // driver objects that the probe made and did not give back
};

inline constexpr size_t kResourceCount = 8;

struct ResourceInfo {
  Resource resource;
  std::string_view name;      // in JSON and on the command line
  std::string_view title;     // for people
  bool bytes;                 // else a count
  double granularity;         // smallest difference that a reading can show
  double smallest_yardstick;  // growth per cycle below which no run needs to be able to see
};

inline constexpr std::array<ResourceInfo, kResourceCount> kResources{{
    {Resource::kDeviceMemory, "device_memory", "device memory", true, 2 << 20, 4096},
    {Resource::kProcessDeviceMemory, "process_device_memory", "device memory of this process", true,
     1 << 20, 4096},
    {Resource::kResidentMemory, "resident_memory", "resident host memory", true, 4096, 512},
    {Resource::kHeap, "heap", "heap in use", true, 1, 16},
    {Resource::kMappings, "mappings", "memory mappings", false, 1, 0.05},
    {Resource::kFileDescriptors, "file_descriptors", "file descriptors", false, 1, 0.05},
    {Resource::kThreads, "threads", "threads", false, 1, 0.05},
    {Resource::kHandles, "handles", "driver handles", false, 1, 0.05},
}};

constexpr const ResourceInfo& InfoOf(Resource resource) {
  return kResources[static_cast<size_t>(resource)];
}

// Null when no resource has that name.
constexpr const ResourceInfo* FindResource(std::string_view name) {
  for (const ResourceInfo& info : kResources) {
    if (info.name == name) return &info;
  }
  return nullptr;
}

// One reading of everything. What could not be read is kUnavailable.
inline constexpr int64_t kUnavailable = INT64_MIN;

struct Sample {
  int64_t cycle = 0;
  std::array<int64_t, kResourceCount> value = [] {
    std::array<int64_t, kResourceCount> all{};
    all.fill(kUnavailable);
    return all;
  }();

  int64_t& operator[](Resource resource) { return value[static_cast<size_t>(resource)]; }
  int64_t operator[](Resource resource) const { return value[static_cast<size_t>(resource)]; }
};

}  // namespace culprit::stress
