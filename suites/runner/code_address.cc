// SPDX-License-Identifier: Apache-2.0
#include "suites/runner/code_address.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <limits.h>
#include <stdlib.h>

#include <cstdint>

namespace culprit::suites {

std::string CodeAt(const void* address) {
  Dl_info info{};
  if (dladdr(address, &info) == 0 || info.dli_fname == nullptr) return "?";
  char path[PATH_MAX];
  const char* file = realpath(info.dli_fname, path) != nullptr ? path : info.dli_fname;
  return fmt::format(
      "{}+{:#x}", file,
      reinterpret_cast<uintptr_t>(address) - reinterpret_cast<uintptr_t>(info.dli_fbase));
}

}  // namespace culprit::suites
