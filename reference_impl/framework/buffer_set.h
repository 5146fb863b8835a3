// SPDX-License-Identifier: Apache-2.0
//
// The device buffers of one extractor: opened one by one, closed together.
#ifndef CULPRIT_REFERENCE_IMPL_FRAMEWORK_BUFFER_SET_H_
#define CULPRIT_REFERENCE_IMPL_FRAMEWORK_BUFFER_SET_H_

#include <deque>

#include "reference_impl/resource/buffer.h"

namespace culprit::reference {

class BufferSet {
 public:
  // `*address` is valid until Close.
  Status Open(const std::shared_ptr<Context>& context, size_t bytes, CUdeviceptr* address);
  // Attempts every one; retryable.
  Status Close();

 private:
  std::deque<Buffer> buffers_;
};

}  // namespace culprit::reference

#endif  // CULPRIT_REFERENCE_IMPL_FRAMEWORK_BUFFER_SET_H_
