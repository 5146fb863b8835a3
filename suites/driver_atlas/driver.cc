// SPDX-License-Identifier: Apache-2.0
#include "suites/driver_atlas/driver.h"

#include <dlfcn.h>
#include <link.h>

#include <map>

namespace culprit::atlas {
namespace {

void* g_library = nullptr;

const std::map<int, const char*>& Names() {
  static const std::map<int, const char*> names = {
#define ATLAS_RESULT(name) {name, #name},
#include "suites/driver_atlas/results.def"
#undef ATLAS_RESULT
  };
  return names;
}

}  // namespace

std::string OpenDriver(const std::string& path) {
  g_library = dlopen(path.empty() ? "libcuda.so.1" : path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (g_library == nullptr) return dlerror();
  if (DriverSymbol("cuInit") == nullptr) return "it exports no cuInit";
  return "";
}

void* DriverSymbol(const char* exported_name) { return dlsym(g_library, exported_name); }

std::string DriverPath() {
  link_map* map = nullptr;
  if (g_library == nullptr || dlinfo(g_library, RTLD_DI_LINKMAP, &map) != 0) return "";
  return map->l_name;
}

std::string ResultName(CUresult result) {
  const auto found = Names().find(result);
  return found != Names().end() ? found->second : "CUresult(" + std::to_string(result) + ")";
}

}  // namespace culprit::atlas
