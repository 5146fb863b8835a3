// SPDX-License-Identifier: Apache-2.0
#ifndef CULPRIT_REFERENCE_IMPL_EXTRACTOR_GAUSSIAN_WINDOW_H_
#define CULPRIT_REFERENCE_IMPL_EXTRACTOR_GAUSSIAN_WINDOW_H_

#include <span>

namespace culprit::reference {

// Makes `taps`, an odd number of them, a Gaussian around the middle one whose sum is 1. `deviation`
// is in samples.
void FillGaussianWindow(double deviation, std::span<double> taps);

}  // namespace culprit::reference

#endif  // CULPRIT_REFERENCE_IMPL_EXTRACTOR_GAUSSIAN_WINDOW_H_
