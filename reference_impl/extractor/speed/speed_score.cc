// SPDX-License-Identifier: Apache-2.0
#include "reference_impl/extractor/speed/speed_score.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>
#include <optional>
#include <vector>

#include "reference_impl/extractor/speed/symmetric_matrix.h"

namespace culprit::reference {
namespace {

constexpr double kSmallestEigenvalue = 1e-6;
constexpr double kNoise = 0.29;  // of the visual channel, as a variance

double NormalEntropy() { return std::log2(2 * std::numbers::pi * std::numbers::e); }

struct Block {
  double energy;
  double entropy;

  double Weighted() const { return entropy * std::log2(1 + energy); }
};

// The samples of one block, in the order of the covariance's places.
std::array<double, kSpeedPlaces> SamplesOf(const SpeedExtent& extent,
                                           std::span<const double> detail, uint32_t column,
                                           uint32_t row) {
  std::array<double, kSpeedPlaces> samples{};
  for (uint32_t place = 0; place < kSpeedPlaces; ++place) {
    const size_t y = row * kSpeedBlock + place / kSpeedBlock;
    const size_t x = column * kSpeedBlock + place % kSpeedBlock;
    samples[place] = detail[y * extent.width + x];
  }
  return samples;
}

double EntropyOf(std::span<const double> eigenvalues, double energy) {
  double entropy = 0;
  for (const double eigenvalue : eigenvalues) {
    entropy += std::log2(eigenvalue * energy + kNoise) + NormalEntropy();
  }
  return entropy;
}

// None if the covariance is singular.
std::optional<std::vector<Block>> BlocksOf(const SpeedExtent& extent,
                                           const SpeedStatistics& plane) {
  const SymmetricMatrix covariance(plane.covariance, kSpeedPlaces);
  const std::vector<double> eigenvalues = covariance.Eigenvalues();
  if (*std::min_element(eigenvalues.begin(), eigenvalues.end()) < kSmallestEigenvalue) return {};
  std::vector<Block> blocks;
  for (uint32_t row = 0; row < extent.rows(); ++row) {
    for (uint32_t column = 0; column < extent.columns(); ++column) {
      const auto samples = SamplesOf(extent, plane.detail, column, row);
      const std::vector<double> whitened = covariance.Solve(samples);
      const double energy =
          std::inner_product(samples.begin(), samples.end(), whitened.begin(), 0.0) / kSpeedPlaces;
      blocks.push_back({energy, EntropyOf(eigenvalues, energy)});
    }
  }
  return blocks;
}

}  // namespace

SpeedDistance SpeedDistanceOf(const SpeedExtent& extent, const SpeedStatistics& reference,
                              const SpeedStatistics& distorted) {
  const auto first = BlocksOf(extent, reference);
  const auto second = BlocksOf(extent, distorted);
  if (!first || !second) return {.value = 0, .singular = true};
  const double of_noise = kSpeedPlaces * (std::log2(kNoise) + NormalEntropy());
  double sum = 0;
  for (size_t i = 0; i < first->size(); ++i) {
    const Block& of_reference = (*first)[i];
    const Block& of_distorted = (*second)[i];
    if (of_reference.entropy < of_noise && of_distorted.entropy < of_noise) continue;
    sum += std::abs(of_reference.Weighted() - of_distorted.Weighted());
  }
  return {.value = sum / static_cast<double>(first->size()), .singular = false};
}

}  // namespace culprit::reference
