// SPDX-License-Identifier: Apache-2.0
//
// Coefficients of a recursive Gaussian: three second-order sections whose outputs are added
// (Charalampidis, "Recursive Implementation of the Gaussian Filter Using Truncated Cosine
// Functions", 2016).
#ifndef CULPRIT_REFERENCE_IMPL_EXTRACTOR_SSIMULACRA2_RECURSIVE_GAUSSIAN_H_
#define CULPRIT_REFERENCE_IMPL_EXTRACTOR_SSIMULACRA2_RECURSIVE_GAUSSIAN_H_

namespace culprit::reference {

// By value to the kernels, which declare the same. A section's output is its input coefficient
// times the two samples at the ends of the window, less feedback times its last output, less the
// one before.
struct RecursiveGaussian {
  static constexpr int kSections = 3;

  int reach;  // samples to each side
  float input[kSections];
  float feedback[kSections];
};

// `deviation` in samples.
RecursiveGaussian GaussianOf(double deviation);

}  // namespace culprit::reference

#endif  // CULPRIT_REFERENCE_IMPL_EXTRACTOR_SSIMULACRA2_RECURSIVE_GAUSSIAN_H_
