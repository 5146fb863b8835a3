// SPDX-License-Identifier: Apache-2.0
#include "stress/statistics/warm_up.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "stress/statistics/staircase.h"
#include "stress/statistics/theil_sen.h"

namespace culprit::stress {
namespace {

// A staircase that keeps its pace can lie this many chunks off the line through its later part.
constexpr double kChunksOfSlack = 3;
constexpr double kSpreadsOfSlack = 6;
constexpr size_t kSmallestPiece = 3;

struct LeastSquares {
  double n = 0, x = 0, y = 0, xx = 0, xy = 0, yy = 0;

  void Add(double px, double py, double sign = 1) {
    n += sign;
    x += sign * px;
    y += sign * py;
    xx += sign * px * px;
    xy += sign * px * py;
    yy += sign * py * py;
  }
  double Slope() const {
    const double spread = xx - x * x / n;
    return spread > 0 ? (xy - x * y / n) / spread : 0;
  }
  double SquaredError() const {
    const double slope = Slope();
    return std::max(0.0, yy - y * y / n - slope * (xy - x * y / n));
  }
  double At(double cycle) const { return y / n + Slope() * (cycle - x / n); }
};

// The split of `series` into two straight pieces with the smallest squared error.
size_t BestSplit(std::span<const Point> series, size_t latest) {
  const Point origin = series[0];  // keeps the sums small, and with them the rounding
  LeastSquares head;
  LeastSquares tail;
  for (const Point& point : series)
    tail.Add(point.cycle - origin.cycle, point.value - origin.value);
  size_t best = 0;
  double least = tail.SquaredError();
  for (size_t i = 0; i < latest; ++i) {
    const double x = series[i].cycle - origin.cycle;
    const double y = series[i].value - origin.value;
    head.Add(x, y);
    tail.Add(x, y, -1);
    const double error = head.SquaredError() + tail.SquaredError();
    if (i + 1 < series.size() && error < least) {
      least = error;
      best = i + 1;
    }
  }
  return best;
}

bool HeadIsOffTheLine(std::span<const Point> series, size_t split, double granularity) {
  const std::span<const Point> tail = series.subspan(split);
  LeastSquares line;
  for (const Point& point : tail) {
    line.Add(point.cycle - tail[0].cycle, point.value - tail[0].value);
  }
  std::vector<double> errors;
  auto error_of = [&](const Point& point) {
    return std::abs(point.value - tail[0].value - line.At(point.cycle - tail[0].cycle));
  };
  for (const Point& point : tail) errors.push_back(error_of(point));
  const double chunk = DescribeStaircase(tail, granularity).chunk;
  const double slack = kChunksOfSlack * chunk + kSpreadsOfSlack * 1.4826 * Median(errors);
  return error_of(series[0]) > slack;
}

}  // namespace

size_t FindWarmUpEnd(std::span<const Point> series, double granularity) {
  const size_t most = series.size() / 2;
  size_t end = 0;
  // Warm-up often bends: what is left after one cut can hold another.
  while (end < most && series.size() - end >= 4 * kSmallestPiece) {
    const std::span<const Point> rest = series.subspan(end);
    const size_t split = BestSplit(rest, most - end);
    if (split == 0 || !HeadIsOffTheLine(rest, split, granularity)) break;
    end += split;
  }
  return end;
}

}  // namespace culprit::stress
