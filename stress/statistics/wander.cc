// SPDX-License-Identifier: Apache-2.0
#include "stress/statistics/wander.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "stress/statistics/theil_sen.h"

namespace culprit::stress {
namespace {

constexpr size_t kBlocks = 24;
constexpr size_t kFarApart = 6;

double MeanSquaredDifference(const std::vector<double>& values, size_t lag) {
  double sum = 0;
  for (size_t i = lag; i < values.size(); ++i) {
    sum += (values[i] - values[i - lag]) * (values[i] - values[i - lag]);
  }
  return sum / static_cast<double>(values.size() - lag);
}

// Taking the slope out ties both ends of a walk down, which shortens its differences this much.
double Tied(size_t lag, size_t blocks) {
  const auto k = static_cast<double>(lag);
  return k * (1 - k / static_cast<double>(blocks));
}

}  // namespace

double WanderPerCycle(std::span<const Point> series, double slope) {
  const size_t blocks = std::min(kBlocks, series.size() / 2);
  if (blocks < 2 * kFarApart) return 0;
  std::vector<double> heights;
  for (size_t block = 0; block < blocks; ++block) {
    const size_t first = block * series.size() / blocks;
    const size_t last = (block + 1) * series.size() / blocks;
    std::vector<double> residuals;
    for (const Point& point : series.subspan(first, last - first)) {
      residuals.push_back(point.value - slope * point.cycle);
    }
    heights.push_back(Median(residuals));
  }
  const double gained =
      MeanSquaredDifference(heights, kFarApart) - MeanSquaredDifference(heights, 1);
  const double per_block = std::max(0.0, gained / (Tied(kFarApart, blocks) - Tied(1, blocks)));
  return std::sqrt(per_block * static_cast<double>(blocks)) /
         (series.back().cycle - series.front().cycle);
}

}  // namespace culprit::stress
