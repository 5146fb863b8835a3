// SPDX-License-Identifier: Apache-2.0
#include "reference_impl/extractor/adm/adm_viewing.h"

#include <cmath>
#include <numbers>

namespace culprit::reference {
namespace {

// Amplitudes of the basis functions: straight and diagonal bands of the four levels.
constexpr float kStraight[] = {0.67234f, 0.41317f, 0.22727f, 0.11792f};
constexpr float kDiagonal[] = {0.72709f, 0.49428f, 0.28688f, 0.15214f};
constexpr float kStraightFrequency = 1.0f;
constexpr float kDiagonalFrequency = 0.534f;

float Sensitivity(uint32_t level, float frequency, float amplitude, float pixels_per_degree) {
  const auto t = static_cast<float>(std::log10(std::exp2(level + 1.0) * double{0.401f} *
                                               double{frequency} / double{pixels_per_degree}));
  const float exponent = 0.466f * t * t;
  const auto quantization = static_cast<float>(
      2.0 * double{0.495f} * std::pow(10.0, double{exponent}) / double{amplitude});
  return 1.0f / quantization;
}

}  // namespace

std::array<float, 3> AdmSensitivity(uint32_t level, const AdmViewing& viewing) {
  const auto pixels_per_degree =
      static_cast<float>(viewing.distance * viewing.display_height * std::numbers::pi / 180.0);
  const float straight =
      Sensitivity(level, kStraightFrequency, kStraight[level], pixels_per_degree);
  const float diagonal =
      Sensitivity(level, kDiagonalFrequency, kDiagonal[level], pixels_per_degree);
  return {straight, straight, diagonal};
}

}  // namespace culprit::reference
