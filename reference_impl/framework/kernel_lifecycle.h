// SPDX-License-Identifier: Apache-2.0
//
// The part every CUDA extractor has: a stream and two events. `submitted` marks that the pictures
// have been read, `finished` that the results are in host memory.
#ifndef CULPRIT_REFERENCE_IMPL_FRAMEWORK_KERNEL_LIFECYCLE_H_
#define CULPRIT_REFERENCE_IMPL_FRAMEWORK_KERNEL_LIFECYCLE_H_

#include "reference_impl/resource/event.h"
#include "reference_impl/resource/stream.h"

namespace culprit::reference {

class KernelLifecycle {
 public:
  // All three or none; what a failing rollback leaves is released by the next Close.
  Status Open(const std::shared_ptr<Context>& context);
  // The stream first: as long as it is not quiet, nothing that it may touch is released.
  Status Close();

  bool quiet() const { return !stream_.open(); }
  const Stream& stream() const { return stream_; }
  const Event& submitted() const { return submitted_; }
  const Event& finished() const { return finished_; }

 private:
  Status Create(const std::shared_ptr<Context>& context);

  Stream stream_;
  Event submitted_;
  Event finished_;
};

}  // namespace culprit::reference

#endif  // CULPRIT_REFERENCE_IMPL_FRAMEWORK_KERNEL_LIFECYCLE_H_
