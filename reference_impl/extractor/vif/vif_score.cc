// SPDX-License-Identifier: Apache-2.0
#include "reference_impl/extractor/vif/vif_score.h"

#include <algorithm>
#include <cerrno>

namespace culprit::reference {
namespace {

constexpr uint32_t kSmallestSide = 16;  // the last scale must still have two samples a side

}  // namespace

Status VifScore::Start(std::string prefix, const Geometry& geometry, const Options& options) {
  prefix_ = std::move(prefix);
  Status read = OptionReader(options)
                    .Flag("debug", "", &debug_)
                    .Number("vif_enhn_gain_limit", "egl", &gain_limit_)
                    .Finish(&suffix_);
  if (!read.ok()) return read;
  if (std::min(geometry.width, geometry.height) < kSmallestSide) {
    return ExtractorFailure(-EINVAL, prefix_ + " needs pictures of 16x16 or more");
  }
  VifExtent extent{geometry.width, geometry.height};
  for (VifExtent& scale : extents_) {
    scale = extent;
    extent = {extent.width / 2, extent.height / 2};
  }
  return Status();
}

Status VifScore::Write(uint32_t index, const std::array<VifInformation, kVifScales>& scales,
                       FeatureCollector& collector) const {
  for (uint32_t scale = 0; scale < kVifScales; ++scale) {
    const std::string key = prefix_ + "_scale" + std::to_string(scale) + suffix_;
    Status written = collector.Append(key, index, scales[scale].score);
    if (!written.ok()) return written;
  }
  return debug_ ? WriteDebug(index, scales, collector) : Status();
}

Status VifScore::WriteDebug(uint32_t index, const std::array<VifInformation, kVifScales>& scales,
                            FeatureCollector& collector) const {
  double numerator = 0;
  double denominator = 0;
  FirstError first;
  for (uint32_t scale = 0; scale < kVifScales; ++scale) {
    const std::string of_scale = "_scale" + std::to_string(scale) + suffix_;
    first.Note(collector.Append(prefix_ + "_num" + of_scale, index, scales[scale].numerator));
    first.Note(collector.Append(prefix_ + "_den" + of_scale, index, scales[scale].denominator));
    numerator += scales[scale].numerator;
    denominator += scales[scale].denominator;
  }
  first.Note(collector.Append(prefix_ + "_num" + suffix_, index, numerator));
  first.Note(collector.Append(prefix_ + "_den" + suffix_, index, denominator));
  first.Note(collector.Append(prefix_ + suffix_, index, numerator / denominator));
  return first.Take();
}

}  // namespace culprit::reference
