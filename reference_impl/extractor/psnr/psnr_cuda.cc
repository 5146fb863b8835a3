// SPDX-License-Identifier: Apache-2.0
#include "reference_impl/extractor/psnr/psnr_cuda.h"

#include <cerrno>

#include "reference_impl/framework/launch.h"
#include "reference_impl/kernels/ptx.h"

namespace culprit::reference {

Status PsnrCuda::Init(const ExtractorSetup& setup, const Options& options) {
  Status started = score_.Start(setup.geometry, options);
  if (!started.ok()) return started;
  if (setup.context == nullptr) return ExtractorFailure(-EINVAL, "no device state was imported");
  Status created = Create(setup);
  // The creation's error is the one to report; what its rollback leaves stays for Close.
  if (!created.ok()) static_cast<void>(Close());
  return created;
}

Status PsnrCuda::Create(const ExtractorSetup& setup) {
  Status lifecycle = lifecycle_.Open(setup.context);
  if (!lifecycle.ok()) return lifecycle;
  Status loaded = module_.Open(setup.context, kernels::kPsnrPtx);
  if (!loaded.ok()) return loaded;
  Status found = module_.Function(setup.geometry.bits > 8 ? "psnr_sse_16bpc" : "psnr_sse_8bpc",
                                  &squared_error_);
  if (!found.ok()) return found;
  return squared_errors_.Open(setup.context, kMaxPlanes);
}

Status PsnrCuda::Close() {
  FirstError first;
  first.Note(lifecycle_.Close());
  if (!lifecycle_.quiet()) return first.Take();
  first.Note(squared_errors_.Close());
  first.Note(module_.Close());
  return first.Take();
}

Status PsnrCuda::Submit(const FramePair& pair) {
  const Stream& stream = lifecycle_.stream();
  Status cleared = squared_errors_.EnqueueClear(stream);
  if (!cleared.ok()) return cleared;
  for (const Picture* picture : {pair.reference_picture, pair.distorted_picture}) {
    Status uploaded = stream.Wait(picture->ready());
    if (!uploaded.ok()) return uploaded;
  }
  for (uint32_t plane = 0; plane < score_.planes(); ++plane) {
    Status launched = Launch(pair, plane);
    if (!launched.ok()) return launched;
  }
  Status submitted = lifecycle_.submitted().Record(stream);
  if (!submitted.ok()) return submitted;
  Status copied = squared_errors_.EnqueueCopy(stream, 0, kMaxPlanes);
  if (!copied.ok()) return copied;
  return lifecycle_.finished().Record(stream);
}

Status PsnrCuda::Launch(const FramePair& pair, uint32_t plane) {
  const Picture& reference = *pair.reference_picture;
  const Picture& distorted = *pair.distorted_picture;
  const uint32_t width = reference.geometry().plane_width(plane);
  const uint32_t height = reference.geometry().plane_height(plane);
  return LaunchOverPlane(lifecycle_.stream(), squared_error_, width, height, reference.plane(plane),
                         reference.pitch(plane), distorted.plane(plane), distorted.pitch(plane),
                         static_cast<int>(width), static_cast<int>(height),
                         squared_errors_.device(plane));
}

Status PsnrCuda::Collect(uint32_t index, Reach, FeatureCollector& collector) {
  return score_.Write(index, squared_errors_.host(), collector);
}

}  // namespace culprit::reference
