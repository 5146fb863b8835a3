// SPDX-License-Identifier: Apache-2.0
//
// PSNR of a plane from its sum of squared differences; shared by the twins.
#ifndef CULPRIT_REFERENCE_IMPL_EXTRACTOR_PSNR_PSNR_SCORE_H_
#define CULPRIT_REFERENCE_IMPL_EXTRACTOR_PSNR_PSNR_SCORE_H_

#include <span>

#include "reference_impl/framework/feature_collector.h"
#include "reference_impl/framework/frame.h"
#include "reference_impl/framework/options.h"

namespace culprit::reference {

class PsnrScore {
 public:
  Status Start(const Geometry& geometry, const Options& options);

  // Planes that are compared.
  uint32_t planes() const { return planes_; }
  // Writes the scores of a frame; one sum per plane.
  Status Write(uint32_t index, std::span<const uint64_t> squared_errors,
               FeatureCollector& collector) const;

 private:
  Geometry geometry_;
  uint32_t planes_ = 0;
  double peak_ = 255;
  bool mse_ = false;
};

}  // namespace culprit::reference

#endif  // CULPRIT_REFERENCE_IMPL_EXTRACTOR_PSNR_PSNR_SCORE_H_
