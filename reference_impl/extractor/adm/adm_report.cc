// SPDX-License-Identifier: Apache-2.0
#include "reference_impl/extractor/adm/adm_report.h"

#include <algorithm>
#include <cerrno>
#include <cmath>

namespace culprit::reference {
namespace {

constexpr uint32_t kSmallestSide = 32;  // the last level must still have neighbours
constexpr double kNoiseWeight = 0.03125;
constexpr double kDetailLossWeight = 0.5;

float CubeRoot(float value) { return std::pow(value, 1.0f / 3.0f); }

}  // namespace

AdmParts AdmPooled(const AdmLevel& level, const std::array<AdmCubes, 3>& bands) {
  const float noise = CubeRoot(static_cast<float>(level.area() * kNoiseWeight));
  AdmParts parts;
  for (const AdmCubes& band : bands) {
    parts.denominator += CubeRoot(static_cast<float>(band.denominator)) + noise;
    parts.numerator += CubeRoot(static_cast<float>(band.numerator)) + noise;
    parts.additive += CubeRoot(static_cast<float>(band.additive));
  }
  return parts;
}

Status AdmReport::Start(std::string prefix, const Geometry& geometry, const Options& options) {
  prefix_ = std::move(prefix);
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
  levels_ = MakeAdmLevels(geometry.width, geometry.height, viewing_);
  return Status();
}

Status AdmReport::Write(uint32_t index, const std::array<AdmParts, kAdmLevels>& parts,
                        FeatureCollector& collector) const {
  double numerator = 0;
  double denominator = 0;
  double additive = 0;
  FirstError first;
  for (uint32_t level = 0; level < kAdmLevels; ++level) {
    numerator += parts[level].numerator;
    denominator += parts[level].denominator;
    additive += parts[level].additive;
    const std::string key = prefix_ + "adm_scale" + std::to_string(level) + suffix_;
    const double score = double{parts[level].numerator} / parts[level].denominator;
    first.Note(collector.Append(key, index, score));
  }
  const double smallest = 1e-10 * geometry_.width * geometry_.height / (1920.0 * 1080.0);
  const auto quotient = [&](double part) {
    if (denominator < smallest) return 1.0;
    return part < smallest ? 0.0 : part / denominator;
  };
  const double adm2 = quotient(numerator);
  const double aim = quotient(additive);
  first.Note(collector.Append(prefix_ + "adm2" + suffix_, index, adm2));
  first.Note(collector.Append(prefix_ + "aim" + suffix_, index, aim));
  const double adm3 = adm2 * kDetailLossWeight + (1 - aim) * (1 - kDetailLossWeight);
  first.Note(collector.Append(prefix_ + "adm3" + suffix_, index, std::max(adm3, 0.0)));
  if (debug_) first.Note(WriteDebug(index, parts, adm2, collector));
  return first.Take();
}

Status AdmReport::WriteDebug(uint32_t index, const std::array<AdmParts, kAdmLevels>& parts,
                             double score, FeatureCollector& collector) const {
  FirstError first;
  double numerator = 0;
  double denominator = 0;
  for (uint32_t level = 0; level < kAdmLevels; ++level) {
    const std::string of_level = "_scale" + std::to_string(level) + suffix_;
    numerator += parts[level].numerator;
    denominator += parts[level].denominator;
    first.Note(collector.Append(prefix_ + "adm_num" + of_level, index, parts[level].numerator));
    first.Note(collector.Append(prefix_ + "adm_den" + of_level, index, parts[level].denominator));
  }
  first.Note(collector.Append(prefix_ + "adm" + suffix_, index, score));
  first.Note(collector.Append(prefix_ + "adm_num" + suffix_, index, numerator));
  first.Note(collector.Append(prefix_ + "adm_den" + suffix_, index, denominator));
  return first.Take();
}

}  // namespace culprit::reference
