// SPDX-License-Identifier: Apache-2.0
#include "stress/statistics/staircase.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace culprit::stress {
namespace {

// Part of what was gained that a staircase may give back and still be one.
constexpr double kGivenBack = 0.01;

}  // namespace

Staircase DescribeStaircase(std::span<const Point> series, double granularity) {
  Staircase staircase{.chunk = granularity};
  if (series.size() < 2) return staircase;
  std::vector<double> changes;
  double highest = series[0].value;
  double gained = 0;
  double given_back = 0;
  for (size_t i = 1; i < series.size(); ++i) {
    const double change = series[i].value - series[i - 1].value;
    if (change != 0) changes.push_back(std::abs(change));
    (change > 0 ? gained : given_back) += std::abs(change);
    if (series[i].value > highest) {
      highest = series[i].value;
      ++staircase.rises;
    }
  }
  const bool mostly_level = 2 * changes.size() <= series.size() - 1;
  staircase.stepped = mostly_level && given_back <= kGivenBack * gained;
  if (mostly_level && !changes.empty()) {
    // Nearly the largest: one odd chunk among many must not blind the run.
    std::sort(changes.begin(), changes.end());
    const size_t pick = changes.size() < 10 ? changes.size() - 1 : changes.size() * 9 / 10;
    staircase.chunk = std::max(granularity, changes[pick]);
  }
  return staircase;
}

}  // namespace culprit::stress
