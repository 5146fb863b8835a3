// SPDX-License-Identifier: Apache-2.0
#include "reference_impl/extractor/adm/adm_score.h"

#include <algorithm>
#include <cerrno>
#include <cmath>

namespace culprit::reference {
namespace {

constexpr uint32_t kSmallestSide = 32;  // the last level must still have neighbours
constexpr double kNoiseWeight = 0.03125;
constexpr double kDetailLossWeight = 0.5;

// Fractional bits that the sums of a level are left with.
constexpr int kDenominatorBits[kAdmLevels] = {18, 32, 27, 23};
constexpr std::array<int, 3> kNumeratorBits[kAdmLevels] = {
    {52, 52, 57}, {45, 45, 45}, {39, 39, 39}, {36, 36, 36}};

int CeilLog2(double value) { return static_cast<int>(std::ceil(std::log2(value))); }

float CubeRoot(float value) { return std::pow(value, 1.0f / 3.0f); }

AdmLevel MakeLevel(uint32_t index, uint32_t width, uint32_t height, const AdmViewing& viewing) {
  AdmLevel level;
  level.width = width;
  level.height = height;
  level.left = static_cast<int>(width * 0.1 - 0.5);
  level.top = static_cast<int>(height * 0.1 - 0.5);
  level.right = static_cast<int>(width) - level.left;
  level.bottom = static_cast<int>(height) - level.top;
  level.sensitivity = AdmSensitivity(index, viewing);
  level.numerator_row_shift = CeilLog2(height);
  if (index == 0) {
    level.denominator_row_shift = std::max(0, CeilLog2(level.area()) - 20);
    const double columns = std::log2(static_cast<double>(width));
    const int straight = static_cast<int>(std::ceil(columns - 4));
    level.numerator_cube_shift = {straight, straight, static_cast<int>(std::ceil(columns - 3))};
  } else {
    level.denominator_cube_shift = CeilLog2(level.right - level.left);
    level.denominator_row_shift = CeilLog2(level.bottom - level.top);
    level.numerator_cube_shift.fill(CeilLog2(width));
  }
  return level;
}

}  // namespace

Status AdmScore::Start(const Geometry& geometry, const Options& options) {
  Status read = OptionReader(options)
                    .Number("adm_enhn_gain_limit", "egl", &gain_limit_)
                    .Number("adm_norm_view_dist", "nvd", &viewing_.distance)
                    .Number("adm_ref_display_height", "rdh", &viewing_.display_height)
                    .Flag("debug", "", &debug_)
                    .Finish(&suffix_);
  if (!read.ok()) return read;
  if (std::min(geometry.width, geometry.height) < kSmallestSide) {
    return ExtractorFailure(-EINVAL, "adm needs pictures of 32x32 or more");
  }
  geometry_ = geometry;
  uint32_t width = geometry.width;
  uint32_t height = geometry.height;
  for (uint32_t level = 0; level < kAdmLevels; ++level) {
    width = (width + 1) / 2;
    height = (height + 1) / 2;
    levels_[level] = MakeLevel(level, width, height, viewing_);
  }
  return Status();
}

AdmScore::Parts AdmScore::PartsOf(uint32_t index, const AdmSums& sums) const {
  const AdmLevel& level = levels_[index];
  const float noise = CubeRoot(static_cast<float>(level.area() * kNoiseWeight));
  Parts parts{0, 0, 0};
  for (int band = 0; band < 3; ++band) {
    const int denominator_bits =
        index == 0
            ? kDenominatorBits[0] - level.denominator_row_shift
            : kDenominatorBits[index] - level.denominator_row_shift - level.denominator_cube_shift;
    const double weight = std::pow(double{level.sensitivity[band]}, 3);
    const double original =
        std::ldexp(static_cast<double>(sums.denominator[band]), -denominator_bits);
    parts.denominator += CubeRoot(static_cast<float>(original * weight)) + noise;
    const int numerator_bits =
        kNumeratorBits[index][band] - level.numerator_cube_shift[band] - level.numerator_row_shift;
    const double masked = std::ldexp(static_cast<double>(sums.numerator[band]), -numerator_bits);
    parts.numerator += CubeRoot(static_cast<float>(masked)) + noise;
    const double added = std::ldexp(static_cast<double>(sums.additive[band]), -numerator_bits);
    parts.additive += CubeRoot(static_cast<float>(added));
  }
  return parts;
}

Status AdmScore::Write(uint32_t index, const AdmSums* sums, FeatureCollector& collector) const {
  std::array<Parts, kAdmLevels> parts;
  double numerator = 0;
  double denominator = 0;
  double additive = 0;
  FirstError first;
  for (uint32_t level = 0; level < kAdmLevels; ++level) {
    parts[level] = PartsOf(level, sums[level]);
    numerator += parts[level].numerator;
    denominator += parts[level].denominator;
    additive += parts[level].additive;
    const double score = double{parts[level].numerator} / parts[level].denominator;
    first.Note(
        collector.Append("integer_adm_scale" + std::to_string(level) + suffix_, index, score));
  }
  const double smallest = 1e-10 * geometry_.width * geometry_.height / (1920.0 * 1080.0);
  const auto quotient = [&](double part) {
    if (denominator < smallest) return 1.0;
    return part < smallest ? 0.0 : part / denominator;
  };
  const double adm2 = quotient(numerator);
  const double aim = quotient(additive);
  first.Note(collector.Append("integer_adm2" + suffix_, index, adm2));
  first.Note(collector.Append("integer_aim" + suffix_, index, aim));
  const double adm3 = adm2 * kDetailLossWeight + (1 - aim) * (1 - kDetailLossWeight);
  first.Note(collector.Append("integer_adm3" + suffix_, index, std::max(adm3, 0.0)));
  if (debug_) first.Note(WriteDebug(index, parts, adm2, collector));
  return first.Take();
}

Status AdmScore::WriteDebug(uint32_t index, const std::array<Parts, kAdmLevels>& parts,
                            double score, FeatureCollector& collector) const {
  FirstError first;
  double numerator = 0;
  double denominator = 0;
  for (uint32_t level = 0; level < kAdmLevels; ++level) {
    const std::string of_level = "_scale" + std::to_string(level) + suffix_;
    numerator += parts[level].numerator;
    denominator += parts[level].denominator;
    first.Note(collector.Append("integer_adm_num" + of_level, index, parts[level].numerator));
    first.Note(collector.Append("integer_adm_den" + of_level, index, parts[level].denominator));
  }
  first.Note(collector.Append("integer_adm" + suffix_, index, score));
  first.Note(collector.Append("integer_adm_num" + suffix_, index, numerator));
  first.Note(collector.Append("integer_adm_den" + suffix_, index, denominator));
  return first.Take();
}

}  // namespace culprit::reference
