// SPDX-License-Identifier: Apache-2.0
#include "stress/statistics/theil_sen.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

namespace culprit::stress {
namespace {

// Ranks from 1; equal values share the mean of the ranks they span.
std::vector<double> Ranks(std::span<const double> values) {
  std::vector<size_t> order(values.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return values[a] < values[b]; });
  std::vector<double> ranks(values.size());
  for (size_t first = 0; first < order.size();) {
    size_t last = first;
    while (last + 1 < order.size() && values[order[last + 1]] == values[order[first]]) ++last;
    for (size_t i = first; i <= last; ++i) ranks[order[i]] = 1 + (first + last) / 2.0;
    first = last + 1;
  }
  return ranks;
}

// Variance of Kendall's S for independent readings, with the usual correction for ties.
double VarianceOfS(std::span<const Point> series) {
  std::vector<double> values;
  for (const Point& point : series) values.push_back(point.value);
  std::sort(values.begin(), values.end());
  auto term = [](double n) { return n * (n - 1) * (2 * n + 5); };
  double variance = term(static_cast<double>(values.size()));
  for (size_t first = 0; first < values.size();) {
    size_t last = first;
    while (last < values.size() && values[last] == values[first]) ++last;
    variance -= term(static_cast<double>(last - first));
    first = last;
  }
  return variance / 18;
}

// Hamed and Rao's factor over the residuals, summed up to the first lag that chance explains.
double AutocorrelationFactor(std::span<const double> residuals) {
  const auto n = static_cast<double>(residuals.size());
  if (n < 10) return 1;
  std::vector<double> ranks = Ranks(residuals);
  const double mean = (n + 1) / 2;
  double variance = 0;
  for (double& rank : ranks) {
    rank -= mean;
    variance += rank * rank;
  }
  if (variance == 0) return 1;
  double sum = 0;
  for (size_t lag = 1; lag + 3 < ranks.size(); ++lag) {
    double covariance = 0;
    for (size_t i = lag; i < ranks.size(); ++i) covariance += ranks[i] * ranks[i - lag];
    const double correlation = covariance / variance;
    if (correlation < 1.96 / std::sqrt(n)) break;
    const auto k = static_cast<double>(lag);
    sum += (n - k) * (n - k - 1) * (n - k - 2) * correlation;
  }
  return 1 + 2 * sum / (n * (n - 1) * (n - 2));
}

}  // namespace

double TwoSidedNormalQuantile(double confidence) {
  double low = 0;
  double high = 40;
  for (int i = 0; i < 100; ++i) {
    const double middle = (low + high) / 2;
    (std::erf(middle / std::sqrt(2.0)) < confidence ? low : high) = middle;
  }
  return (low + high) / 2;
}

double Median(std::span<double> values) {
  if (values.empty()) return 0;
  const size_t half = values.size() / 2;
  std::nth_element(values.begin(), values.begin() + half, values.end());
  const double upper = values[half];
  if (values.size() % 2 == 1) return upper;
  return (*std::max_element(values.begin(), values.begin() + half) + upper) / 2;
}

Line FitTheilSen(std::span<const Point> series, double confidence) {
  constexpr double kUnbounded = std::numeric_limits<double>::infinity();
  Line line{.lower = -kUnbounded, .upper = kUnbounded};
  if (series.size() < 2) {
    if (!series.empty()) line.intercept = series[0].value;
    return line;
  }
  std::vector<double> slopes;
  slopes.reserve(series.size() * (series.size() - 1) / 2);
  for (size_t j = 1; j < series.size(); ++j) {
    for (size_t i = 0; i < j; ++i) {
      slopes.push_back((series[j].value - series[i].value) / (series[j].cycle - series[i].cycle));
    }
  }
  std::sort(slopes.begin(), slopes.end());
  line.slope = (slopes[(slopes.size() - 1) / 2] + slopes[slopes.size() / 2]) / 2;

  std::vector<double> residuals;
  for (const Point& point : series) residuals.push_back(point.value - line.slope * point.cycle);
  const std::vector<double> in_time_order = residuals;
  line.intercept = Median(residuals);
  if (series.size() < 3) return line;

  line.variance_factor = std::max(1.0, AutocorrelationFactor(in_time_order));
  const double reach = TwoSidedNormalQuantile(confidence) *
                       std::sqrt(std::max(0.0, VarianceOfS(series)) * line.variance_factor);
  const auto pairs = static_cast<double>(slopes.size());
  const double below = std::floor((pairs - reach) / 2);
  const double above = std::ceil((pairs + reach) / 2);
  if (below >= 0) line.lower = slopes[static_cast<size_t>(below)];
  if (above < pairs) line.upper = slopes[static_cast<size_t>(above)];
  // A series without any change has S = 0 for certain: its interval is a point.
  if (slopes.front() == slopes.back()) line.lower = line.upper = line.slope;
  return line;
}

}  // namespace culprit::stress
