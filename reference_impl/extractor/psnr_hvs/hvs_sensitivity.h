// SPDX-License-Identifier: Apache-2.0
//
// How well an eye sees the coefficients of an 8 x 8 cosine transform, and how much they mask.
#ifndef CULPRIT_REFERENCE_IMPL_EXTRACTOR_PSNR_HVS_HVS_SENSITIVITY_H_
#define CULPRIT_REFERENCE_IMPL_EXTRACTOR_PSNR_HVS_HVS_SENSITIVITY_H_

#include <array>
#include <cstdint>

namespace culprit::reference {

// Row by row; kernels/psnr_hvs.cu declares the same.
struct HvsSensitivity {
  std::array<float, 64> contrast;
  std::array<float, 64> masking;
};

// Of a plane. Chroma has the tables of 4:2:0 in every format.
HvsSensitivity HvsSensitivityOf(uint32_t plane);

}  // namespace culprit::reference

#endif  // CULPRIT_REFERENCE_IMPL_EXTRACTOR_PSNR_HVS_HVS_SENSITIVITY_H_
