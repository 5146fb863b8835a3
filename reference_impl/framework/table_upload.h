// SPDX-License-Identifier: Apache-2.0
//
// A constant table on its way to the device: pinned staging, a device buffer, a stream of its own
// and an event that the users of the table wait for.
#ifndef CULPRIT_REFERENCE_IMPL_FRAMEWORK_TABLE_UPLOAD_H_
#define CULPRIT_REFERENCE_IMPL_FRAMEWORK_TABLE_UPLOAD_H_

#include "reference_impl/resource/buffer.h"
#include "reference_impl/resource/event.h"
#include "reference_impl/resource/pinned_buffer.h"
#include "reference_impl/resource/stream.h"

namespace culprit::reference {

class TableUpload {
 public:
  // Copies `bytes` of `table` and queues the upload. What it made before it failed is closed by
  // Close.
  Status Open(const std::shared_ptr<Context>& context, const void* table, size_t bytes);
  // The stream first; retryable.
  Status Close();

  const Event& ready() const { return ready_; }
  CUdeviceptr get() const { return table_.get(); }

 private:
  Stream stream_;
  Event ready_;
  PinnedBuffer staging_;
  Buffer table_;
};

}  // namespace culprit::reference

#endif  // CULPRIT_REFERENCE_IMPL_FRAMEWORK_TABLE_UPLOAD_H_
