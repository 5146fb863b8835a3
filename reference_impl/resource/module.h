// SPDX-License-Identifier: Apache-2.0
//
// A loaded module. It stays a member of its extractor, never a local of an init function: what
// cannot be named at close cannot be unloaded.
#ifndef CULPRIT_REFERENCE_IMPL_RESOURCE_MODULE_H_
#define CULPRIT_REFERENCE_IMPL_RESOURCE_MODULE_H_

#include <initializer_list>
#include <utility>

#include "reference_impl/resource/owned_handle.h"

namespace culprit::reference {

class Module : public OwnedHandle {
 public:
  Module() : OwnedHandle("module") {}

  // `image` is PTX text, zero-terminated.
  Status Open(const std::shared_ptr<Context>& context, const char* image);
  // Valid until Close.
  Status Function(const char* name, CUfunction* function) const;
  // The same for several; stops at the first that is not there.
  Status Functions(std::initializer_list<std::pair<const char*, CUfunction*>> wanted) const;
  Status Close();

  CUmodule get() const { return reinterpret_cast<CUmodule>(handle()); }
};

}  // namespace culprit::reference

#endif  // CULPRIT_REFERENCE_IMPL_RESOURCE_MODULE_H_
