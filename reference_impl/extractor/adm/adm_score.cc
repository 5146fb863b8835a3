// SPDX-License-Identifier: Apache-2.0
#include "reference_impl/extractor/adm/adm_score.h"

#include <algorithm>
#include <cmath>

namespace culprit::reference {
namespace {

// Fractional bits that the sums of a level are left with.
constexpr int kDenominatorBits[kAdmLevels] = {18, 32, 27, 23};
constexpr std::array<int, 3> kNumeratorBits[kAdmLevels] = {
    {52, 52, 57}, {45, 45, 45}, {39, 39, 39}, {36, 36, 36}};

int CeilLog2(double value) { return static_cast<int>(std::ceil(std::log2(value))); }

AdmRounding RoundingOf(uint32_t index, const AdmLevel& level) {
  AdmRounding rounding;
  rounding.numerator_row_shift = CeilLog2(level.height);
  if (index == 0) {
    rounding.denominator_row_shift = std::max(0, CeilLog2(level.area()) - 20);
    const double columns = std::log2(static_cast<double>(level.width));
    const int straight = static_cast<int>(std::ceil(columns - 4));
    rounding.numerator_cube_shift = {straight, straight, static_cast<int>(std::ceil(columns - 3))};
  } else {
    rounding.denominator_cube_shift = CeilLog2(level.right - level.left);
    rounding.denominator_row_shift = CeilLog2(level.rows());
    rounding.numerator_cube_shift.fill(CeilLog2(level.width));
  }
  return rounding;
}

}  // namespace

Status AdmScore::Start(const Geometry& geometry, const Options& options) {
  Status started = report_.Start("integer_", geometry, options);
  if (!started.ok()) return started;
  for (uint32_t index = 0; index < kAdmLevels; ++index) {
    roundings_[index] = RoundingOf(index, level(index));
  }
  return Status();
}

AdmParts AdmScore::PartsOf(uint32_t index, const AdmSums& sums) const {
  const AdmRounding& rounding = roundings_[index];
  std::array<AdmCubes, 3> cubes;
  for (int band = 0; band < 3; ++band) {
    const int denominator_bits =
        kDenominatorBits[index] - rounding.denominator_row_shift - rounding.denominator_cube_shift;
    const double weight = std::pow(double{level(index).sensitivity[band]}, 3);
    const double original =
        std::ldexp(static_cast<double>(sums.denominator[band]), -denominator_bits);
    const int numerator_bits = kNumeratorBits[index][band] - rounding.numerator_cube_shift[band] -
                               rounding.numerator_row_shift;
    cubes[band] = {std::ldexp(static_cast<double>(sums.numerator[band]), -numerator_bits),
                   original * weight,
                   std::ldexp(static_cast<double>(sums.additive[band]), -numerator_bits)};
  }
  return AdmPooled(level(index), cubes);
}

Status AdmScore::Write(uint32_t index, const AdmSums* sums, FeatureCollector& collector) const {
  std::array<AdmParts, kAdmLevels> parts;
  for (uint32_t level = 0; level < kAdmLevels; ++level) parts[level] = PartsOf(level, sums[level]);
  return report_.Write(index, parts, collector);
}

}  // namespace culprit::reference
