// SPDX-License-Identifier: Apache-2.0
//
// From the integer sums of the four levels to the scores.
#ifndef CULPRIT_REFERENCE_IMPL_EXTRACTOR_ADM_ADM_SCORE_H_
#define CULPRIT_REFERENCE_IMPL_EXTRACTOR_ADM_ADM_SCORE_H_

#include <array>
#include <string>

#include "reference_impl/extractor/adm/adm_viewing.h"
#include "reference_impl/framework/feature_collector.h"
#include "reference_impl/framework/frame.h"
#include "reference_impl/framework/options.h"

namespace culprit::reference {

inline constexpr uint32_t kAdmLevels = 4;

// Of one level, each for the horizontal, vertical and diagonal band.
struct AdmSums {
  std::array<uint64_t, 3> denominator;
  std::array<uint64_t, 3> numerator;
  std::array<uint64_t, 3> additive;
};

// The inner part of a level's bands, and the roundings that its size calls for.
struct AdmLevel {
  uint32_t width = 0;  // of the bands
  uint32_t height = 0;
  int left = 0, right = 0, top = 0, bottom = 0;
  int denominator_cube_shift = 0;
  int denominator_row_shift = 0;
  std::array<int, 3> numerator_cube_shift{};
  int numerator_row_shift = 0;
  std::array<float, 3> sensitivity{};

  double area() const { return static_cast<double>(bottom - top) * (right - left); }
};

class AdmScore {
 public:
  Status Start(const Geometry& geometry, const Options& options);

  const AdmLevel& level(uint32_t index) const { return levels_[index]; }
  double gain_limit() const { return gain_limit_; }
  bool default_viewing() const { return viewing_.pixels() == AdmViewing().pixels(); }

  Status Write(uint32_t index, const AdmSums* sums, FeatureCollector& collector) const;

 private:
  struct Parts {
    float numerator, denominator, additive;
  };

  Parts PartsOf(uint32_t level, const AdmSums& sums) const;
  Status WriteDebug(uint32_t index, const std::array<Parts, kAdmLevels>& parts, double score,
                    FeatureCollector& collector) const;

  Geometry geometry_;
  AdmViewing viewing_;
  double gain_limit_ = 100;
  bool debug_ = false;
  std::string suffix_;
  std::array<AdmLevel, kAdmLevels> levels_;
};

}  // namespace culprit::reference

#endif  // CULPRIT_REFERENCE_IMPL_EXTRACTOR_ADM_ADM_SCORE_H_
