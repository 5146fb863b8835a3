// SPDX-License-Identifier: Apache-2.0
#include "reference_impl/extractor/float_psnr/float_psnr_cuda.h"

#include <algorithm>
#include <cmath>

#include "reference_impl/kernels/ptx.h"

namespace culprit::reference {
namespace {

constexpr double kNoiseFloor = 1e-10;

double CapOf(uint32_t bits) { return bits == 8 ? 60 : bits == 10 ? 72 : bits == 12 ? 84 : 108; }

}  // namespace

Status FloatPsnrCuda::Configure(const Options& options) { return OptionReader(options).Finish(); }

Status FloatPsnrCuda::OpenKernels(const std::shared_ptr<Context>& context) {
  Status loaded = module_.Open(context, kernels::kPsnrPtx);
  if (!loaded.ok()) return loaded;
  return module_.Function(geometry().bits > 8 ? "psnr_sse_16bpc" : "psnr_sse_8bpc",
                          &squared_error_);
}

Status FloatPsnrCuda::Launch(const FramePair& pair) {
  const Picture& reference = *pair.reference_picture;
  const Picture& distorted = *pair.distorted_picture;
  return LaunchOverPlane(stream(), squared_error_, geometry().width, geometry().height,
                         reference.plane(0), reference.pitch(0), distorted.plane(0),
                         distorted.pitch(0), static_cast<int>(geometry().width),
                         static_cast<int>(geometry().height), results());
}

Status FloatPsnrCuda::Collect(uint32_t index, Reach, FeatureCollector& collector) {
  const double scale = geometry().sample_scale();
  const double peak = ((1u << geometry().bits) - 1) / scale;
  const double samples = static_cast<double>(geometry().width) * geometry().height;
  const double squared = static_cast<double>(Results<uint64_t>()[0]) / (scale * scale);
  const double noise = std::max(squared / samples, kNoiseFloor);
  const double psnr = std::min(10 * std::log10(peak * peak / noise), CapOf(geometry().bits));
  return collector.Append("float_psnr", index, psnr);
}

}  // namespace culprit::reference
