// SPDX-License-Identifier: Apache-2.0
#include "reference_impl/driver/driver.h"

#include <cerrno>

#include <dlfcn.h>

namespace culprit::reference {
namespace {

// The exported names carry the version that the header chose (cuMemAlloc is cuMemAlloc_v2): looking
// them up as they are cannot mix entries of two versions, which plain names would.
template <typename Signature>
bool BindEntry(void* library, const char* name, Entry<Signature>* entry) {
  void* symbol = dlsym(library, name);
  if (symbol == nullptr) return false;
  entry->Bind(reinterpret_cast<typename Entry<Signature>::Function>(symbol), name);
  return true;
}

}  // namespace

Status Driver::Load(std::shared_ptr<const Driver>* driver) {
  std::shared_ptr<Driver> loaded(new Driver);
  loaded->library_ = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (loaded->library_ == nullptr) {
    const char* reason = dlerror();
    return HostFailure(-ENOENT, reason != nullptr ? reason : "libcuda.so.1 could not be loaded");
  }
  Status bound = loaded->Bind();
  if (!bound.ok()) return bound;
  *driver = std::move(loaded);
  return Status();
}

Driver::~Driver() {
  if (library_ != nullptr) dlclose(library_);
}

#define REFERENCE_EXPORTED(name) #name
#define REFERENCE_ENTRY(name)                                                     \
  if (!BindEntry(library_, REFERENCE_EXPORTED(name), &this->name)) {              \
    return HostFailure(-ENOSYS, "libcuda.so.1 has no " REFERENCE_EXPORTED(name)); \
  }
Status Driver::Bind() {
#include "reference_impl/driver/entries.def"
  return Status();
}
#undef REFERENCE_ENTRY
#undef REFERENCE_EXPORTED

}  // namespace culprit::reference
