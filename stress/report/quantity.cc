// SPDX-License-Identifier: Apache-2.0
#include "stress/report/quantity.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace culprit::stress {

std::string Amount(Resource resource, double value) {
  if (!std::isfinite(value)) return value > 0 ? "unbounded" : "-unbounded";
  if (!InfoOf(resource).bytes) return fmt::format("{:.3g}", value);
  constexpr std::array kUnits{"B", "KiB", "MiB", "GiB", "TiB"};
  size_t unit = 0;
  while (std::abs(value) >= 1024 && unit + 1 < kUnits.size()) {
    value /= 1024;
    ++unit;
  }
  if (unit > 0) return fmt::format("{:.1f} {}", value, kUnits[unit]);
  return std::abs(value) < 100 ? fmt::format("{:.3g} B", value) : fmt::format("{:.0f} B", value);
}

}  // namespace culprit::stress
