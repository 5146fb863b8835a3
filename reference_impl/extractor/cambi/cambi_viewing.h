// SPDX-License-Identifier: Apache-2.0
//
// What of banding can be seen: the constants that follow from the display, the distance and the
// size of the picture.
#ifndef CULPRIT_REFERENCE_IMPL_EXTRACTOR_CAMBI_CAMBI_VIEWING_H_
#define CULPRIT_REFERENCE_IMPL_EXTRACTOR_CAMBI_CAMBI_VIEWING_H_

#include <cstdint>

namespace culprit::reference {

inline constexpr uint32_t kCambiSteps = 4;

// By value to the kernels, which declare the same: for a step of one to four, the largest ten-bit
// value at which it is visible.
struct CambiThresholds {
  int of_step[kCambiSteps];
};

CambiThresholds VisibleSteps();

// The side, odd, of the window in which a picture's samples are compared.
uint32_t CambiWindow(uint32_t width, uint32_t height);

// Of the 49 samples around one, more than this many must be flat for it to be looked at.
int CambiFlatThreshold(uint32_t width, uint32_t height);

}  // namespace culprit::reference

#endif  // CULPRIT_REFERENCE_IMPL_EXTRACTOR_CAMBI_CAMBI_VIEWING_H_
