// SPDX-License-Identifier: Apache-2.0
//
// A level of the wavelet transform: the size of its bands, the inner part that counts, and how
// sensitive an eye is to them.
#ifndef CULPRIT_REFERENCE_IMPL_EXTRACTOR_ADM_ADM_LEVEL_H_
#define CULPRIT_REFERENCE_IMPL_EXTRACTOR_ADM_ADM_LEVEL_H_

#include <array>

#include "reference_impl/extractor/adm/adm_viewing.h"

namespace culprit::reference {

inline constexpr uint32_t kAdmLevels = 4;

struct AdmLevel {
  uint32_t width = 0;  // of the bands
  uint32_t height = 0;
  int left = 0, right = 0, top = 0, bottom = 0;
  std::array<float, 3> sensitivity{};  // horizontal, vertical, diagonal

  uint32_t rows() const { return static_cast<uint32_t>(bottom - top); }
  double area() const { return static_cast<double>(bottom - top) * (right - left); }
};

// The levels of a picture, which has `width` x `height` samples.
std::array<AdmLevel, kAdmLevels> MakeAdmLevels(uint32_t width, uint32_t height,
                                               const AdmViewing& viewing);

}  // namespace culprit::reference

#endif  // CULPRIT_REFERENCE_IMPL_EXTRACTOR_ADM_ADM_LEVEL_H_
