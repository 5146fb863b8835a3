// SPDX-License-Identifier: Apache-2.0
//
// Contrast sensitivity of a wavelet band at a viewing distance.
#ifndef CULPRIT_REFERENCE_IMPL_EXTRACTOR_ADM_ADM_VIEWING_H_
#define CULPRIT_REFERENCE_IMPL_EXTRACTOR_ADM_ADM_VIEWING_H_

#include <array>
#include <cstdint>

namespace culprit::reference {

struct AdmViewing {
  double distance = 3.0;  // in heights of the display
  double display_height = 1080;

  double pixels() const { return distance * display_height; }
};

// Of the horizontal, vertical and diagonal band of a level.
std::array<float, 3> AdmSensitivity(uint32_t level, const AdmViewing& viewing);

}  // namespace culprit::reference

#endif  // CULPRIT_REFERENCE_IMPL_EXTRACTOR_ADM_ADM_VIEWING_H_
