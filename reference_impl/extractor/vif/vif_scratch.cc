// SPDX-License-Identifier: Apache-2.0
#include "reference_impl/extractor/vif/vif_scratch.h"

namespace culprit::reference {

Status VifScratch::Open(BufferSet& set, const std::shared_ptr<Context>& context,
                        const VifScore& score, size_t sample_bytes, size_t moment_bytes) {
  constexpr size_t kMoments = 5;
  const auto samples = [&](uint32_t scale) {
    return size_t{score.extent(scale).width} * score.extent(scale).height;
  };
  for (uint32_t scale = 0; scale < kVifScales; ++scale) {
    for (CUdeviceptr* picture : {&pictures[scale].reference, &pictures[scale].distorted}) {
      Status allocated = set.Open(context, samples(scale) * sample_bytes, picture);
      if (!allocated.ok()) return allocated;
    }
  }
  Status allocated = set.Open(context, samples(0) * kMoments * moment_bytes, &moments);
  if (!allocated.ok()) return allocated;
  return set.Open(context, samples(0) * sample_bytes, &half_filtered);
}

}  // namespace culprit::reference
