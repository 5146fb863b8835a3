// SPDX-License-Identifier: Apache-2.0
#include "reference_impl/extractor/ms_ssim/ms_ssim_score.h"

#include <algorithm>
#include <cerrno>
#include <cmath>

#include "reference_impl/extractor/ssim/ssim_decibels.h"

namespace culprit::reference {
namespace {

constexpr uint32_t kSmallestSide = 176;  // the window must be inside the last scale
constexpr double kExponents[kMsSsimScales] = {0.0448, 0.2856, 0.3001, 0.2363, 0.1333};

// A mean below 0, of pictures that have nothing in common, counts as none.
double Weighted(double mean, uint32_t scale) {
  return std::pow(std::max(mean, 0.0), kExponents[scale]);
}

}  // namespace

Status MsSsimScore::Start(const Geometry& geometry, const Options& options) {
  Status read = OptionReader(options)
                    .Flag("clip_db", "", &clip_decibels_)
                    .Flag("enable_db", "", &decibels_)
                    .Flag("enable_lcs", "", &lcs_)
                    .Finish();
  if (!read.ok()) return read;
  if (std::min(geometry.width, geometry.height) < kSmallestSide) {
    return ExtractorFailure(-EINVAL, "float_ms_ssim needs pictures of 176x176 or more");
  }
  geometry_ = geometry;
  return Status();
}

Status MsSsimScore::Write(uint32_t index, const std::array<MsSsimMeans, kMsSsimScales>& means,
                          FeatureCollector& collector) const {
  double similarity = Weighted(means.back().luminance, kMsSsimScales - 1);
  FirstError first;
  for (uint32_t scale = 0; scale < kMsSsimScales; ++scale) {
    similarity *= Weighted(means[scale].contrast, scale) * Weighted(means[scale].structure, scale);
    if (!lcs_) continue;
    const std::string of_scale = "_scale" + std::to_string(scale);
    first.Note(collector.Append("float_ms_ssim_l" + of_scale, index, means[scale].luminance));
    first.Note(collector.Append("float_ms_ssim_c" + of_scale, index, means[scale].contrast));
    first.Note(collector.Append("float_ms_ssim_s" + of_scale, index, means[scale].structure));
  }
  const double score = decibels_ ? SsimDecibels(similarity, geometry_, clip_decibels_) : similarity;
  first.Note(collector.Append("float_ms_ssim", index, score));
  return first.Take();
}

}  // namespace culprit::reference
