// SPDX-License-Identifier: Apache-2.0
//
// Results on their way home: a device buffer that kernels add to and the pinned buffer it is copied
// into.
#ifndef CULPRIT_REFERENCE_IMPL_FRAMEWORK_READBACK_H_
#define CULPRIT_REFERENCE_IMPL_FRAMEWORK_READBACK_H_

#include <span>

#include "reference_impl/framework/kernel_lifecycle.h"
#include "reference_impl/resource/buffer.h"
#include "reference_impl/resource/pinned_buffer.h"

namespace culprit::reference {

class ReadbackBytes {
 public:
  // Both halves or neither.
  Status Open(const std::shared_ptr<Context>& context, size_t bytes);
  Status Close();

  // Queue on the lifecycle's stream: zero the device half; copy a part of it home.
  Status EnqueueClear(const Stream& stream) const;
  Status EnqueueCopy(const Stream& stream, size_t offset, size_t bytes) const;

  CUdeviceptr device() const { return device_.get(); }
  const void* host() const { return host_.get(); }

 private:
  Buffer device_;
  PinnedBuffer host_;
  size_t bytes_ = 0;
};

template <typename Value>
class Readback {
 public:
  Status Open(const std::shared_ptr<Context>& context, size_t count) {
    count_ = count;
    return bytes_.Open(context, count * sizeof(Value));
  }
  Status Close() { return bytes_.Close(); }
  Status EnqueueClear(const Stream& stream) const { return bytes_.EnqueueClear(stream); }
  Status EnqueueCopy(const Stream& stream, size_t first, size_t count) const {
    return bytes_.EnqueueCopy(stream, first * sizeof(Value), count * sizeof(Value));
  }
  CUdeviceptr device(size_t index) const { return bytes_.device() + index * sizeof(Value); }
  // Valid once the copy has been waited for.
  std::span<const Value> host() const { return {static_cast<const Value*>(bytes_.host()), count_}; }

 private:
  ReadbackBytes bytes_;
  size_t count_ = 0;
};

}  // namespace culprit::reference

#endif  // CULPRIT_REFERENCE_IMPL_FRAMEWORK_READBACK_H_
