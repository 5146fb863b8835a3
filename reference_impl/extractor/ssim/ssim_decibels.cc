// SPDX-License-Identifier: Apache-2.0
#include "reference_impl/extractor/ssim/ssim_decibels.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace culprit::reference {

double SsimDecibels(double similarity, const Geometry& geometry, bool clipped) {
  const double samples = static_cast<double>(geometry.width) * geometry.height;
  const double peak = (1u << geometry.bits) - 1;
  const double cap = clipped ? std::ceil(10 * std::log10(peak * peak / (0.5 / samples)))
                             : std::numeric_limits<double>::infinity();
  return std::min(-10 * std::log10(1 - similarity), cap);
}

}  // namespace culprit::reference
