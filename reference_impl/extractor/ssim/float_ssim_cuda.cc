// SPDX-License-Identifier: Apache-2.0
#include "reference_impl/extractor/ssim/float_ssim_cuda.h"

#include <algorithm>
#include <cerrno>

#include "reference_impl/extractor/ssim/ssim_decibels.h"
#include "reference_impl/kernels/ptx.h"

namespace culprit::reference {

Status FloatSsimCuda::Configure(const Options& options) {
  double scale = 0;
  Status read = OptionReader(options)
                    .Flag("clip_db", "", &clip_decibels_)
                    .Flag("enable_db", "", &decibels_)
                    .Flag("enable_lcs", "", &lcs_)
                    .Number("scale", "", &scale)
                    .Finish();
  if (!read.ok()) return read;
  const uint32_t side = std::min(geometry().width, geometry().height);
  const auto automatic = static_cast<uint32_t>(side / 256.0 + 0.5);
  factor_ = std::max(1u, scale > 0 ? static_cast<uint32_t>(scale) : automatic);
  const auto shrunk = [&](uint32_t full) {
    return factor_ == 1 ? full : full / factor_ + (full & 1);
  };
  width_ = shrunk(geometry().width);
  height_ = shrunk(geometry().height);
  if (std::min(width_, height_) < kTaps) {
    return ExtractorFailure(-EINVAL, "float_ssim needs pictures of 11x11 or more");
  }
  return Status();
}

Status FloatSsimCuda::OpenKernels(const std::shared_ptr<Context>& context) {
  Status loaded = module_.Open(context, kernels::kSsimPtx);
  if (!loaded.ok()) return loaded;
  Status shrink =
      module_.Function(geometry().bits > 8 ? "ssim_shrink_16bpc" : "ssim_shrink_8bpc", &shrink_);
  if (!shrink.ok()) return shrink;
  Status rows = module_.Function("ssim_rows", &rows_);
  if (!rows.ok()) return rows;
  Status columns = module_.Function("ssim_columns", &columns_);
  if (!columns.ok()) return columns;
  for (CUdeviceptr& picture : pictures_) {
    Status allocated = scratch().Open(context, sizeof(float) * width_ * height_, &picture);
    if (!allocated.ok()) return allocated;
  }
  constexpr size_t kMomentBytes = 5 * sizeof(float);
  return scratch().Open(context, kMomentBytes * inner_width() * height_, &moments_);
}

Status FloatSsimCuda::Launch(const FramePair& pair) {
  const std::pair<const Picture*, CUdeviceptr> sources[] = {{pair.reference_picture, pictures_[0]},
                                                            {pair.distorted_picture, pictures_[1]}};
  for (const auto& [picture, target] : sources) {
    Status shrunk = LaunchOverPlane(stream(), shrink_, width_, height_, picture->plane(0),
                                    picture->pitch(0), target, static_cast<int>(geometry().width),
                                    static_cast<int>(geometry().height), static_cast<int>(width_),
                                    static_cast<int>(height_), static_cast<int>(factor_),
                                    geometry().sample_scale());
    if (!shrunk.ok()) return shrunk;
  }
  Status rows = LaunchOverPlane(stream(), rows_, inner_width(), height_, pictures_[0], pictures_[1],
                                moments_, static_cast<int>(width_), static_cast<int>(height_));
  if (!rows.ok()) return rows;
  return LaunchOverPlane(stream(), columns_, inner_width(), inner_height(), moments_, results(),
                         static_cast<int>(inner_width()), static_cast<int>(inner_height()),
                         static_cast<int>(blocks()));
}

double FloatSsimCuda::Mean(uint32_t which) const {
  const double samples = static_cast<double>(inner_width()) * inner_height();
  return SumOf(Results<double>() + which * blocks(), blocks()) / samples;
}

Status FloatSsimCuda::Collect(uint32_t index, Reach, FeatureCollector& collector) {
  const double similarity = Mean(0);
  const double score =
      decibels_ ? SsimDecibels(similarity, geometry(), clip_decibels_) : similarity;
  Status written = collector.Append("float_ssim", index, score);
  if (!written.ok() || !lcs_) return written;
  FirstError first;
  first.Note(collector.Append("float_ssim_l", index, Mean(1)));
  first.Note(collector.Append("float_ssim_c", index, Mean(2)));
  first.Note(collector.Append("float_ssim_s", index, Mean(3)));
  return first.Take();
}

}  // namespace culprit::reference
