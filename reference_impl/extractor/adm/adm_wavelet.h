// SPDX-License-Identifier: Apache-2.0
//
// Where the bands of a wavelet level are on a device, and which part of them counts; shared by the
// extractor in fixed point and the one on fractions.
#ifndef CULPRIT_REFERENCE_IMPL_EXTRACTOR_ADM_ADM_WAVELET_H_
#define CULPRIT_REFERENCE_IMPL_EXTRACTOR_ADM_ADM_WAVELET_H_

#include <array>

#include "reference_impl/extractor/adm/adm_level.h"
#include "reference_impl/framework/buffer_set.h"

namespace culprit::reference {

// Horizontal, vertical, diagonal; each has the level's width times height samples, row by row.
using AdmBands = std::array<CUdeviceptr, 3>;

struct AdmWavelet {
  CUdeviceptr approximation = 0;  // the next level's input, as large as a band
  AdmBands details{};
};

// By value to the kernels, which declare the same. In samples of a band.
struct AdmWindow {
  int width, left, right, top, bottom;
};
AdmWindow AdmWindowOf(const AdmLevel& level);

// Buffers of `set`, which owns them, also those that were made before a failure.
Status OpenBands(BufferSet& set, const std::shared_ptr<Context>& context, const AdmLevel& level,
                 size_t sample_bytes, AdmBands* bands);
Status OpenWavelet(BufferSet& set, const std::shared_ptr<Context>& context, const AdmLevel& level,
                   size_t sample_bytes, AdmWavelet* wavelet);

}  // namespace culprit::reference

#endif  // CULPRIT_REFERENCE_IMPL_EXTRACTOR_ADM_ADM_WAVELET_H_
