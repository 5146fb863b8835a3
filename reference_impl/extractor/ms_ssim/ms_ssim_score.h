// SPDX-License-Identifier: Apache-2.0
//
// From the means of five scales to one similarity.
#ifndef CULPRIT_REFERENCE_IMPL_EXTRACTOR_MS_SSIM_MS_SSIM_SCORE_H_
#define CULPRIT_REFERENCE_IMPL_EXTRACTOR_MS_SSIM_MS_SSIM_SCORE_H_

#include <array>

#include "reference_impl/framework/feature_collector.h"
#include "reference_impl/framework/frame.h"
#include "reference_impl/framework/options.h"

namespace culprit::reference {

inline constexpr uint32_t kMsSsimScales = 5;

struct MsSsimMeans {
  double luminance = 0;
  double contrast = 0;
  double structure = 0;
};

class MsSsimScore {
 public:
  Status Start(const Geometry& geometry, const Options& options);
  Status Write(uint32_t index, const std::array<MsSsimMeans, kMsSsimScales>& means,
               FeatureCollector& collector) const;

 private:
  Geometry geometry_;
  bool lcs_ = false;
  bool decibels_ = false;
  bool clip_decibels_ = false;
};

}  // namespace culprit::reference

#endif  // CULPRIT_REFERENCE_IMPL_EXTRACTOR_MS_SSIM_MS_SSIM_SCORE_H_
