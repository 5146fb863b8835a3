// SPDX-License-Identifier: Apache-2.0
#include "reference_impl/extractor/adm/adm_wavelet.h"

namespace culprit::reference {

AdmWindow AdmWindowOf(const AdmLevel& level) {
  return {static_cast<int>(level.width), level.left, level.right, level.top, level.bottom};
}

Status OpenBands(BufferSet& set, const std::shared_ptr<Context>& context, const AdmLevel& level,
                 size_t sample_bytes, AdmBands* bands) {
  const size_t bytes = sample_bytes * level.width * level.height;
  for (CUdeviceptr& band : *bands) {
    Status allocated = set.Open(context, bytes, &band);
    if (!allocated.ok()) return allocated;
  }
  return Status();
}

Status OpenWavelet(BufferSet& set, const std::shared_ptr<Context>& context, const AdmLevel& level,
                   size_t sample_bytes, AdmWavelet* wavelet) {
  const size_t bytes = sample_bytes * level.width * level.height;
  Status approximation = set.Open(context, bytes, &wavelet->approximation);
  if (!approximation.ok()) return approximation;
  return OpenBands(set, context, level, sample_bytes, &wavelet->details);
}

}  // namespace culprit::reference
