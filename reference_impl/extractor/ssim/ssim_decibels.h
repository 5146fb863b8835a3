// SPDX-License-Identifier: Apache-2.0
#ifndef CULPRIT_REFERENCE_IMPL_EXTRACTOR_SSIM_SSIM_DECIBELS_H_
#define CULPRIT_REFERENCE_IMPL_EXTRACTOR_SSIM_SSIM_DECIBELS_H_

#include "reference_impl/framework/frame.h"

namespace culprit::reference {

// A similarity as -10 * log10(1 - similarity). Equal pictures have infinitely many decibels, or,
// clipped, as many as pictures that differ by half a step in one sample.
double SsimDecibels(double similarity, const Geometry& geometry, bool clipped);

}  // namespace culprit::reference

#endif  // CULPRIT_REFERENCE_IMPL_EXTRACTOR_SSIM_SSIM_DECIBELS_H_
