// SPDX-License-Identifier: Apache-2.0
//
// A frame on the device: pitched planes, a stream of its own for the upload, and two events.
// `ready` marks the end of the upload; `finished` marks that everybody who was given the picture
// has read it, so it may be filled again.
#ifndef CULPRIT_REFERENCE_IMPL_FRAMEWORK_PICTURE_H_
#define CULPRIT_REFERENCE_IMPL_FRAMEWORK_PICTURE_H_

#include <array>
#include <span>

#include "reference_impl/framework/frame.h"
#include "reference_impl/resource/buffer.h"
#include "reference_impl/resource/event.h"
#include "reference_impl/resource/pinned_buffer.h"
#include "reference_impl/resource/stream.h"

namespace culprit::reference {

class Picture {
 public:
  // Everything or nothing. What a failing rollback leaves is released by Close.
  Status Open(const std::shared_ptr<Context>& context, const Geometry& geometry);

  // Each release is committed on its own; a retry touches what is left.
  Status Close();

  // Waits until the picture is free, copies `frame` into pinned memory, queues the upload. `frame`
  // may change on return.
  Status Upload(const FrameView& frame);

  // Queues `finished` behind each of `readers`, which are events recorded after the last kernel
  // that reads the picture.
  Status ReleaseAfter(std::span<const Event* const> readers) const;

  const Geometry& geometry() const { return geometry_; }
  const Event& ready() const { return ready_; }
  CUdeviceptr plane(uint32_t index) const { return planes_[index].get(); }
  size_t pitch(uint32_t index) const { return planes_[index].pitch(); }

 private:
  Status Create(const std::shared_ptr<Context>& context);
  Status CopyPlane(const FrameView& frame, uint32_t plane, uint8_t* staged) const;

  Geometry geometry_;
  Stream stream_;
  Event ready_;
  Event finished_;
  std::array<Buffer, kMaxPlanes> planes_;
  PinnedBuffer staging_;
};

}  // namespace culprit::reference

#endif  // CULPRIT_REFERENCE_IMPL_FRAMEWORK_PICTURE_H_
