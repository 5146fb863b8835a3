// SPDX-License-Identifier: Apache-2.0
#include "reference_impl/extractor/speed/speed_temporal_cuda.h"

#include <cerrno>

#include "reference_impl/kernels/ptx.h"

namespace culprit::reference {

Status SpeedTemporalCuda::Configure(const Options& options) {
  Status read = OptionReader(options).Finish();
  if (!read.ok()) return read;
  extent_ = SpeedExtent::Of(geometry().width, geometry().height);
  if (!extent_.holds_a_block()) {
    return ExtractorFailure(-EINVAL, "speed_temporal needs pictures of 80x80 or more");
  }
  return Status();
}

Status SpeedTemporalCuda::OpenKernels(const std::shared_ptr<Context>& context) {
  Status loaded = module_.Open(context, kernels::kSpeedPtx);
  if (!loaded.ok()) return loaded;
  Status found = kernels_.Find(module_, geometry().bits);
  if (!found.ok()) return found;
  const size_t bytes = extent_.samples() * sizeof(double);
  for (CUdeviceptr* buffer :
       {&small_[0][0], &small_[0][1], &small_[1][0], &small_[1][1], &difference_}) {
    Status allocated = scratch().Open(context, bytes, buffer);
    if (!allocated.ok()) return allocated;
  }
  return Status();
}

Status SpeedTemporalCuda::Launch(const FramePair& pair) {
  Status reference = LaunchClip(*pair.reference_picture, pair.index, 0);
  if (!reference.ok()) return reference;
  return LaunchClip(*pair.distorted_picture, pair.index, 1);
}

Status SpeedTemporalCuda::LaunchClip(const Picture& picture, uint32_t index, uint32_t which) {
  const CUdeviceptr current = small_[which][index % 2];
  Status shrunk = kernels_.Shrink(stream(), picture, /*plane=*/0, current);
  if (!shrunk.ok() || index == 0) return shrunk;
  const CUdeviceptr previous = small_[which][(index + 1) % 2];
  Status changed = kernels_.Difference(stream(), extent_, previous, current, difference_);
  if (!changed.ok()) return changed;
  return kernels_.Describe(stream(), extent_, difference_,
                           results() + which * SpeedKernels::StatisticsBytes(extent_));
}

Status SpeedTemporalCuda::Collect(uint32_t index, Reach, FeatureCollector& collector) {
  double distance = 0;
  if (index > 0) {
    const double* reference = Results<double>();
    const double* distorted = reference + SpeedKernels::StatisticsBytes(extent_) / sizeof(double);
    distance = SpeedDistanceOf(extent_, SpeedKernels::View(extent_, reference),
                               SpeedKernels::View(extent_, distorted))
                   .value;
  }
  return collector.Append("speed_temporal", index, distance);
}

}  // namespace culprit::reference
