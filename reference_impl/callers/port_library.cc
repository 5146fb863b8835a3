// SPDX-License-Identifier: Apache-2.0
#include "reference_impl/callers/port_library.h"

#include <dlfcn.h>

namespace culprit::reference {

PortLibrary::~PortLibrary() {
  if (library_ != nullptr) dlclose(library_);
}

bool PortLibrary::Open(const std::string& path, std::string* problem) {
  library_ = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library_ == nullptr) {
    *problem = dlerror();
    return false;
  }
  const auto entry = reinterpret_cast<culprit_port_entry_fn>(dlsym(library_, CULPRIT_PORT_ENTRY));
  if (entry == nullptr) {
    *problem = path + " does not export " CULPRIT_PORT_ENTRY;
    return false;
  }
  port_ = entry();
  const size_t needed = offsetof(culprit_port, state_free) + sizeof(port_->state_free);
  if (port_ == nullptr || port_->abi != CULPRIT_PORT_ABI || port_->size < needed) {
    *problem = path + " implements another version of the port ABI";
    return false;
  }
  return true;
}

}  // namespace culprit::reference
