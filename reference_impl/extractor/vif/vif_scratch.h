// SPDX-License-Identifier: Apache-2.0
//
// What the kernels of visual information fidelity work on, on a device; shared by the extractor in
// fixed point and the one on fractions.
#ifndef CULPRIT_REFERENCE_IMPL_EXTRACTOR_VIF_VIF_SCRATCH_H_
#define CULPRIT_REFERENCE_IMPL_EXTRACTOR_VIF_VIF_SCRATCH_H_

#include <array>

#include "reference_impl/extractor/vif/vif_score.h"
#include "reference_impl/framework/buffer_set.h"

namespace culprit::reference {

struct VifScratch {
  struct Pictures {
    CUdeviceptr reference = 0;
    CUdeviceptr distorted = 0;
  };

  std::array<Pictures, kVifScales> pictures;  // without padding, each of its scale's extent
  CUdeviceptr moments = 0;                    // five of each sample of the first scale
  CUdeviceptr half_filtered = 0;              // columns of a picture on its way to the next scale

  // Buffers of `set`, which owns them, also those that were made before a failure.
  Status Open(BufferSet& set, const std::shared_ptr<Context>& context, const VifScore& score,
              size_t sample_bytes, size_t moment_bytes);
};

}  // namespace culprit::reference

#endif  // CULPRIT_REFERENCE_IMPL_EXTRACTOR_VIF_VIF_SCRATCH_H_
