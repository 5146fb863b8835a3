// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/core/code_location.h"

#include <dlfcn.h>

#include <cstdint>
#include <cstdio>

namespace culprit::fakedriver {

std::string CodeLocation(const void* address) {
  Dl_info info{};
  if (address == nullptr || dladdr(address, &info) == 0) return "";
  char offset[24];
  std::snprintf(offset, sizeof offset, "+0x%llx",
                static_cast<unsigned long long>(reinterpret_cast<uint64_t>(address) -
                                                reinterpret_cast<uint64_t>(info.dli_fbase)));
  std::string location = std::string(info.dli_fname) + offset;
  if (info.dli_sname != nullptr) location += std::string(" (") + info.dli_sname + ")";
  return location;
}

}  // namespace culprit::fakedriver
