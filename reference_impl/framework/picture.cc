// SPDX-License-Identifier: Apache-2.0
#include "reference_impl/framework/picture.h"

#include <cerrno>
#include <cstring>

#include "reference_impl/resource/context_guard.h"

namespace culprit::reference {

Status Picture::Open(const std::shared_ptr<Context>& context, const Geometry& geometry) {
  geometry_ = geometry;
  Status created = Create(context);
  // The creation's error is the one to report; what the rollback leaves stays for Close.
  if (!created.ok()) static_cast<void>(Close());
  return created;
}

Status Picture::Create(const std::shared_ptr<Context>& context) {
  Status stream = stream_.Open(context);
  if (!stream.ok()) return stream;
  Status ready = ready_.Open(context);
  if (!ready.ok()) return ready;
  Status finished = finished_.Open(context);
  if (!finished.ok()) return finished;
  size_t staging_bytes = 0;
  for (uint32_t plane = 0; plane < geometry_.planes(); ++plane) {
    staging_bytes += geometry_.plane_bytes(plane);
    Status allocated = planes_[plane].OpenPitched(context, geometry_.row_bytes(plane),
                                                  geometry_.plane_height(plane));
    if (!allocated.ok()) return allocated;
  }
  return staging_.Open(context, staging_bytes);
}

Status Picture::Close() {
  FirstError first;
  first.Note(stream_.Close());
  if (stream_.open()) return first.Take();  // not quiet: what it may touch stays
  for (Buffer& plane : planes_) first.Note(plane.Close());
  first.Note(staging_.Close());
  first.Note(ready_.Close());
  first.Note(finished_.Close());
  return first.Take();
}

Status Picture::Upload(const FrameView& frame) {
  if (frame.geometry != geometry_) {
    return ExtractorFailure(-EINVAL, "the frame's geometry is not the session's");
  }
  Status free = finished_.Synchronize();
  if (!free.ok()) return free;
  // The staging memory may still be the source of an upload that nobody followed up.
  Status idle = ready_.Synchronize();
  if (!idle.ok()) return idle;
  auto* staged = static_cast<uint8_t*>(staging_.get());
  for (uint32_t plane = 0; plane < geometry_.planes(); ++plane) {
    Status copied = CopyPlane(frame, plane, staged);
    if (!copied.ok()) return copied;
    staged += geometry_.plane_bytes(plane);
  }
  return ready_.Record(stream_);
}

Status Picture::CopyPlane(const FrameView& frame, uint32_t plane, uint8_t* staged) const {
  const size_t row_bytes = geometry_.row_bytes(plane);
  const uint32_t rows = geometry_.plane_height(plane);
  for (uint32_t y = 0; y < rows; ++y) {
    std::memcpy(staged + y * row_bytes, frame.data[plane] + y * frame.stride[plane], row_bytes);
  }
  CUDA_MEMCPY2D copy{};
  copy.srcMemoryType = CU_MEMORYTYPE_HOST;
  copy.srcHost = staged;
  copy.srcPitch = row_bytes;
  copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.dstDevice = planes_[plane].get();
  copy.dstPitch = planes_[plane].pitch();
  copy.WidthInBytes = row_bytes;
  copy.Height = rows;
  return InContext(stream_.context(),
                   [&] { return stream_.driver().cuMemcpy2DAsync(&copy, stream_.get()); });
}

Status Picture::ReleaseAfter(std::span<const Event* const> readers) const {
  for (const Event* reader : readers) {
    Status queued = stream_.Wait(*reader);
    if (!queued.ok()) return queued;
  }
  return finished_.Record(stream_);
}

}  // namespace culprit::reference
