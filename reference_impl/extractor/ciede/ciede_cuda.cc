// SPDX-License-Identifier: Apache-2.0
#include "reference_impl/extractor/ciede/ciede_cuda.h"

#include <cerrno>
#include <cmath>

#include "reference_impl/extractor/picture_planes.h"
#include "reference_impl/kernels/ptx.h"

namespace culprit::reference {
namespace {

// By value to kernels/ciede.cu, which declares the same: log2 of how many luma samples share one of
// chroma.
struct Subsampling {
  int x, y;
};

}  // namespace

Status CiedeCuda::Configure(const Options& options) {
  Status read = OptionReader(options).Finish();
  if (!read.ok()) return read;
  if (geometry().planes() != kMaxPlanes) {
    return ExtractorFailure(-EINVAL, "ciede needs three planes");
  }
  return Status();
}

Status CiedeCuda::OpenKernels(const std::shared_ptr<Context>& context) {
  Status loaded = module_.Open(context, kernels::kCiedePtx);
  if (!loaded.ok()) return loaded;
  return module_.Function(geometry().bits > 8 ? "ciede_16bpc" : "ciede_8bpc", &differences_);
}

Status CiedeCuda::Launch(const FramePair& pair) {
  const Subsampling subsampling{geometry().format != PixelFormat::k444,
                                geometry().format == PixelFormat::k420};
  return LaunchOverPlane(stream(), differences_, geometry().width, geometry().height,
                         PlanesOf(*pair.reference_picture), PlanesOf(*pair.distorted_picture),
                         results(), static_cast<int>(geometry().width),
                         static_cast<int>(geometry().height), subsampling,
                         static_cast<double>(geometry().sample_scale()));
}

Status CiedeCuda::Collect(uint32_t index, Reach, FeatureCollector& collector) {
  const double samples = static_cast<double>(geometry().width) * geometry().height;
  const double mean = SumOf(Results<double>(), partials()) / samples;
  return collector.Append("ciede2000", index, 45 - 20 * std::log10(mean));
}

}  // namespace culprit::reference
