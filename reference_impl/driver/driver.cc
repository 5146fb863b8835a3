// SPDX-License-Identifier: Apache-2.0
#include "reference_impl/driver/driver.h"

#include <cerrno>

#include <dlfcn.h>

namespace culprit::reference {
namespace {

// The exported names carry the version that the header chose (cuMemAlloc is cuMemAlloc_v2): looking
// them up as they are cannot mix entries of two versions, which plain names would.
// `*missing` is the first name that is not there.
template <typename Signature>
void BindEntry(void* library, const char* name, Entry<Signature>* entry, const char** missing) {
  void* symbol = dlsym(library, name);
  if (symbol != nullptr) {
    entry->Bind(reinterpret_cast<typename Entry<Signature>::Function>(symbol), name);
  } else if (*missing == nullptr) {
    *missing = name;
  }
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
#define REFERENCE_ENTRY(name) BindEntry(library_, REFERENCE_EXPORTED(name), &this->name, &missing);
Status Driver::Bind() {
  const char* missing = nullptr;
#include "reference_impl/driver/entries.def"
  if (missing == nullptr) return Status();
  return HostFailure(-ENOSYS, std::string("libcuda.so.1 has no ") + missing);
}
#undef REFERENCE_ENTRY
#undef REFERENCE_EXPORTED

}  // namespace culprit::reference
