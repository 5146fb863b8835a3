// SPDX-License-Identifier: Apache-2.0
//
// From the integer sums of the four levels to the scores.
#ifndef CULPRIT_REFERENCE_IMPL_EXTRACTOR_ADM_ADM_SCORE_H_
#define CULPRIT_REFERENCE_IMPL_EXTRACTOR_ADM_ADM_SCORE_H_

#include <array>

#include "reference_impl/extractor/adm/adm_report.h"

namespace culprit::reference {

// Of one level, each for the horizontal, vertical and diagonal band.
struct AdmSums {
  std::array<uint64_t, 3> denominator;
  std::array<uint64_t, 3> numerator;
  std::array<uint64_t, 3> additive;
};

// The roundings that the size of a level calls for.
struct AdmRounding {
  int denominator_cube_shift = 0;
  int denominator_row_shift = 0;
  std::array<int, 3> numerator_cube_shift{};
  int numerator_row_shift = 0;
};

class AdmScore {
 public:
  Status Start(const Geometry& geometry, const Options& options);

  const AdmLevel& level(uint32_t index) const { return report_.level(index); }
  const AdmRounding& rounding(uint32_t index) const { return roundings_[index]; }
  double gain_limit() const { return report_.gain_limit(); }
  bool default_viewing() const { return report_.default_viewing(); }

  Status Write(uint32_t index, const AdmSums* sums, FeatureCollector& collector) const;

 private:
  AdmParts PartsOf(uint32_t level, const AdmSums& sums) const;

  AdmReport report_;
  std::array<AdmRounding, kAdmLevels> roundings_;
};

}  // namespace culprit::reference

#endif  // CULPRIT_REFERENCE_IMPL_EXTRACTOR_ADM_ADM_SCORE_H_
