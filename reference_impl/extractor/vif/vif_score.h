// SPDX-License-Identifier: Apache-2.0
//
// The options of visual information fidelity and the keys its scores are written under; shared by
// the extractor in fixed point and the one on fractions.
#ifndef CULPRIT_REFERENCE_IMPL_EXTRACTOR_VIF_VIF_SCORE_H_
#define CULPRIT_REFERENCE_IMPL_EXTRACTOR_VIF_VIF_SCORE_H_

#include <array>
#include <string>

#include "reference_impl/framework/feature_collector.h"
#include "reference_impl/framework/frame.h"
#include "reference_impl/framework/options.h"

namespace culprit::reference {

inline constexpr uint32_t kVifScales = 4;

struct VifExtent {
  uint32_t width = 0;
  uint32_t height = 0;
};

// Of one scale: what the distorted picture tells of the reference, and what the reference tells.
struct VifInformation {
  double numerator = 0;
  double denominator = 0;
  double score = 0;  // the quotient, in the precision that the extractor defines
};

class VifScore {
 public:
  // `prefix` begins every key: "integer_vif", "vif". -EINVAL for pictures that are too small.
  Status Start(std::string prefix, const Geometry& geometry, const Options& options);

  double gain_limit() const { return gain_limit_; }
  // Each scale has half the width and height of the one before.
  const VifExtent& extent(uint32_t scale) const { return extents_[scale]; }

  Status Write(uint32_t index, const std::array<VifInformation, kVifScales>& scales,
               FeatureCollector& collector) const;

 private:
  Status WriteDebug(uint32_t index, const std::array<VifInformation, kVifScales>& scales,
                    FeatureCollector& collector) const;

  std::string prefix_;
  std::string suffix_;
  bool debug_ = false;
  double gain_limit_ = 100;
  std::array<VifExtent, kVifScales> extents_;
};

}  // namespace culprit::reference

#endif  // CULPRIT_REFERENCE_IMPL_EXTRACTOR_VIF_VIF_SCORE_H_
