// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/interposer/vendor_driver.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdlib.h>

#include <array>
#include <cstdio>
#include <string>
#include <unordered_map>
#include <vector>

#include "fakedriver/core/inspect.h"

namespace culprit::fakedriver {
namespace interposer {
namespace {

std::string RealPath(const char* path) {
  char resolved[PATH_MAX];
  return realpath(path, resolved) == nullptr ? "" : resolved;
}

std::string OwnRealPath() {
  Dl_info info{};
  return dladdr(reinterpret_cast<const void*>(&RealPath), &info) == 0 ? ""
                                                                      : RealPath(info.dli_fname);
}

std::vector<std::string> Candidates() {
  const char* named = std::getenv("CULPRIT_REAL_DRIVER");
  if (named != nullptr && *named != '\0') return {named};
  std::vector<std::string> paths;
  for (const char* folder :
       {"/usr/lib/x86_64-linux-gnu", "/usr/lib64", "/usr/lib", "/lib64", "/usr/lib/wsl/lib",
        "/usr/local/nvidia/lib64", "/run/opengl-driver/lib"}) {
    paths.push_back(std::string(folder) + "/libcuda.so.1");
  }
  return paths;
}

struct Vendor {
  void* library = nullptr;
  std::string path;
  std::array<void*, kApiCount> addresses{};
  std::unordered_map<const void*, ApiId> entries;
};

Vendor* Load() {
  auto* vendor = new Vendor;
  const std::string own = OwnRealPath();
  std::string reason = "no libcuda.so.1 in the usual folders";
  for (const std::string& candidate : Candidates()) {
    const std::string path = RealPath(candidate.c_str());
    if (path.empty() || path == own) continue;
    vendor->library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (vendor->library != nullptr) {
      vendor->path = path;
      break;
    }
    reason = dlerror();
  }
  if (vendor->library == nullptr) {
    std::fprintf(stderr,
                 "culprit: no driver to forward to: %s. Set CULPRIT_REAL_DRIVER to its path.\n",
                 reason.c_str());
    return vendor;
  }
  for (const ApiInfo& row : kApis) {
    void* address = dlsym(vendor->library, row.symbol);
    vendor->addresses[static_cast<size_t>(row.id)] = address;
    if (address != nullptr) vendor->entries.emplace(address, row.id);
  }
  return vendor;
}

const Vendor& TheVendor() {
  static const Vendor* vendor = Load();
  return *vendor;
}

}  // namespace

void* VendorAddress(ApiId id) { return TheVendor().addresses[static_cast<size_t>(id)]; }

std::optional<ApiId> VendorEntryAt(const void* address) {
  auto found = TheVendor().entries.find(address);
  if (found == TheVendor().entries.end()) return std::nullopt;
  return found->second;
}

bool HasVendorDriver() { return TheVendor().library != nullptr; }

}  // namespace interposer

std::string VendorLibrary() {
  const std::string& path = interposer::TheVendor().path;
  return path.empty() ? "none" : path;
}

}  // namespace culprit::fakedriver
