// SPDX-License-Identifier: Apache-2.0
//
// Page-locked host memory: the only host memory that asynchronous copies of the reference read or
// write.
#ifndef CULPRIT_REFERENCE_IMPL_RESOURCE_PINNED_BUFFER_H_
#define CULPRIT_REFERENCE_IMPL_RESOURCE_PINNED_BUFFER_H_

#include <cstddef>

#include "reference_impl/resource/owned_handle.h"

namespace culprit::reference {

class PinnedBuffer : public OwnedHandle {
 public:
  PinnedBuffer() : OwnedHandle("pinned buffer") {}

  Status Open(const std::shared_ptr<Context>& context, size_t bytes);
  Status Close();

  void* get() const { return reinterpret_cast<void*>(handle()); }
};

}  // namespace culprit::reference

#endif  // CULPRIT_REFERENCE_IMPL_RESOURCE_PINNED_BUFFER_H_
