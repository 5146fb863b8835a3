// SPDX-License-Identifier: Apache-2.0
//
// The options of additive impairment and detail loss, and the keys its scores are written under;
// shared by the extractor in fixed point and the one on fractions.
#ifndef CULPRIT_REFERENCE_IMPL_EXTRACTOR_ADM_ADM_REPORT_H_
#define CULPRIT_REFERENCE_IMPL_EXTRACTOR_ADM_ADM_REPORT_H_

#include <array>
#include <string>

#include "reference_impl/extractor/adm/adm_level.h"
#include "reference_impl/framework/feature_collector.h"
#include "reference_impl/framework/frame.h"
#include "reference_impl/framework/options.h"

namespace culprit::reference {

// Of one level, pooled over its bands. Sums of cube roots: see AdmPooled.
struct AdmParts {
  float numerator = 0;
  float denominator = 0;
  float additive = 0;
};

// Sums of cubes of a level's band, pooled.
struct AdmCubes {
  double numerator = 0;
  double denominator = 0;
  double additive = 0;
};
AdmParts AdmPooled(const AdmLevel& level, const std::array<AdmCubes, 3>& bands);

class AdmReport {
 public:
  // `prefix` begins every key: "integer_" or nothing. -EINVAL for pictures that are too small.
  Status Start(std::string prefix, const Geometry& geometry, const Options& options);

  const AdmLevel& level(uint32_t index) const { return levels_[index]; }
  double gain_limit() const { return gain_limit_; }
  bool default_viewing() const { return viewing_.pixels() == AdmViewing().pixels(); }

  Status Write(uint32_t index, const std::array<AdmParts, kAdmLevels>& parts,
               FeatureCollector& collector) const;

 private:
  Status WriteDebug(uint32_t index, const std::array<AdmParts, kAdmLevels>& parts, double score,
                    FeatureCollector& collector) const;

  std::string prefix_;
  std::string suffix_;
  Geometry geometry_;
  AdmViewing viewing_;
  double gain_limit_ = 100;
  bool debug_ = false;
  std::array<AdmLevel, kAdmLevels> levels_;
};

}  // namespace culprit::reference

#endif  // CULPRIT_REFERENCE_IMPL_EXTRACTOR_ADM_ADM_REPORT_H_
