// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "stress/statistics/series.h"

namespace culprit::stress {

// A line through a series that a third of wild readings cannot bend.
//
// The slope is the median of the slopes between all pairs of readings (Theil 1950, Sen 1968). Its
// interval is read off the same sorted slopes, as far from the middle as Kendall's S may stray by
// chance. Readings that remember their predecessors carry less news than independent ones, so the
// variance of S is widened by the autocorrelation of the residuals' ranks (Hamed and Rao 1998);
// without that a random walk would pass for a trend.
struct Line {
  double slope = 0;
  double lower = 0;  // bounds of the slope at the confidence asked for
  double upper = 0;
  double intercept = 0;        // value at cycle 0
  double variance_factor = 1;  // how much autocorrelation widened the variance of S; never below 1

  double At(double cycle) const { return intercept + slope * cycle; }
};

// `confidence` is two-sided, in (0, 1). Fewer than three readings give an interval without bounds.
Line FitTheilSen(std::span<const Point> series, double confidence);

// The z with P(|N(0,1)| < z) = confidence.
double TwoSidedNormalQuantile(double confidence);

// Median of `values`, which it reorders; 0 when there are none.
double Median(std::span<double> values);

}  // namespace culprit::stress
