// SPDX-License-Identifier: Apache-2.0
#include "reference_impl/clip/generated_source.h"

#include "reference_impl/clip/clip_generator.h"

namespace culprit::reference {

Status GeneratedSource::operator()(FrameView* reference, FrameView* distorted, bool* end) {
  *end = frame_ == clip_->frames;
  if (*end) return Status();
  const ClipPicture picture = MakeReference(*clip_, frame_);
  reference_ = Pack(picture, clip_->geometry.bits);
  distorted_ = Pack(MakeDistorted(*clip_, picture, frame_), clip_->geometry.bits);
  *reference = ViewOfPacked(reference_, clip_->geometry);
  *distorted = ViewOfPacked(distorted_, clip_->geometry);
  ++frame_;
  return Status();
}

FrameView ViewOfPacked(const std::vector<uint8_t>& bytes, const Geometry& geometry) {
  FrameView view{geometry, {}, {}};
  const uint8_t* data = bytes.data();
  for (uint32_t plane = 0; plane < geometry.planes(); ++plane) {
    view.data[plane] = data;
    view.stride[plane] = geometry.row_bytes(plane);
    data += geometry.plane_bytes(plane);
  }
  return view;
}

}  // namespace culprit::reference
