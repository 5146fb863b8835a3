// SPDX-License-Identifier: Apache-2.0
#include "reference_impl/extractor/psnr/psnr_cuda.h"

#include "reference_impl/kernels/ptx.h"

namespace culprit::reference {

Status PsnrCuda::Configure(const Options& options) { return score_.Start(geometry(), options); }

Status PsnrCuda::OpenKernels(const std::shared_ptr<Context>& context) {
  Status loaded = module_.Open(context, kernels::kPsnrPtx);
  if (!loaded.ok()) return loaded;
  return module_.Function(geometry().bits > 8 ? "psnr_sse_16bpc" : "psnr_sse_8bpc",
                          &squared_error_);
}

Status PsnrCuda::Launch(const FramePair& pair) {
  const Picture& reference = *pair.reference_picture;
  const Picture& distorted = *pair.distorted_picture;
  for (uint32_t plane = 0; plane < score_.planes(); ++plane) {
    const uint32_t width = geometry().plane_width(plane);
    const uint32_t height = geometry().plane_height(plane);
    const CUdeviceptr total = results() + plane * sizeof(uint64_t);
    Status launched =
        LaunchOverPlane(stream(), squared_error_, width, height, reference.plane(plane),
                        reference.pitch(plane), distorted.plane(plane), distorted.pitch(plane),
                        static_cast<int>(width), static_cast<int>(height), total);
    if (!launched.ok()) return launched;
  }
  return Status();
}

Status PsnrCuda::Collect(uint32_t index, Reach, FeatureCollector& collector) {
  return score_.Write(index, {Results<uint64_t>(), kMaxPlanes}, collector);
}

}  // namespace culprit::reference
