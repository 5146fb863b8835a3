// SPDX-License-Identifier: Apache-2.0
#include "reference_impl/extractor/gaussian_window.h"

#include <cmath>

namespace culprit::reference {

void FillGaussianWindow(double deviation, std::span<double> taps) {
  double sum = 0;
  for (size_t i = 0; i < taps.size(); ++i) {
    const double distance =
        (static_cast<double>(i) - static_cast<double>(taps.size() / 2)) / deviation;
    taps[i] = std::exp(-0.5 * distance * distance);
    sum += taps[i];
  }
  for (double& tap : taps) tap /= sum;
}

}  // namespace culprit::reference
