// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

namespace culprit::stress {

// One reading: how much of a resource was in use after so many cycles.
struct Point {
  double cycle = 0;
  double value = 0;

  bool operator==(const Point&) const = default;
};

// Readings in the order of their cycles; no two share a cycle.
using Series = std::vector<Point>;

}  // namespace culprit::stress
