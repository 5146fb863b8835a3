// SPDX-License-Identifier: Apache-2.0
#include "suites/runner/driver_under_test.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace culprit::suites {
namespace {

template <typename Function>
void Resolve(void* library, const char* symbol, Function* out) {
  *out = reinterpret_cast<Function>(dlsym(library, symbol));
  if (*out == nullptr) throw std::runtime_error(fmt::format("the driver exports no {}", symbol));
}

}  // namespace

DriverUnderTest DriverUnderTest::Open() {
  // The handle is kept for the life of the process: children inherit the mapping.
  void* library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    throw std::runtime_error(fmt::format("libcuda.so.1 cannot be opened: {}", dlerror()));
  }
  const std::vector<std::string> mapped = MappedDrivers();
  const auto entry = reinterpret_cast<culprit_control_fn>(dlsym(library, CULPRIT_CONTROL_SYMBOL));
  if (entry == nullptr || mapped.size() != 1) {
    throw std::runtime_error(
        fmt::format("the driver that was mapped is not under control: {}; it must be one library "
                    "that exports {}",
                    fmt::join(mapped, ", "), CULPRIT_CONTROL_SYMBOL));
  }
  DriverUnderTest driver;
  driver.path_ = mapped.front();
  driver.control_ = entry();
  if (driver.control_ == nullptr || driver.control_->abi != CULPRIT_CONTROL_ABI ||
      driver.control_->size < sizeof(culprit_control_table)) {
    throw std::runtime_error(
        fmt::format("{}: the control table is of another version", driver.path_));
  }
  Resolve(library, "cuInit", &driver.entries_.cuInit);
  Resolve(library, "cuDevicePrimaryCtxRetain", &driver.entries_.cuDevicePrimaryCtxRetain);
  Resolve(library, "cuDevicePrimaryCtxRelease_v2", &driver.entries_.cuDevicePrimaryCtxRelease);
  Resolve(library, "cuCtxCreate_v2", &driver.entries_.cuCtxCreate);
  Resolve(library, "cuCtxDestroy_v2", &driver.entries_.cuCtxDestroy);
  Resolve(library, "cuCtxPushCurrent_v2", &driver.entries_.cuCtxPushCurrent);
  Resolve(library, "cuCtxPopCurrent_v2", &driver.entries_.cuCtxPopCurrent);
  Resolve(library, "cuCtxGetCurrent", &driver.entries_.cuCtxGetCurrent);
  driver.table_ = EntryTable::Read(nlohmann::json::parse(driver.control_->api_table()));
  return driver;
}

std::vector<std::string> DriverUnderTest::MappedDrivers() {
  std::vector<std::string> paths;
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    const size_t slash = line.find('/');
    if (slash == std::string::npos) continue;
    std::string path = line.substr(slash);
    const size_t name = path.rfind('/') + 1;
    if (path.compare(name, 10, "libcuda.so") != 0) continue;
    if (std::find(paths.begin(), paths.end(), path) == paths.end()) paths.push_back(path);
  }
  return paths;
}

}  // namespace culprit::suites
