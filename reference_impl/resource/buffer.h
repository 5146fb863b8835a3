// SPDX-License-Identifier: Apache-2.0
//
// Device memory. Whoever owns the streams that touch it closes them first.
#ifndef CULPRIT_REFERENCE_IMPL_RESOURCE_BUFFER_H_
#define CULPRIT_REFERENCE_IMPL_RESOURCE_BUFFER_H_

#include <cstddef>

#include "reference_impl/resource/owned_handle.h"

namespace culprit::reference {

class Buffer : public OwnedHandle {
 public:
  Buffer() : OwnedHandle("device buffer") {}

  Status Open(const std::shared_ptr<Context>& context, size_t bytes);
  // Rows at a pitch the driver chooses.
  Status OpenPitched(const std::shared_ptr<Context>& context, size_t row_bytes, size_t rows);
  Status Close();

  CUdeviceptr get() const { return static_cast<CUdeviceptr>(handle()); }
  size_t pitch() const { return pitch_; }

 private:
  size_t pitch_ = 0;
};

}  // namespace culprit::reference

#endif  // CULPRIT_REFERENCE_IMPL_RESOURCE_BUFFER_H_
